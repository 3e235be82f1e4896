"""Los pesos de la cabeza de `detr_figuras`, con los nombres del proyecto."""

from functools import cache

from torch import Tensor

from tfcourse.weights.shipped import shipped_tensors, weights_card

NAME = "detr_figuras"
RENAMED = {
    "decoder.": "blocks.", "around_attention.norm": "norm1",
    "around_cross_attention.norm": "norm2", "around_feed_forward.norm": "norm3",
    "feed_forward.": "",
}  # fmt: skip


def rename(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """De los nombres del curso a los del proyecto, sin la red que lee la imagen."""
    found = {}
    for name, value in weights.items():
        if name.startswith("encoder."):
            continue
        for before, after in RENAMED.items():
            name = name.replace(before, after)
        found[name] = value.float()
    return found


@cache
def course_weights() -> tuple[dict[str, int], dict[str, Tensor]]:
    """Los tamaños y los pesos de la cabeza, con los nombres del proyecto."""
    config = weights_card(NAME).config
    sizes = {name: config[name] for name in ("n_classes", "n_queries", "d_model", "n_heads")}
    sizes |= {"d_hidden": config["d_hidden"], "n_layers": config["n_decoder"]}
    return sizes, rename(shipped_tensors(NAME))
