"""Ejercicio de código: un paso de atención con caché."""

import torch

from tfcourse.exercises.data import random_case
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _by_loops(q, k, v, keys, values):
    mixed = []
    for b in range(len(q)):
        rows = [*keys[b], k[b]]
        scores = torch.stack([row @ q[b] for row in rows]) / q.shape[1] ** 0.5
        powers = (scores - scores.max()).exp()
        weights = powers / powers.sum()
        mixed.append(sum(w * x for w, x in zip(weights, [*values[b], v[b]], strict=True)))
    grown = (torch.stack([*old.unbind(1), new], dim=1) for old, new in ((keys, k), (values, v)))
    return (torch.stack(mixed), *grown)


def _mix(q, keys, values, scale=True):
    scores = (keys @ q[:, :, None]).squeeze(-1)
    if scale:
        scores = scores / q.shape[1] ** 0.5
    return (scores.softmax(-1)[:, :, None] * values).sum(dim=1)


def _grown(old, new, first=False):
    return torch.cat([new[:, None], old] if first else [old, new[:, None]], dim=1)


def _without_itself(q, k, v, keys, values):
    return _mix(q, keys, values), _grown(keys, k), _grown(values, v)


def _unscaled(q, k, v, keys, values):
    keys, values = _grown(keys, k), _grown(values, v)
    return _mix(q, keys, values, scale=False), keys, values


def _in_front(q, k, v, keys, values):
    keys, values = _grown(keys, k, True), _grown(values, v, True)
    return _mix(q, keys, values), keys, values


def _forgetful(q, k, v, keys, values):
    return _mix(q, _grown(keys, k), _grown(values, v)), keys, values


def _crossed(q, k, v, keys, values):
    keys, values = _grown(keys, v), _grown(values, k)
    return _mix(q, keys, values), keys, values


def _only_new(q, k, v, keys, values):
    return v, _grown(keys, k), _grown(values, v)


def _case(n, length, d, seed):
    return random_case((n, d), (n, d), (n, d), (n, length, d), (n, length, d), seed=seed)


CACHED = Exercise(
    Card(
        id="paso-con-cache",
        title="Un paso con caché",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="atender desde un token nuevo a todo lo ya leído, sin volver a leerlo",
        hints=(
            "Primero apunta la clave y el valor nuevos, al final; después atiende: el token "
            "también se mira a sí mismo.",
            "torch.cat([keys, k[:, None]], dim=1) añade una posición. La consulta no se guarda.",
            "No hace falta ninguna máscara: el último token puede verlo todo. Sí hace falta √D.",
        ),
    ),
    Task(
        function="cached_step",
        cases=(
            Case("2 secuencias con 5 posiciones leídas", _case(2, 5, 4, 0)),
            Case("una posición leída", _case(3, 1, 2, 1)),
            Case("una sola secuencia, larga", _case(1, 20, 8, 2)),
        ),
        reference=_by_loops,
        outputs=("la mezcla", "las claves", "los valores"),
        mistakes=(
            Mistake(
                "no-se-mira",
                "el token nuevo no se ha mirado a sí mismo: apunta su clave y su valor antes de "
                "atender",
                (_without_itself,),
            ),
            Mistake("sin-escalar", "falta dividir los puntajes entre √D", (_unscaled,)),
            Mistake(
                "por-delante",
                "has puesto lo nuevo delante: la caché va en el orden del texto",
                (_in_front,),
            ),
            Mistake(
                "no-guarda",
                "la mezcla es buena, pero devuelves la caché de antes: en el paso siguiente este "
                "token no existirá",
                (_forgetful,),
            ),
            Mistake(
                "cruzados",
                "has guardado el valor entre las claves y la clave entre los valores",
                (_crossed,),
            ),
            Mistake(
                "solo-lo-nuevo",
                "devuelves el valor del token nuevo: también hay que mirar a los anteriores",
                (_only_new,),
            ),
        ),
    ),
)
