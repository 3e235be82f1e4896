"""Ejercicio para comprender: dos buscadores que ganan según la medida."""

from dataclasses import dataclass, replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

K, N_RIGHT = 10, 4


@dataclass(frozen=True)
class _Places:
    """En qué puestos deja cada buscador los cuatro documentos que valen."""

    a: tuple[int, ...]
    b: tuple[int, ...]

    def answer(self, *, k=K, last=False, per_place=False, hits=False):
        """Lo que se pide, en tanto por ciento; lo que se dé, equivocado."""

        def recall(places):
            found = sum(place <= k for place in places)
            if per_place:
                return 100 * found // K
            return found if hits else 100 * found // N_RIGHT

        def first(places):
            return 100 // (max(places) if last else min(places))

        values = {
            "recall_a": recall(self.a),
            "recall_b": recall(self.b),
            "inverso_a": first(self.a),
            "inverso_b": first(self.b),
        }
        return lambda: dict(values)

    def described(self) -> tuple[str, ...]:
        """Los trozos del enunciado que lo dicen."""
        return tuple(
            f"- **{name}** los deja en los puestos {', '.join(map(str, places[:-1]))} y "
            f"{places[-1]}"
            for name, places in (("A", self.a), ("B", self.b))
        )

    def hints(self) -> tuple[str, ...]:
        return (
            f"recall@{K} mira qué parte de los que valen está entre los {K} primeros: se divide "
            "entre los que valen, y no entre los que se miran.",
            "El inverso del puesto solo mira al primero que vale; los demás no cuentan.",
            f"A tiene {sum(p <= K for p in self.a)} de {N_RIGHT} entre los {K} primeros, y su "
            f"primero está en el puesto {self.a[0]}.",
        )


PLACES = _Places((1, 14, 15, 18), (4, 6, 7, 23))

ORDERS_CARD = Card(
    id="dos-buenos-ordenes",
    title="Dos buenos órdenes",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="predecir a qué buscador prefiere cada medida, y comprobarlo",
    hints=PLACES.hints(),
)


def _mistakes(places: _Places) -> tuple[Mistake, ...]:
    return (
        Mistake(
            "entre-los-que-se-miran",
            f"has dividido entre los {K} que se miran: se divide entre los que valen",
            (places.answer(per_place=True),),
        ),
        Mistake(
            "sin-dividir",
            "eso es cuántos hay entre los primeros: recall es qué parte de los que valen",
            (places.answer(hits=True),),
        ),
        Mistake(
            "el-ultimo",
            "el inverso es el del primero que vale, y no el del último",
            (places.answer(last=True),),
        ),
        Mistake(
            "todos-los-puestos",
            f"has contado los que valen en cualquier puesto: solo los {K} primeros",
            (places.answer(k=10_000),),
        ),
    )


def _task(places: _Places) -> Task:
    return Task(
        function="two_orders",
        cases=(Case("los dos buscadores del enunciado", lambda: ()),),
        reference=places.answer(),
        mistakes=_mistakes(places),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otros puestos: A acierta antes, pero nunca a la primera, y B encuentra más."""
    places = _Places(
        (random.choice((2, 3)), *sorted(random.sample(range(11, 40), 3))),
        (random.choice((4, 5)), *sorted(random.sample(range(6, 11), 2)), random.randint(11, 60)),
    )
    card = replace(ORDERS_CARD, hints=places.hints())
    changes = tuple(zip(PLACES.described(), places.described(), strict=True))
    return Variant(Exercise(card, _task(places)), changes)


ORDERS = Exercise(ORDERS_CARD, _task(PLACES), _draw)
