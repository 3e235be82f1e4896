"""Cuadernos de ejercicios: el del estudiante sale del maestro, que también lee nbgrader."""

import copy
import re
import shutil

import nbformat
import pytest

from tests.conftest import ROOT
from tfcourse.bank.registry import EXERCISES
from tfcourse.exercises.markers import BEGIN_SOLUTION, END_SOLUTION, blanked, solved, split_solution
from tfcourse.exercises.masters import masters, project_masters, student_path
from tfcourse.notebook import FIRST_CELL_TAGS, first_cell
from workshop.kinds import PAGE
from workshop.student_notebooks import (
    check_student_notebooks,
    student_text,
    write_student_notebooks,
)

MASTERS = masters(ROOT)
# Uno recién empezado no tiene ejercicios todavía: que le faltan lo dice `test_new_chapter`.
BEGUN = [master for master in MASTERS if "-enunciado" in master.read_text(encoding="utf-8")]
PAIRS = [pytest.param(master, id=master.stem) for master in BEGUN]
# El que se estropea a propósito: las pruebas de abajo nombran sus ejercicios.
SPOILT = next(master for master in MASTERS if "secuencia_a_secuencia" in master.stem)
CELL = f"def f(x):\n    {BEGIN_SOLUTION}\n    return x\n    {END_SOLUTION}"


def read(path):
    return nbformat.read(path, as_version=4)


def solution_lines(notebook):
    """Las líneas que solo están en las soluciones del maestro."""
    given, hidden = set(), set()
    for cell in notebook.cells:
        if BEGIN_SOLUTION in cell.source:
            before, solution, after = split_solution(cell.source)
            given.update(before + after)
            hidden.update(line.strip() for line in solution if len(line.strip()) > 8)
        else:
            given.update(cell.source.split("\n"))
    return hidden - {line.strip() for line in given}


def exercises_of(notebook):
    """Las fichas de los ejercicios de un maestro, en su orden."""
    names = [cell.id.removesuffix("-enunciado") for cell in notebook.cells if "-enunc" in cell.id]
    return [EXERCISES[name].card for name in names]


def parts(notebook, *each):
    """Las celdas que debe haber: esas de cada ejercicio y, si es abierto, también el texto."""
    return [
        f"{card.id}-{part}"
        for card in exercises_of(notebook)
        for part in (*each, *(["texto"] if card.manual_points else []))
    ]


def test_there_are_masters_with_exercises():
    assert len(BEGUN) > 20


def test_the_repository_is_up_to_date():
    assert check_student_notebooks(ROOT) == []


@pytest.mark.parametrize("master", PAIRS)
def test_the_student_notebook(master):
    notebook = read(student_path(master))
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code[0].source == first_cell(ROOT)
    assert code[0].metadata.tags == list(FIRST_CELL_TAGS)
    assert all(not cell.outputs and cell.execution_count is None for cell in code)
    assert all("nbgrader" not in cell.metadata for cell in notebook.cells)
    assert not any(":::" in cell.source for cell in notebook.cells), "Colab las mostraría tal cual"
    assert "INICIO SOLUCIÓN" not in student_path(master).read_text(encoding="utf-8")
    ids = [cell.id for cell in notebook.cells]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[a-z0-9-]+", name) for name in ids)
    tests = [cell for cell in code if cell.source.startswith("comprobar(")]
    assert tests and all("raises-exception" in cell.metadata.tags for cell in tests)


@pytest.mark.parametrize("master", PAIRS)
def test_statements_are_numbered_boxes(master):
    cells = [cell for cell in read(student_path(master)).cells if cell.id.endswith("-enunciado")]
    for position, cell in enumerate(cells, start=1):
        name = cell.id.removesuffix("-enunciado")
        assert f'<div class="admonition exercise" id="ej-{name}">\n' in cell.source
        assert f'<p class="admonition-title">Ejercicio {position}</p>\n\n' in cell.source
        assert cell.source.endswith("\n\n</div>")


@pytest.mark.parametrize("master", PAIRS)
def test_solutions_are_folded_text_right_after_their_check(master):
    """Las soluciones solo están dentro de un <details> cerrado, en celdas que no se ejecutan."""
    hidden, cells = solution_lines(read(master)), read(student_path(master)).cells
    solutions = [cell.id.removesuffix("-solucion") for cell in cells if "-solucion" in cell.id]
    assert solutions == parts(read(master), "respuesta")
    assert len(hidden) >= 2 * len(solutions)
    for position, cell in enumerate(cells):
        shown = {line.strip() for line in cell.source.split("\n")}
        if not cell.id.endswith("-solucion"):
            assert not shown & hidden, cell.id
            continue
        assert cell.cell_type == "markdown" and shown & hidden
        assert cell.source.startswith('<details class="solucion">\n<summary>Solución: ')
        assert cell.source.endswith("\n\n</details>")
        assert "<details open" not in cell.source
        assert cells[position - 1].id in (
            cell.id.replace("-respuesta-solucion", "-prueba"), cell.id.removesuffix("-solucion"),
        )  # fmt: skip


@pytest.mark.parametrize("master", PAIRS)
def test_writing_twice_changes_nothing(master, tmp_path):
    assert student_text(master) == student_text(master)
    root = copy_of_the_chapters(tmp_path)
    assert write_student_notebooks(root) == []
    student_path(root / master.relative_to(ROOT)).unlink()
    assert [path.name for path in write_student_notebooks(root)] == [master.name]
    assert write_student_notebooks(root) == []


