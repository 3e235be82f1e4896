"""Ejercicio para comprender: cuántos tokens quedan tras cada recorte."""

from dataclasses import dataclass
from itertools import accumulate
from random import Random

from tfcourse.datasets.tasks.numbers import spell_number
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant
from tfcourse.exercises.spanish import comma, listed, tex_comma

N_TOKENS, EXAMPLE_P = 6, 0.3
FAR_ENOUGH = 0.02  # lo que separa de p a toda suma: un redondeo no puede cambiar la cuenta
NAMES = ("k", "p", "tau_y_p", "k_y_p")


@dataclass(frozen=True)
class _Cuts:
    """Una distribución, de mayor a menor, y los mandos que se le aplican."""

    probabilities: tuple[float, ...]
    k: int
    p: float

    @property
    def first_k(self):
        return self.probabilities[: self.k]

    @property
    def sharpened(self):
        return _shared(value**2 for value in self.probabilities)

    @property
    def flattened(self):
        return _shared(value**0.5 for value in self.probabilities)

    @property
    def right(self):
        kept = [_nucleus(row, self.p) for row in self._rows()]
        return dict(zip(NAMES, (self.k, *kept), strict=True))

    def _rows(self):
        return self.probabilities, self.sharpened, _shared(self.first_k)

    def answer(self, **changes):
        values = self.right | changes
        return lambda: dict(values)

    def is_fair(self) -> bool:
        """Si los números son claros y cada error da otra cuenta, distinta de la publicada."""
        return self._is_clear() and self._tells_mistakes_apart()

    def _is_clear(self):
        """Sin empates ni sumas que rocen p, y con el ejemplo del enunciado dando unos."""
        return (
            self.probabilities[0] > EXAMPLE_P + FAR_ENOUGH
            and len(set(self.probabilities)) == N_TOKENS
            and all(abs(total - self.p) > FAR_ENOUGH for total in self._sums())
        )

    def _tells_mistakes_apart(self):
        right = self.right
        return (
            min(right.values()) > 1  # sin el token que cruza aún queda alguno
            and len({right["p"], right["tau_y_p"], _nucleus(self.flattened, self.p)}) == 3
            and right["k_y_p"] != _nucleus(self.first_k, self.p)
            and right != PUBLISHED.right
        )

    def _sums(self):
        """Todo lo que se compara con p, bien o mal hecho."""
        rows = (*self._rows(), self.flattened, self.first_k)
        return [total for row in rows for total in accumulate(row)]


def _shared(values):
    values = tuple(values)
    total = sum(values)
    return tuple(value / total for value in values)


def _nucleus(probabilities, p):
    """Cuántos hacen falta para llegar a p; todos, si ni juntos llegan."""
    return min(len(probabilities), 1 + sum(total < p for total in accumulate(probabilities)))


PUBLISHED = _Cuts((0.4, 0.25, 0.15, 0.1, 0.06, 0.04), k=3, p=0.75)


def _card(cuts: _Cuts) -> Card:
    return Card(
        id="cuantos-quedan",
        title="¿Cuántos tokens quedan?",
        kind="comprender",
        difficulty=1,
        minutes=8,
        points=1,
        objective="aplicar los recortes en su orden, sin dejarse ni sobrar un token",
        hints=(
            "En top-p se quedan los justos para *llegar* a p: se añade el siguiente mientras la "
            "suma de los anteriores no llegue.",
            "Con τ = 0,5, cada probabilidad se eleva al cuadrado y se vuelve a repartir, y eso va "
            "antes de recortar.",
            f"Después de top-k hay que volver a repartir: las {spell_number(cuts.k)} que quedan "
            "suman 1.",
        ),
    )


def _mistakes(cuts: _Cuts) -> tuple[Mistake, ...]:
    answer, right = cuts.answer, cuts.right
    fewer = {name: right[name] - 1 for name in NAMES[1:]}
    return (
        Mistake(
            "falta-el-que-cruza",
            "en top-p has dejado fuera el token que llega a p: sin él, los que quedan no suman p",
            (
                answer(p=fewer["p"]),
                answer(p=fewer["p"], tau_y_p=fewer["tau_y_p"]),
                answer(**fewer),
            ),
        ),
        Mistake(
            "recorta-antes",
            "con temperatura, has recortado antes de afilar: primero va la temperatura",
            (answer(tau_y_p=right["p"]),),
        ),
        Mistake(
            "al-reves",
            "has aplanado en vez de afilar: con τ = 0,5 el exponente 1/τ es 2, no un medio",
            (answer(tau_y_p=_nucleus(cuts.flattened, cuts.p)),),
        ),
        Mistake(
            "sin-repartir",
            f"después de top-k no has vuelto a repartir: las {spell_number(cuts.k)} suman "
            f"{comma(sum(cuts.first_k))} y hay que dividir entre eso antes de top-p",
            (answer(k_y_p=_nucleus(cuts.first_k, cuts.p)),),
        ),
    )


def _listed(probabilities):
    return listed([*map(comma, probabilities)])


def _task(cuts: _Cuts) -> Task:
    return Task(
        function="survivors",
        cases=(Case("la distribución del enunciado", lambda: ()),),
        reference=cuts.answer(),
        mistakes=_mistakes(cuts),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otra distribución y otros mandos; la temperatura es la misma, que se hace con cuadrados."""
    k = random.choice((3, 4, 4, 4))  # con k = 3 casi siempre sale la misma respuesta
    cuts = _some_cuts(random, k)
    while not cuts.is_fair():
        cuts = _some_cuts(random, k)
    changes = (
        (_listed(PUBLISHED.probabilities), _listed(cuts.probabilities)),
        ("$k = 3$", f"$k = {cuts.k}$"),
        ("$p = 0{,}75$", f"$p = {tex_comma(cuts.p)}$"),
        ("serían 3, 1, 1 y 1", f"serían {cuts.k}, 1, 1 y 1"),
    )
    return Variant(Exercise(_card(cuts), _task(cuts)), changes)


def _some_cuts(random: Random, k: int) -> _Cuts:
    """Seis centésimas que suman cien y un límite para top-p."""
    limits = [0, *sorted(random.sample(range(2, 99), N_TOKENS - 1)), 100]
    parts = sorted((b - a for a, b in zip(limits, limits[1:], strict=False)), reverse=True)
    p = random.choice((0.6, 0.65, 0.7, 0.75, 0.8, 0.85))
    return _Cuts(tuple(part / 100 for part in parts), k, p)


SURVIVORS = Exercise(_card(PUBLISHED), _task(PUBLISHED), _draw)
