"""Ejercicio de código: deducir el softmax único que hace lo mismo que dos niveles."""

import math

import torch

from tfcourse.exercises.data import random_tensors, seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example

NEVER = float("-inf")


def _log_sum(values):
    top = max(values, default=NEVER)
    if top == NEVER:
        return NEVER
    return top + math.log(sum(math.exp(value - top) for value in values))


def _by_loops(word_scores, sentence_scores, mask):
    """Documento a documento y palabra a palabra, con logaritmos de números."""
    found = torch.full_like(word_scores, NEVER, dtype=torch.float64)
    for b in range(len(mask)):
        real = [s for s in range(mask.shape[1]) if bool(mask[b, s].any())]
        among = _log_sum([float(sentence_scores[b, s]) for s in real])
        for s in real:
            words = [w for w in range(mask.shape[2]) if bool(mask[b, s, w])]
            inside = _log_sum([float(word_scores[b, s, w]) for w in words])
            for w in words:
                own = float(word_scores[b, s, w]) - inside
                found[b, s, w] = float(sentence_scores[b, s]) - among + own
    return found.to(word_scores.dtype)


def _flat(shift=True, normalised=True, hidden=True, logs=True):
    """Los puntajes de un solo softmax con alguna pieza cambiada; así se fabrican los errores."""

    def one_level(word_scores, sentence_scores, mask):
        scores = word_scores.masked_fill(~mask, NEVER) if hidden else word_scores
        inside = scores.logsumexp(-1)
        real = mask.any(-1)
        among = sentence_scores.masked_fill(~real, NEVER)
        if not logs:
            alpha = scores.softmax(-1).nan_to_num(0.0)
            return (among.softmax(-1)[..., None] * alpha).log()
        # Donde no hay palabras, el puntaje es −∞ y no menos infinito menos infinito.
        offset = torch.where(real, among - (inside if shift else 0.0), NEVER)
        flat = scores + offset[..., None]
        return flat - flat.logsumexp((1, 2), keepdim=True) if normalised else flat

    return one_level


def _unmasked_sentences(word_scores, sentence_scores, mask):
    """Con las oraciones vacías en el softmax de las oraciones: se llevan su parte."""
    words = word_scores.masked_fill(~mask, NEVER).log_softmax(-1)
    flat = words + sentence_scores.log_softmax(-1)[..., None]
    return flat.masked_fill(~mask, NEVER)


def _nan(word_scores, sentence_scores, mask):
    words = word_scores.masked_fill(~mask, NEVER).log_softmax(-1)
    among = sentence_scores.masked_fill(~mask.any(-1), NEVER).log_softmax(-1)
    return words + among[..., None]


def _case(lengths, seed, scale=1.0, dtype=torch.float32):
    """Tantas palabras por oración como digan `lengths`, un documento por fila."""

    def make():
        counts = torch.tensor(lengths)
        width = int(counts.max())
        shapes = (*counts.shape, width), counts.shape
        word_scores, sentence_scores = random_tensors(*shapes, seed=seed, dtype=dtype)
        hidden = torch.arange(width) >= counts[..., None]
        noise = 9 * torch.rand(hidden.shape, generator=seeded(seed), dtype=dtype)
        return scale * word_scores + hidden * noise, scale * sentence_scores, ~hidden

    return make


ONE_LEVEL = Exercise(
    Card(
        id="dos-niveles-en-uno",
        title="Dos niveles en un solo softmax",
        kind="codigo",
        difficulty=2,
        minutes=18,
        points=3,
        objective="deducir qué puntajes tendría un solo softmax que hiciera lo mismo que dos",
        hints=(
            "La palabra pesa β_s · α_{s,w}: el logaritmo de un producto es una suma. ¿Cuál es el "
            "logaritmo de un softmax?",
            "ln α = e − logsumexp(e), con la suma dentro de la oración, y ln β igual, con la suma "
            "entre oraciones. A los puntajes de las palabras de cada oración se les suma lo mismo.",
            "Pon −∞ en lo que no existe antes de sumar, también en las oraciones sin palabras; ahí "
            "`log_softmax` resta −∞ de −∞ y da NaN, así que vuelve a poner −∞ al final. No pases "
            "por las probabilidades: con puntajes grandes se quedan en cero.",
        ),
    ),
    Task(
        function="one_level",
        cases=(
            Case("2 documentos de 3 oraciones", _case([[4, 2, 3], [1, 4, 2]], 0)),
            Case("sin relleno", _case([[3, 3], [3, 3]], 1)),
            Case("una oración sin palabras", _case([[3, 0, 2], [2, 1, 0]], 2)),
            Case("una sola oración", _case([[5], [2]], 3)),
            Case("todos los ejes iguales", _case([[3, 2, 1], [2, 3, 3], [1, 1, 3]], 4)),
            Case("puntajes de cientos", _case([[4, 3], [2, 4]], 5, scale=200.0)),
            Case("64 bits", _case([[2, 4], [4, 1]], 6, dtype=torch.float64)),
            example(
                torch.tensor([[[0.0, 0.0], [1.0986, 0.0]]]),
                torch.tensor([[0.0, 0.0]]),
                torch.tensor([[[True, True], [True, True]]]),
            ),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "suma-los-puntajes",
                "has sumado el puntaje de la oración al de sus palabras: una oración con más "
                "palabras se llevaría más; falta restar el logsumexp de las suyas",
                (_flat(shift=False), _flat(shift=False, normalised=False)),
            ),
            Mistake(
                "sin-normalizar-oraciones",
                "falta el softmax de las oraciones: la suma de todos los pesos no es 1",
                (_flat(normalised=False),),
            ),
            Mistake(
                "oraciones-vacias",
                "las oraciones sin palabras se llevan su parte: no existen, y su puntaje es −∞",
                (_unmasked_sentences,),
            ),
            Mistake(
                "nan",
                "en las oraciones sin palabras te sale NaN, de restar −∞ menos −∞: ahí el peso es "
                "cero y su logaritmo, −∞",
                (_nan,),
            ),
            Mistake(
                "relleno",
                "el relleno se lleva su parte: pon −∞ en lo que no existe",
                (
                    _flat(hidden=False),
                    lambda e, f, mask: e.log_softmax(-1) + f.log_softmax(-1)[..., None],
                ),
            ),
            Mistake(
                "desborda",
                "has multiplicado las probabilidades y tomado el logaritmo al final: con puntajes "
                "grandes se quedan en cero, y todo lo pequeño vale −∞",
                (_flat(logs=False),),
            ),
        ),
        differentiable=False,
    ),
)
