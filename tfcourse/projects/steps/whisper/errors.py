"""Contar los errores de lo escrito."""

from collections.abc import Callable
from random import Random

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Mistake, Task
from tfcourse.projects.steps.drawing import with_flaw
from tfcourse.projects.steps.piece import Step
from tfcourse.projects.steps.whisper.sound_sums import word_error_rate

WORDS = ("uno", "dos", "tres", "seis", "siete", "ocho", "diez")


def _heard(said: list[str], random: Random) -> list[str]:
    """Lo que se escribe de una frase: con algún cambio, alguna baja y alguna alta."""
    found = []
    for word in said:
        fate = random.random()
        if fate < 0.15:
            continue
        found.append(random.choice(WORDS) if fate < 0.35 else word)
        if fate > 0.8:
            found.append(random.choice(WORDS))
    return found


def _phrases_case(count: int, seed: int) -> Callable:
    def make() -> tuple:
        random = chance(seed)
        said = [random.choices(WORDS, k=random.randint(1, 7)) for _ in range(count)]
        written = [_heard(words, random) for words in said]
        return [" ".join(words) for words in written], [" ".join(words) for words in said]

    return make


def _turned() -> tuple:
    """Frases con dos palabras vecinas cambiadas de sitio."""
    random = chance(838)
    said = [random.sample(WORDS, k=n) for n in (2, 4, 6)]
    places = [random.randrange(len(words) - 1) for words in said]
    written = [
        [*words[:i], words[i + 1], words[i], *words[i + 2 :]]
        for words, i in zip(said, places, strict=True)
    ]
    return [" ".join(words) for words in written], [" ".join(words) for words in said]


def _too_much() -> tuple:
    random = chance(836)
    return [" ".join(random.choices(WORDS, k=n)) for n in (5, 0)], ["cinco", "cuatro cero"]


def _late_start() -> tuple:
    random = chance(837)
    said = random.sample(WORDS, 4)
    return [" ".join(["eh", "bueno", *said])], [" ".join(said)]


WER = Step(
    Card(
        "wh-wer", "La tasa de error por palabra", "codigo", 2, 30, 3,
        "contar los arreglos que necesita una transcripción",
        (
            "En una tabla, la casilla (i, j) es el menor número de arreglos de las i primeras "
            "palabras escritas a las j primeras esperadas.",
            "Cada casilla es la menor de tres: la de arriba más 1, la de la izquierda más 1 y la "
            "de la diagonal, más 1 si las dos palabras no son la misma.",
            "Suma los arreglos de todas las frases, y al final divide entre todas las palabras "
            "esperadas.",
        ),
    ),
    Task(
        "word_error_rate",
        (
            Case("6 frases", _phrases_case(6, seed=830)),
            Case("12 frases", _phrases_case(12, seed=832)),
            Case("se escribe de más: pasa de 1", _too_much),
            Case("lo que sobra va delante", _late_start),
            Case("palabras vecinas cambiadas de sitio", _turned),
        ),
        lambda written, expected: word_error_rate(written, expected),
        (
            Mistake("por-frase", "haces la media de las tasas de cada frase: se suman los arreglos "
                    "de todas y se divide una vez", with_flaw(word_error_rate, "por-frase")),
            Mistake("entre-lo-escrito", "se divide entre las palabras que se dijeron, y no entre "
                    "las escritas", with_flaw(word_error_rate, "entre-lo-escrito")),
            Mistake("letras", "comparas letras: parte cada frase en palabras con `split()`",
                    with_flaw(word_error_rate, "letras")),
            Mistake("sitio-a-sitio", "comparas cada palabra con la de su sitio, y una baja "
                    "descoloca todas las demás: hace falta la distancia de edición",
                    with_flaw(word_error_rate, "sitio-a-sitio")),
            Mistake("frases-mal", "das la parte de frases con algún error: se cuentan palabras",
                    with_flaw(word_error_rate, "frases-mal")),
            Mistake("sin-altas", "una palabra escrita de más también es un error",
                    with_flaw(word_error_rate, "sin-altas")),
            Mistake("cambio-doble", "cambiar una palabra por otra es un arreglo, y no dos",
                    with_flaw(word_error_rate, "cambio-doble")),
            Mistake("intercambio", "cambiar dos palabras de sitio no es un arreglo: son dos",
                    with_flaw(word_error_rate, "intercambio")),
            Mistake("hasta-uno", "la tasa puede pasar de 1: no la recortes",
                    with_flaw(word_error_rate, "hasta-uno")),
        ),
        tolerance=1e-6, differentiable=False,
    ),
)  # fmt: skip
