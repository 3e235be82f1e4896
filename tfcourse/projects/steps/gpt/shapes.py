"""Las formas de los pesos de cada pieza de GPT."""

from tfcourse.projects.steps.drawing import linear, under


def attention_shapes(d_model: int) -> dict:
    """Las formas de los pesos de la atención."""
    names = ("q_proj", "k_proj", "v_proj", "out_proj")
    return {k: v for name in names for k, v in linear(name, d_model, d_model).items()}


def network_shapes(d_model: int, d_hidden: int) -> dict:
    """Las de la red por posición."""
    return linear("hidden", d_model, d_hidden) | linear("output", d_hidden, d_model)


def block_shapes(d_model: int) -> dict:
    """Las de un bloque."""
    return {
        "norm1.gain": (d_model,), **under("attention", attention_shapes(d_model)),
        "norm2.gain": (d_model,), **under("feed_forward", network_shapes(d_model, 4 * d_model)),
    }  # fmt: skip


def model_shapes(n_tokens: int, d_model: int, n_layers: int) -> dict:
    """Las del modelo entero."""
    blocks = [under(f"blocks.{depth}", block_shapes(d_model)) for depth in range(n_layers)]
    inner = {name: shape for block in blocks for name, shape in block.items()}
    return {"embedding.weight": (n_tokens, d_model), **inner, "closing_norm.gain": (d_model,)}


def model_sizes(n_tokens: int, d_model: int, n_heads: int, n_layers: int) -> dict[str, int]:
    """Lo que recibe `GPT` al crearse."""
    return {"n_tokens": n_tokens, "d_model": d_model, "n_heads": n_heads, "n_layers": n_layers}
