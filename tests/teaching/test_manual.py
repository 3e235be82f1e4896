"""Puntuar a mano: la página no dice de quién es cada respuesta y la hoja pasa al libro de notas."""

import re
import shutil

import pytest
from nbformat.v4 import new_code_cell, new_output

from tests.exercises.test_statements import STATEMENTS
from tests.systems import require_system
from tests.teaching.browsing import assert_readable
from tests.teaching.classes import SOLUTIONS, Entry, written
from tests.teaching.course import NAME, make_course, moodle_zip, release
from tfcourse.bank.registry import EXERCISES
from tfcourse.teaching.assignment import Assignment, Course, Item
from tfcourse.teaching.classroom import Run, grade_class
from tfcourse.teaching.collect import collect
from tfcourse.teaching.export import fill_worksheet, plain_rows
from tfcourse.teaching.feedback import write_feedback
from tfcourse.teaching.manual import CRITERIA, HEADER, apply_sheet, write_sheet
from tfcourse.teaching.recording import record
from tfcourse.teaching.tables import read_table, write_table
from tfcourse.teaching.written import read_scores

pytestmark = pytest.mark.lento

OPEN = "invertir-la-entrada"
PICTURE = "iVBORw0KGgo="  # basta con que parezca un PNG
ESSAY = """# Predigo que <b>mejora</b>

| condición | acierto |
|---|---|
| invertida | 74 % |

[enlace](javascript:alert(1)) ![espía](https://example.org/x.png)"""


def essay(text, *, work=True):
    """Escribe la respuesta abierta y, si se quiere, el experimento con su salida y su figura."""

    def change(notebook):
        for position, cell in enumerate(notebook.cells):
            if cell.id == f"{OPEN}-texto":
                cell.source = text
                place = position
        if work:
            added = new_code_cell("print('mis medidas')", id="mia")
            added.outputs = [
                new_output("stream", text="acierto <1>: 97 %\n"),
                new_output("display_data", data={"image/png": PICTURE}),
                new_output("display_data", data={"text/html": "<script>alert(1)</script>"}),
            ]
            notebook.cells.insert(place, added)

    return change


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    require_system("bubblewrap")
    folder = tmp_path_factory.mktemp("a-mano")
    own, assignment = make_course(folder / "curso", ["memoria", OPEN])
    answers = {"memoria": SOLUTIONS["memoria"], OPEN: SOLUTIONS[OPEN]}
    entries = [
        Entry("Ana Gil", {"t.ipynb": written(release(own), answers, essay(ESSAY))}),
        Entry("Luis Paz", {"t.ipynb": written(release(own), answers, essay("No sé.", work=False))}),
        Entry("Eva Sol", {"t.ipynb": written(release(own), answers)}),
        Entry("=2+3", {"t.ipynb": b""}),
    ]
    collect(own, assignment, moodle_zip(folder / "e.zip", entries))
    results, _ = grade_class(own, assignment, Run())
    record(own, assignment, results)
    return own, assignment


@pytest.fixture
def course(graded, tmp_path):
    """El curso ya corregido; cada prueba escribe en su copia."""
    own, assignment = graded
    return type(own)(shutil.copytree(own.root, tmp_path / "curso")), assignment


def test_the_whole_round(course, tmp_path):
    own, assignment = course
    sheet, reading, empty = write_sheet(own, assignment)
    rows = read_table(sheet)
    assert rows[0] == HEADER and len(rows) == 5 and empty == 3
    blank = {row[2]: row[4:9] for row in rows[1:]}
    assert blank["Eva Sol"] == ["0"] * 4 + ["Sin responder."]
    assert blank["'=2+3"] == [""] * 5  # lo que no se puede leer lo tiene que mirar alguien
    for row in rows[1:]:
        if row[2] == "Ana Gil":
            row[4:9] = ["2", "1,5", "2", "2", "La medida, excelente."]
    write_table(sheet, rows, ";", mark=True)
    assert apply_sheet(own, assignment, sheet) == (2, 2)
    cells = {who: found[f"{OPEN}-texto"] for who, found in read_scores(own, assignment).items()}
    assert cells["ana-gil-1000"][:3] == (7.5, 8, False)
    assert cells["luis-paz-1001"][2] and cells["eva-sol-1002"][:3] == (0, 8, False)
    assert list((own.root / "copias").glob("*.db"))

    write_feedback(own, assignment)
    page = own.feedback("ana-gil-1000", NAME).read_text("utf-8")
    assert "<strong>7,5 de 8 puntos</strong>" in page and "10,5 de 11 puntos" in page
    assert "Hipótesis: 2 de 2 · diseño: 1,5 de 2" in page and "La medida, excelente." in page
    assert "pendiente de corregir" in own.feedback("luis-paz-1001", NAME).read_text("utf-8")

    again, _, left = write_sheet(own, assignment)  # lo escrito se conserva
    kept = {row[2]: row[4:9] for row in read_table(again)[1:]}
    assert kept["Ana Gil"] == ["2", "1,5", "2", "2", "La medida, excelente."] and left == 2

    results, _ = grade_class(own, assignment, Run(again=True))
    record(own, assignment, results)  # volver a corregir no lo toca
    assert read_scores(own, assignment)["ana-gil-1000"][f"{OPEN}-texto"][0] == 7.5


