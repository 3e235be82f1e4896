"""Ejercicios de código: el puntaje aditivo y los pesos con máscara."""

import math

import torch

from tfcourse.exercises.data import random_case, random_tensors, softmax_by_exp
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
            "La consulta proyectada mide (B, A) y las claves proyectadas, (B, Tx, A). Para sumarlas "
            "hace falta que la consulta se repita en cada palabra: ¿dónde va el eje nuevo?",
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
                "has traspuesto una matriz: `W_q` mide (A, Dq), así que sus filas van con `q @ W_q.T` "
                "(y `k @ W_k.T`)",
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


def _naive_exponential(scores, mask):
    powers = scores.exp() * mask
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
        objective="normalizar los puntajes sin que el relleno reciba nada, ni siquiera en el límite",
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
                "has usado la máscara al revés: True significa «puede mirar», así que se tapa donde "
                "es False (`~mask`)",
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
                "las filas con algo que mirar son correctas, pero una fila entera tapada da NaN: el "
                "softmax divide 0 entre 0; haz que esa fila valga cero",
                (lambda scores, mask: scores.masked_fill(~mask, -math.inf).softmax(-1),),
            ),
            Mistake(
                "fila-uniforme",
                "una fila entera tapada reparte su peso entre el relleno: con un número muy negativo "
                "en lugar de −∞ todos sus puntajes empatan; haz que esa fila valga cero",
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
                    _naive_exponential,
                    _cleaned(_naive_exponential),
                    lambda scores, mask: _naive_exponential(scores, mask).nan_to_num(),
                ),
            ),
        ),
    ),
)
