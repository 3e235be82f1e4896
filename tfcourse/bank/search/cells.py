"""Ejercicio abierto: cuánto se compara con un índice de celdas, y cuánto se pierde."""

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _cell_by_cell(sizes, probes):
    """Un centro por celda y, de las abiertas, sus documentos."""
    total = 0
    for place, size in enumerate(sizes):
        total += 1 + (size if place in probes else 0)
    return total / sum(sizes)


def _variant(centres=True, share=True, every=False, mean=False):
    def compared(sizes, probes):
        opened = sum(sizes) if every else sum(sizes[place] for place in probes)
        if mean:
            opened = len(probes) * sum(sizes) / len(sizes)
        total = opened + (len(sizes) if centres else 0)
        return total / sum(sizes) if share else total

    return compared


def _case(seed):
    def make():
        random = chance(seed)
        sizes = [random.randint(3, 90) for _ in range(random.randint(6, 12))]
        return sizes, random.sample(range(len(sizes)), 3)

    return make


CELLS = Exercise(
    Card(
        id="cuantas-celdas",
        title="¿Cuántas celdas?",
        kind="abierto",
        difficulty=2,
        minutes=45,
        points=2,
        manual_points=8,
        objective="elegir cuántas celdas se hacen y cuántas se abren, y medir lo que se pierde",
        hints=(
            "Hay dos sumandos: los centros, con los que se compara siempre, y los documentos de "
            "las celdas abiertas.",
            "La parte es ese total entre todos los documentos, que son la suma de los tamaños.",
            "Para el diseño: `CellIndex(documents, n_cells, seed)` y `search(query, 10, n_probes)` "
            "cuentan las comparaciones. Cambia un mando y repite con varias semillas; en cada "
            "reparto, abre una celda más cada vez, hasta pasar del 90 %.",
        ),
    ),
    Task(
        function="compared_share",
        cases=(
            Case("unas celdas", _case(0)),
            Case("otras celdas", _case(1)),
            Case("una sola abierta", lambda: ([40, 10, 50], [1])),
            example([30, 10, 60], [0, 2]),
        ),
        reference=_cell_by_cell,
        mistakes=(
            Mistake(
                "sin-centros",
                "faltan los centros: para saber qué celdas abrir hay que compararse con todos",
                (_variant(centres=False),),
            ),
            Mistake(
                "sin-dividir",
                "eso es cuántas comparaciones hay: divide entre todos los documentos",
                (_variant(share=False),),
            ),
            Mistake(
                "celdas-iguales",
                "has supuesto que todas las celdas tienen el mismo tamaño",
                (_variant(mean=True),),
            ),
            Mistake(
                "todas-abiertas",
                "has sumado todas las celdas: solo cuentan las abiertas",
                (_variant(every=True),),
            ),
        ),
        tolerance=1e-6,
        differentiable=False,
    ),
)
