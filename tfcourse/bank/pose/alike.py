"""Ejercicio para comprender: el parecido de dos poses a mano."""

import math
from dataclasses import dataclass
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant
from tfcourse.exercises.spanish import comma, tex_comma

# Cuántas veces lo que se permite, κ, falla cada articulación: da potencias que se dejan calcular.
MISSES = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0)


@dataclass(frozen=True)
class Figure:
    """El lado s de la figura y, del hombro y la muñeca, a cuántos píxeles están y su σ."""

    side: int
    away: tuple[float, float]
    sigmas: tuple[float, float]

    def alike(self, kappa=2.0, half=2.0, power=2, side=2, mean=True):
        """Lo que aporta cada articulación y la OKS; con otros números, las de quien se equivoca."""
        parts = [
            math.exp(-(away**power) / (half * self.side**side * (kappa * sigma) ** 2))
            for away, sigma in zip(self.away, self.sigmas, strict=True)
        ]
        found = (*parts, sum(parts) / (2 if mean else 1))
        return lambda: found

    def told(self) -> tuple[str, ...]:
        """Los trozos del enunciado que dicen los datos."""
        shoulder, wrist = map(comma, self.away)
        return (
            f"ocupa {self.side**2} píxeles cuadrados ($s^2 = {self.side**2}$)",
            rf"el hombro, con $\sigma = {tex_comma(self.sigmas[0])}$",
            rf"la muñeca, con $\sigma = {tex_comma(self.sigmas[1])}$",
            f"el hombro a {shoulder} píxeles de su sitio y la muñeca a {wrist}.",
        )


FIGURE = Figure(side=20, away=(3.2, 4.0), sigmas=(0.08, 0.05))


CARD = Card(
    id="oks-a-mano",
    title="El parecido de dos poses, a mano",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="calcular la OKS y ver que no todas las articulaciones perdonan lo mismo",
    hints=(
        "De cada articulación, la cuenta es exp(−d² / (2 s² κ²)), con κ = 2σ.",
        "El área es s²: no hace falta sacar la raíz para dividir por ella.",
        "La OKS es la media de las articulaciones anotadas.",
    ),
)


def _mistakes(figure: Figure) -> tuple[Mistake, ...]:
    return (
        Mistake(
            "sin-doblar", "has usado σ: lo que se permite es κ = 2σ", (figure.alike(kappa=1.0),)
        ),
        Mistake(
            "sin-el-dos",
            "falta el 2 de delante del área, en el denominador",
            (figure.alike(half=1),),
        ),
        Mistake("sin-cuadrado", "la distancia va al cuadrado", (figure.alike(power=1),)),
        Mistake(
            "raiz-del-area",
            f"has dividido por s, y el área es s²: son {figure.side**2} píxeles cuadrados",
            (figure.alike(side=1),),
        ),
        Mistake(
            "sumadas",
            "has sumado las articulaciones: la OKS es su media",
            (figure.alike(mean=False),),
        ),
    )


def _task(figure: Figure) -> Task:
    return Task(
        function="oks_by_hand",
        cases=(Case("las dos articulaciones del enunciado", lambda: ()),),
        reference=figure.alike(),
        outputs=("lo del hombro", "lo de la muñeca", "la OKS"),
        mistakes=_mistakes(figure),
        tolerance=2e-3,
        differentiable=False,
        reveals=False,
    )


def _misses(figure: Figure) -> tuple[float, ...]:
    pairs = zip(figure.away, figure.sigmas, strict=True)
    return tuple(round(away / (figure.side * 2 * sigma), 3) for away, sigma in pairs)


def _draw(random: Random) -> Variant:
    """Otra figura, que falla otras veces κ: la respuesta solo depende de esas dos."""
    figure = FIGURE
    while _misses(figure) == _misses(FIGURE):
        side = random.choice((20, 30, 40, 50))
        sigmas = (random.choice((0.07, 0.08, 0.09, 0.1)), random.choice((0.04, 0.05, 0.06)))
        away = (
            round(misses * side * 2 * sigma, 2)
            for misses, sigma in zip(random.sample(MISSES, 2), sigmas, strict=True)
        )
        figure = Figure(side, tuple(away), sigmas)
    changes = tuple(zip(FIGURE.told(), figure.told(), strict=True))
    return Variant(Exercise(CARD, _task(figure)), changes)


ALIKE = Exercise(CARD, _task(FIGURE), _draw)
