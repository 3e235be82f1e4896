"""Emparejamiento: a cada objeto, una predicción distinta, con el menor coste total."""

import itertools
from collections.abc import Sequence

import numpy as np
import torch
from scipy.optimize import linear_sum_assignment


def hungarian(cost: np.ndarray | Sequence[Sequence[float]]) -> list[int]:
    """Algoritmo húngaro: qué columna le toca a cada fila para que la suma sea mínima.

    `cost` tiene n filas y m ≥ n columnas. Mantiene un precio por fila y por columna con
    coste − precios ≥ 0; en las casillas a cero se puede emparejar. Cada fila nueva busca un camino
    de casillas a cero hasta una columna libre y, si no lo hay, se cambian los precios lo justo para
    que aparezca otra casilla a cero. Coste: O(n² m).
    Fuente: Kuhn (1955); Munkres (1957). Errores: `ValueError` si hay más filas que columnas.
    """
    cost = np.asarray(cost, dtype=float)
    n_rows, n_columns = cost.shape
    if n_rows > n_columns:
        raise ValueError(
            f"hay {n_rows} filas y {n_columns} columnas: no hay una columna distinta para cada "
            "fila; pasa la matriz traspuesta"
        )
    row_price, column_price = np.zeros(n_rows), np.zeros(n_columns)
    owner = np.full(n_columns, -1)  # la fila que tiene cada columna
    for new_row in range(n_rows):
        row, column = new_row, -1
        slack = np.full(n_columns, np.inf)  # lo que le falta a cada columna para llegar a cero
        came_from = np.full(n_columns, -1)
        reached = np.zeros(n_columns, dtype=bool)
        while row != -1:  # hasta dar con una columna sin dueño
            reduced = cost[row] - row_price[row] - column_price
            better = (reduced < slack) & ~reached
            slack[better], came_from[better] = reduced[better], column
            nearest = int(np.where(reached, np.inf, slack).argmin())
            step = slack[nearest]
            row_price[[new_row, *owner[reached]]] += step
            column_price[reached] -= step
            slack[~reached] -= step
            column, row = nearest, owner[nearest]
            reached[column] = True
        while column != -1:  # se deshace el camino: cada columna pasa a la fila anterior
            previous = came_from[column]
            owner[column] = new_row if previous == -1 else owner[previous]
            column = previous
    return [int(np.flatnonzero(owner == row)[0]) for row in range(n_rows)]


def brute_force(cost: np.ndarray | Sequence[Sequence[float]]) -> list[int]:
    """Lo mismo probando todas las maneras: m!/(m − n)! sumas. Solo para comprobar."""
    cost = np.asarray(cost, dtype=float)
    rows = range(len(cost))
    options = itertools.permutations(range(cost.shape[1]), len(cost))
    return list(min(options, key=lambda columns: sum(cost[r, columns[r]] for r in rows)))


def match(
    costs: torch.Tensor, counts: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Empareja los objetos de cada imagen de un lote con las predicciones.

    `costs` tiene forma `(B, N, M)`: N predicciones, M sitios para objetos, de los que solo cuentan
    los `counts[i]` primeros. Devuelve tres listas igual de largas, una entrada por objeto: imagen,
    predicción y objeto. Usa el de SciPy, que está escrito en C++.
    Errores: `ValueError` si hay más objetos que predicciones, o si un coste no es un número.
    """
    n_queries = costs.shape[1]
    if len(counts) and int(counts.max()) > n_queries:
        raise ValueError(
            f"hay una imagen con {int(counts.max())} objetos y el modelo solo hace {n_queries} "
            f"predicciones: usa n_queries={int(counts.max())} o más"
        )
    if not torch.isfinite(costs).all():
        raise ValueError("hay costes que no son números: baja el ritmo de aprendizaje")
    table = costs.detach().cpu().numpy()
    found = []
    for image, count in enumerate(counts.tolist()):
        predictions, objects = linear_sum_assignment(table[image, :, :count])
        found.append(np.stack([np.full(count, image), predictions, objects]))
    image, prediction, thing = torch.from_numpy(np.concatenate(found, axis=1)).to(costs.device)
    return image, prediction, thing
