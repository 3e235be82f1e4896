"""Ejercicio para comprender: cuántos pasos de un juego caben en la ventana de un agente."""

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _numbers(*numbers):
    return lambda: numbers


# Imagen de 64 × 80 en parches de 16; tres números; dos componentes de acción; ventana de 1024.
WINDOW = Exercise(
    Card(
        id="pasos-en-la-ventana",
        title="Los pasos que caben",
        kind="comprender",
        difficulty=1,
        minutes=8,
        points=1,
        objective="saber cuánto ocupa un paso y de qué tokens se aprende",
        hints=(
            "La observación son los parches, filas por columnas, y los números.",
            "Entre la observación y la acción va un separador, que también ocupa.",
            "Se aprenden solo los tokens de acción: los que hay en un paso, por los pasos enteros "
            "que caben.",
        ),
    ),
    Task(
        function="count_steps",
        cases=(Case("el robot del enunciado", lambda: ()),),
        reference=_numbers(26, 39, 78),
        outputs=("los tokens de un paso", "los pasos enteros", "los que se aprenden"),
        mistakes=(
            Mistake(
                "sin-separador",
                "en un paso falta el separador que va delante de la acción",
                (_numbers(25, 40, 80),),
            ),
            Mistake(
                "un-lado",
                "has dividido un solo lado de la imagen: los parches son filas por columnas",
                (_numbers(10, 102, 204), _numbers(11, 93, 186)),
            ),
            Mistake(
                "una-sola-accion",
                "la acción tiene dos componentes, y cada una es un token",
                (_numbers(25, 40, 40),),
            ),
            Mistake(
                "se-aprende-todo",
                "de lo que se ve no se aprende a predecir nada: cuenta solo las acciones",
                (_numbers(26, 39, 1014), _numbers(26, 39, 1024)),
            ),
            Mistake(
                "paso-a-medias",
                "has contado un paso que no cabe entero",
                (_numbers(26, 40, 80),),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)
