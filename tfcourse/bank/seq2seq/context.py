"""Ejercicios de código: el vector de contexto y un paso de la atención de Luong."""

import math

import torch

from tfcourse.exercises.data import random_case, random_tensors, softmax_by_exp
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example
from tfcourse.watch import Rules


def _context_by_loops(alpha, h):
    rows = []
    for weights, states in zip(alpha, h, strict=True):
        total = torch.zeros_like(states[0])
        for weight, state in zip(weights, states, strict=True):
            total = total + weight * state
        rows.append(total)
    return torch.stack(rows)


def _weights_and_states(batch, length, size, seed, dtype=torch.float32):
    def make():
        scores, states = random_tensors(
            (batch, length), (batch, length, size), seed=seed, dtype=dtype
        )
        return scores.softmax(dim=-1), states

    return make


def _padded_sentence():
    """Las dos últimas palabras son relleno: peso cero y un estado enorme que no debe contar."""
    alpha, h = random_tensors((2, 5), (2, 5, 3), seed=4)
    alpha = torch.cat([alpha[:, :3].softmax(dim=-1), torch.zeros(2, 2)], dim=1)
    return alpha, torch.cat([h[:, :3], torch.full((2, 2, 3), 1000.0)], dim=1)


CONTEXT = Exercise(
    Card(
        id="contexto",
        title="El vector de contexto",
        kind="codigo",
        difficulty=2,
        minutes=10,
        points=2,
        objective="escribir la media ponderada de los estados para un lote entero, sin bucles",
        hints=(
            "El peso de cada palabra multiplica a todo su vector. ¿Qué eje le falta a alpha, de "
            "forma (B, Tx), para multiplicar a h, de forma (B, Tx, D)?",
            "alpha[:, :, None] tiene forma (B, Tx, 1) y se extiende a (B, Tx, D). Después falta "
            "sumar: ¿por qué eje desaparece Tx?",
            "También sale con un producto de matrices en cada ejemplo, (1, Tx) por (Tx, D): "
            "¿qué eje hay que añadir a alpha, y cuál sobra después?",
        ),
    ),
    Task(
        function="context_vector",
        cases=(
            Case("un lote de 3 frases de 5 palabras", _weights_and_states(3, 5, 4, seed=0)),
            Case("una sola frase", _weights_and_states(1, 6, 3, seed=1)),
            Case("frases de una palabra", _weights_and_states(2, 1, 3, seed=2)),
            Case("todos los ejes iguales", _weights_and_states(4, 4, 4, seed=3)),
            Case("frases con relleno", _padded_sentence),
            Case("números de 64 bits", _weights_and_states(2, 3, 5, seed=5, dtype=torch.float64)),
            Case(
                "80 frases, sin bucles", _weights_and_states(80, 1, 2, seed=6), Rules(operations=60)
            ),
            example(torch.tensor([[0.75, 0.25]]), torch.tensor([[[4.0, 0.0], [0.0, 8.0]]])),
        ),
        reference=_context_by_loops,
        mistakes=(
            Mistake(
                "sin-pesos",
                "has sumado los estados sin multiplicar cada uno por su peso",
                (lambda alpha, h: h.sum(1),),
            ),
            Mistake(
                "media-simple",
                "has promediado los estados por igual: los pesos `alpha` no intervienen",
                (lambda alpha, h: h.mean(1),),
            ),
            Mistake(
                "dividido-de-mas",
                "has usado `mean` donde va `sum`: los pesos ya suman 1 y no se divide entre Tx",
                (lambda alpha, h: (alpha[..., None] * h).mean(1),),
            ),
            Mistake(
                "suma-los-rasgos",
                "has sumado por el último eje (los D rasgos) y hay que sumar por las palabras: "
                "`dim=1`",
                (lambda alpha, h: (alpha[..., None] * h).sum(-1),),
            ),
            Mistake(
                "suma-el-lote",
                "has sumado por el eje del lote y mezclas frases distintas: suma por las palabras, "
                "`dim=1`",
                (lambda alpha, h: (alpha[..., None] * h).sum(0),),
            ),
            Mistake(
                "sin-sumar",
                "has multiplicado cada estado por su peso, pero falta sumarlos: el eje Tx debe "
                "desaparecer",
                (lambda alpha, h: alpha[..., None] * h,),
            ),
            Mistake(
                "solo-el-mayor",
                "te has quedado con el estado de mayor peso: el contexto los mezcla todos",
                (lambda alpha, h: h[torch.arange(len(h)), alpha.argmax(-1)],),
            ),
            Mistake(
                "softmax-repetido",
                "has aplicado softmax a `alpha`, que ya son pesos: úsalos tal como llegan",
                (lambda alpha, h: (alpha.softmax(-1)[..., None] * h).sum(1),),
            ),
        ),
    ),
)


