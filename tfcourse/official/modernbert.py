"""ModernBERT."""

from collections.abc import Collection

from torch import Tensor

from tfcourse.models.modernbert_published import ModernBertConfig, ModernBertLM
from tfcourse.official.family import Family, Settings, sizes
from tfcourse.official.rules import Rule, Table, bare, fresh, fused, linear, norm, table


def _halves(joint: Tensor) -> list[Tensor]:
    """La matriz de la compuerta y, detrás, la otra."""
    return [fresh(part) for part in joint.chunk(2)]


_LAYER = "model.layers.{n}"
_RULES = (
    *table("embedding", "model.embeddings.tok_embeddings"),
    *norm("first_norm", "model.embeddings.norm", bias=False),
    *norm("blocks.{n}.attention_norm", f"{_LAYER}.attn_norm", bias=False),
    *fused("blocks.{n}.attention", f"{_LAYER}.attn", joint="Wqkv.{kind}"),
    *linear("blocks.{n}.attention.out_proj", f"{_LAYER}.attn.Wo", bias=False),
    *norm("blocks.{n}.mixer_norm", f"{_LAYER}.mlp_norm", bias=False),
    Rule(
        ("blocks.{n}.mixer.gate.weight", "blocks.{n}.mixer.hidden.weight"),
        (f"{_LAYER}.mlp.Wi.weight",),
        _halves,
    ),
    *linear("blocks.{n}.mixer.output", f"{_LAYER}.mlp.Wo", bias=False),
    *norm("norm", "model.final_norm", bias=False),
    *linear("dense", "head.dense", bias=False),
    *norm("head_norm", "head.norm", bias=False),
    *bare("output_bias", "decoder.bias"),
)


def _turns(config: Settings) -> dict[str, float]:
    """La base de cada giro: según la versión, en dos números sueltos o en un diccionario."""
    told = config.get("rope_parameters") or {}
    kinds = {"base": ("full_attention", "global", 160_000.0),
             "near_base": ("sliding_attention", "local", 10_000.0)}  # fmt: skip
    return {
        ours: (told.get(kind) or {}).get("rope_theta", config.get(f"{old}_rope_theta", usual))
        for ours, (kind, old, usual) in kinds.items()
    }


def _full_every(config: Settings) -> int:
    """Cada cuántas capas hay una que mira a todo."""
    kinds = config.get("layer_types")
    if not kinds:
        return config.get("global_attn_every_n_layers", 3)
    whole = [layer for layer, kind in enumerate(kinds) if kind == "full_attention"]
    every = whole[1] if len(whole) > 1 else len(kinds)
    if whole != list(range(0, len(kinds), every)):
        raise ValueError(f"las capas que miran a todo son {whole}: aquí van a intervalos iguales")
    return every


def _modernbert(config: Settings, names: Collection[str]) -> ModernBertLM:
    found = sizes(
        config, n_tokens="vocab_size", d_model="hidden_size", n_heads="num_attention_heads",
        n_layers="num_hidden_layers", d_hidden="intermediate_size",
        max_length="max_position_embeddings",
    )  # fmt: skip
    reach = config.get("local_attention", 128) // 2
    return ModernBertLM(
        ModernBertConfig(**found, **_turns(config), full_every=_full_every(config), reach=reach)
    )


MODERNBERT = Family(
    "modernbert", ("modernbert",),
    # La salida es la tabla de los embeddings. Las normas del original no llevan sesgo: es cero.
    Table(_RULES, ignored=(r"decoder\.weight",), blank=(r".*norm\.bias",)),
    _modernbert,
    needs={
        "hidden_activation": ("gelu",), "classifier_activation": ("gelu",), "norm_bias": (False,),
        "attention_bias": (False,), "mlp_bias": (False,), "classifier_bias": (False,),
        "decoder_bias": (True,), "tie_word_embeddings": (True,),
    },
    eps=("norm_eps", 1e-5), mark="decoder.bias",
)  # fmt: skip
