"""Ejercicio de código: el fallo de una caché que gira las claves más de una vez."""

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _turned_by_loops(vector, angles):
    half = len(vector) // 2
    out = vector.clone()
    for i in range(half):
        a, b, c, s = vector[i], vector[half + i], angles[i].cos(), angles[i].sin()
        out[i], out[half + i] = a * c - b * s, b * c + a * s
    return out


def _by_loops(q, k, v, keys, values, angles):
    place, mixed, grown = keys.shape[1], [], []
    for b in range(len(q)):
        query = _turned_by_loops(q[b], angles[place])
        rows = [*keys[b], _turned_by_loops(k[b], angles[place])]
        scores = torch.stack([row @ query for row in rows]) / q.shape[1] ** 0.5
        weights = scores.exp() / scores.exp().sum()
        mixed.append(sum(w * x for w, x in zip(weights, [*values[b], v[b]], strict=True)))
        grown.append(torch.stack(rows))
    return torch.stack(mixed), torch.stack(grown), torch.cat([values, v[:, None]], dim=1)


def _turn(x, angles):
    first, second = x.chunk(2, dim=-1)
    c, s = angles.cos(), angles.sin()
    return torch.cat([first * c - second * s, second * c + first * s], dim=-1)


def _step(turn_new=True, turn_query=True, ahead=0, again=False, store_turned=True):
    """El paso con caché, con los fallos que se pidan."""

    def step(q, k, v, keys, values, angles):
        place = keys.shape[1]
        here = angles[max(place + ahead, 0)]
        new = _turn(k, here) if turn_new else k
        query = _turn(q, here) if turn_query else q
        old = _turn(keys, angles[:place]) if again else keys
        seen = torch.cat([old, new[:, None]], dim=1)
        kept = seen if store_turned else torch.cat([keys, k[:, None]], dim=1)
        grown = torch.cat([values, v[:, None]], dim=1)
        scores = (seen @ query[:, :, None]).squeeze(-1) / q.shape[-1] ** 0.5
        return (scores.softmax(-1)[:, None] @ grown).squeeze(1), kept, grown

    return step


def _case(n, length, d, seed):
    def make():
        shapes = ((n, d), (n, d), (n, d), (n, length, d), (n, length, d), (length + 3, d // 2))
        return random_tensors(*shapes, seed=seed, dtype=torch.float64)

    return make


TURNED_TWICE = Exercise(
    Card(
        id="cache-que-gira-dos-veces",
        title="La caché que gira de más",
        kind="codigo",
        difficulty=2,
        minutes=20,
        points=3,
        objective="encontrar en una caché con RoPE un fallo que no da error",
        hints=(
            "Sigue una clave: ¿cuántas veces se la gira si se escriben tres tokens más?",
            "La posición de una clave no cambia nunca. Se gira una vez, al llegar, y se guarda ya "
            "girada.",
            "El token nuevo está en la posición keys.shape[1], contada antes de apuntarlo: gira "
            "con ese ángulo su consulta y su clave, y deja las demás como están.",
        ),
    ),
    Task(
        function="rotary_step",
        cases=(
            Case("2 secuencias con 5 posiciones leídas", _case(2, 5, 4, 0)),
            Case("una posición leída", _case(3, 1, 2, 1)),
            Case("una sola secuencia, larga", _case(1, 20, 8, 2)),
            example(
                *map(
                    torch.tensor,
                    (
                        [[0.0, 0.0]],
                        [[1.0, 0.0]],
                        [[4.0, 0.0]],
                        [[[2.0, 0.0]]],
                        [[[2.0, 0.0]]],
                        [[0.0], [3.1416]],
                    ),
                )
            ),
        ),
        reference=_by_loops,
        outputs=("la mezcla", "las claves", "los valores"),
        mistakes=(
            Mistake(
                "gira-dos-veces",
                "las claves guardadas vuelven a girar en cada paso: ya estaban giradas",
                (_step(again=True),),
            ),
            Mistake(
                "nueva-sin-girar",
                "la clave nueva entra sin girar: nadie la girará después",
                (_step(turn_new=False),),
            ),
            Mistake(
                "consulta-sin-girar",
                "falta girar la consulta: el puntaje ya no depende de la distancia",
                (_step(turn_query=False),),
            ),
            Mistake(
                "otra-posicion",
                "el token nuevo no está en esa posición: va detrás de las L leídas, que ocupan "
                "de la 0 a la L − 1",
                (_step(ahead=1), _step(ahead=-1), _step(ahead=-100)),
            ),
            Mistake(
                "guarda-sin-girar",
                "la mezcla es buena, pero guardas la clave sin girar junto a otras ya giradas",
                (_step(store_turned=False),),
            ),
        ),
        tolerance=1e-6,
    ),
)
