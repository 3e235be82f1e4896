"""Ejercicios para comprender: el parecido de dos poses a mano y qué camino sale más barato."""

import math

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _answer(*values):
    return lambda: values


def _alike(kappa=2.0, half=2.0, power=2, side=2, mean=True):
    """Con s = 20: el hombro falla 3,2 con σ = 0,08, y la muñeca, 4 con σ = 0,05."""
    parts = [
        math.exp(-(away**power) / (half * 20**side * (kappa * sigma) ** 2))
        for away, sigma in ((3.2, 0.08), (4.0, 0.05))
    ]
    return _answer(*parts, sum(parts) / (2 if mean else 1))


ALIKE = Exercise(
    Card(
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
    ),
    Task(
        function="oks_by_hand",
        cases=(Case("las dos articulaciones del enunciado", lambda: ()),),
        reference=_alike(),
        outputs=("lo del hombro", "lo de la muñeca", "la OKS"),
        mistakes=(
            Mistake("sin-doblar", "has usado σ: lo que se permite es κ = 2σ", (_alike(kappa=1.0),)),
            Mistake(
                "sin-el-dos", "falta el 2 de delante del área, en el denominador", (_alike(half=1),)
            ),
            Mistake("sin-cuadrado", "la distancia va al cuadrado", (_alike(power=1),)),
            Mistake(
                "raiz-del-area",
                "has dividido por s, y el área es s²: son 400 píxeles cuadrados",
                (_alike(side=1),),
            ),
            Mistake(
                "sumadas",
                "has sumado las articulaciones: la OKS es su media",
                (_alike(mean=False),),
            ),
        ),
        tolerance=2e-3,
        differentiable=False,
        reveals=False,
    ),
)

# De arriba abajo: 30 + 8 n milisegundos. De abajo arriba: 60 + n.
WHICH_WAY = Exercise(
    Card(
        id="que-camino",
        title="¿De arriba abajo o de abajo arriba?",
        kind="comprender",
        difficulty=1,
        minutes=6,
        points=1,
        objective="comparar el coste de los dos caminos según cuánta gente hay",
        hints=(
            "Escribe los dos costes en función del número de personas, n.",
            "De arriba abajo se paga el detector una vez y el modelo de pose por cada persona.",
            "Iguala los dos costes, despeja n y quédate con el primer entero que pasa de ahí.",
        ),
    ),
    Task(
        function="cheaper_way",
        cases=(Case("los tiempos del enunciado", lambda: ()),),
        reference=_answer(5, 190, 80),
        outputs=("desde cuántas personas", "de arriba abajo", "de abajo arriba"),
        mistakes=(
            Mistake(
                "sin-detector",
                "has olvidado el detector: sin cajas no hay nada que recortar",
                (_answer(9, 160, 80), _answer(5, 160, 80)),
            ),
            Mistake(
                "sin-agrupar",
                "agrupar los puntos también cuesta, y más cuanta más gente hay",
                (_answer(4, 190, 60), _answer(5, 190, 60)),
            ),
            Mistake(
                "por-debajo",
                "con esas personas todavía sale más barato ir de arriba abajo: es la primera "
                "cantidad entera que pasa del empate",
                (_answer(4, 190, 80),),
            ),
            Mistake(
                "al-reves",
                "has cambiado los dos caminos de sitio: de arriba abajo es el que usa el detector",
                (_answer(5, 80, 190),),
            ),
            Mistake(
                "detector-por-persona",
                "el detector se pasa una vez por imagen, no una por persona",
                (_answer(2, 760, 80), _answer(5, 760, 80)),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)
