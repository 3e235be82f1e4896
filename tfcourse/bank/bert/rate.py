"""Ejercicio abierto: ¿cuánto conviene tapar?"""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(guesses, tokens, chosen, frequent):
    known = set(frequent.tolist())
    hits = {True: [], False: []}
    flat = (t.flatten().tolist() for t in (guesses, tokens, chosen))
    for guess, token, asked in zip(*flat, strict=True):
        if asked:
            hits[token in known].append(float(guess == token))
    return torch.tensor([sum(hits[k]) / len(hits[k]) if hits[k] else 0.0 for k in (True, False)])


def _variant(*, only_chosen=True, by="tokens", over="group", turned=False):
    def split(guesses, tokens, chosen, frequent):
        asked = chosen if only_chosen else torch.ones_like(chosen)
        kind = torch.isin(guesses if by == "guesses" else tokens, frequent)
        right = (guesses == tokens) & asked
        values = []
        for group in (kind & asked, ~kind & asked):
            size = {"group": group.sum(), "chosen": asked.sum(), "none": torch.tensor(1)}[over]
            values.append((right & group).sum() / size.clamp(min=1))
        return torch.stack(values[::-1] if turned else values).float()

    return split


def _case(shape, n_tokens, n_frequent, seed, share=0.3):
    def make():
        generator = seeded(seed)
        tokens = torch.randint(n_tokens, shape, generator=generator)
        noise = torch.randint(n_tokens, shape, generator=generator)
        guesses = torch.where(torch.rand(shape, generator=generator) < 0.6, tokens, noise)
        chosen = torch.rand(shape, generator=generator) < share
        return guesses, tokens, chosen, torch.arange(n_frequent)

    return make


RATE = Exercise(
    Card(
        id="cuanto-tapar",
        title="¿Cuánto conviene tapar?",
        kind="abierto",
        difficulty=3,
        minutes=60,
        points=2,
        manual_points=8,
        objective="separar lo que se adivina por frecuente y diseñar una comparación justa",
        hints=(
            "Tres máscaras booleanas del mismo tamaño: la de elegidos, la de frecuentes "
            "(`torch.isin`) y la de aciertos.",
            "Cada acierto se divide entre los elegidos de su grupo; si no hay ninguno, 0.",
            "Para el experimento: se entrena tapando más o menos, pero se evalúa siempre con las "
            "mismas ventanas tapadas al 15 %.",
        ),
    ),
    Task(
        function="accuracy_by_frequency",
        cases=(
            Case("40 ventanas de 12", _case((40, 12), 30, 5, 0)),
            Case("muchos frecuentes", _case((30, 10), 20, 15, 1)),
            Case("ningún frecuente", _case((20, 8), 20, 0, 2)),
            example(
                torch.tensor([[5, 6, 7, 5]]),
                torch.tensor([[5, 9, 7, 5]]),
                torch.tensor([[True, True, True, False]]),
                torch.tensor([5]),
            ),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "en-todas",
                "has contado también las posiciones que no se eligieron: ahí el modelo está "
                "viendo la respuesta",
                (_variant(only_chosen=False),),
            ),
            Mistake(
                "por-lo-que-se-dijo",
                "has repartido según lo que el modelo contestó: se reparte según lo que había",
                (_variant(by="guesses"),),
            ),
            Mistake(
                "sobre-el-total",
                "has dividido entre todos los huecos: cada grupo se divide entre los suyos",
                (_variant(over="chosen"),),
            ),
            Mistake(
                "cuentas",
                "has devuelto cuántos se aciertan: se pide qué parte de los de su grupo",
                (_variant(over="none"),),
            ),
            Mistake(
                "cambiados",
                "has devuelto los dos números al revés: primero, el de los frecuentes",
                (_variant(turned=True),),
            ),
        ),
        differentiable=False,
    ),
)
