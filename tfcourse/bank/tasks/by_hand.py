"""Ejercicio para comprender: tapar a mano."""

from dataclasses import dataclass
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

WORDS = tuple(["la", "casa", "roja", "de", "mi", "abuela", "está", "en", "venta"])
SENTINEL = 100
LONGEST_SPAN = 3


@dataclass(frozen=True)
class _Hand:
    """La frase, con el número de su primera palabra y los tramos tapados (desde, hasta)."""

    first: int
    spans: tuple[tuple[int, int], ...]

    @property
    def tokens(self):
        return list(range(self.first, self.first + len(WORDS)))

    def source(self, marks_of=lambda span, start, end: [SENTINEL + span]):
        """Lo que se lee, si cada tramo se cambia por los centinelas que diga `marks_of`."""
        read, place = [], 0
        for span, (start, end) in enumerate(self.spans):
            read += self.tokens[place:start] + marks_of(span, start, end)
            place = end
        return read + self.tokens[place:]

    def target(self, step=1):
        """Lo que se escribe; con `step=0`, siempre con el mismo centinela."""
        written = []
        for span, (start, end) in enumerate(self.spans):
            written += [SENTINEL + step * span, *self.tokens[start:end]]
        return [*written, SENTINEL + step * len(self.spans)]

    def one_mark_per_token(self):
        used = iter(range(SENTINEL, SENTINEL + len(WORDS)))
        return self.source(lambda span, start, end: [next(used) for _ in range(start, end)])

    def hidden_words(self):
        return [" ".join(WORDS[start:end]) for start, end in self.spans]


def _pair(source, target):
    return lambda: (list(source), list(target))


BY_HAND_CARD = Card(
    id="tapar-a-mano",
    title="Tapar a mano",
    kind="comprender",
    difficulty=1,
    minutes=6,
    points=1,
    objective="escribir la entrada y el objetivo de un texto con dos tramos tapados",
    hints=(
        "En la entrada queda lo visible, y cada tramo tapado se cambia por un solo centinela.",
        "El objetivo es lo contrario: cada centinela seguido de lo que tapaba.",
        "El objetivo acaba con un centinela más, que no está en la entrada.",
    ),
)


def _mistakes(hand: _Hand) -> tuple[Mistake, ...]:
    source, target = hand.source(), hand.target()
    repeated = hand.source(lambda span, start, end: [SENTINEL + span] * (end - start))
    same_mark = hand.source(lambda span, start, end: [SENTINEL])
    return (
        Mistake(
            "uno-por-token",
            "has puesto un centinela por token tapado: es uno por tramo, mida lo que mida",
            (_pair(hand.one_mark_per_token(), target), _pair(repeated, target)),
        ),
        Mistake(
            "sin-centinela-final",
            "falta el último centinela del objetivo: dice que no hay más tramos",
            (_pair(source, target[:-1]),),
        ),
        Mistake(
            "al-reves",
            "las has cambiado de sitio: la entrada es lo visible con sus huecos",
            (_pair(target, source), _pair(target[:-1], source)),
        ),
        Mistake(
            "texto-entero",
            "has pedido el texto entero: en T5 solo se escribe lo tapado, que es mucho menos",
            (_pair(source, hand.tokens),),
        ),
        Mistake(
            "mismo-centinela",
            "has usado el mismo centinela para los dos tramos: entonces no se sabría cuál es cuál",
            (_pair(same_mark, hand.target(step=0)),),
        ),
    )


def _task(hand: _Hand) -> Task:
    return Task(
        function="hide_by_hand",
        cases=(Case("la frase del enunciado", lambda: ()),),
        reference=_pair(hand.source(), hand.target()),
        outputs=("entrada", "objetivo"),
        mistakes=_mistakes(hand),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otros números y otros dos tramos; el ejemplo del enunciado tapa la misma palabra."""
    hand = _Hand(random.randrange(21, 90, 10), _some_spans(random))
    after, example = _Hand(hand.first, EXAMPLE_SPANS), _Hand(PUBLISHED.first, EXAMPLE_SPANS)
    changes = (
        (_quoted(PUBLISHED), _quoted(hand)),
        (_row(PUBLISHED), _row(hand)),
        (f"{example.source()}, {example.target()}", f"{after.source()}, {after.target()}"),
    )
    return Variant(Exercise(BY_HAND_CARD, _task(hand)), changes)


def _some_spans(random: Random):
    """Dos tramos con algo visible entre ellos; uno al menos, de varias palabras."""
    options = [
        ((a, b), (c, d))
        for a in range(len(WORDS))
        for b in range(a + 1, a + LONGEST_SPAN + 1)
        for c in range(b + 1, len(WORDS))
        for d in range(c + 1, min(c + LONGEST_SPAN, len(WORDS)) + 1)
        if (b - a) + (d - c) > 2
    ]
    return random.choice(options)


def _quoted(hand: _Hand) -> str:
    return " y ".join(f"«{words}»" for words in hand.hidden_words())


def _row(hand: _Hand) -> str:
    return f"| número | {' | '.join(map(str, hand.tokens))} |"


PUBLISHED = _Hand(first=11, spans=((2, 4), (5, 7)))
EXAMPLE_SPANS = ((1, 2),)
BY_HAND = Exercise(BY_HAND_CARD, _task(PUBLISHED), _draw)
