"""Buscar la continuación más probable con un haz."""

import heapq
import itertools
import math
from collections.abc import Callable

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Mistake, Task
from tfcourse.projects.steps.drawing import with_flaw
from tfcourse.projects.steps.piece import Step


def beam(step: Callable, start: list, width: int, length: int, flaw: str = "") -> tuple:
    """La continuación de más probabilidad que encuentra un haz, y el logaritmo de esta."""
    if flaw == "voraz":
        width = 1
    kept = [(0.0, list(start))]
    for _ in range(length):
        grown = []
        for score, tokens in kept:
            logs = step(tokens)
            options = [
                (math.exp(x) + score if flaw == "suma-probabilidades"
                 else x if flaw == "solo-el-ultimo" else score + x, [*tokens, token])
                for token, x in enumerate(logs)
            ]  # fmt: skip
            grown += options
        kept = heapq.nlargest(width, grown)
    best = kept[-1] if flaw == "la-peor" and len(kept) > 1 else kept[0]
    return (best[1] if flaw == "con-comienzo" else best[1][len(start) :]), best[0]


def _table(n_tokens: int, seed: int) -> Callable:
    """Un modelo de mentira: los logaritmos dependen de todo lo escrito."""

    def step(tokens: list) -> list:
        place = sum((int(token) + 1) * 31**i for i, token in enumerate(tokens))
        drawn = torch.randn(n_tokens, generator=seeded(seed + place))
        return drawn.mul(1.5).log_softmax(-1).tolist()

    return step


def _beam_case(n_tokens: int, width: int, length: int, seed: int) -> Callable:
    """Un modelo con el que el haz encuentra otra cosa que el voraz, si es más ancho."""

    def make() -> tuple:
        for attempt in itertools.count():
            step = _table(n_tokens, seed + 1000 * attempt)
            if width == 1 or beam(step, [0, 1], width, length) != beam(step, [0, 1], 1, length):
                return step, [0, 1], width, length

    return make


BEAM = Step(
    Card(
        "gpt-haz", "El haz", "codigo", 2, 30, 3,
        "buscar la continuación más probable sin mirar todas",
        (
            "Guarda pares (logaritmo, tokens). En cada vuelta, alarga **cada** candidata con "
            "**todos** "
            "los tokens y quédate con las `width` mejores de todas juntas.",
            "El logaritmo de la continuación es la suma de los de sus tokens; al final se devuelve "
            "la mejor, sin el comienzo.",
        ),
    ),
    Task(
        "beam_search",
        (
            Case("6 tokens y un haz de 3", _beam_case(6, 3, 5, seed=160)),
            Case("un haz de 4, con otro modelo", _beam_case(5, 4, 6, seed=161)),
            Case("un haz de 1: el decodificador voraz", _beam_case(6, 1, 4, seed=162)),
            Case("un haz en el que caben todas", _beam_case(3, 27, 3, seed=163)),
            Case("otro haz de 2", _beam_case(7, 2, 6, seed=164)),
        ),
        lambda step, start, width, length: beam(step, start, width, length),
        (
            Mistake("voraz", "no mantienes varias candidatas y da lo mismo que el decodificador "
                    "voraz: "
                    "alarga cada una con todos los tokens, y no solo con el mejor, y guarda "
                    "`width`",
                    with_flaw(beam, "voraz")),
            Mistake("suma-probabilidades", "sumas probabilidades: la de una secuencia es el "
                    "producto, y "
                    "lo que se suma son los logaritmos", with_flaw(beam, "suma-probabilidades")),
            Mistake("solo-el-ultimo", "ordenas solo por el último token: el logaritmo de una "
                    "secuencia "
                    "es la suma de todos", with_flaw(beam, "solo-el-ultimo")),
            Mistake("con-comienzo", "devuelve solo la continuación, sin los tokens de `start`",
                    with_flaw(beam, "con-comienzo")),
            Mistake("la-peor", "devuelves la última candidata y no la mejor",
                    with_flaw(beam, "la-peor")),
        ),
        outputs=("continuación", "logaritmo"), tolerance=1e-4, differentiable=False,
    ),
)  # fmt: skip
