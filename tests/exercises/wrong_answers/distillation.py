"""Respuestas equivocadas de los ejercicios de destilación."""

import torch
from torch.nn.functional import cross_entropy, kl_div

from tests.exercises.wrong_answers import Wrong


def divergence(
    student, teacher, t, *, student_t=None, teacher_t=None, factor=None, how="batchmean"
):
    loss = kl_div(
        (student / (student_t or t)).log_softmax(1), (teacher / (teacher_t or t)).softmax(1),
        reduction=how,
    )  # fmt: skip
    return loss * (t * t if factor is None else factor)


SOFT = (
    Wrong("al-reves", "la probabilidad del maestro", lambda s, t, h: divergence(t, s, h)),
    Wrong("sin-cuadrado", "al cuadrado", lambda s, t, h: divergence(s, t, h, factor=h)),
    Wrong(
        "un-solo-softmax", "los logits de los dos", lambda s, t, h: divergence(s, t, h, teacher_t=1)
    ),
    Wrong("media-de-mas", "también las clases", lambda s, t, h: divergence(s, t, h, how="mean")),
    Wrong("suma-del-lote", "es su media", lambda s, t, h: divergence(s, t, h, how="sum")),
    Wrong(
        "entropia-cruzada",
        "la entropía del maestro",
        lambda s, t, h: cross_entropy(s / h, (t / h).softmax(1)) * h**2,
    ),
)


def halves(first, second, labels, answers, *, known=None, weight=0.5, target=None):
    known = labels != -1 if known is None else known
    target = answers.argmax(1) if target is None else target
    return weight * (cross_entropy(first[known], labels[known]) + cross_entropy(second, target))


MIXED = (
    Wrong("salidas-cambiadas", "las salidas", lambda a, b, y, t: halves(b, a, y, t)),
    Wrong(
        "menos-uno-es-cero",
        "la clase 0",
        lambda a, b, y, t: halves(a, b, torch.where(y < 0, 0, y), t, known=y > -2),
    ),
    Wrong(
        "media-de-todas",
        "las imágenes con etiqueta",
        lambda a, b, y, t: (
            0.5 * cross_entropy(a, y, ignore_index=-1, reduction="sum") / len(y)
            + 0.5 * cross_entropy(b, t.argmax(1))
        ),
    ),
    Wrong(
        "maestro-a-medias",
        "en todas las imágenes",
        lambda a, b, y, t: halves(a[y >= 0], b[y >= 0], y[y >= 0], t[y >= 0]),
    ),
    Wrong("sin-mitades", "la mitad", lambda a, b, y, t: halves(a, b, y, t, weight=1)),
    Wrong(
        "blanda", "la clase que elige", lambda a, b, y, t: halves(a, b, y, t, target=t.softmax(1))
    ),
)

WRONG = {"destilacion-blanda": SOFT, "un-maestro-malo": MIXED}
