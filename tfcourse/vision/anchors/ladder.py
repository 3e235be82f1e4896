"""Leer una escalera: qué cambia entre dos recetas, semilla a semilla."""

from collections.abc import Sequence


def by_seed(rows: Sequence[dict], step: str, measure: str = "AP") -> dict[int, float]:
    """La medida de cada semilla de un peldaño. Errores: `ValueError` si no está en la tabla."""
    found = {row["seed"]: row[measure] for row in rows if row["step"] == step}
    if not found:
        known = dict.fromkeys(row["step"] for row in rows)
        raise ValueError(f"«{step}» no está en la tabla: usa {', '.join(known)}")
    return found


def paired(rows: Sequence[dict], before: str, after: str, measure: str = "AP") -> list[float]:
    """Diferencias emparejadas, `after` menos `before`, de las semillas que tienen los dos.

    Con la misma semilla, las dos recetas ven los mismos lotes: al restar se va lo que tenga de
    fácil o de difícil esa semilla para las dos.
    """
    first, second = by_seed(rows, before, measure), by_seed(rows, after, measure)
    return [second[seed] - first[seed] for seed in sorted(first.keys() & second.keys())]
