"""Ejercicio para comprender: qué dejan ver una máscara causal y otra de relleno."""

from dataclasses import dataclass, replace
from itertools import combinations
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

# Cuántas posiciones hay, y la raíz del ordinal de la última: «la quinta», «el quinto».
NUMBERS = {
    5: ("cinco", "quint"),
    6: ("seis", "sext"),
    7: ("siete", "séptim"),
    8: ("ocho", "octav"),
    9: ("nueve", "noven"),
}


@dataclass(frozen=True)
class _Padded:
    """Una frase cuya última posición es de relleno, y las consultas por las que se pregunta."""

    length: int
    queries: tuple[int, ...]

    @property
    def real(self) -> int:
        return self.length - 1

    def seen(self, can_look):
        """Las claves que ve cada consulta, si puede mirar lo que dice `can_look`."""
        keys = range(1, self.length + 1)
        return lambda: [[key for key in keys if can_look(query, key)] for query in self.queries]

    def described(self) -> str:
        """Como la dice el enunciado."""
        number, ordinal = NUMBERS[self.length]
        return f"hasta {number} posiciones y en esta frase la {ordinal}a es **relleno**"


SENTENCE = _Padded(5, (1, 2, 3, 4, 5))

VISIBLE_CARD = Card(
    id="quien-mira-a-quien",
    title="¿Quién mira a quién?",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="combinar a mano una máscara causal y una de relleno",
    hints=(
        "Una máscara causal deja mirar a la propia posición y a las anteriores.",
        "La de relleno quita columnas (claves), no filas: nadie mira al quinto token, pero el "
        "quinto token también es una consulta y tiene su fila.",
        "La tercera posición mira a [1, 2, 3]. ¿Y la quinta, si no puede mirarse a sí misma?",
    ),
)


def _visible_mistakes(sentence: _Padded) -> tuple[Mistake, ...]:
    seen, real, (_, ordinal) = sentence.seen, sentence.real, NUMBERS[sentence.length]
    return (
        Mistake(
            "sin-relleno",
            f"has puesto solo la máscara causal: la {ordinal}a posición es relleno y nadie debe "
            "mirarla, ni ella misma",
            (seen(lambda query, key: key <= query),),
        ),
        Mistake(
            "sin-causal",
            "has puesto solo la máscara de relleno: cada posición mira también a las que "
            "vienen después",
            (seen(lambda query, key: key <= real),),
        ),
        Mistake(
            "no-se-mira",
            "has dejado fuera la diagonal: cada posición también puede mirarse a sí misma",
            (
                seen(lambda query, key: key < query and key <= real),
                seen(lambda query, key: key < query),
            ),
        ),
        Mistake(
            "mira-al-futuro",
            "la has puesto al revés: cada posición mira a las que vienen después, y son las "
            "anteriores las que ya se conocen",
            (
                seen(lambda query, key: key >= query and key <= real),
                seen(lambda query, key: key >= query),
                seen(lambda query, key: key > query),
            ),
        ),
        Mistake(
            "fila-borrada",
            "has vaciado la fila del relleno, pero la máscara tapa claves, no consultas: el "
            f"{ordinal}o token pregunta como los demás, aunque su respuesta no se use",
            (seen(lambda query, key: key <= query and query <= real),),
        ),
    )


def _visible_task(sentence: _Padded) -> Task:
    return Task(
        function="visible_keys",
        cases=(Case("la frase del enunciado", lambda: ()),),
        reference=sentence.seen(lambda query, key: key <= query and key <= sentence.real),
        mistakes=_visible_mistakes(sentence),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


# Cinco listas, como dice el hueco que se reparte: la del relleno y cuatro más.
DRAWN = [
    _Padded(length, (*real, length))
    for length in range(6, 10)
    for real in combinations(range(1, length), 4)
]


def _draw_visible(random: Random) -> Variant:
    """Una frase más larga, y solo algunas de sus consultas."""
    sentence = random.choice(DRAWN)
    before, after = (NUMBERS[one.length][1] for one in (SENTENCE, sentence))
    hints = tuple(hint.replace(before, after) for hint in VISIBLE_CARD.hints)
    *first, last = sentence.queries
    queries = f"{', '.join(map(str, first))} y {last}"
    changes = (
        (SENTENCE.described(), sentence.described()),
        (
            "Para cada consulta, de la 1 a la 5, escribe la lista de claves a las que puede mirar,",
            f"Para las consultas {queries}, escribe la lista de claves a las que puede mirar cada "
            "una,",
        ),
    )
    return Variant(Exercise(replace(VISIBLE_CARD, hints=hints), _visible_task(sentence)), changes)


VISIBLE = Exercise(VISIBLE_CARD, _visible_task(SENTENCE), _draw_visible)
