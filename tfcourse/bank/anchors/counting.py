"""Ejercicio para comprender: cuántos parámetros pone cada añadido."""

from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

D_MODEL, QUERIES, LAYERS, HEADS = 32, 20, 3, 4

CARD = Card(
    id="contar-los-anadidos",
    title="Cuántos parámetros pone cada añadido",
    kind="comprender",
    difficulty=2,
    minutes=10,
    points=1,
    objective="contar los parámetros que un añadido pone y los que quita",
    hints=(
        "Una capa lineal de n a m tiene n·m pesos y m sesgos.",
        "Al poner las anclas se va la tabla de consultas, que tenía un vector de d números por "
        "consulta.",
        "Separar no es otra capa: cambia qué se compara, no con qué.",
    ),
)


def _answer(d, queries, layers, heads, **changes):
    linear = d * d + d
    values = {
        "anclas": (2 * d * d + d) + linear + 4 * queries - d * queries,
        "posiciones": layers * 4 * linear,
        "separada": 0,
        "gaussiana": layers * (2 * heads * d + 2 * heads + heads),
    } | changes
    return lambda: dict(values)


def _task(d: int, queries: int, layers: int, heads: int) -> Task:
    def answer(**changes):
        return _answer(d, queries, layers, heads, **changes)

    linear, added = d * d + d, answer()()
    return Task(
        function="added_parameters",
        cases=(Case("las cuatro cuentas", lambda: ()),),
        reference=answer(),
        mistakes=(
            Mistake(
                "tabla-que-se-queda",
                "las anclas ocupan el sitio de la tabla de consultas: lo que ella tenía se resta",
                (answer(anclas=added["anclas"] + d * queries),),
            ),
            Mistake(
                "sin-anclas",
                "faltan las propias anclas: cuatro números por consulta",
                (answer(anclas=added["anclas"] - 4 * queries),),
            ),
            Mistake(
                "sin-sesgos",
                "cada capa lineal tiene, además de sus pesos, un sesgo por salida",
                (answer(posiciones=layers * 4 * d * d),),
            ),
            Mistake(
                "una-sola-capa",
                "ese es el de un bloque: cada bloque del decodificador tiene el suyo",
                (
                    answer(posiciones=4 * linear),
                    answer(gaussiana=added["gaussiana"] // layers),
                    answer(posiciones=4 * linear, gaussiana=added["gaussiana"] // layers),
                ),
            ),
            Mistake(
                "separar-suma",
                "separar no pone parámetros: las proyecciones de las posiciones son las del "
                "peldaño anterior",
                (answer(separada=layers * 2 * linear), answer(separada=layers * 4 * linear)),
            ),
            Mistake(
                "sin-nitidez",
                "en la gaussiana falta la nitidez: un número por cabeza",
                (answer(gaussiana=layers * (2 * heads * d + 2 * heads)),),
            ),
        ),
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otro modelo."""
    d, queries = random.choice((16, 24, 48, 64)), random.choice((10, 30, 50, 100))
    layers, heads = random.choice((2, 4, 6)), random.choice((2, 8))
    changes = (
        (f"$d = {D_MODEL}$", f"$d = {d}$"),
        (f"$N = {QUERIES}$", f"$N = {queries}$"),
        (f"$L = {LAYERS}$", f"$L = {layers}$"),
        (f"$H = {HEADS}$", f"$H = {heads}$"),
    )
    return Variant(Exercise(CARD, _task(d, queries, layers, heads)), changes)


COUNTING = Exercise(CARD, _task(D_MODEL, QUERIES, LAYERS, HEADS), _draw)
