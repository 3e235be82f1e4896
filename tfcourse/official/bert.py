"""BERT y los suyos: RoBERTa y DistilBERT."""

from collections.abc import Collection
from typing import Any

from torch import nn

from tfcourse.models.bert import Bert, BertConfig, MaskedLM
from tfcourse.official.family import Family, Settings, sizes
from tfcourse.official.rules import Rule, Table, attention, bare, fresh, linear, norm, table, under

_LAYER = "encoder.layer.{n}"
_BERT_BLOCKS = (
    *attention(
        "blocks.{n}.attention", f"{_LAYER}.attention",
        ("self.query", "self.key", "self.value", "output.dense"),
    ),
    *norm("blocks.{n}.around_attention.norm", f"{_LAYER}.attention.output.LayerNorm"),
    *linear("blocks.{n}.feed_forward.hidden", f"{_LAYER}.intermediate.dense"),
    *linear("blocks.{n}.feed_forward.output", f"{_LAYER}.output.dense"),
    *norm("blocks.{n}.around_feed_forward.norm", f"{_LAYER}.output.LayerNorm"),
)  # fmt: skip
_EMBEDDINGS = (
    *table("embedding.table", "embeddings.word_embeddings"),
    *table("embedding.segments", "embeddings.token_type_embeddings"),
    *norm("embedding.norm", "embeddings.LayerNorm"),
)
_POOLER = linear("pooler.0", "pooler.dense")
_OLD_NAMES = ((r"gamma$", "weight"), (r"beta$", "bias"))  # los archivos de 2018
ROBERTA_FIRST = 2  # RoBERTa numera las posiciones desde aquí: las dos primeras no se usan


def _head(transform: str, norm_name: str, bias: str) -> tuple[Rule, ...]:
    """La cabeza de huecos; su matriz es la de los embeddings."""
    return (
        *linear("head.transform", transform),
        *norm("head.norm", norm_name),
        *bare("head.output.bias", bias),
    )


_BERT = (
    *_EMBEDDINGS, *_BERT_BLOCKS, *_POOLER,
    *table("embedding.positions.table", "embeddings.position_embeddings"),
)  # fmt: skip
_ROBERTA = (
    *_EMBEDDINGS, *_BERT_BLOCKS, *_POOLER,
    *bare(
        "embedding.positions.table.weight", "embeddings.position_embeddings.weight",
        lambda rows: fresh(rows[ROBERTA_FIRST:]),
    ),
)  # fmt: skip
_WORDS = "embeddings.word_embeddings"
_BERT_HEAD = _head(
    "cls.predictions.transform.dense", "cls.predictions.transform.LayerNorm", "cls.predictions.bias"
)
_ROBERTA_HEAD = _head("lm_head.dense", "lm_head.layer_norm", "lm_head.bias")
_SHARED = (("head.output.weight", "bert.embedding.table.weight"),)
_BERT_EXTRAS = (
    r"embeddings\.position_ids",
    r"cls\.predictions\.decoder\.(weight|bias)",
    r"cls\.seq_relationship\.(weight|bias)",
)
_ROBERTA_EXTRAS = (r"embeddings\.position_ids", r"lm_head\.decoder\.(weight|bias)")
_BERT_NEEDS = {
    "hidden_act": ("gelu",),
    "position_embedding_type": ("absolute",),
    "is_decoder": (False,),
}


def _bert_sizes(config: Settings, names: Collection[str]) -> dict[str, Any]:
    found = sizes(
        config, n_tokens="vocab_size", d_model="hidden_size", n_heads="num_attention_heads",
        n_layers="num_hidden_layers", d_hidden="intermediate_size",
        max_length="max_position_embeddings", n_segments="type_vocab_size",
    )  # fmt: skip
    return found | {"pooler": any("pooler." in name for name in names)}


def _roberta_sizes(config: Settings, names: Collection[str]) -> dict[str, Any]:
    found = _bert_sizes(config, names)
    return found | {"max_length": found["max_length"] - ROBERTA_FIRST}


