"""Ejercicio para comprender: el reparto de menor coste."""

from itertools import permutations, product
from random import Random

from tfcourse.bank.detection.drawing import tells_apart
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

COSTS = ((8, 0, 4, 1), (7, 8, 3, 2), (5, 2, 6, 4))
THINGS, PREDICTIONS = 3, 4
EXAMPLE = (0, 1, 3)  # el reparto que el enunciado pone de ejemplo

CARD = Card(
    id="emparejar-a-mano",
    title="El reparto de menor coste",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="encontrar el emparejamiento óptimo de tres objetos y cuatro predicciones",
    hints=(
        "Cada objeto necesita una predicción distinta; una de las cuatro sobra.",
        "Dos objetos prefieren la misma predicción: prueba a dársela a cada uno y compara las "
        "sumas, no los costes sueltos.",
        "Quedarse sin la favorita cuesta la diferencia con la segunda.",
    ),
)


class _Table:
    """Una tabla de costes, con sus repartos: el mejor y los que salen de equivocarse."""

    def __init__(self, costs):
        self.costs = costs
        self.deals = list(permutations(range(PREDICTIONS), THINGS))
        self.best = min(self.deals, key=self.total)

    def cost(self, thing, prediction):
        return self.costs[thing][prediction]

    def total(self, deal):
        return sum(map(self.cost, range(THINGS), deal))

    def cheapest(self, deals):
        """Los de menor suma, todos."""
        least = min(map(self.total, deals))
        return [deal for deal in deals if self.total(deal) == least]

    def favourites(self):
        """La predicción más barata de cada objeto; si alguno duda, todas las combinaciones."""
        return list(product(*([j for j in range(PREDICTIONS) if row[j] == min(row)]
                              for row in self.costs)))  # fmt: skip

    def cheapest_cell(self):
        cells = product(range(THINGS), range(PREDICTIONS))
        return min(cells, key=lambda cell: self.cost(*cell))

    def from_the_cheapest_cell(self):
        """Con la casilla más barata por delante: de mejor en mejor, o bien acabado."""
        thing, prediction = self.cheapest_cell()
        left = [deal for deal in self.deals if deal[thing] == prediction]
        greedy = min(left, key=lambda deal: sorted(map(self.cost, range(THINGS), deal)))
        return list(dict.fromkeys([*self.cheapest(left), greedy]))

    def in_turn(self, things):
        """Cada objeto, cuando le toca, se lleva la más barata de las que quedan."""
        deal = [None] * THINGS
        for thing in things:
            left = [j for j in range(PREDICTIONS) if j not in deal]
            deal[thing] = min(left, key=lambda j: self.cost(thing, j))
        return tuple(deal)

    def greedy_by_rows(self):
        """En su orden o en el contrario."""
        return [self.in_turn(range(THINGS)), self.in_turn(reversed(range(THINGS)))]

    def only_by_rows(self):
        """Lo que no sale también de empezar por la casilla más barata."""
        others = self.from_the_cheapest_cell()
        return [deal for deal in self.greedy_by_rows() if deal not in others]

    def dearest(self):
        """Los de mayor suma, o a un paso de ella, que es fácil no ver."""
        most = max(map(self.total, self.deals))
        return [deal for deal in self.deals if self.total(deal) >= most - 1]

    def things_of_predictions(self, missing):
        return [self.best.index(j) if j in self.best else missing for j in range(PREDICTIONS)]


def _lists(rows):
    return tuple(lambda row=row: list(row) for row in rows)


def _task(table: _Table) -> Task:
    return Task(
        function="best_pairs",
        cases=(Case("la tabla del enunciado", lambda: ()),),
        reference=lambda: list(table.best),
        mistakes=(
            Mistake(
                "repetida",
                "has dado la misma predicción a dos objetos: cada uno necesita la suya",
                _lists(row for row in table.favourites() if len(set(row)) < THINGS),
            ),
            Mistake(
                "la-mas-barata-primero",
                "has empezado por la casilla más barata de todas: la suma sale mayor que si ese "
                "objeto cede la predicción",
                _lists(table.from_the_cheapest_cell()),
            ),
            Mistake(
                "por-turnos",
                "has ido objeto a objeto, dando a cada uno la más barata de las que quedaban: el "
                "primero en elegir se lleva la que a otro le hacía más falta",
                _lists(table.only_by_rows()),
            ),
            Mistake(
                "desde-uno",
                "has contado las predicciones desde 1: aquí la primera es la 0",
                _lists([[prediction + 1 for prediction in table.best]]),
            ),
            Mistake(
                "el-mayor",
                "has buscado la suma mayor: es un coste, así que se busca la menor",
                _lists(table.dearest()),
            ),
            Mistake(
                "al-reves",
                "has dicho qué objeto le toca a cada predicción: se pide la predicción de cada "
                "objeto",
                _lists(table.things_of_predictions(missing) for missing in (-1, THINGS)),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


PUBLISHED = _task(_Table(COSTS))


def _is_instructive(table: _Table) -> bool:
    """Si pasa lo que dicen las pistas: dos objetos disputan, y ceder la más barata compensa."""
    thing, prediction = table.cheapest_cell()
    lowest = table.cost(thing, prediction)
    return (
        len(set(table.favourites()[0])) == THINGS - 1
        and sum(row.count(lowest) for row in table.costs) == 1
        and table.cheapest(table.deals) == [table.best]
        and table.best[thing] != prediction
        and table.best not in (EXAMPLE, *table.greedy_by_rows())
        and bool(table.only_by_rows())
        and tells_apart(CARD, _task(table), PUBLISHED)
    )


def _random_table(random: Random) -> _Table:
    # Sin costes repetidos en una fila, cada objeto tiene una sola favorita.
    return _Table([random.sample(range(9), PREDICTIONS) for _ in range(THINGS)])


def _draw(random: Random) -> Variant:
    """Otra tabla de costes pequeños, con la misma trampa, y la suma del ejemplo con ella."""
    table = _random_table(random)
    while not _is_instructive(table):
        table = _random_table(random)
    changes = [
        (_row(thing, before), _row(thing, after))
        for thing, (before, after) in enumerate(zip(COSTS, table.costs, strict=True))
    ]
    example = (_example(_Table(COSTS)), _example(table))
    return Variant(Exercise(CARD, _task(table)), (*changes, example))


def _row(thing, costs) -> str:
    return f"| objeto {thing} | {' | '.join(map(str, costs))} |"


def _example(table: _Table) -> str:
    terms = map(str, map(table.cost, range(THINGS), EXAMPLE))
    return f"${' + '.join(terms)} = {table.total(EXAMPLE)}$"


PAIRS = Exercise(CARD, PUBLISHED, _draw)
