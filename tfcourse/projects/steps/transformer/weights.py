"""Los pesos del traductor del curso, con los nombres del proyecto."""

import re
from functools import cache

from torch import Tensor

from tfcourse.weights.shipped import shipped_tensors, weights_card

NAME = "traductor"
RENAMED = {
    "source.table": "embedding", "around_attention.norm": "norm1",
    "around_cross_attention.norm": "norm2",
}  # fmt: skip


def rename(weights: dict[str, Tensor], flaw: str = "") -> dict[str, Tensor]:
    """De los nombres del curso a los del proyecto, y de media precisión a simple."""
    found = {}
    for name, value in weights.items():
        for before, after in RENAMED.items():
            name = name.replace(before, after)
        cross = re.match(r"decoder\.", name) and flaw != "norm2-en-los-dos"
        if flaw == "norm3-en-los-dos":
            cross = True
        name = name.replace("around_feed_forward.norm", "norm3" if cross else "norm2")
        if flaw == "embedding":
            name = name.replace("embedding.", "source.table.")
        found[name] = value.float()
    if flaw == "traspuestas":
        found = {k: v.T if v.ndim == 2 and "embedding" not in k else v for k, v in found.items()}
    return found


@cache
def course_weights() -> tuple[dict[str, int], dict[str, Tensor]]:
    """Los tamaños y los pesos de `traductor`, con los nombres del proyecto."""
    card = weights_card(NAME)
    sizes = {"n_tokens": card.config["n_tokens"]}
    sizes |= {name: card.recipe[name] for name in ("d_model", "n_heads", "d_hidden", "n_layers")}
    return sizes, rename(shipped_tensors(NAME))
