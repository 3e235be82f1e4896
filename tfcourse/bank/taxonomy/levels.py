"""Ejercicio de código: resumir por niveles, de las palabras al documento."""

import math

import torch

from tfcourse.exercises.data import random_tensors, softmax_by_exp
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example
from tfcourse.watch import Rules


def _pool_by_loops(rows, u):
    scores = [sum(math.tanh(x) * y for x, y in zip(row, u, strict=True)) for row in rows]
    alpha = softmax_by_exp(scores)
    return [sum(a * row[d] for a, row in zip(alpha, rows, strict=True)) for d in range(len(u))]


def _document_by_loops(words, mask, u_word, u_sentence):
    documents = []
    for sentences, exists in zip(words.tolist(), mask.tolist(), strict=True):
        summaries = []
        for sentence, real in zip(sentences, exists, strict=True):
            kept = [word for word, is_word in zip(sentence, real, strict=True) if is_word]
            summaries.append(_pool_by_loops(kept, u_word.tolist()))
        documents.append(_pool_by_loops(summaries, u_sentence.tolist()))
    return torch.tensor(documents, dtype=words.dtype)


def _levels(mask_words=True, flat=False, mean=None, inner=torch.tanh, swap=False, score=False):
    """Resumen por niveles con alguna pieza cambiada: así se fabrican los errores típicos."""

    def pool(x, mask, u):
        scores = inner(x) @ u
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        return (scores.softmax(-1)[..., None] * (inner(x) if score else x)).sum(-2)

    def document(words, mask, u_word, u_sentence):
        if swap:
            u_word, u_sentence = u_sentence, u_word
        visible = mask if mask_words else None
        if flat:
            return pool(words.flatten(1, 2), None if visible is None else mask.flatten(1), u_word)
        if mean == "words":
            share = mask / mask.sum(-1, keepdim=True)
            sentences = (share[..., None] * words).sum(-2)
        else:
            sentences = pool(words, visible, u_word)
        return sentences.mean(1) if mean == "sentences" else pool(sentences, None, u_sentence)

    return document


def _case(lengths, size, seed, dtype=torch.float32):
    """Tantas palabras por oración como digan `lengths`, un documento por fila."""

    def make():
        counts = torch.tensor(lengths)
        width = int(counts.max())
        shapes = (*counts.shape, width, size), (size,), (size,)
        words, u_word, u_sentence = random_tensors(*shapes, seed=seed, dtype=dtype)
        return words, torch.arange(width) < counts[..., None], u_word, u_sentence

    return make


TWO_LEVELS = Exercise(
    Card(
        id="dos-niveles",
        title="De las palabras al documento",
        kind="codigo",
        difficulty=3,
        minutes=20,
        points=3,
        objective="atender dos veces, con el relleno tapado y sin bucles",
        hints=(
            "Los dos niveles hacen lo mismo: puntaje tanh(x) · u, softmax y suma ponderada. "
            "Escribe una función pequeña y llámala dos veces.",
            "tanh(words) @ u_word mide (B, S, W): una fila de puntajes por oración. El softmax "
            "va por el último eje, después de poner −∞ donde la máscara es False.",
            "La suma ponderada: (alpha[..., None] * x).sum(dim=-2). Con words da (B, S, D), que es "
            "la entrada del segundo nivel.",
        ),
    ),
    Task(
        function="document_vector",
        cases=(
            Case("2 documentos de 3 oraciones", _case([[4, 2, 3], [1, 4, 2]], 5, seed=0)),
            Case("sin relleno", _case([[3, 3], [3, 3]], 4, seed=1)),
            Case("una sola oración", _case([[5], [2]], 3, seed=2)),
            Case("todos los ejes iguales", _case([[3, 2, 1], [2, 3, 3], [1, 1, 3]], 3, seed=3)),
            Case("64 bits", _case([[2, 4], [4, 1]], 3, seed=4, dtype=torch.float64)),
            Case(
                "20 documentos, sin bucles", _case([[2, 1]] * 20, 3, seed=5), Rules(operations=60)
            ),
            example(
                torch.tensor([[[[1.0], [5.0]], [[3.0], [9.0]]]]),
                torch.tensor([[[True, False], [True, False]]]),
                torch.tensor([0.0]),
                torch.tensor([0.0]),
            ),
        ),
        reference=_document_by_loops,
        mistakes=(
            Mistake(
                "sin-mascara",
                "no has usado la máscara: el relleno recibe parte del peso de su oración",
                (_levels(mask_words=False),),
            ),
            Mistake(
                "un-solo-nivel",
                "has atendido a todas las palabras del documento a la vez: primero se resume cada "
                "oración, y después se atiende a las oraciones",
                (_levels(flat=True), _levels(flat=True, mask_words=False)),
            ),
            Mistake(
                "media-de-oraciones",
                "el primer nivel es correcto, pero has promediado las oraciones por igual: también "
                "se atiende a ellas, con `u_sentence`",
                (_levels(mean="sentences"),),
            ),
            Mistake(
                "media-de-palabras",
                "has promediado las palabras de cada oración por igual: se ponderan con `u_word`",
                (_levels(mean="words"),),
            ),
            Mistake(
                "sin-tanh",
                "falta la tangente hiperbólica en el puntaje: tanh(x) · u",
                (_levels(inner=lambda x: x),),
            ),
            Mistake(
                "consultas-cambiadas",
                "has intercambiado `u_word` y `u_sentence`",
                (_levels(swap=True),),
            ),
            Mistake(
                "suma-los-puntajes",
                "has sumado tanh(x) en lugar de x: la tangente solo interviene en el puntaje",
                (_levels(score=True),),
            ),
        ),
    ),
)
