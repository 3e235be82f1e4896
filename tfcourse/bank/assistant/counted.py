"""Ejercicio para comprender: en cuántas posiciones cuenta la pérdida de solo la respuesta."""

from dataclasses import dataclass, replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

NAMES = ("primera", "segunda", "tercera")
N_MARKS = 3  # la de quien pide, la de quien contesta y la de fin


@dataclass(frozen=True)
class _Lot:
    """Los tokens de cada instrucción y de cada respuesta, sin las marcas."""

    asked: tuple[int, ...]
    told: tuple[int, ...]

    def answer(self, *, marks=N_MARKS, ending=1, first=False, padded=False):
        """Lo que se cuenta; lo que se dé, equivocado."""
        lengths = [sum(pair) + marks for pair in zip(self.asked, self.told, strict=True)]
        places = len(lengths) * max(lengths)
        predicted = places if padded else sum(lengths)
        values = {
            "casillas": places,
            "relleno": places - sum(lengths),
            "respuesta": sum(told + ending for told in self.told),
            "todo": predicted - (0 if first else len(lengths)),
        }
        return lambda: dict(values)

    @property
    def padding(self) -> int:
        """Cuántas casillas son de relleno."""
        return self.answer()()["relleno"]

    def described(self) -> tuple[str, ...]:
        """Los trozos del enunciado que lo dicen."""
        rows = zip(NAMES, self.asked, self.told, strict=True)
        return tuple(f"| {name} | {asked} | {told} |" for name, asked, told in rows)

    def hints(self) -> tuple[str, ...]:
        longest = max(sum(pair) + N_MARKS for pair in zip(self.asked, self.told, strict=True))
        return (
            "Escribe la primera conversación token a token, con sus tres marcas, y debajo de cada "
            "token pon quién lo escribe: una persona o el modelo.",
            f"Con sus marcas, la más larga tiene {longest} tokens: las demás se rellenan hasta "
            "ahí.",
            "El modelo escribe la respuesta y `<fin>`, que es como dice que ha terminado; "
            "`<asistente>` se la dan escrita. El primer token de cada conversación no lleva nada "
            "delante.",
        )


LOT = _Lot((11, 6, 3), (4, 13, 1))

COUNTED_CARD = Card(
    id="lo-que-cuenta-en-la-respuesta",
    title="Lo que cuenta y lo que solo se lee",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="contar qué posiciones de un lote con relleno enseñan algo",
    hints=LOT.hints(),
)


def _mistakes(lot: _Lot) -> tuple[Mistake, ...]:
    return (
        Mistake(
            "sin-el-fin",
            "en la respuesta falta contar `<fin>`: si no se aprende, el modelo no sabe callarse",
            (lot.answer(ending=0),),
        ),
        Mistake(
            "con-la-marca",
            "`<asistente>` no la escribe el modelo: se la dan escrita, y no cuenta",
            (lot.answer(ending=2),),
        ),
        Mistake(
            "el-primero",
            "el primer token de cada conversación no se aprende: no lleva nada delante",
            (lot.answer(first=True),),
        ),
        Mistake(
            "el-relleno",
            "has contado el relleno entre lo que se aprende: no es de ninguna conversación",
            (lot.answer(padded=True), lot.answer(padded=True, first=True)),
        ),
        Mistake(
            "sin-las-marcas",
            "faltan las marcas: cada conversación tiene tres, y cada una es un token",
            (lot.answer(marks=0), lot.answer(marks=0, ending=0)),
        ),
    )


def _task(lot: _Lot) -> Task:
    return Task(
        function="counted_places",
        cases=(Case("el lote del enunciado", lambda: ()),),
        reference=lot.answer(),
        mistakes=_mistakes(lot),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otro lote, con relleno de sobra para que cada error dé otro número."""
    lot = LOT
    while lot.padding < 7 or sum(lot.told) == sum(LOT.told):
        asked, told = ([random.randint(2, 19) for _ in NAMES] for _ in range(2))
        lot = _Lot(tuple(asked), tuple(told))
    card = replace(COUNTED_CARD, hints=lot.hints())
    changes = tuple(zip(LOT.described(), lot.described(), strict=True))
    return Variant(Exercise(card, _task(lot)), changes)


COUNTED = Exercise(COUNTED_CARD, _task(LOT), _draw)
