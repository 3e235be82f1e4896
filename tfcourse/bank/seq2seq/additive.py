"""Ejercicio de código: el puntaje aditivo de Bahdanau."""

import math

import torch

from tfcourse.exercises.data import random_case
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _additive_by_loops(q, k, W_q, W_k, v):
    scores = torch.empty(k.shape[:2], dtype=q.dtype)
    for b, query in enumerate(q):
        for i, key in enumerate(k[b]):
            scores[b, i] = sum(
                v[a] * math.tanh(float(W_q[a] @ query + W_k[a] @ key)) for a in range(len(v))
            )
    return scores


def _additive(query=None, key=None, mix=torch.add, activation=torch.tanh, read=None):
    """Puntaje aditivo con alguna pieza cambiada: así se fabrican los errores típicos."""
    query = query or (lambda q, W_q: (q @ W_q.T)[:, None])
    key = key or (lambda k, W_k: k @ W_k.T)
    read = read or (lambda hidden, v: hidden @ v)

    def score(q, k, W_q, W_k, v):
        return read(activation(mix(query(q, W_q), key(k, W_k))), v)

    return score


def _transposed_query(q, W_q):
    return (q @ W_q)[:, None]


def _transposed_key(k, W_k):
    return k @ W_k


def _additive_case(batch, length, d_query, d_key, d_hidden, seed, dtype=torch.float32):
    shapes = (batch, d_query), (batch, length, d_key), (d_hidden, d_query), (d_hidden, d_key)
    return random_case(*shapes, (d_hidden,), seed=seed, dtype=dtype)


ADDITIVE_SCORE = Exercise(
    Card(
        id="puntaje-aditivo",
        title="El puntaje aditivo",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="escribir la función de alineamiento de Bahdanau para un lote, sin bucles",
        hints=(
            "Lleva la consulta y las claves al mismo tamaño A, cada una con su matriz, antes de "
            "sumarlas. Una matriz (A, Dq) se aplica a filas (B, Dq) con q @ W_q.T",
            "La consulta proyectada mide (B, A) y las claves proyectadas, (B, Tx, A). Para "
            "sumarlas, la consulta debe repetirse en cada palabra: ¿dónde va el eje nuevo?",
            "hidden = torch.tanh((q @ W_q.T)[:, None] + k @ W_k.T) mide (B, Tx, A). Falta que v lo "
            "reduzca a (B, Tx).",
        ),
    ),
    Task(
        function="additive_score",
        cases=(
            Case("un lote de 2 frases de 4 palabras", _additive_case(2, 4, 3, 5, 6, seed=0)),
            Case("matrices cuadradas", _additive_case(3, 5, 4, 4, 4, seed=1)),
            Case("tantas frases como palabras", _additive_case(3, 3, 4, 2, 5, seed=2)),
            Case("una sola frase", _additive_case(1, 4, 3, 2, 5, seed=3)),
            Case("frases de una palabra", _additive_case(2, 1, 3, 2, 4, seed=4)),
            Case("números de 64 bits", _additive_case(2, 3, 3, 4, 5, seed=5, dtype=torch.float64)),
        ),
        reference=_additive_by_loops,
        mistakes=(
            Mistake(
                "sin-tanh",
                "falta la tangente hiperbólica entre la suma y `v`: sin ella la red es lineal",
                (_additive(activation=lambda x: x),),
            ),
            Mistake(
                "tanh-al-final",
                "has aplicado la tangente hiperbólica al puntaje, después de `v`: va antes, a la "
                "suma de las dos proyecciones",
                (_additive(activation=lambda x: x, read=lambda hidden, v: torch.tanh(hidden @ v)),),
            ),
            Mistake(
                "otra-activacion",
                "has usado la sigmoide y la fórmula pide la tangente hiperbólica",
                (_additive(activation=torch.sigmoid),),
            ),
            Mistake(
                "softmax-aplicado",
                "devuelves pesos, que ya suman 1, y se piden los puntajes, antes del softmax",
                (_additive(read=lambda hidden, v: (hidden @ v).softmax(-1)),),
            ),
            Mistake(
                "matriz-traspuesta",
                "has traspuesto una matriz: `W_q` mide (A, Dq), así que se aplica con "
                "`q @ W_q.T` (y `W_k`, con `k @ W_k.T`)",
                (
                    _additive(query=_transposed_query, key=_transposed_key),
                    _additive(query=_transposed_query),
                    _additive(key=_transposed_key),
                ),
            ),
            Mistake(
                "consulta-sin-eje",
                "a la consulta le falta un eje: (B, A) se alinea con las palabras en lugar de con "
                "el lote; usa `[:, None]` para repetirla en cada palabra",
                (_additive(query=lambda q, W_q: q @ W_q.T),),
            ),
            Mistake(
                "solo-claves",
                "falta la consulta: tu puntaje no depende de `q`",
                (_additive(mix=lambda query, key: key),),
            ),
            Mistake(
                "solo-consulta",
                "faltan las claves: das el mismo puntaje a todas las palabras de una frase",
                (_additive(mix=lambda query, key: query.expand_as(key)),),
            ),
            Mistake(
                "producto-en-vez-de-suma",
                "has multiplicado las dos proyecciones: en el puntaje aditivo se suman",
                (_additive(mix=torch.mul),),
            ),
            Mistake(
                "sin-v",
                "has sumado las A componentes sin el vector `v`, que dice cuánto pesa cada una",
                (_additive(read=lambda hidden, v: hidden.sum(-1)),),
            ),
            Mistake(
                "suma-las-palabras",
                "has sumado por el eje de las palabras: `v` reduce el último eje, el de tamaño A",
                (_additive(read=lambda hidden, v: (hidden * v).sum(1)),),
            ),
            Mistake(
                "sin-reducir",
                "has multiplicado por `v` sin sumar después: el último eje, de tamaño A, debe "
                "desaparecer",
                (_additive(read=lambda hidden, v: hidden * v),),
            ),
        ),
    ),
)
