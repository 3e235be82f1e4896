"""Lo que dicen los enunciados es verdad: sus ejemplos y los apartados a los que remiten."""

import ast
import math
import re
from functools import cache

import nbformat
import pytest
import torch

from tests.conftest import ROOT
from tests.exercises.test_exercises import CELLS, run_cell
from tests.exercises.wrong_answers import collect
from tfcourse import exercises
from tfcourse.bank.registry import EXERCISES
from tfcourse.exercises.markers import blanked, solved
from tfcourse.exercises.masters import masters, project_masters, student_path

STATEMENTS = {
    cell.id.removesuffix("-enunciado"): (master, cell.source)
    for master in masters(ROOT)
    for cell in nbformat.read(master, as_version=4).cells
    if cell.id.endswith("-enunciado")
}


def solution(name):
    return run_cell(solved(CELLS[name]))[EXERCISES[name].task.function]


def countdown(token, state):
    return torch.nn.functional.one_hot(torch.tensor(token - 1), 5).float(), state


EXAMPLES = collect("EXAMPLES")


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_of_the_statement(name):
    arguments, expected = EXAMPLES[name]
    results = solution(name)(*(torch.as_tensor(argument) for argument in arguments))
    results = results if isinstance(results, tuple) else (results,)
    for result, wanted in zip(results, expected, strict=True):
        torch.testing.assert_close(result, torch.as_tensor(wanted), atol=1e-4, rtol=0)
    statement = STATEMENTS[name][1].replace(" ", "").replace("0.]", "0.0]")
    for value in (*arguments, *expected):
        if not isinstance(value, torch.Tensor):  # la identidad se dice con palabras
            assert str(value).replace(" ", "") in re.sub(r"(\d\.)(?=[,\]])", r"\g<1>0", statement)


def test_the_example_of_two_sentences():
    join = solution("dos-oraciones-en-una")
    assert join([10, 11], [20]) == ([1, 10, 11, 2, 20, 2], [0, 0, 0, 0, 1, 1])


def test_the_example_of_greedy_decoding():
    greedy = solution("decodificador-voraz")
    assert greedy(countdown, None, start=4, stop=0, max_length=10) == [3, 2, 1]
    assert greedy(countdown, None, start=4, stop=0, max_length=2) == [3, 2]


def test_the_example_of_the_two_bars():
    assert solution("dos-listones")(0.05, 0.25, math.exp(-0.5)) == pytest.approx(0.05)


def test_the_example_of_the_mirror():
    points = torch.tensor([[[0.5, 0.1], [0.25, 0.5], [1.0, 0.5]]])
    mirrored, seen = solution("el-espejo")(points, torch.tensor([[True, True, False]]), [(1, 2)])
    torch.testing.assert_close(mirrored, torch.tensor([[[0.5, 0.1], [0.0, 0.5], [0.75, 0.5]]]))
    assert seen.tolist() == [[True, False, True]]


def test_the_example_of_the_two_slopes():
    slopes = solution("pendientes-de-la-dice")(torch.tensor([0.5, 0.5]), torch.tensor([1.0, 0.0]))
    assert slopes == pytest.approx((-4 / 9, 2 / 9))


def test_the_example_of_where_to_look():
    logits = torch.tensor([[[4.0, -1.0], [1.0, -1.0]]])
    assert solution("tres-fallos-al-mirar")(logits, (1, 2)).tolist() == [[True, False]]


def test_the_example_of_separating():
    content, place = torch.zeros(1, 2), torch.tensor([[2.0, 0.0]])
    cells = torch.tensor([[math.log(3), 0.0], [0.0, 0.0]])
    weights = solution("tres-fallos-al-separar")(content, torch.ones(2, 2), place, cells, 1)
    torch.testing.assert_close(weights, torch.tensor([[[0.75, 0.25]]]))


def test_the_example_of_what_is_not_needed():
    found = solution("que-sobra")({0: 0.5, 1: 0.6}, {1: 0.5, 0: 0.7, 2: 0.9})
    assert found == pytest.approx((0.05, 1, 2))


def test_the_example_of_the_two_faults_of_a_filter():
    """Y el código del enunciado, con sus fallos, da otra cosa."""
    wave, wanted = torch.tensor([0.0, 0.0, 1.0, 0.0, 0.0, 0.0]), torch.tensor([0.0422, 0.2534])
    kept = solution("dos-fallos-en-un-filtro")(wave, 3, 2)
    torch.testing.assert_close(kept, wanted, atol=1e-4, rtol=0)
    broken = {"torch": torch}
    statement = STATEMENTS["dos-fallos-en-un-filtro"][1]
    exec(re.search(r"```python\n(.+?)```", statement, re.DOTALL)[1], broken)
    assert (broken["thin_out"](wave, 3, 2) - wanted).abs().max() > 0.01
    diagnosis = EXERCISES["dos-fallos-en-un-filtro"].check(broken["thin_out"])
    assert diagnosis is not None and diagnosis.key == "corte"


