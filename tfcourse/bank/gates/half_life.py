"""Ejercicio para comprender: cuánto dura una memoria."""

import math
from dataclasses import dataclass, replace
from random import Random

from tfcourse.datasets.tasks.numbers import spell_number
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant
from tfcourse.exercises.spanish import comma, tex_comma

STEPS = (10, 12, 14, 15, 16, 18, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100)
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class _Memory:
    """Una casilla: la apertura de su compuerta, los pasos que da y cuándo queda la mitad."""

    opening: float = 0.9
    steps: int = 20
    half_at: int = 100

    @property
    def left(self) -> float:
        return self.opening**self.steps

    @property
    def kept(self) -> float:
        """La apertura con la que queda la mitad."""
        return 0.5 ** (1 / self.half_at)

    def answer(self, **changed):
        right = {
            "queda": self.left,
            "apertura": self.kept,
            "sesgo": math.log(self.kept / (1 - self.kept)),
        }
        return lambda: right | changed


HALF_LIFE_CARD = Card(
    id="vida-media",
    title="¿Cuánto dura una memoria?",
    kind="comprender",
    difficulty=2,
    minutes=10,
    points=2,
    objective="relacionar la compuerta de olvido, su sesgo y lo que dura lo que guarda",
    hints=(
        "En cada paso la memoria se multiplica por la apertura de la compuerta. ¿Qué operación "
        "es multiplicar veinte veces por lo mismo?",
        "Para la segunda, busca el número F con F¹⁰⁰ = 0,5. Para la tercera, despeja b en "
        "σ(b) = F.",
        "σ(b) = 1 / (1 + e⁻ᵇ), así que b = ln(F / (1 − F)). No redondees F antes de usarlo.",
    ),
)


def _mistakes(memory: _Memory) -> tuple[Mistake, ...]:
    opening, steps, half_at, kept = memory.opening, memory.steps, memory.half_at, memory.kept
    decimal = comma(opening)
    return (
        Mistake(
            "olvido-lineal",
            f"has restado o multiplicado en lugar de elevar: cada paso multiplica por {decimal} lo "
            f"que quedaba, así que {spell_number(steps)} pasos son {decimal} elevado a {steps}",
            (memory.answer(queda=opening * steps), memory.answer(queda=1 - (1 - opening) * steps)),
        ),
        Mistake(
            "lo-olvidado",
            "en «queda» has puesto la parte olvidada, y se pide la que se conserva",
            (memory.answer(queda=1 - memory.left),),
        ),
        Mistake(
            "mitad-repartida",
            f"para «apertura» has repartido la pérdida a partes iguales entre los "
            f"{spell_number(half_at)} pasos: la memoria se multiplica, así que busca el número que "
            f"elevado a {half_at} da 0,5",
            (memory.answer(apertura=1 - 0.5 / half_at), memory.answer(apertura=1 - 1 / half_at)),
        ),
        Mistake(
            "sesgo-es-la-apertura",
            "el sesgo no es la apertura: es lo que hay dentro de la sigmoide, σ(b) = F",
            (memory.answer(sesgo=kept),),
        ),
        Mistake(
            "sesgo-con-la-sigmoide",
            "para «sesgo» has aplicado la sigmoide a la apertura, y hay que deshacerla: se "
            "busca el b con σ(b) = F",
            (memory.answer(sesgo=1 / (1 + math.exp(-kept))),),
        ),
        Mistake(
            "sesgo-con-logaritmo",
            "para «sesgo» has tomado el logaritmo de F: la inversa de la sigmoide es "
            "ln(F / (1 − F))",
            (memory.answer(sesgo=math.log(kept)), memory.answer(sesgo=-math.log(kept))),
        ),
        Mistake(
            "sesgo-con-el-signo-cambiado",
            "el sesgo tiene el signo cambiado: para conservar, la compuerta debe pasar de 0,5, "
            "y eso pide un sesgo positivo",
            (memory.answer(sesgo=math.log((1 - kept) / kept)),),
        ),
    )


def _task(memory: _Memory) -> Task:
    return Task(
        function="memory_numbers",
        cases=(Case("una casilla de la memoria", lambda: ()),),
        reference=memory.answer(),
        mistakes=_mistakes(memory),
        tolerance=1e-3,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otra apertura y otros pasos; quedan siempre entre la vigésima parte y menos de la mitad."""
    pairs = [(opening, steps) for opening in (0.8, 0.85, 0.9, 0.95) for steps in STEPS]
    opening, steps = random.choice([(F, n) for F, n in pairs if 0.05 < F**n < 0.45])
    # Con más pasos, repartir la pérdida daría lo mismo en los decimales que se comparan.
    half_at = random.choice((20, 25, 30, 40, 50, 60, 70, 80, 90))
    memory = _Memory(opening, steps, half_at)
    changes = (
        ("tras 20 pasos si $F = 0{,}9$", f"tras {steps} pasos si $F = {tex_comma(opening)}$"),
        ("tras 100 pasos", f"tras {half_at} pasos"),
    )
    return Variant(Exercise(_card(memory), _task(memory)), changes)


def _card(memory: _Memory) -> Card:
    first, second, third = HALF_LIFE_CARD.hints
    hints = (
        first.replace("veinte", spell_number(memory.steps)),
        second.replace("¹⁰⁰", str(memory.half_at).translate(SUPERSCRIPTS)),
        third,
    )
    return replace(HALF_LIFE_CARD, hints=hints)


HALF_LIFE = Exercise(HALF_LIFE_CARD, _task(_Memory()), _draw)
