"""Ejercicio para comprender: si dos modelos empatan."""

import math
from dataclasses import dataclass
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant


@dataclass(frozen=True)
class _Duel:
    """Cuántos textos hay, cuántos aciertan los dos y cuántos solo uno; A acierta más que B."""

    n: int
    both: int
    only_a: int
    only_b: int

    @property
    def disagree(self):
        return self.only_a + self.only_b

    def tail(self, least, disagree=None):
        """Probabilidad de que, a cara o cruz, uno se quede con `least` o menos."""
        n = self.disagree if disagree is None else disagree
        return sum(math.comb(n, k) for k in range(least + 1)) / 2**n

    @property
    def p(self):
        return 2 * self.tail(self.only_b)

    @property
    def normal_p(self):
        """La aproximación normal, que es otra prueba."""
        return math.erfc((self.only_a - self.only_b) / math.sqrt(2 * self.disagree))

    def answer(self, *, shared=None, disagree=None, p=None):
        shared = self.both if shared is None else shared
        values = {
            "acierto_a": (shared + self.only_a) / self.n,
            "acierto_b": (shared + self.only_b) / self.n,
            "discrepan": self.disagree if disagree is None else disagree,
            "p": self.p if p is None else p,
        }
        return lambda: dict(values)

    def is_fair(self) -> bool:
        """Si p no es tan pequeño que los errores se confundan, ni roza el 5 %."""
        return 0.005 < self.p < 0.5 and abs(self.p - 0.05) > 0.005


TIE_CARD = Card(
    id="empatan-o-no",
    title="¿Empatan o no?",
    kind="comprender",
    difficulty=2,
    minutes=10,
    points=1,
    objective="aplicar la prueba de McNemar a dos modelos que leyeron los mismos textos",
    hints=(
        "El acierto de cada uno cuenta los que acierta él solo y los que aciertan los dos.",
        "La prueba solo mira los textos en los que discrepan.",
        "p = 2 · Σ_{k=0}^{m} C(n, k) / 2ⁿ, con n los desacuerdos y m el menor de los dos "
        "números. En Python, math.comb(n, k).",
    ),
)


def _mistakes(duel: _Duel) -> tuple[Mistake, ...]:
    to_the_largest = 2 * duel.tail(duel.only_a)
    not_both = duel.n - duel.both
    return (
        Mistake(
            "una-cola",
            "falta multiplicar por dos: también cuenta que la ventaja hubiera sido del otro",
            (duel.answer(p=duel.tail(duel.only_b)),),
        ),
        Mistake(
            "con-el-mayor",
            "has sumado hasta el mayor de los dos: la cola llega hasta el menor",
            (duel.answer(p=min(1.0, to_the_largest)), duel.answer(p=to_the_largest)),
        ),
        Mistake(
            "aproximada",
            "has usado la aproximación normal: se pide la prueba exacta, con las combinaciones",
            (duel.answer(p=duel.normal_p),),
        ),
        Mistake(
            "aciertos-sueltos",
            "en los aciertos faltan los textos que aciertan los dos",
            (duel.answer(shared=0),),
        ),
        Mistake(
            "discrepan-con-fallos",
            "discrepan solo en los textos que acierta uno y no el otro: los que fallan los dos "
            "no cuentan",
            (
                duel.answer(disagree=not_both),
                duel.answer(disagree=not_both, p=2 * duel.tail(duel.only_b, not_both)),
            ),
        ),
    )


def _task(duel: _Duel) -> Task:
    return Task(
        function="compare_models",
        cases=(Case("los cuatro números del enunciado", lambda: ()),),
        reference=duel.answer(),
        mistakes=_mistakes(duel),
        tolerance=1e-4,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otros recuentos: unas veces la ventaja de A no es casualidad y otras podría serlo."""
    duel = _some_duel(random)
    while not duel.is_fair():
        duel = _some_duel(random)
    changes = (
        ("los mismos 400 textos", f"los mismos {duel.n} textos"),
        ("Los dos aciertan 280;", f"Los dos aciertan {duel.both};"),
        ("solo A acierta 30;", f"solo A acierta {duel.only_a};"),
        ("solo B, 14;", f"solo B, {duel.only_b};"),
    )
    return Variant(Exercise(TIE_CARD, _task(duel)), changes)


def _some_duel(random: Random) -> _Duel:
    only_b = random.randint(8, 20)
    only_a = only_b + random.randint(5, 20)
    n = random.choice((200, 250, 500, 800))
    failed_by_both = random.randint(n // 10, n // 5)
    return _Duel(n, n - only_a - only_b - failed_by_both, only_a, only_b)


PUBLISHED = _Duel(n=400, both=280, only_a=30, only_b=14)
TIE = Exercise(TIE_CARD, _task(PUBLISHED), _draw)
