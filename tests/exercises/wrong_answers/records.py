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


def areas(twice=0.8, upside=0.2, same=0.5, cases=0.2):
    names = "doble", "al_reves", "iguales", "casos_al_reves"
    return lambda: dict(zip(names, (twice, upside, same, cases), strict=True))


ORDERS = (
    Wrong("la-escala-cuenta", "quién va delante", areas(twice=1.0)),
    Wrong("negativa", "no puede ser negativa", areas(upside=-0.8)),
    Wrong("empates-perdidos", "cuentan la mitad", areas(same=0.0)),
    Wrong("las-etiquetas-no-cuentan", "gana quien antes perdía", areas(cases=0.8)),
)

WRONG = {"area-por-parejas": RANKING, "area-sin-contar": ORDERS}
