"""Ejercicio para comprender: cuántos números guarda cada modelo."""

from dataclasses import replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

# Palabras de la frase, tamaño del estado de cada dirección y número de direcciones.
SENTENCES = {"A": (10, 128, 1), "B": (10, 128, 2), "C": (40, 128, 2)}


class _Counts:
    """Las cuentas de unas frases: correctas o con algún error, según lo que se le dé."""

    def __init__(self, sentences):
        self.sentences = sentences

    def __call__(self, fixed, attention):
        def numbers_kept():
            counts = {}
            for name, sentence in self.sentences.items():
                counts[f"fijo_{name}"] = fixed(*sentence)
                counts[f"atencion_{name}"] = attention(*sentence)
            return counts

        return numbers_kept


def _one_vector(t_x, d_hidden, directions):
    return d_hidden * directions


def _one_vector_per_word(t_x, d_hidden, directions):
    return t_x * d_hidden * directions


MEMORY_CARD = Card(
    id="memoria",
    title="¿Cuánto cabe en la memoria?",
    kind="comprender",
    difficulty=1,
    minutes=5,
    points=1,
    objective="ver en números por qué el contexto fijo es un cuello de botella",
    hints=(
        "El contexto fijo es un solo vector, lea la frase que lea. ¿Cuántos vectores conserva "
        "la atención?",
        "En un codificador bidireccional, el estado de cada palabra une dos: el de ida y el de "
        "vuelta. ¿Cuánto mide entonces?",
        "Para la frase B, el contexto fijo mide 2 · 128. La atención conserva uno de esos "
        "vectores por palabra.",
    ),
)


def _memory_mistakes(_counts: _Counts) -> tuple[Mistake, ...]:
    return (
        Mistake(
            "una-sola-direccion",
            "has contado una sola dirección: con un codificador bidireccional cada vector une "
            "el estado de ida y el de vuelta, así que mide el doble",
            (_counts(lambda t, d, n: d, lambda t, d, n: t * d),),
        ),
        Mistake(
            "fijo-crece",
            "has multiplicado el contexto fijo por el número de palabras, y es un solo vector "
            "por larga que sea la frase: ahí está el cuello de botella",
            (
                _counts(_one_vector_per_word, _one_vector_per_word),
                _counts(lambda t, d, n: t * d, lambda t, d, n: t * d),
            ),
        ),
        Mistake(
            "atencion-no-crece",
            "has contado un solo vector para la atención: conserva uno por cada palabra de la "
            "entrada",
            (_counts(_one_vector, _one_vector), _counts(lambda t, d, n: d, lambda t, d, n: d)),
        ),
        Mistake(
            "solo-pesos",
            "has contado los pesos α, uno por palabra, pero lo que la atención conserva es el "
            "vector entero de cada palabra",
            (
                _counts(_one_vector, lambda t, d, n: t),
                _counts(lambda t, d, n: d, lambda t, d, n: t),
            ),
        ),
        Mistake(
            "intercambiados",
            "has intercambiado las dos columnas: el contexto fijo es el que no depende de la "
            "longitud de la frase",
            (_counts(_one_vector_per_word, _one_vector),),
        ),
    )


def _memory_task(sentences) -> Task:
    _counts = _Counts(sentences)
    return Task(
        function="numbers_kept",
        cases=(Case("tres frases", lambda: ()),),
        reference=_counts(_one_vector, _one_vector_per_word),
        mistakes=_memory_mistakes(_counts),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw_memory(random: Random) -> Variant:
    """Otras longitudes y otro tamaño de estado; la segunda columna del enunciado los dice."""
    short, long = random.randint(6, 14), random.randint(30, 60)
    hidden = random.choice((48, 64, 96, 160, 192, 256))
    sentences = {"A": (short, hidden, 1), "B": (short, hidden, 2), "C": (long, hidden, 2)}
    hint = MEMORY_CARD.hints[-1].replace("128", str(hidden))
    card = replace(MEMORY_CARD, hints=(*MEMORY_CARD.hints[:-1], hint))
    changes = (
        ("| A | 10 | 128 |", f"| A | {short} | {hidden} |"),
        ("| B | 10 | 128 |", f"| B | {short} | {hidden} |"),
        ("| C | 40 | 128 |", f"| C | {long} | {hidden} |"),
    )
    return Variant(Exercise(card, _memory_task(sentences)), changes)


MEMORY = Exercise(MEMORY_CARD, _memory_task(SENTENCES), _draw_memory)
