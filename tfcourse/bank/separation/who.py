"""Ejercicio para comprender: quién es cada salida de una red que separa tres voces."""

from itertools import permutations, product
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

PEOPLE = (0, 1, 2)
# Las casillas que se sortean, en decibelios.
DECIBELS = range(-3, 16)


class _Table:
    """La tabla del enunciado: una fila por salida y una columna por persona."""

    def __init__(self, rows):
        self.rows = rows
        self.best = max(permutations(PEOPLE), key=self.total)
        self.greedy = self._greedy()

    def total(self, order) -> int:
        """La suma de las casillas: `order` dice la salida de cada persona."""
        return sum(self.rows[output][person] for person, output in enumerate(order))

    def _greedy(self) -> tuple[int, ...]:
        """El orden de quien toma cada vez la casilla más alta que queda."""
        cells = sorted(product(PEOPLE, PEOPLE), key=lambda cell: -self.rows[cell[0]][cell[1]])
        chosen = {}
        for output, person in cells:
            if person not in chosen and output not in chosen.values():
                chosen[person] = output
        return tuple(chosen[person] for person in PEOPLE)

    @property
    def inverse(self) -> tuple[int, ...]:
        """A qué persona va cada salida, en el mejor de los órdenes."""
        return tuple(self.best.index(output) for output in PEOPLE)

    @property
    def repeated(self) -> int:
        """La suma de dar a cada persona su mejor salida, aunque sea la de otra."""
        return sum(max(column) for column in zip(*self.rows, strict=True))

    @property
    def top(self) -> int:
        return max(map(max, self.rows))

    @property
    def best_cells(self) -> list[int]:
        return [self.rows[output][person] for person, output in enumerate(self.best)]

    def answer(self, **wrong):
        """Lo que se pide: lo correcto, salvo lo que se diga."""
        right = {
            "orden": list(self.best),
            "media": self.total(self.best) / 3,
            "voraz": self.total(self.greedy) / 3,
            "ordenes": 6,
        }
        return lambda: right | wrong


PUBLISHED = _Table(((3, 14, 9), (8, 11, 2), (1, 10, -1)))


def _card(table: _Table) -> Card:
    return Card(
        id="quien-es-quien",
        title="¿Quién es quién?",
        kind="comprender",
        difficulty=2,
        minutes=12,
        points=1,
        objective="asignar salidas a personas probando todos los órdenes",
        hints=(
            "Escribe los órdenes posibles: a las personas 0, 1 y 2 les tocan tres salidas "
            "distintas.",
            "La persona es la columna y la salida, la fila: suma una casilla de cada columna sin "
            "repetir fila.",
            f"Quien elige siempre la casilla más alta que queda empieza por el {table.top}.",
        ),
    )


def _mistakes(table: _Table) -> tuple[Mistake, ...]:
    answer, greedy = table.answer, list(table.greedy)
    best_sum, greedy_sum = table.total(table.best), table.total(table.greedy)
    greedy_mean, repeated_mean = greedy_sum / 3, table.repeated / 3
    return (
        Mistake(
            "al-reves",
            "has dicho a qué persona va cada salida: se pide qué salida le toca a cada persona",
            (answer(orden=list(table.inverse)),),
        ),
        Mistake(
            "voraz",
            "has tomado la casilla más alta de todas: a veces obliga a quedarse con una muy "
            "baja, y la suma es menor",
            (
                answer(orden=greedy, media=greedy_mean),
                answer(orden=greedy),
                answer(media=greedy_mean),
            ),
        ),
        Mistake(
            "suma",
            "has dado la suma: se pide la media de las tres personas",
            (
                answer(media=best_sum, voraz=greedy_sum),
                answer(media=best_sum),
                answer(voraz=greedy_sum),
            ),
        ),
        Mistake(
            "parejas",
            "con tres personas hay 3 · 2 · 1 órdenes: la primera elige entre tres, la segunda "
            "entre dos y la última no elige",
            (answer(ordenes=9), answer(ordenes=3), answer(ordenes=27)),
        ),
        Mistake(
            "repetida",
            "le has dado la misma salida a dos personas: cada salida es de una sola",
            (
                answer(media=repeated_mean),
                answer(voraz=repeated_mean),
                answer(media=repeated_mean, voraz=repeated_mean),
            ),
        ),
    )


def _task(table: _Table) -> Task:
    return Task(
        function="who_is_who",
        cases=(Case("la tabla del enunciado", lambda: ()),),
        reference=table.answer(),
        mistakes=_mistakes(table),
        tolerance=1e-6,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otra tabla en la que elegir la casilla más alta tampoco sea lo mejor."""
    table = PUBLISHED
    while table.answer()() == PUBLISHED.answer()() or not _teaches(table):
        cells = random.sample(DECIBELS, 9)
        table = _Table((cells[:3], cells[3:6], cells[6:]))
    changes = tuple((_row(PUBLISHED, output), _row(table, output)) for output in PEOPLE)
    return Variant(Exercise(_card(table), _task(table)), changes)


def _teaches(table: _Table) -> bool:
    """Con esa tabla hay un solo orden mejor, medias enteras y errores que no se confunden.

    Y la casilla más alta no es del mejor orden: tomarla ya es equivocarse, como dice el mensaje.
    """
    totals = sorted(map(table.total, permutations(PEOPLE)))
    best, greedy = table.total(table.best), table.total(table.greedy)
    return (
        totals[-1] > totals[-2]
        and table.top not in table.best_cells
        and greedy > 0
        and best % 3 == greedy % 3 == 0
        and len({table.best, table.greedy, table.inverse}) == 3
        and len({best, greedy, 3 * best, table.repeated}) == 4
        and len({greedy, 3 * greedy, table.repeated}) == 3
    )


def _row(table: _Table, output: int) -> str:
    """Una fila de la tabla del enunciado."""
    cells = " | ".join(str(cell).replace("-", "−") for cell in table.rows[output])
    return f"| **salida {output}** | {cells} |"


WHO = Exercise(_card(PUBLISHED), _task(PUBLISHED), _draw)
