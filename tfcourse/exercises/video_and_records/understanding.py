"""Ejercicio para comprender: cuánto es cada cosa en una secuencia de vídeo y texto."""

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _numbers(*numbers):
    return lambda: numbers


# Tres pisos de diez ramas; 24 fotogramas en tubos de 3; una frase de 9 palabras; 40 clips.
VISUAL_COUNTS = Exercise(
    Card(
        id="contar-en-videobert",
        title="Contar en VideoBERT",
        kind="comprender",
        difficulty=1,
        minutes=6,
        points=1,
        objective="saber cuántas palabras visuales hay, qué cuesta hallarlas y qué es el azar",
        hints=(
            "Cada piso multiplica las palabras por el número de ramas.",
            "Para hallar la palabra se elige una rama en cada piso: las distancias se suman.",
            "La secuencia lleva tres especiales. Y el azar, entre los cinco primeros de 40, es "
            "cinco veces el de acertar a la primera.",
        ),
    ),
    Task(
        function="count_visual",
        cases=(Case("los datos del enunciado", lambda: ()),),
        reference=_numbers(1000, 30, 20, 0.125),
        outputs=("las palabras", "las distancias", "los tokens", "el azar"),
        mistakes=(
            Mistake(
                "pisos-sumados",
                "has sumado los pisos al contar palabras: cada rama de uno se abre en todas las "
                "del siguiente, y se multiplican",
                (_numbers(30, 30, 20, 0.125),),
            ),
            Mistake(
                "todas-las-distancias",
                "has comparado con todas las palabras: con pisos basta mirar las ramas de la ya "
                "elegida",
                (_numbers(1000, 1000, 20, 0.125), _numbers(1000, 1110, 20, 0.125)),
            ),
            Mistake(
                "sin-especiales",
                "en los tokens faltan los especiales: [CLS], [>] y [SEP]",
                (_numbers(1000, 30, 17, 0.125),),
            ),
            Mistake(
                "fotogramas-por-tubos",
                "has contado un token por fotograma: un tubo abarca tres",
                (_numbers(1000, 30, 36, 0.125), _numbers(1000, 30, 33, 0.125)),
            ),
            Mistake(
                "azar-del-primero",
                "ese es el azar de acertar a la primera: aquí vale cualquiera de cinco puestos",
                (_numbers(1000, 30, 20, 0.025),),
            ),
        ),
        differentiable=False,
        reveals=False,
    ),
)
