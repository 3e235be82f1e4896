"""Las formas de los pesos de cada pieza del ViT y del detector."""

from tfcourse.projects.steps.drawing import linear, under

Shapes = dict[str, tuple[int, ...]]


def norm_shapes(d_model: int) -> Shapes:
    """Las de una norma, con los nombres de `nn.LayerNorm`."""
    return {"weight": (d_model,), "bias": (d_model,)}


def input_shapes(channels: int, image_size: int, patch_size: int, d_model: int) -> Shapes:
    """Las de la entrada por parches."""
    n_patches = (image_size // patch_size) ** 2
    projection = linear("projection", channels * patch_size**2, d_model)
    return projection | {"class_token": (d_model,), "positions": (n_patches + 1, d_model)}


def attention_shapes(d_model: int) -> Shapes:
    """Las de la atención."""
    names = ("q_proj", "k_proj", "v_proj", "out_proj")
    return {k: v for name in names for k, v in linear(name, d_model, d_model).items()}


def block_shapes(d_model: int, d_hidden: int, *, objects: bool = False) -> Shapes:
    """Las de un bloque: el del codificador o, con `objects`, el de las consultas."""
    cross = under("cross_attention", attention_shapes(d_model)) if objects else {}
    norms = ("norm1", "norm2", "norm3") if objects else ("norm1", "norm2")
    return {
        **{k: v for name in norms for k, v in under(name, norm_shapes(d_model)).items()},
        **under("attention", attention_shapes(d_model)), **cross,
        **linear("hidden", d_model, d_hidden), **linear("output", d_hidden, d_model),
    }  # fmt: skip


def _blocks(n_layers: int, own: Shapes) -> Shapes:
    return {k: v for n in range(n_layers) for k, v in under(f"blocks.{n}", own).items()}


def vit_shapes(sizes: dict[str, int]) -> Shapes:
    """Las del ViT entero."""
    d_model = sizes["d_model"]
    eye = [sizes[name] for name in ("channels", "image_size", "patch_size", "d_model")]
    return {
        **under("input", input_shapes(*eye)),
        **_blocks(sizes["n_layers"], block_shapes(d_model, sizes["d_hidden"])),
        **under("norm", norm_shapes(d_model)), **linear("head", d_model, sizes["n_classes"]),
    }  # fmt: skip


def detector_shapes(sizes: dict[str, int]) -> Shapes:
    """Las de la cabeza que detecta."""
    d_model = sizes["d_model"]
    return {
        "queries.weight": (sizes["n_queries"], d_model),
        **_blocks(sizes["n_layers"], block_shapes(d_model, sizes["d_hidden"], objects=True)),
        **under("norm", norm_shapes(d_model)),
        **linear("class_head", d_model, sizes["n_classes"] + 1),
        **linear("box_head.0", d_model, d_model), **linear("box_head.2", d_model, d_model),
        **linear("box_head.4", d_model, 4),
    }  # fmt: skip
