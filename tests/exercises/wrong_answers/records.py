"""Respuestas equivocadas de los ejercicios de historias clínicas."""

import torch

from tests.exercises.wrong_answers import Wrong


def compared(scores, labels):
    return torch.sign(scores[labels == 1].unsqueeze(1) - scores[labels == 0])


RANKING = (
    Wrong(
        "empates-perdidos", "dado por perdidos", lambda s, y: (compared(s, y) > 0).float().mean()
    ),
    Wrong("empates-ganados", "dado por ganados", lambda s, y: (compared(s, y) >= 0).float().mean()),
    Wrong("al-reves", "al revés", lambda s, y: (1 - compared(s, y)).mean() / 2),
    Wrong("acierto", "con un umbral", lambda s, y: ((s > 0.5).long() == y).float().mean()),
    Wrong(
        "todas-las-parejas",
        "un caso y un no caso",
        lambda s, y: (compared(s, y) > 0).sum() / len(s) ** 2,
    ),
    Wrong(
        "diferencia-de-medias",
        "quién va delante",
        lambda s, y: (s * y).sum() / y.sum() - (s * (1 - y)).sum() / (1 - y).sum(),
    ),
)

WRONG = {"area-por-parejas": RANKING}
