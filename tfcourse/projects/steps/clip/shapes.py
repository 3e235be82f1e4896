"""Las formas de los pesos de cada pieza de CLIP, y pesos al azar con ellas."""

from torch import Tensor

from tfcourse.projects.steps.drawing import drawn_weights, linear, under

Shapes = dict[str, tuple[int, ...]]


def stage_shapes(d_in: int, d_out: int) -> Shapes:
    """Las de una etapa: dos convoluciones y sus normas por lotes, con lo que guardan."""
    found = {}
    for n, width in (("1", d_in), ("2", d_out)):
        found[f"conv{n}.weight"] = (d_out, width, 3, 3)
        for part in ("weight", "bias", "running_mean", "running_var"):
            found[f"norm{n}.{part}"] = (d_out,)
    return found


def image_shapes(channels: int, widths: tuple[int, ...], d_shared: int) -> Shapes:
    """Las de la torre de imagen."""
    found, before = {}, channels
    for depth, width in enumerate(widths):
        found |= under(f"stages.{depth}", stage_shapes(before, width))
        before = width
    return found | linear("head", before, d_shared)


def attention_shapes(d_model: int) -> Shapes:
    """Las de la atención."""
    names = ("q_proj", "k_proj", "v_proj", "out_proj")
    return {k: v for name in names for k, v in linear(name, d_model, d_model).items()}


def norm_shapes(d_model: int) -> Shapes:
    """Las de una norma, con los nombres de `nn.LayerNorm`."""
    return {"weight": (d_model,), "bias": (d_model,)}


def block_shapes(d_model: int, d_hidden: int) -> Shapes:
    """Las de un bloque de la torre de texto."""
    return {
        **under("attention", attention_shapes(d_model)),
        **under("norm1", norm_shapes(d_model)), **under("norm2", norm_shapes(d_model)),
        **linear("hidden", d_model, d_hidden), **linear("output", d_hidden, d_model),
    }  # fmt: skip


def text_shapes(sizes: dict[str, int]) -> Shapes:
    """Las de la torre de texto."""
    d_model = sizes["d_model"]
    own = block_shapes(d_model, sizes["d_hidden"])
    blocks = {k: v for n in range(sizes["n_layers"]) for k, v in under(f"blocks.{n}", own).items()}
    return {
        "embedding.weight": (sizes["n_tokens"], d_model),
        "positions.weight": (sizes["max_length"], d_model),
        **under("norm", norm_shapes(d_model)), **blocks,
    }  # fmt: skip


def clip_shapes(sizes: dict) -> Shapes:
    """Las de CLIP entero."""
    eye = [sizes[name] for name in ("channels", "widths", "d_shared")]
    return {
        **under("image_tower", image_shapes(*eye)), **under("text_tower", text_shapes(sizes)),
        "text_projection.weight": (sizes["d_shared"], sizes["d_model"]), "log_scale": (),
    }  # fmt: skip


def drawn(shapes: Shapes, seed: int) -> dict[str, Tensor]:
    """Pesos al azar; las convoluciones conservan el tamaño, y las varianzas son positivas."""
    found = drawn_weights(shapes, seed)
    for name, value in found.items():
        if name.endswith("running_var"):
            found[name] = 0.5 + value.abs()
        elif value.ndim == 4:  # `drawn_weights` divide solo entre la raíz del último lado
            found[name] = value * (3 / value[0].numel()) ** 0.5
    return found
