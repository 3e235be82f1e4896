"""La solución publicada acierta con los datos de cualquier tarea, no solo con los de siempre.

Una referencia que se rompe con unos datos raros, o un redondeo que rechaza lo correcto, deja sin
puntos a quien le toca. Cada día van las rápidas con doscientas sales y las demás con unas pocas;
por la noche, todas con doscientas.
"""

import pytest

from tests.exercises.test_exercises import CELLS, run_cell
from tests.recipes import N_SEEDS
from tfcourse.bank.registry import EXERCISES
from tfcourse.exercises.compare import difference
from tfcourse.exercises.data import other_data
from tfcourse.exercises.forms import accepted, is_float
from tfcourse.exercises.markers import solved

MANY, FEW = 200, 5
# Las que tardan menos de 5 ms en cada sorteo.
FAST = {
    "leer-varias-veces", "precision-media", "basta-con-recortar",
    "cuanto-se-repite", "fertilidad", "dos-listones", "iou-media", "acierto-por-palabra",
    "que-sobra", "ventana", "ver-dos-tonos", "escribir-con-reglas",
    "una-imagen-como-frase", "corregir-las-cajas", "lo-que-va-delante", "volver-sin-fases",
    "cortar-bpe", "como-se-le-pregunta", "que-dice-la-tabla",
    "borrar-para-explicar", "de-comienzos-a-tramos", "cortar-en-parches",
    "destilacion-blanda", "agrupar-por-etiqueta", "un-maestro-malo",
    "cortar-en-tubos", "trozo-mas-largo", "partir-por-los-silencios",
}  # fmt: skip
CODED = [name for name, exercise in EXERCISES.items() if exercise.card.kind != "comprender"]


def first_problem(task, answer):
    """Lo que se diría de la respuesta, sin lo que solo importa a quien se equivoca."""
    for case in task.cases:
        given = case.make()
        expected = task.reference(*case.make())
        value = accepted(
            expected,
            answer(*given),
            keeps_type=any(map(is_float, given)),
            only_tensors=task.differentiable,
        )
        found = difference(expected, value, task.tolerance, task.outputs)
        if found:
            return case.label, found
    return None


@pytest.mark.parametrize("name", CODED)
def test_the_solution_holds_with_any_data(name):
    task = EXERCISES[name].task
    answer = run_cell(solved(CELLS[name]))[task.function]
    salts = MANY if name in FAST or N_SEEDS > 1 else FEW
    for salt in range(1, salts + 1):
        with other_data(7919 * salt):
            assert first_problem(task, answer) is None, f"con la sal {7919 * salt}"


def test_the_fast_ones_exist():
    assert set(CODED) >= FAST
