"""Ejercicio para comprender: qué escribirá un decodificador, antes de ejecutarlo."""

from dataclasses import replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant


class _Tree:
    """Un modelo de dos símbolos y dos pasos: p(a), p(b | a) y p(a | b), y la salida correcta."""

    def __init__(self, first: float, after_a: float, after_b: float, right: str):
        self.first, self.after_a, self.after_b, self.right = first, after_a, after_b, right

    def chance(self, text: str) -> tuple[float, float]:
        """Las probabilidades del primer símbolo y del segundo."""
        one = self.first if text[0] == "a" else 1 - self.first
        second = self.after_b if text[0] == "b" else 1 - self.after_a
        return one, second if text[1] == "a" else 1 - second

    def likely(self, read: str = "") -> str:
        """El símbolo más probable tras lo leído."""
        return max("ab", key=lambda symbol: self.chance((read + symbol).ljust(2, "a"))[len(read)])

    def answer(self, combine=lambda p, q: p * q, best=None, swapped=False, last=False):
        greedy = self.likely() + self.likely(self.likely())
        texts = [one + two for one in "ab" for two in "ab"]
        top = best or max(texts, key=lambda text: self.chance(text)[0] * self.chance(text)[1])
        forced = (self.likely() == self.right[0]) + (self.likely(self.right[0]) == self.right[1])
        free = sum(a == b for a, b in zip(greedy, self.right, strict=True))
        hits = (free, forced) if swapped else (forced, free)
        value = {
            "voraz": combine(*self.chance(greedy)),
            "mejor": combine(*self.chance(greedy if best == "voraz" else top)),
            "profesor": free if last else hits[0],
            "libre": hits[1],
        }
        return lambda: dict(value)


PUBLISHED = _Tree(0.6, 0.55, 0.9, "ba")

CARD = Card(
    id="voraz-o-mejor",
    title="¿Qué escribirá?",
    kind="comprender",
    difficulty=2,
    minutes=10,
    points=2,
    objective="predecir lo que escribe un decodificador, y distinguirlo de lo más probable y de "
    "lo que se mide con profesor",
    hints=(
        "La voraz decide el primer símbolo mirando solo la primera fila, y el segundo, mirando "
        "la fila de lo que acaba de escribir.",
        "La probabilidad de una salida es el producto de sus dos probabilidades. Calcula las de "
        "las cuatro salidas posibles: suman 1.",
        "Con profesor, el segundo símbolo se predice con la fila del primero **correcto**, se "
        "haya acertado o no.",
    ),
)


def _task(tree: _Tree) -> Task:
    mistakes = (
        Mistake(
            "la-voraz-es-la-mejor",
            "has dado por hecho que la voraz escribe la salida más probable: compara las cuatro",
            (tree.answer(best="voraz"),),
        ),
        Mistake(
            "solo-el-ultimo",
            "la probabilidad de una salida es el producto de las de sus dos símbolos, y has dado "
            "la del segundo",
            (tree.answer(combine=lambda p, q: q),),
        ),
        Mistake(
            "sumadas",
            "has sumado las probabilidades: las de los dos símbolos se multiplican",
            (tree.answer(combine=lambda p, q: p + q),),
        ),
        Mistake(
            "profesor-y-libre-al-reves",
            "has intercambiado los aciertos: con profesor se lee la salida correcta; en libertad, "
            "la propia",
            (tree.answer(swapped=True),),
        ),
        Mistake(
            "profesor-como-libre",
            "con profesor, lo que se lee antes del segundo símbolo es el primero correcto, y has "
            "leído el que escribió el modelo",
            (tree.answer(last=True),),
        ),
    )
    return Task(
        function="predicted",
        cases=(Case("el modelo de dos símbolos", lambda: ()),),
        reference=tree.answer(),
        mistakes=mistakes,
        tolerance=2e-3,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otras probabilidades, con las que la voraz nunca acierta con la mejor, y otra salida."""
    first, after_a = (random.choice((0.52, 0.54, 0.56, 0.58)) for _ in range(2))
    after_b, right = random.choice((0.91, 0.92, 0.94, 0.96, 0.98)), random.choice(("ba", "bb"))
    changes = (
        ("| nada | 0,6 | 0,4 |", f"| nada | {_comma(first)} | {_comma(1 - first)} |"),
        ("| a | 0,45 | 0,55 |", f"| a | {_comma(1 - after_a)} | {_comma(after_a)} |"),
        ("| b | 0,9 | 0,1 |", f"| b | {_comma(after_b)} | {_comma(1 - after_b)} |"),
        ("La salida correcta es «ba»", f"La salida correcta es «{right}»"),
    )
    return Variant(Exercise(replace(CARD), _task(_Tree(first, after_a, after_b, right))), changes)


def _comma(number: float) -> str:
    return f"{number:.2f}".rstrip("0").replace(".", ",")


PREDICTION = Exercise(CARD, _task(PUBLISHED), _draw)
