"""Los pesos del traductor de fechas del curso, con los nombres del proyecto."""

from functools import cache

from torch import Tensor

from tfcourse.weights.shipped import shipped_tensors, weights_card

NAME = "fechas"
SUFFIXES = {
    "weight_ih": "input_proj.weight", "weight_hh": "hidden_proj.weight",
    "bias_ih": "input_proj.bias", "bias_hh": "hidden_proj.bias",
}  # fmt: skip


def rename(weights: dict[str, Tensor], flaw: str = "") -> dict[str, Tensor]:
    """De los nombres del curso a los del proyecto, y de media precisión a simple."""
    found = {}
    for name, value in weights.items():
        own = name
        turned = own.endswith("_reverse") != (flaw == "direcciones")
        for kind, better in SUFFIXES.items():
            if flaw == "entrada-y-estado":
                better = SUFFIXES[kind.replace("ih", "xx").replace("hh", "ih").replace("xx", "hh")]
            for old in (f"rnn.{kind}_l0_reverse", f"rnn.{kind}_l0"):
                own = own.replace(old, f"{'back' if turned else 'ahead'}.{better}")
            own = own.replace(f"cell.{kind}", f"cell.{better}")
        if flaw != "alineamiento":
            own = own.replace("alignment.", "attention.")
        found[own] = value.float()
    if flaw == "traspuestas":
        found = {k: v.T if v.ndim == 2 and "embedding" not in k else v for k, v in found.items()}
    return found


@cache
def course_weights() -> tuple[dict[str, int], dict[str, Tensor]]:
    """Los tamaños y los pesos de `fechas`, con los nombres del proyecto."""
    recipe, weights = weights_card(NAME).recipe, rename(shipped_tensors(NAME))
    sizes = {
        "n_source": len(weights["encoder.embedding.weight"]),
        "n_target": len(weights["decoder.embedding.weight"]),
    }
    return sizes | {name: recipe[name] for name in ("d_embedding", "d_hidden")}, weights
