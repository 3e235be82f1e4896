"""Generar imágenes: lo que dibuja un DiT según los pasos y la guía, y con quién se compara.

`python -m benchmarks generar --escribir` lo entrena con cada semilla. De cada manera de dibujar se
guarda si el clasificador ve lo pedido, lo variado que es, lo cerca que queda de las imágenes de
entrenar y la distancia de Fréchet a las reservadas.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import NamedTuple

import torch

from tfcourse.datasets.pictures.digits import LabelledImages, split_digits
from tfcourse.models.dit import DiT
from tfcourse.multimodal.flow.decoding import flow_path
from tfcourse.multimodal.flow.metrics import measured
from tfcourse.multimodal.flow.mixtures import Mixture
from tfcourse.multimodal.flow.recipe import (
    GUIDANCE,
    N_DIGITS,
    N_STEPS,
    Recipe,
    asked,
    draw,
    judge,
    known,
    to_pixels,
    to_signed,
    train,
)

NAME, N_PER_CLASS = "generar", 25
RECIPES = {"DiT": Recipe()}
# Lo bastante barata para volver a medirla en una prueba.
SHORT = {"corta": Recipe(steps=5)}
CONTROLS = ("reservadas", "copista", "media de la clase", "velocidad exacta")


class Way(NamedTuple):
    """Una manera de dibujar: método, pasos y guía."""

    solver: str = "Euler"
    n_steps: int = N_STEPS
    guidance: float = GUIDANCE


STEPS, GUIDANCES, HEUN_STEPS = (1, 2, 4, 8, 16, 32), (0.0, 1.0, 2.0, 4.0), (2, 4, 8, 16)
# Heun llama al campo dos veces en cada paso menos en el último: a cada uno, su Euler de
# las mismas llamadas. Y todo, con guía y sin exagerar.
PAIRS = tuple(
    way
    for w in (1.0, GUIDANCE)
    for n in HEUN_STEPS
    for way in (Way("Heun", n, w), Way("Euler", 2 * n - 1, w))
)
WAYS = tuple(
    dict.fromkeys(
        (
            *(Way(n_steps=n, guidance=w) for w in (1.0, GUIDANCE) for n in STEPS),
            *(Way(guidance=w) for w in GUIDANCES),
            *PAIRS,
        )
    )
)


def settings() -> dict:
    """Todo lo que define la tabla."""
    recipes = {name: asdict(recipe) for name, recipe in (RECIPES | SHORT).items()}
    return {"recipes": recipes, "ways": [list(way) for way in WAYS], "n_per_class": N_PER_CLASS}


def numbers(drawn: LabelledImages, train_set: LabelledImages) -> dict:
    """Las medidas de unos dibujos, junto a las imágenes con que se aprendió a hacerlos."""
    found = measured(judge(), drawn, train_set, split_digits()[1])
    return {name: round(value, 4) for name, value in found.items()}


def ways(model: DiT, recipe: Recipe, seed: int) -> Iterator[dict]:
    """Una fila por manera de dibujar; de la receta corta, solo la corriente."""
    for way in WAYS if recipe == RECIPES["DiT"] else (Way(),):
        drawn = draw(model, asked(N_PER_CLASS), **way._asdict(), seed=seed)
        yield way._asdict() | numbers(drawn, known(recipe))


def control(name: str) -> LabelledImages:
    """Los dibujos de quien no aprende nada: copiar, repetir la media o seguir la fórmula exacta."""
    train_set, test = split_digits()
    if name == "reservadas":
        return test
    generator = torch.Generator().manual_seed(0)
    parts = []
    for label in range(N_DIGITS):
        own = train_set.images[train_set.labels == label]
        if name == "media de la clase":
            parts.append(own.mean(0, keepdim=True).expand(N_PER_CLASS, -1, -1, -1))
        elif name == "copista":
            parts.append(own[torch.randperm(len(own), generator=generator)[:N_PER_CLASS]])
        else:
            noise = torch.randn(N_PER_CLASS, *own.shape[1:], generator=generator)
            path = flow_path(Mixture(to_signed(own)).velocity, noise, N_STEPS)
            parts.append(to_pixels(path[-1]))
    return LabelledImages(torch.cat(parts), asked(N_PER_CLASS))


def controls() -> Iterator[dict]:
    """Las filas con las que se compara."""
    for name in CONTROLS:
        yield {"name": name, "seed": 0} | numbers(control(name), split_digits()[0])


def run(name: str, seed: int) -> Iterator[dict]:
    """Entrena una receta y la mide dibujando de cada manera."""
    recipe = (RECIPES | SHORT)[name]
    done = train(recipe, seed)
    curve = torch.tensor(done.history.loss).split(50)
    losses = [round(float(part.mean()), 4) for part in curve]
    for row in ways(done.model, recipe, seed):
        yield {"name": name, "seed": seed, "loss": losses} | row


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Las filas de comparación, y una por receta, semilla y manera de dibujar."""
    yield from controls()
    for name in (*RECIPES, *SHORT):
        for seed in seeds:
            yield from run(name, seed)