def copy_of_the_chapters(folder):
    notebooks = [path for master in MASTERS for path in (master, student_path(master))]
    projects = project_masters(ROOT)
    lent = [p for p in (ROOT / "tfcourse/projects/lent").iterdir() if p.is_file()]
    written = [*projects, *map(student_path, projects), *lent, ROOT / PAGE]
    for path in (*notebooks, *written):
        target = folder / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    return folder


def spoil_statement(cells):
    cells["contexto-enunciado"].source = cells["contexto-enunciado"].source.replace(
        "10 min", "99 min"
    )


def spoil_box(cells):
    cell = cells["contexto-enunciado"]
    cell.source = cell.source.replace(":label: ej-contexto", ":label: ej-otro")


def spoil_points(cells):
    cells["luong-prueba"].metadata["nbgrader"]["points"] = 40


def spoil_test(cells):
    cells["memoria-prueba"].source = 'comprobar("contexto")'


def spoil_name(cells):
    cells["luong-respuesta"].source = cells["luong-respuesta"].source.replace("luong_step", "step")


def spoil_total(cells):
    cells["portada"].source = cells["portada"].source.replace("158", "15")


def spoil_exercise(cells):
    del cells["a-mano-prueba"]


@pytest.mark.parametrize(
    ("spoil", "fragment"),
    [
        (spoil_statement, "el enunciado de 'contexto' debe decir «**★★☆** · 10 minutos"),
        (
            spoil_box,
            "el enunciado de 'contexto' debe ir en `:::{exercise}` con `:label: ej-contexto`",
        ),
        (spoil_points, "la prueba de 'luong' debe valer 4 puntos"),
        (spoil_test, "la prueba de 'memoria' debe ser `comprobar(\"memoria\")`"),
        (spoil_name, "la respuesta de 'luong' debe definir `luong_step`"),
        (spoil_total, "la portada debe decir «158 minutos»"),
        (spoil_exercise, "faltan las celdas a-mano-prueba"),
    ],
)
def test_a_master_that_contradicts_the_cards_is_reported(spoil, fragment, tmp_path):
    root = copy_of_the_chapters(tmp_path)
    master = root / SPOILT.relative_to(ROOT)
    notebook = read(master)
    cells = {cell.id: cell for cell in notebook.cells}
    spoil(cells)
    notebook.cells = list(cells.values())
    nbformat.write(notebook, master)
    problems = check_student_notebooks(root)
    assert any(fragment in problem for problem in problems), problems


def test_missing_stale_and_orphan_notebooks_are_reported(tmp_path):
    root = copy_of_the_chapters(tmp_path)
    student = student_path(root / SPOILT.relative_to(ROOT))
    student.write_text(student.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert any("no sale de su maestro" in problem for problem in check_student_notebooks(root))
    student.rename(student.with_name("99_otro_ejercicios.ipynb"))
    problems = " ".join(check_student_notebooks(root))
    assert "no existe; ejecuta «make ejercicios»" in problems
    assert "99_otro_ejercicios.ipynb no tiene maestro" in problems
    for part in (root / "chapters").glob("[0-9]*"):
        shutil.rmtree(part)
    assert "el ejercicio 'contexto' no está en ningún maestro" in " ".join(
        check_student_notebooks(root)
    )


def test_markers():
    assert solved(CELL) == "def f(x):\n    return x"
    assert blanked(CELL, "hueco\nfin") == "def f(x):\n    hueco\n    fin"
    for broken in (
        CELL.replace(END_SOLUTION, ""),
        CELL + "\n" + CELL,
        "x = 1",
        f"{END_SOLUTION}\n{BEGIN_SOLUTION}",
    ):
        with pytest.raises(ValueError, match="necesita una línea"):
            blanked(broken)


@pytest.fixture(scope="module")
def nbgrader_settings():
    pytest.importorskip("nbgrader")
    from traitlets.config.loader import PyFileConfigLoader

    return PyFileConfigLoader("nbgrader_config.py", path=str(ROOT)).load_config()


@pytest.mark.parametrize("master", PAIRS)
def test_nbgrader_clears_the_solutions_and_leaves_our_blanks(master, nbgrader_settings):
    from nbgrader.preprocessors import ClearSolutions

    original = read(master)
    cleared, _ = ClearSolutions(config=nbgrader_settings).preprocess(copy.deepcopy(original), {})
    text = nbformat.writes(cleared)
    assert "INICIO SOLUCIÓN" not in text and "FIN SOLUCIÓN" not in text
    assert not {
        line.strip() for cell in cleared.cells for line in cell.source.split("\n")
    } & solution_lines(original)
    ours = {cell.id: cell.source for cell in read(student_path(master)).cells}
    graded = [cell for cell in cleared.cells if "nbgrader" in cell.metadata]
    assert [cell.metadata.nbgrader.grade_id for cell in graded] == parts(
        original, "respuesta", "prueba"
    )
    for cell in graded:
        assert cell.source == ours[cell.metadata.nbgrader.grade_id]


@pytest.mark.parametrize("master", PAIRS)
def test_nbgrader_accepts_the_metadata(master):
    pytest.importorskip("nbgrader")
    from nbgrader.nbgraderformat import MetadataValidator
    from nbgrader.nbgraderformat import read as read_graded
    from nbgrader.preprocessors import CheckCellMetadata

    notebook = read_graded(str(master), as_version=4)
    CheckCellMetadata().preprocess(notebook, {})
    validator = MetadataValidator()
    validator.validate_nb(notebook)