@pytest.mark.parametrize(("maximum", "wanted"), [('"11,00"', "10,5"), ("11.00", "10.5")])
def test_grades_use_the_decimal_of_the_site(course, tmp_path, maximum, wanted):
    """Un sitio con punto leería «10,5» como 10, sin decir nada."""
    own, assignment = course
    sheet, _, _ = write_sheet(own, assignment)
    rows = read_table(sheet)
    for row in rows:
        row[4:9] = ["2", "1.5", "2", "2", ""] if row[2] == "Ana Gil" else row[4:9]
    write_table(sheet, rows, ",")
    apply_sheet(own, assignment, sheet)
    moodle = tmp_path / "hoja.csv"
    moodle.write_text(
        "Identificador,Calificación,Calificación máxima,Última modificación (calificación)\n"
        f"Participante 1000,,{maximum},-\nParticipante 1001,,{maximum},-\n",
        encoding="utf-8",
    )
    filled, notices = fill_worksheet(own, assignment, moodle, ",")
    assert filled[1][1] == wanted
    (header, *plain), _ = plain_rows(own, assignment, ",")
    remark = {row[0]: row[4] for row in plain}["ana-gil-1000"]
    assert f"{OPEN}: correcto; Hipótesis: 2 de 2 · diseño: 1,5 de 2" in remark
    assert "sin nota a mano, que cuenta como cero:" in " ".join(notices)


def test_the_reading_page_is_anonymous_and_safe(course, browser):
    own, assignment = course
    _, reading, _ = write_sheet(own, assignment)
    text = reading.read_text("utf-8")
    for name in ("Ana", "Gil", "Luis", "ana-gil"):
        assert name not in text
    assert "<p>Predigo que &lt;b&gt;mejora&lt;/b&gt;</p>" in text and "<td>74 %</td>" in text
    assert not re.search(r"<script|href=.javascript|src=.http", text)
    assert "acierto &lt;1&gt;: 97 %" in text and f"data:image/png;base64,{PICTURE}" in text
    assert "Respuesta modelo" in text and "Lo desmentiría que" in text
    assert_readable(browser, [reading])
    assert (
        text.count("<article") == 4
        and text.count("Sin responder.") == 1
        and "No se ha encontrado" in text
    )


def test_wrong_sheets_change_nothing(course):
    own, assignment = course
    sheet, _, _ = write_sheet(own, assignment)
    good = read_table(sheet)
    before = own.gradebook.read_bytes()
    for change, message in (
        (lambda rows: rows[1].__setitem__(slice(4, 8), ["3", "0", "0", "0"]), "de 0 a 2"),
        (lambda rows: rows[1].__setitem__(slice(4, 8), ["1", "", "1", "1"]), "«diseño» dice «»"),
        (lambda rows: rows[1].__setitem__(slice(4, 8), ["nan", "1", "1", "1"]), "dice «nan»"),
        (lambda rows: rows[1].__setitem__(1, "otra"), "fila 2: no hay ninguna respuesta de «otra»"),
        (lambda rows: rows[0].__setitem__(0, "x"), "no es la hoja de «docente puntuar»"),
    ):
        rows = [[*row] for row in good]
        change(rows)
        write_table(sheet, rows, ";")
        with pytest.raises(ValueError, match=message):
            apply_sheet(own, assignment, sheet)
    assert own.gradebook.read_bytes() == before


def test_without_open_exercises_there_is_nothing_to_mark(tmp_path):
    closed = Assignment(NAME, "Tarea", (Item("memoria", 1),), "x")
    with pytest.raises(ValueError, match="no tiene ejercicios abiertos"):
        write_sheet(Course(tmp_path), closed)


def test_every_open_exercise_is_marked_with_the_same_criteria():
    """La hoja tiene una columna por criterio: los enunciados dicen esos cuatro."""
    for name in (n for n, exercise in EXERCISES.items() if exercise.card.manual_points):
        found = re.findall(r"^\| \*\*(\w+)\*\* \|", STATEMENTS[name][1], re.MULTILINE)
        assert [criterion.lower() for criterion in found] == [*CRITERIA], name
        assert EXERCISES[name].card.manual_points == 2 * len(CRITERIA)
