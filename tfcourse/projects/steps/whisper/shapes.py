"""Las formas de los pesos de cada pieza del Whisper."""

from tfcourse.projects.steps.drawing import linear, under

Shapes = dict[str, tuple[int, ...]]


def norm_shapes(d_model: int) -> Shapes:
    """Las de una norma, con los nombres de `nn.LayerNorm`."""
    return {"weight": (d_model,), "bias": (d_model,)}


def input_shapes(n_mels: int, d_model: int) -> Shapes:
    """Las de las dos convoluciones."""
    return {
        "first.weight": (d_model, n_mels, 3), "first.bias": (d_model,),
        "second.weight": (d_model, d_model, 3), "second.bias": (d_model,),
    }  # fmt: skip


def attention_shapes(d_model: int) -> Shapes:
    """Las de la atención: las claves no llevan sesgo."""
    names = ("q_proj", "k_proj", "v_proj", "out_proj")
    every = {k: v for name in names for k, v in linear(name, d_model, d_model).items()}
    return {name: shape for name, shape in every.items() if name != "k_proj.bias"}


def block_shapes(d_model: int, d_hidden: int, *, writes: bool = False) -> Shapes:
    """Las de un bloque: el que oye o, con `writes`, el que escribe."""
    cross = under("cross_attention", attention_shapes(d_model)) if writes else {}
    norms = ("norm1", "norm2", "norm3") if writes else ("norm1", "norm2")
    return {
        **{k: v for name in norms for k, v in under(name, norm_shapes(d_model)).items()},
        **under("attention", attention_shapes(d_model)), **cross,
        **linear("hidden", d_model, d_hidden), **linear("output", d_hidden, d_model),
    }  # fmt: skip


def model_shapes(sizes: dict[str, int]) -> Shapes:
    """Las del Whisper entero."""
    d_model, d_hidden = sizes["d_model"], sizes["d_hidden"]
    floors = [(f"listening.{n}", block_shapes(d_model, d_hidden)) for n in range(sizes["n_layers"])]
    floors += [
        (f"writing.{n}", block_shapes(d_model, d_hidden, writes=True))
        for n in range(sizes["n_layers"])
    ]
    return {
        **under("input", input_shapes(sizes["n_mels"], d_model)),
        **{k: v for name, own in floors for k, v in under(name, own).items()},
        **under("heard_norm", norm_shapes(d_model)),
        **under("written_norm", norm_shapes(d_model)),
        "embedding.weight": (sizes["n_tokens"], d_model),
        "places.weight": (sizes["max_length"], d_model),
    }  # fmt: skip
