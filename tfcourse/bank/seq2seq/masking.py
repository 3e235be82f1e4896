"""Ejercicio de código: de los puntajes a los pesos, con máscara."""

import math

import torch

from tfcourse.exercises.data import random_tensors, softmax_by_exp
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _masked_by_loops(scores, mask):
    allowed = mask.expand_as(scores)
    weights = torch.zeros_like(scores)
    for b, t in torch.cartesian_prod(*map(torch.arange, scores.shape[:2])).tolist():
        seen = allowed[b, t].nonzero().flatten().tolist()
        if seen:
            row = softmax_by_exp(scores[b, t, seen].tolist())
            weights[b, t, seen] = torch.tensor(row, dtype=scores.dtype)
    return weights


def _cleaned(function):
    """El mismo error, cometido por quien sí pone a cero las filas sin nada que mirar."""
    return lambda scores, mask: function(scores, mask).masked_fill(~mask.any(-1, True), 0.0)


def _both(function):
    return function, _cleaned(function)


def _inverted(scores, mask):
    return scores.masked_fill(mask, -math.inf).softmax(-1)


def _inverted_clean(scores, mask):
    return _inverted(scores, mask).nan_to_num()


def _by_columns(scores, mask):
    return scores.masked_fill(~mask, -math.inf).softmax(-2)


def _naive_by_product(scores, mask):
    powers = scores.exp() * mask
    return powers / powers.sum(-1, keepdim=True)


def _naive_by_filling(scores, mask):
    powers = scores.exp().masked_fill(~mask, 0.0)
    return powers / powers.sum(-1, keepdim=True)


def _lengths_case(lengths, n_queries, seed, scale=1.0, dtype=torch.float32):
    def make():
        shape = (len(lengths), n_queries, max(lengths))
        (scores,) = random_tensors(shape, seed=seed, dtype=dtype)
        mask = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
        return scale * scores, mask[:, None]

    return make


def _own_mask_per_query():
    (scores,) = random_tensors((2, 4, 4), seed=6)
    return scores, torch.ones(4, 4, dtype=torch.bool).tril().expand(2, 4, 4).clone()


MASKED_WEIGHTS = Exercise(
    Card(
        id="pesos-enmascarados",
        title="Pesos con máscara",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="normalizar puntajes sin que el relleno reciba nada, ni en el caso límite",
        hints=(
            "Un puntaje de −∞ da un peso de cero tras el softmax. `masked_fill` cambia los valores "
            "donde la máscara que le des sea True: ¿es la tuya o su contraria?",
            "¿Qué hace el softmax con una fila entera de −∞? Divide 0 entre 0. Decide qué debe "
            "valer esa fila y ponlo después.",
            "mask.any(dim=-1, keepdim=True) dice qué filas tienen algo que mirar; las demás se "
            "ponen a cero con otro `masked_fill`, después del softmax.",
        ),
    ),
    Task(
        function="masked_weights",
        cases=(
            Case("un lote de 2 frases con relleno", _lengths_case((4, 2), 3, seed=0)),
            Case("sin relleno", _lengths_case((3, 3), 2, seed=1)),
            Case("una frase sin nada que mirar", _lengths_case((4, 0), 3, seed=2)),
            Case("puntajes enormes", _lengths_case((5, 3), 2, seed=3, scale=400.0)),
            Case("una máscara por consulta", _own_mask_per_query),
            Case("una sola frase", _lengths_case((3,), 1, seed=4)),
            Case("números de 64 bits", _lengths_case((2, 4), 3, seed=5, dtype=torch.float64)),
        ),
        reference=_masked_by_loops,
        mistakes=(
            Mistake(
                "mascara-invertida",
                "has usado la máscara al revés: True significa «puede mirar», así que se tapa "
                "donde es False (`~mask`)",
                (*_both(_inverted), _inverted_clean),
            ),
            Mistake(
                "softmax-por-columnas",
                "tus pesos suman 1 por columnas: has aplicado softmax en `dim=-2`, que recorre las "
                "consultas; las palabras están en `dim=-1`",
                (*_both(_by_columns), lambda scores, mask: _by_columns(scores, mask).nan_to_num()),
            ),
            Mistake(
                "sin-renormalizar",
                "has tapado después del softmax: los pesos que quedan ya no suman 1; tapa los "
                "puntajes antes",
                (lambda scores, mask: scores.softmax(-1) * mask,),
            ),
            Mistake(
                "fila-nan",
                "las filas con algo que mirar son correctas, pero una fila entera tapada da NaN: "
                "el softmax divide 0 entre 0; haz que esa fila valga cero",
                (lambda scores, mask: scores.masked_fill(~mask, -math.inf).softmax(-1),),
            ),
            Mistake(
                "fila-uniforme",
                "una fila entera tapada reparte su peso entre el relleno: con un número muy "
                "negativo en lugar de −∞ todos sus puntajes empatan; haz que esa fila valga cero",
                (
                    lambda scores, mask: scores.masked_fill(~mask, -1e9).softmax(-1),
                    lambda scores, mask: (scores - 1e9 * ~mask).softmax(-1),
                    lambda scores, mask: (scores + (1.0 - mask.to(scores.dtype)) * -1e9).softmax(
                        -1
                    ),
                ),
            ),
            Mistake(
                "sin-mascara",
                "no has usado la máscara: el relleno recibe peso",
                _both(lambda scores, mask: scores.softmax(-1)),
            ),
            Mistake(
                "tapado-con-cero",
                "has tapado con 0, y e⁰ = 1: el relleno sigue recibiendo peso; tapa con −∞",
                _both(lambda scores, mask: scores.masked_fill(~mask, 0.0).softmax(-1)),
            ),
            Mistake(
                "exponencial-desbordada",
                "la exponencial de un puntaje grande desborda a infinito: resta antes el máximo de "
                "cada fila o usa `softmax`, que ya lo hace",
                (
                    *_both(_naive_by_product),
                    *_both(_naive_by_filling),
                    lambda scores, mask: _naive_by_filling(scores, mask).nan_to_num(),
                ),
            ),
        ),
    ),
)
