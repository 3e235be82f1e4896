"""Las formas de los pesos de cada pieza del traductor con atención."""

from tfcourse.projects.steps.drawing import linear, under

Shapes = dict[str, tuple[int, ...]]


def cell_shapes(d_input: int, d_hidden: int) -> Shapes:
    """Las formas de los pesos de una celda GRU."""
    return linear("input_proj", d_input, 3 * d_hidden) | linear(
        "hidden_proj", d_hidden, 3 * d_hidden
    )


def encoder_shapes(n_tokens: int, d_embedding: int, d_hidden: int) -> Shapes:
    """Las del codificador."""
    cell = cell_shapes(d_embedding, d_hidden)
    return {
        "embedding.weight": (n_tokens, d_embedding),
        **under("ahead", cell), **under("back", cell),
    }  # fmt: skip


def attention_shapes(d_query: int, d_key: int, d_hidden: int) -> Shapes:
    """Las de la atención aditiva."""
    return {
        "query_proj.weight": (d_hidden, d_query),
        "key_proj.weight": (d_hidden, d_key),
        "score_proj.weight": (1, d_hidden),
    }


def decoder_shapes(n_tokens: int, d_embedding: int, d_hidden: int) -> Shapes:
    """Las del decodificador; la memoria mide el doble que el estado."""
    return {
        "embedding.weight": (n_tokens, d_embedding),
        **linear("start_proj", 2 * d_hidden, d_hidden),
        **under("attention", attention_shapes(d_hidden, 2 * d_hidden, d_hidden)),
        **under("cell", cell_shapes(d_embedding + 2 * d_hidden, d_hidden)),
        **linear("output", 3 * d_hidden, n_tokens),
    }


def model_shapes(n_source: int, n_target: int, d_embedding: int, d_hidden: int) -> Shapes:
    """Las del modelo entero."""
    return {
        **under("encoder", encoder_shapes(n_source, d_embedding, d_hidden)),
        **under("decoder", decoder_shapes(n_target, d_embedding, d_hidden)),
    }