def _luong_by_loops(s, h, W_a, W_c):
    attended, weights = [], []
    for query, states in zip(s, h, strict=True):
        alpha = softmax_by_exp([float(query @ W_a @ state) for state in states])
        context = sum(weight * state for weight, state in zip(alpha, states, strict=True))
        attended.append([math.tanh(float(row @ torch.cat([context, query]))) for row in W_c])
        weights.append(alpha)
    return torch.tensor(attended, dtype=s.dtype), torch.tensor(weights, dtype=s.dtype)


def _luong(
    score=lambda s, h, W_a: (s @ W_a)[:, None] * h, softmax_axis=-1, order="cs", out=torch.tanh
):
    """Un paso de Luong con alguna pieza cambiada: así se fabrican los errores típicos."""

    def step(s, h, W_a, W_c):
        scores = score(s, h, W_a).sum(-1)
        alpha = scores if softmax_axis is None else scores.softmax(softmax_axis)
        context = (alpha[..., None] * h).sum(1)
        return out(torch.cat([{"c": context, "s": s}[name] for name in order], -1) @ W_c.T), alpha

    return step


def _luong_case(batch, length, d_state, d_memory, seed, d_out=5, dtype=torch.float32):
    shapes = ((batch, d_state), (batch, length, d_memory), (d_state, d_memory))
    return random_case(*shapes, (d_out, d_memory + d_state), seed=seed, dtype=dtype)


LUONG = Exercise(
    Card(
        id="luong",
        title="Un paso de la atención de Luong",
        kind="codigo",
        difficulty=3,
        minutes=25,
        points=4,
        objective="pasar de la formulación de Bahdanau a la de Luong, pieza por pieza",
        hints=(
            "Son cuatro pasos: puntajes (B, Tx), pesos, contexto (B, Dh) y combinación. Escríbelos "
            "en cuatro líneas y mira la forma de cada resultado.",
            "Puntajes: s @ W_a tiene forma (B, Dh), la misma que cada h_i. Añádele un eje para "
            "compararlo con todas las palabras a la vez.",
            "Combinación: torch.cat([c, s], dim=-1), con el contexto delante, multiplicado por la "
            "traspuesta de W_c y pasado por la tangente hiperbólica.",
        ),
    ),
    Task(
        function="luong_step",
        cases=(
            Case("un lote de 3 frases de 5 palabras", _luong_case(3, 5, 4, 6, seed=0)),
            Case("estados de igual tamaño", _luong_case(2, 4, 3, 3, seed=1)),
            Case("una sola frase", _luong_case(1, 6, 4, 2, seed=2)),
            Case("frases de una palabra", _luong_case(2, 1, 4, 3, seed=3)),
            Case("números de 64 bits", _luong_case(2, 3, 5, 4, seed=4, dtype=torch.float64)),
            example(*map(torch.tensor, ([[1.0]], [[[0.0], [1.0]]], [[1.0986]], [[1.0, 0.0]]))),
        ),
        reference=_luong_by_loops,
        outputs=("s_tilde", "alpha"),
        mistakes=(
            Mistake(
                "orden-al-concatenar",
                "has concatenado [s; c] y la fórmula pide [c; s]: cada columna de `W_c` espera lo "
                "suyo",
                (_luong(order="sc"),),
            ),
            Mistake(
                "sin-tanh",
                "a `s_tilde` le falta la tangente hiperbólica",
                (_luong(out=lambda x: x),),
            ),
            Mistake(
                "sin-matriz",
                "has comparado s y h con el producto escalar, sin `W_a`: el puntaje general es "
                "sᵀ W_a h",
                (_luong(lambda s, h, W_a: s[:, None] * h),),
            ),
            Mistake(
                "matriz-traspuesta",
                "has traspuesto `W_a`: sus filas corresponden a s y sus columnas a h, así que va "
                "`s @ W_a`",
                (_luong(lambda s, h, W_a: (s @ W_a.T)[:, None] * h),),
            ),
            Mistake(
                "sin-softmax",
                "has usado los puntajes como si fueran pesos: falta el softmax",
                (_luong(softmax_axis=None),),
            ),
            Mistake(
                "softmax-en-el-lote",
                "tus pesos suman 1 por columnas: has aplicado softmax en `dim=0`, que es el lote; "
                "las palabras están en `dim=-1`",
                (_luong(softmax_axis=0),),
            ),
            Mistake(
                "puntaje-escalado",
                "has dividido los puntajes entre la raíz del tamaño: eso lo hará el Transformer; "
                "Luong no escala",
                (
                    _luong(lambda s, h, W_a: (s @ W_a)[:, None] * h / math.sqrt(h.shape[-1])),
                    _luong(lambda s, h, W_a: (s @ W_a)[:, None] * h / math.sqrt(s.shape[-1])),
                ),
            ),
            Mistake(
                "salidas-intercambiadas",
                "has devuelto los resultados al revés: primero `s_tilde` y después `alpha`",
                (lambda s, h, W_a, W_c: _luong()(s, h, W_a, W_c)[::-1],),
            ),
        ),
    ),
)