def _distil_sizes(config: Settings, names: Collection[str]) -> dict[str, Any]:
    found = sizes(
        config, n_tokens="vocab_size", d_model="dim", n_heads="n_heads", n_layers="n_layers",
        d_hidden="hidden_dim", max_length="max_position_embeddings",
    )  # fmt: skip
    return found | {"n_segments": 0, "pooler": False}


def _reader(read, head: str):
    """Con la cabeza de huecos si el archivo la trae; si no, solo el codificador."""

    def build(config: Settings, names: Collection[str]) -> nn.Module:
        ours = BertConfig(**read(config, names))
        return MaskedLM(ours) if any(head in name for name in names) else Bert(ours)

    return build


def _with_head(rules: tuple[Rule, ...], head: tuple[Rule, ...], words: str) -> tuple[Rule, ...]:
    """Las reglas del codificador, las mismas dentro de `MaskedLM` y las de su cabeza."""
    return (*under("bert.", rules), *head, *table("head.output", words))


def _bert_families(name, kinds, rules, head, words, table_options, marks, **options):
    """Dos familias: con la cabeza de huecos y sin ella; el archivo dice cuál es la suya."""
    whole = Table(_with_head(rules, head, words), **table_options)
    bare_table = Table(rules, **table_options)
    read, mark = marks
    build = _reader(read, mark)
    return (
        Family(name, kinds, whole, build, tied=_SHARED, mark=mark, **options),
        Family(f"{name}-codificador", kinds, bare_table, build, **options),
    )


BERT, BERT_ENCODER = _bert_families(
    "bert", ("bert",), _BERT, _BERT_HEAD, _WORDS,
    {"renames": ((r"^bert\.", ""), *_OLD_NAMES), "ignored": _BERT_EXTRAS},
    (_bert_sizes, "cls.predictions.transform"), needs=_BERT_NEEDS, eps=("layer_norm_eps", 1e-12),
)  # fmt: skip
ROBERTA, ROBERTA_ENCODER = _bert_families(
    "roberta", ("roberta", "xlm-roberta", "camembert"), _ROBERTA, _ROBERTA_HEAD, _WORDS,
    {"renames": ((r"^roberta\.", ""),), "ignored": _ROBERTA_EXTRAS},
    (_roberta_sizes, "lm_head.dense"), needs=_BERT_NEEDS | {"pad_token_id": (1,)},
    eps=("layer_norm_eps", 1e-5),
)  # fmt: skip

_DISTIL_LAYER = "transformer.layer.{n}"
_DISTIL = (
    *table("embedding.table", _WORDS),
    *table("embedding.positions.table", "embeddings.position_embeddings"),
    *norm("embedding.norm", "embeddings.LayerNorm"),
    *attention(
        "blocks.{n}.attention", f"{_DISTIL_LAYER}.attention",
        ("q_lin", "k_lin", "v_lin", "out_lin"),
    ),
    *norm("blocks.{n}.around_attention.norm", f"{_DISTIL_LAYER}.sa_layer_norm"),
    *linear("blocks.{n}.feed_forward.hidden", f"{_DISTIL_LAYER}.ffn.lin1"),
    *linear("blocks.{n}.feed_forward.output", f"{_DISTIL_LAYER}.ffn.lin2"),
    *norm("blocks.{n}.around_feed_forward.norm", f"{_DISTIL_LAYER}.output_layer_norm"),
)  # fmt: skip
DISTILBERT, DISTILBERT_ENCODER = _bert_families(
    "distilbert", ("distilbert",), _DISTIL,
    _head("vocab_transform", "vocab_layer_norm", "vocab_projector.bias"), _WORDS,
    {"renames": ((r"^distilbert\.", ""),), "ignored": (r"vocab_projector\.weight",)},
    (_distil_sizes, "vocab_transform"), needs={"activation": ("gelu",)}, eps=("", 1e-12),
)  # fmt: skip
