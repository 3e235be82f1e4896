"""Las formas de los pesos de cada pieza del Transformer."""

from tfcourse.projects.steps.drawing import linear, under

Shapes = dict[str, tuple[int, ...]]


def norm_shapes(d_model: int) -> Shapes:
    """Las formas de los pesos de una norma."""
    return {"gain": (d_model,), "bias": (d_model,)}


def attention_shapes(d_model: int) -> Shapes:
    """Las de la atención."""
    names = ("q_proj", "k_proj", "v_proj", "out_proj")
    return {k: v for name in names for k, v in linear(name, d_model, d_model).items()}


def network_shapes(d_model: int, d_hidden: int) -> Shapes:
    """Las de la red por posición."""
    return linear("hidden", d_model, d_hidden) | linear("output", d_hidden, d_model)


def block_shapes(d_model: int, d_hidden: int, *, decoder: bool = False) -> Shapes:
    """Las de un bloque."""
    cross = under("cross_attention", attention_shapes(d_model)) if decoder else {}
    norms = ("norm1", "norm2", "norm3") if decoder else ("norm1", "norm2")
    return {
        **{k: v for name in norms for k, v in under(name, norm_shapes(d_model)).items()},
        **under("attention", attention_shapes(d_model)), **cross,
        **under("feed_forward", network_shapes(d_model, d_hidden)),
    }  # fmt: skip


def model_shapes(n_tokens: int, d_model: int, d_hidden: int, n_layers: int) -> Shapes:
    """Las del modelo entero."""
    found: Shapes = {"embedding.weight": (n_tokens, d_model)}
    for name in ("encoder", "decoder"):
        for depth in range(n_layers):
            own = block_shapes(d_model, d_hidden, decoder=name == "decoder")
            found |= under(f"{name}.{depth}", own)
        found |= under(f"{name}_norm", norm_shapes(d_model))
    return found
