"""Ejercicio para comprender: cuántos puntajes calcula cada casilla de la taxonomía."""

from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

SENTENCES, WORDS, SYMBOLS, HALF_WIDTH = 20, 30, 50, 10

CARD = Card(
    id="cuantos-puntajes",
    title="Cuántos puntajes calcula cada una",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="contar el trabajo de cada atención antes de programarla",
    hints=(
        "Un puntaje es una pareja de consulta y clave: cuenta cuántas consultas hay y a cuántas "
        "claves mira cada una.",
        "La ventana tiene D posiciones a cada lado y la del centro: 2D + 1.",
        "En la jerárquica la consulta es un vector fijo: un puntaje por palabra y, después, "
        "uno por oración.",
    ),
)


def _answer(sentences, words, symbols, half_width, **changes):
    n_words = sentences * words
    values = {
        "global": symbols * n_words,
        "local": symbols * (2 * half_width + 1),
        "jerarquica": n_words + sentences,
        "autoatencion": n_words**2,
    } | changes
    return lambda: dict(values)


def _task(sentences: int, words: int, symbols: int, half_width: int) -> Task:
    def answer(**changes):
        return _answer(sentences, words, symbols, half_width, **changes)

    n_words = sentences * words
    return Task(
        function="count_scores",
        cases=(Case("las cuatro cuentas", lambda: ()),),
        reference=answer(),
        mistakes=(
            Mistake(
                "ventana-sin-centro",
                "a la ventana le falta la posición del centro: mide 2D + 1",
                (answer(local=symbols * 2 * half_width),),
            ),
            Mistake(
                "ventana-de-un-lado",
                "la ventana tiene D posiciones a cada lado, además del centro",
                (answer(local=symbols * half_width), answer(local=symbols * (half_width + 1))),
            ),
            Mistake(
                "jerarquica-sin-oraciones",
                "en la jerárquica faltan los puntajes de las oraciones: hay dos niveles",
                (answer(jerarquica=n_words),),
            ),
            Mistake(
                "jerarquica-por-simbolo",
                "en la jerárquica nadie escribe: la consulta de cada nivel es un vector fijo",
                (answer(jerarquica=symbols * (n_words + sentences)),),
            ),
            Mistake(
                "autoatencion-por-oracion",
                "esa es una autoatención dentro de cada oración: aquí cada palabra mira a todas "
                "las del documento",
                (answer(autoatencion=sentences * words**2),),
            ),
        ),
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otro documento, otra salida y otra ventana."""
    sentences, words = random.choice((12, 15, 25, 40)), random.choice((16, 24, 32))
    symbols, half_width = random.choice((60, 80, 90)), random.choice((3, 5, 7, 8))
    changes = (
        (f"{SENTENCES} oraciones", f"{sentences} oraciones"),
        (f"{WORDS} palabras", f"{words} palabras"),
        (f"{SYMBOLS} símbolos", f"{symbols} símbolos"),
        (f"D = {HALF_WIDTH}", f"D = {half_width}"),
    )
    return Variant(Exercise(CARD, _task(sentences, words, symbols, half_width)), changes)


COUNTING = Exercise(CARD, _task(SENTENCES, WORDS, SYMBOLS, HALF_WIDTH), _draw)
