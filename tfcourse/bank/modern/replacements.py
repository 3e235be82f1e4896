"""Ejercicio para comprender: qué se acepta y qué se repone al especular."""

from dataclasses import dataclass, replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

N_TRIES = 1000


@dataclass(frozen=True)
class _Models:
    """Probabilidades de tres símbolos, en centésimas: las del grande, p, y las del pequeño, q."""

    p: tuple[int, int, int]
    q: tuple[int, int, int]

    @property
    def rejected(self) -> int:
        """Centésimas de lo propuesto que se rechaza."""
        return sum(max(0, q - p) for p, q in zip(self.p, self.q, strict=True))

    def answer(self, *, accepted=None, rejected_b=None, replaced_a=None, final_b=None):
        """Lo que sale de 1000 propuestas; lo que se dé, en centésimas, equivocado."""
        (p_a, p_b, _), (q_a, q_b, _) = self.p, self.q
        found = {
            "aceptados": 100 - self.rejected if accepted is None else accepted,
            "rechazados_b": q_b - p_b if rejected_b is None else rejected_b,
            "repuestos_a": p_a - q_a if replaced_a is None else replaced_a,
            "b_al_final": p_b if final_b is None else final_b,
        }
        values = {name: round(N_TRIES * share / 100) for name, share in found.items()}
        return lambda: dict(values)

    def described(self) -> tuple[str, ...]:
        """Los trozos del enunciado que lo dicen."""

        def listed(shares):
            return r";\ ".join(f"0{{,}}{share:02d}" for share in shares)

        return f"$p = ({listed(self.p)})$", f"$q = ({listed(self.q)})$"

    def hints(self) -> tuple[str, ...]:
        p_b, q_b = self.p[1], self.q[1]
        return (
            "Lo propuesto se acepta con probabilidad min(1, p/q): de cada símbolo quedan "
            "min(p, q).",
            f"El pequeño propone b en {10 * q_b} de cada 1000 y el grande solo lo querría en "
            f"{10 * p_b}: sobra la diferencia. Los otros dos no se rechazan nunca.",
            "Lo que se repone sale de max(0, p − q), que es justo lo que faltaba de cada símbolo: "
            "al final, de cada uno hay lo que dice p.",
        )


MODELS = _Models(p=(50, 20, 30), q=(20, 60, 20))

CARD = Card(
    id="aceptar-y-reponer",
    title="Aceptar y reponer",
    kind="comprender",
    difficulty=2,
    minutes=10,
    points=1,
    objective="seguir con números una propuesta que se acepta o se rechaza",
    hints=MODELS.hints(),
)


def _mistakes(models: _Models) -> tuple[Mistake, ...]:
    (p_a, p_b, _), (_, q_b, _) = models.p, models.q
    rejected = models.rejected
    again_a, again_b = rejected * p_a / 100, rejected * p_b / 100
    return (
        Mistake(
            "reponer-de-p",
            "has repuesto con p, y así b saldría de más: lo que se repone sale de max(0, p − q)",
            (
                models.answer(replaced_a=again_a, final_b=p_b + again_b),
                models.answer(replaced_a=again_a),
            ),
        ),
        Mistake(
            "como-el-pequeno",
            "de b has dejado todo lo que propone el pequeño: parte se rechaza",
            (models.answer(final_b=q_b), models.answer(rejected_b=0, final_b=q_b)),
        ),
        Mistake(
            "todo-se-acepta",
            "no todo se acepta: de cada símbolo queda, como mucho, lo que quiere el grande",
            (models.answer(accepted=100), models.answer(accepted=100, rejected_b=0)),
        ),
        Mistake(
            "el-resto-sin-repartir",
            "lo que se repone se reparte entre a y c: no todo es a",
            (models.answer(replaced_a=rejected),),
        ),
        Mistake(
            "en-tanto-por-ciento",
            "has contestado en tanto por ciento: son 1000 propuestas",
            (lambda: {name: value // 10 for name, value in models.answer()().items()},),
        ),
    )


def _task(models: _Models) -> Task:
    return Task(
        function="after_a_thousand_drafts",
        cases=(Case("los modelos del enunciado", lambda: ()),),
        reference=models.answer(),
        mistakes=_mistakes(models),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otros dos modelos: el pequeño propone b de más, y a y c de menos."""
    while True:
        p_a, p_b = random.randrange(30, 60, 5), random.randrange(5, 30, 5)
        extra_a, extra_c = random.randrange(5, 30, 5), random.randrange(5, 20, 5)
        p_c = 100 - p_a - p_b
        if extra_a < p_a and extra_c < p_c and extra_a != extra_c:
            break
    p = (p_a, p_b, p_c)
    models = _Models(p, (p_a - extra_a, p_b + extra_a + extra_c, p_c - extra_c))
    if models == MODELS:
        return _draw(random)
    card = replace(CARD, hints=models.hints())
    changes = tuple(zip(MODELS.described(), models.described(), strict=True))
    return Variant(Exercise(card, _task(models)), changes)


REPLACEMENTS = Exercise(CARD, _task(MODELS), _draw)
