"""Ejercicio para comprender: qué lee el decodificador y qué adivina."""

from dataclasses import dataclass, replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant


@dataclass(frozen=True)
class _Sentence:
    """La frase que se aprende a escribir, con los números de sus símbolos."""

    words: tuple[str, ...]
    numbers: tuple[int, ...]
    start: int
    stop: int

    @property
    def full(self) -> tuple[int, ...]:
        return (self.start, *self.numbers, self.stop)

    def described(self) -> tuple[str, ...]:
        """Los trozos del enunciado que la dicen: la frase, la tabla y el ejemplo."""
        cells = (self.start, self.stop, *self.numbers)
        example = f"`[{self.start}, {self.numbers[0]}], [{self.numbers[0]}, {self.stop}]`"
        return (
            f"la frase «{' '.join(self.words)}»",
            f"| símbolo | `<inicio>` | `<fin>` | {' | '.join(self.words)} |",
            f"| número | {' | '.join(map(str, cells))} |",
            f"la frase «{self.words[0]}» sola serían {example}",
        )


SENTENCE = _Sentence(("me", "gustan", "los", "árboles"), (7, 8, 9, 10), start=1, stop=2)

SHIFT_CARD = Card(
    id="desplazar-la-salida",
    title="Qué lee y qué adivina",
    kind="comprender",
    difficulty=1,
    minutes=6,
    points=1,
    objective="poner en fila lo que el decodificador lee y lo que debe adivinar",
    hints=(
        "Las dos listas miden lo mismo: en cada posición se lee un símbolo y se adivina otro.",
        "Lo primero que se lee no puede ser una palabra: aún no se ha escrito ninguna.",
        "Tras leer «<inicio>» hay que adivinar «me»; tras leer la última palabra, «<fin>».",
    ),
)


def _shifted(read, guessed):
    return lambda: (list(read), list(guessed))


def _shift_task(sentence: _Sentence) -> Task:
    full, words = sentence.full, sentence.numbers
    return Task(
        function="teacher_forcing",
        cases=(Case("la frase del enunciado", lambda: ()),),
        reference=_shifted(full[:-1], full[1:]),
        outputs=("lee", "adivina"),
        mistakes=(
            Mistake(
                "sin-desplazar",
                "lees y adivinas la misma palabra: bastaría con copiarla, y no se aprendería nada",
                tuple(_shifted(same, same) for same in (words, full, full[1:], full[:-1])),
            ),
            Mistake(
                "al-reves",
                "las has cambiado de sitio: se lee desde «<inicio>» y se adivina hasta «<fin>»",
                (_shifted(full[1:], full[:-1]),),
            ),
            Mistake(
                "sin-fin",
                "falta adivinar «<fin>»: si no lo aprende, el modelo no sabe cuándo parar",
                (_shifted(full[:-2], words), _shifted(full[:-1], words)),
            ),
            Mistake(
                "sin-inicio",
                "falta leer «<inicio>»: para adivinar la primera palabra hay que haber leído algo",
                (_shifted(words, full[2:]), _shifted(words, full[1:])),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


# Las cuatro palabras de cada una caben en la tabla del enunciado.
SENTENCES = (
    "hoy llega mi hermana",
    "mañana comemos en casa",
    "ayer llovió en Madrid",
    "nunca bebemos agua fría",
    "siempre canta la vecina",
    "aquí venden pan caliente",
    "allí vive mi abuela",
    "nadie abre esa puerta",
)


def _draw_shift(random: Random) -> Variant:
    """Otra frase y otros números; los de las palabras ya no van seguidos."""
    start, stop = random.sample(range(4), 2)
    words = tuple(random.choice(SENTENCES).split())
    sentence = _Sentence(words, tuple(random.sample(range(5, 60), len(words))), start, stop)
    hint = SHIFT_CARD.hints[-1].replace(f"«{SENTENCE.words[0]}»", f"«{words[0]}»")
    card = replace(SHIFT_CARD, hints=(*SHIFT_CARD.hints[:-1], hint))
    changes = tuple(zip(SENTENCE.described(), sentence.described(), strict=True))
    return Variant(Exercise(card, _shift_task(sentence)), changes)


SHIFT = Exercise(SHIFT_CARD, _shift_task(SENTENCE), _draw_shift)