PLANTED = {
    "fallos-en-la-entrada": "natural-together-bare",
    "fallos-en-la-si-snr": "lote-entera-veinte",
    "fallos-en-las-marcas": "still-single-raw",
    "fallos-en-la-ventana": "redondeo-tarde-ancha",
    "fallos-en-las-vecinas": "columnas-cero-vacias",
    "fallos-al-escribir-una-escena": "abajo-huecos-girada",
    "escribir-con-reglas": "ceros-simbolos-delante",
    "fallos-en-los-costes": "callada-recta-logaritmo",
    "fallos-al-contar-entradas": "cada-una-relleno-ceros",
    "fallos-al-fundir": "anchura-doble-traspuesta",
}


@pytest.mark.parametrize(("name", "faults"), PLANTED.items())
def test_the_code_of_the_statement_has_its_three_faults(name, faults):
    task, names = EXERCISES[name].task, {"torch": torch}
    code = re.search(r"```python\n(.+?)```", STATEMENTS[name][1], re.DOTALL)[1]
    exec(code, names)
    diagnosis = EXERCISES[name].check(names[task.function])
    assert diagnosis is not None and diagnosis.key == f"queda-{faults}"


def test_the_example_of_the_two_peaks():
    assert solution("ver-dos-tonos")(torch.tensor([9.0, 1.0, 4.0, 3.0, 5.0, 7.0, 6.0])) == [2, 5]


@cache
def sections(chapter):
    cells = nbformat.read(chapter, as_version=4).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    return re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)


@pytest.mark.parametrize("name", EXERCISES)
def test_the_statement_sends_to_a_section_that_exists(name):
    master, statement = STATEMENTS[name]
    chapter = student_path(master).with_name(master.name.replace("_ejercicios", ""))
    wanted = re.findall(r"apartado «(.+?)»", statement)
    assert len(wanted) == 1 and wanted[0] in sections(chapter)


@pytest.mark.parametrize("name", EXERCISES)
def test_the_statement_names_the_function_and_its_arguments(name):
    task, statement = EXERCISES[name].task, STATEMENTS[name][1]
    if task.parameters:
        assert f"`{task.function}({', '.join(task.parameters)})`" in statement


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, exercise in EXERCISES.items()
        if exercise.card.kind == "comprender" and isinstance(exercise.task.reference(), dict)
    ],
)
def test_who_asks_for_a_dictionary_says_so_and_names_its_keys(name):
    """En el enunciado o, si remite a ella, en la celda que se reparte."""
    statement = STATEMENTS[name][1]
    assert "iccionario" in statement
    given = blanked(CELLS[name]) if "las claves que ves en la celda" in statement else statement
    keys = EXERCISES[name].task.reference()
    missing = [key for key in keys if not re.search(rf"\b{re.escape(key)}\b", given)]
    assert not missing or "…" in given, missing


MASTERS = [*masters(ROOT), *project_masters(ROOT)]
# «Ejecuta `pista(1)`»: lo que se manda ejecutar, y todo lo que el curso da para los ejercicios.
TOLD = re.compile(
    r"(?:(?P<verb>pide|ejecuta|añade|llama a)\s+)?`(?P<name>[a-z_]\w*)\([^`]*\)`", re.IGNORECASE
)


def names_left_by(cells):
    """Los nombres que se importan o se escriben en las celdas de código."""
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    code = re.sub(r"^(\s*)%", r"\1pass  #", code, flags=re.MULTILINE)  # las órdenes de Jupyter
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.alias):
            yield node.asname or node.name
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name


@pytest.mark.parametrize("master", MASTERS, ids=lambda master: master.stem)
def test_what_a_notebook_tells_to_run_is_at_hand(master):
    for path in (master, student_path(master)):
        cells = nbformat.read(path, as_version=4).cells
        text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
        told = {
            found["name"]
            for found in TOLD.finditer(text)
            if found["verb"] or found["name"] in exercises.__all__
        }
        assert {"comprobar", "pista"} <= told, "la celda «Cómo se trabaja» ya no las nombra"
        assert told <= set(names_left_by(cells)), path.name
