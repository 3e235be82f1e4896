"""Ejercicio de código: autoatención causal para un lote."""

import math

import torch

from tfcourse.exercises.data import random_tensors, softmax_by_exp
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example
from tfcourse.watch import Rules


def _by_loops(q, k, v):
    mixed = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=v.dtype)
    for b, t in torch.cartesian_prod(*map(torch.arange, q.shape[:2])).tolist():
        scores = [(q[b, t] @ k[b, j] / math.sqrt(q.shape[-1])).item() for j in range(t + 1)]
        for j, weight in enumerate(softmax_by_exp(scores)):
            mixed[b, t] += weight * v[b, j]
    return mixed


def _variant(allowed=torch.tril, scale=math.sqrt, when="antes", fill=-math.inf):
    def attend(q, k, v):
        scores = q @ k.mT / scale(q.shape[-1])
        mask = allowed(torch.ones(q.shape[1], q.shape[1])).bool()
        if when == "antes":
            weights = scores.masked_fill(~mask, fill).softmax(-1)
        else:
            weights = scores.softmax(-1) * mask
        return weights @ v

    return attend


def _by_keys(q, k, v):
    mask = torch.ones(q.shape[1], q.shape[1]).tril().bool()
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~mask, -math.inf)
    return scores.softmax(-2) @ v


def _where_zero(q, k, v):
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).tril()
    return scores.masked_fill(scores == 0, -math.inf).softmax(-1) @ v


def _case(*shape, seed, scale=1.0, dtype=torch.float32):
    def make():
        q, k, v = random_tensors(shape, shape, shape, seed=seed, dtype=dtype)
        return scale * q, k, v

    return make


def _opposed():
    """Consultas y claves opuestas: todos los puntajes, también los permitidos, muy negativos."""
    q, k, v = random_tensors(*[(2, 4, 4)] * 3, seed=4, dtype=torch.float64)
    return 40 + q.abs(), -40 - k.abs(), v


CAUSAL = Exercise(
    Card(
        id="atencion-causal",
        title="Sin mirar al futuro",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="tapar el futuro antes del softmax, para todas las posiciones a la vez",
        hints=(
            "torch.ones(L, L).tril() tiene unos donde una posición (fila) puede mirar a otra "
            "(columna).",
            "Lo que no se puede mirar debe valer −∞ *antes* del softmax: `masked_fill(~mask, …)`.",
            "scores = q @ k.mT / √d, de forma (B, L, L); después la máscara, el softmax en el "
            "último eje y, por fin, `@ v`.",
        ),
    ),
    Task(
        function="causal_attention",
        cases=(
            Case("un lote de 2 frases de 5 tokens", _case(2, 5, 4, seed=0)),
            Case("una sola frase", _case(1, 6, 3, seed=1)),
            Case("frases de un solo token", _case(3, 1, 4, seed=2)),
            Case("puntajes enormes", _case(2, 4, 4, seed=3, scale=200.0, dtype=torch.float64)),
            Case("puntajes muy negativos", _opposed),
            Case("consultas nulas", _case(1, 3, 2, seed=5, scale=0.0)),
            Case(
                "20 frases, sin bucles ni la función del paquete",
                _case(20, 2, 2, seed=6),
                Rules(banned=("tfcourse.", "scaled_dot_product_attention"), operations=50),
            ),
            example(*map(torch.tensor, ([[[0.0], [0.0]]], [[[1.0], [1.0]]], [[[2.0], [4.0]]]))),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "sin-mascara",
                "no has tapado nada: la primera posición ya está mezclando la última",
                (_variant(allowed=torch.ones_like),),
            ),
            Mistake(
                "mira-al-futuro",
                "has tapado el pasado en lugar del futuro: la máscara está al revés (¿`triu` donde "
                "va `tril`, o falta el `~`?)",
                (_variant(allowed=torch.triu),),
            ),
            Mistake(
                "tapado-el-pasado-y-a-si-misma",
                "has tapado justo lo que se podía mirar: `masked_fill` cambia los valores donde la "
                "máscara es True, así que necesita la contraria",
                (_variant(allowed=lambda ones: torch.triu(ones, 1)),),
            ),
            Mistake(
                "no-se-mira",
                "has dejado fuera la diagonal: cada posición puede mirarse a sí misma, y la "
                "primera no tiene a nadie más",
                (_variant(allowed=lambda ones: torch.tril(ones, -1)),),
            ),
            Mistake(
                "sin-renormalizar",
                "has tapado después del softmax: los pesos que quedan ya no suman 1; tapa los "
                "puntajes antes",
                (_variant(when="después"),),
            ),
            Mistake(
                "tapado-con-cero",
                "has tapado con 0, y e⁰ = 1: el futuro sigue recibiendo peso; tapa con −∞",
                (_variant(fill=0.0),),
            ),
            Mistake(
                "tapado-con-un-numero",
                "has tapado con un número negativo cualquiera: si los puntajes permitidos son "
                'menores que él, el peso se va al futuro; tapa con −∞, `float("-inf")`',
                tuple(_variant(fill=fill) for fill in (-1.0, -10.0, -50.0, -100.0, -1000.0)),
            ),
            Mistake(
                "tapado-lo-que-vale-cero",
                "has tapado los puntajes que valen 0, y uno permitido también puede valer 0: si "
                "tapas una fila entera sale NaN; decide por la posición, no por el valor",
                (_where_zero,),
            ),
            Mistake(
                "sin-escalar",
                "te falta dividir los puntajes entre √d",
                (_variant(scale=lambda d: 1.0),),
            ),
            Mistake(
                "softmax-por-claves",
                "tus pesos suman 1 por columnas: el softmax va en el último eje, el de las claves",
                (_by_keys,),
            ),
        ),
    ),
)
