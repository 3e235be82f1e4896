"""Ejercicio de código: la pérdida solo donde hay que adivinar."""

import torch

from tfcourse.exercises.data import random_tensors, seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _by_loops(logits, tokens, chosen):
    costs = []
    for row in range(tokens.shape[0]):
        for t in range(tokens.shape[1]):
            if chosen[row, t]:
                scores = logits[row, t]
                total = (scores - scores.max()).exp().sum().log() + scores.max()
                costs.append(total - scores[tokens[row, t]])
    return torch.stack(costs).mean()


def _costs(logits, tokens):
    return -logits.log_softmax(dim=-1).gather(-1, tokens[..., None])[..., 0]


def _row_means(logits, tokens, chosen):
    costs = _costs(logits, tokens) * chosen
    return (costs.sum(-1) / chosen.sum(-1).clamp(min=1)).mean()


def _without_softmax(logits, tokens, chosen):
    return -logits.gather(-1, tokens[..., None])[..., 0][chosen].mean()


def _of_probabilities(logits, tokens, chosen):
    return _costs(logits.softmax(-1), tokens)[chosen].mean()


def _wrong_axis(logits, tokens, chosen):
    log_p = logits.log_softmax(dim=1)
    return -log_p.gather(-1, tokens[..., None])[..., 0][chosen].mean()


def _case(rows, length, n_tokens, seed, share=0.3):
    def make():
        generator = seeded(seed)
        (logits,) = random_tensors((rows, length, n_tokens), seed=seed)
        tokens = torch.randint(n_tokens, (rows, length), generator=generator)
        chosen = torch.rand(rows, length, generator=generator) < share
        chosen[0, 0], chosen[0, 1] = True, False
        return 3 * logits, tokens, chosen

    return make


MASKED_LOSS = Exercise(
    Card(
        id="perdida-en-los-huecos",
        title="La pérdida en los huecos",
        kind="codigo",
        difficulty=2,
        minutes=10,
        points=2,
        objective="calcular la entropía cruzada solo en las posiciones elegidas",
        hints=(
            "Quédate con las posiciones elegidas antes de calcular nada: logits[chosen] tiene "
            "forma (M, V).",
            "De cada fila hace falta −log softmax en el token que había.",
            "torch.nn.functional.cross_entropy(logits[chosen], tokens[chosen]) hace las dos cosas "
            "y la media.",
        ),
    ),
    Task(
        function="masked_loss",
        cases=(
            Case("4 secuencias de 6", _case(4, 6, 9, 0)),
            Case("pocas elegidas", _case(5, 12, 20, 1, share=0.1)),
            Case("casi todas elegidas", _case(3, 8, 7, 2, share=0.9)),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "en-todas",
                "has contado todas las posiciones: solo se pregunta por las elegidas",
                (lambda logits, tokens, chosen: _costs(logits, tokens).mean(),),
            ),
            Mistake(
                "entre-todas",
                "has sumado solo las elegidas, pero has dividido entre todas las posiciones: la "
                "media es sobre las elegidas",
                (lambda logits, tokens, chosen: (_costs(logits, tokens) * chosen).mean(),),
            ),
            Mistake(
                "suma",
                "has sumado: se pide la media por posición elegida",
                (lambda logits, tokens, chosen: (_costs(logits, tokens) * chosen).sum(),),
            ),
            Mistake(
                "media-de-medias",
                "has hecho la media de cada secuencia y después la de todas: una secuencia con un "
                "solo hueco pesaría tanto como una con diez",
                (_row_means,),
            ),
            Mistake(
                "las-no-elegidas",
                "has contado justo las que no se eligieron: la máscara está al revés",
                (lambda logits, tokens, chosen: _costs(logits, tokens)[~chosen].mean(),),
            ),
            Mistake(
                "sin-softmax",
                "falta normalizar: −log p necesita el logaritmo del softmax, no el logit",
                (_without_softmax,),
            ),
            Mistake(
                "dos-softmax",
                "has hecho el softmax dos veces: `cross_entropy` espera los logits",
                (_of_probabilities,),
            ),
            Mistake(
                "otro-eje",
                "el softmax está sobre las posiciones: compite un token contra los demás del "
                "vocabulario, que es el último eje",
                (_wrong_axis,),
            ),
        ),
    ),
)
