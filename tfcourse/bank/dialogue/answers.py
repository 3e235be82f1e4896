"""Ejercicio de código: la pérdida de las respuestas, y de nada más."""

import torch

from tfcourse.exercises.data import random_tensors, seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _place_by_place(logits, tokens, answer):
    """Token a token: el que se escribe en un sitio lo dicen los logits del anterior."""
    costs = []
    for row in range(len(tokens)):
        for place in range(1, tokens.shape[1]):
            if bool(answer[row, place]):
                scores = logits[row, place - 1]
                top = scores.max()
                total = top + (scores - top).exp().sum().log()
                costs.append(total - scores[tokens[row, place]])
    return torch.stack(costs).mean()


def _costs(logits, tokens, shift=1):
    """Lo que cuesta cada token, con los logits de `shift` sitios antes."""
    table = logits.log_softmax(dim=-1)
    if shift == 0:
        return -table.gather(2, tokens[..., None])[..., 0]
    return -table[:, :-1].gather(2, tokens[:, 1:, None])[..., 0]


def _unshifted(logits, tokens, answer):
    return _costs(logits, tokens, 0)[answer].mean()


def _everything(logits, tokens, answer):
    return _costs(logits, tokens).mean()


def _mask_unshifted(logits, tokens, answer):
    return _costs(logits, tokens)[answer[:, :-1]].mean()


def _asked(logits, tokens, answer):
    return _costs(logits, tokens)[~answer[:, 1:]].mean()


def _summed(logits, tokens, answer):
    return _costs(logits, tokens)[answer[:, 1:]].sum()


def _over_all(logits, tokens, answer):
    return (_costs(logits, tokens) * answer[:, 1:]).mean()


def _by_rows(logits, tokens, answer):
    costs, told = _costs(logits, tokens), answer[:, 1:]
    return torch.stack([row[own].mean() for row, own in zip(costs, told, strict=True)]).mean()


def _case(n, length, words, seed, dtype=torch.float32):
    """Frases con dos respuestas de largo distinto, y la última fila con una sola."""

    def make():
        (logits,) = random_tensors((n, length, words), seed=seed, dtype=dtype)
        tokens = torch.randint(words, (n, length), generator=seeded(seed))
        answer = torch.zeros(n, length, dtype=torch.bool)
        for row in range(n):
            answer[row, 2 : 4 + row % 3] = True
        answer[:-1, -1] = True
        return logits, tokens, answer

    return make


ANSWERS = Exercise(
    Card(
        id="solo-la-respuesta",
        title="Solo la respuesta",
        kind="codigo",
        difficulty=2,
        minutes=10,
        points=2,
        objective="escribir la pérdida que aprende a responder y no a preguntar",
        hints=(
            "Lo que se escribe en el lugar t lo deciden los logits del lugar t − 1: hay que "
            "desplazar unos respecto a otros.",
            "La máscara también se desplaza: `answer[:, 1:]` dice cuáles de los tokens que se "
            "predicen son de respuesta.",
            "`logits[:, :-1][told]` deja una fila por token de respuesta, y con "
            "`tokens[:, 1:][told]` la entropía cruzada media es una sola línea.",
        ),
    ),
    Task(
        function="answer_loss",
        cases=(
            Case("3 conversaciones de 8 tokens", _case(3, 8, 6, 0)),
            Case("5 conversaciones, con más palabras", _case(5, 10, 12, 1)),
            Case("de 64 bits", _case(4, 9, 5, 2, torch.float64)),
            example(
                torch.tensor([[[0.0, 2.0], [0.0, 0.0], [5.0, 5.0]]]),
                torch.tensor([[0, 1, 1]]),
                torch.tensor([[False, True, False]]),
            ),
        ),
        reference=_place_by_place,
        mistakes=(
            Mistake(
                "sin-desplazar",
                "los logits de un lugar dicen el token que viene después, no el que ya está",
                (_unshifted,),
            ),
            Mistake(
                "todos-los-tokens",
                "has contado también las preguntas: solo cuentan las respuestas",
                (_everything,),
            ),
            Mistake(
                "mascara-sin-desplazar",
                "la máscara también se desplaza: es la del token que se predice",
                (_mask_unshifted,),
            ),
            Mistake("al-reves", "has contado justo lo que no es respuesta", (_asked,)),
            Mistake("sin-media", "falta la media: has sumado", (_summed,)),
            Mistake(
                "entre-todos",
                "la media es entre los tokens de respuesta, no entre todos",
                (_over_all,),
            ),
            Mistake(
                "media-de-medias",
                "has hecho la media de cada fila y después la de todas: cada token cuenta igual",
                (_by_rows,),
            ),
        ),
    ),
)
