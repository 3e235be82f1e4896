"""Ritmos proporcionales: cada parámetro avanza según lo grande que es."""

from collections.abc import Iterable

from torch import Tensor

MIN_SCALE = 1e-3


def scaled_groups(parameters: Iterable[Tensor], lr: float) -> list[dict]:
    """Grupos para un optimizador: el ritmo de cada parámetro es `lr` por su media cuadrática.

    Adam da pasos del mismo tamaño a todos. Una tabla de embeddings con componentes de tamaño 1 y
    una matriz con componentes de tamaño 0,02 necesitan pasos distintos. Se miden una vez, al
    empezar. Fuente: Shazeer y Stern (2018), § 8, la escala relativa de Adafactor.
    Errores: `ValueError` si `lr` no es positivo.
    """
    if lr <= 0:
        raise ValueError(f"lr={lr}: tiene que ser positivo, p. ej. 0.03")
    groups: dict[float, list[Tensor]] = {}
    for parameter in parameters:
        size = max(float(parameter.detach().square().mean().sqrt()), MIN_SCALE)
        groups.setdefault(float(f"{size:.1e}"), []).append(parameter)
    return [{"params": members, "lr": lr * size} for size, members in groups.items()]
