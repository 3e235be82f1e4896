"""Los pesos de `whisper_cifras`, con los nombres del proyecto."""

import re
from functools import cache

from torch import Tensor

from tfcourse.weights.shipped import shipped_tensors, weights_card

NAME = "whisper_cifras"
PARTS = {
    r"encoder\.stem\.": "input.", r"encoder\.blocks\.": "listening.",
    r"encoder\.norm\.": "heard_norm.", r"decoder\.blocks\.": "writing.",
    r"decoder\.norm\.": "written_norm.", r"decoder\.table\.": "embedding.",
    r"decoder\.places\.": "places.",
}  # fmt: skip
NORMS = {
    "listening": {"around_attention": "norm1", "around_feed_forward": "norm2"},
    "writing": {
        "around_attention": "norm1", "around_cross_attention": "norm2",
        "around_feed_forward": "norm3",
    },
}  # fmt: skip


def rename(weights: dict[str, Tensor], flaw: str = "") -> dict[str, Tensor]:
    """De los nombres del curso a los del proyecto: sin la cabeza CTC ni el sesgo de las claves."""
    found = {}
    for name, value in weights.items():
        if name.startswith("ctc.") and flaw != "con-ctc":
            continue
        if name.endswith("k_proj.bias") and flaw != "con-sesgo":
            continue
        own = name
        for pattern, better in PARTS.items():
            own = re.sub(f"^{pattern}", better, own)
        part = own.partition(".")[0]
        found[_piece(own, part, flaw)] = value.float()
    if flaw == "traspuestas":
        found = {k: v.T if v.ndim == 2 else v for k, v in found.items()}
    return found


def _piece(name: str, part: str, flaw: str) -> str:
    """El nombre, con las piezas de un bloque como las del proyecto."""
    norms = NORMS.get(part, {})
    if flaw == "una-para-las-dos" and norms:
        norms = norms | {"around_feed_forward": "norm2"}
    if flaw == "normas-cambiadas" and part == "writing":
        norms = norms | {"around_cross_attention": "norm3", "around_feed_forward": "norm2"}
    for before, after in norms.items():
        name = name.replace(f".{before}.norm.", f".{after}.")
    return name if flaw == "con-red" else name.replace(".feed_forward.", ".")


@cache
def course_weights() -> tuple[dict[str, int], dict[str, Tensor]]:
    """Los tamaños y los pesos del Whisper de cifras, con los nombres del proyecto."""
    config = weights_card(NAME).config
    names = ("n_tokens", "n_mels", "max_length", "d_model", "n_heads", "d_hidden")
    sizes = {name: config[name] for name in names} | {"n_layers": config["n_encoder"]}
    return sizes, rename(shipped_tensors(NAME))
