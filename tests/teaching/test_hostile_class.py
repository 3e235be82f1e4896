"""Una clase hostil: lo que haga una entrega se queda en ella, y las notas de las demás no cambian.

Aquí se ataca a quien corrige, fuera del recinto. Cada ataque tiene su fila en `attacks.py`.
"""

import json
import os
import shutil
import sqlite3
import traceback
import zipfile
from datetime import datetime
from pathlib import Path

import nbformat
import pytest
import torch

from tests.teaching.classes import SOLUTIONS, Entry, written
from tests.teaching.course import NAME, OPEN, essay, make_course, moodle_zip, release
from tfcourse.bank.registry import EXERCISES
from tfcourse.spanish_cli import disk_message
from tfcourse.teaching import classroom, feedback, gradebook, manual, recording, wire
from tfcourse.teaching import results as stored
from tfcourse.teaching.assignment import Assignment, Course
from tfcourse.teaching.classroom import Run, grade_and_store
from tfcourse.teaching.collect import collect
from tfcourse.teaching.export import plain_rows
from tfcourse.teaching.feedback import feedback_page, write_feedback
from tfcourse.teaching.grading import Grader
from tfcourse.teaching.guard import OutOfBounds, bounded, clean
from tfcourse.teaching.limits import Limits
from tfcourse.teaching.manual import apply_sheet, write_sheet
from tfcourse.teaching.pages import prose
from tfcourse.teaching.recording import record
from tfcourse.teaching.remote_errors import raise_reported
from tfcourse.teaching.results import OUR_FAILURE, merge_results, standing
from tfcourse.teaching.roster import slug
from tfcourse.teaching.submission import (
    MAX_BYTES,
    Submission,
    UnreadableSubmission,
    arrange,
    read_notebook,
)
from tfcourse.teaching.tables import read_table, write_table
from tfcourse.teaching.wire import HEADER, Decoder, WireError, unpack
from tfcourse.teaching.written import read_scores

RUN = Run()
PEOPLE = ("Ana Gil", "Eva Sol", "Luis Paz", "Zoé Ruiz")
VICTIM = "eva-sol"


def fake(course, assignment, student, run):
    """Corrige de mentira, pero pasando por los pasos que tocan lo que escribió la persona."""
    submitted = classroom.read_notebook(course.submitted(student, NAME))
    original = nbformat.read(course.release(NAME), as_version=4)
    submission = classroom.arrange(submitted, original, {OPEN: "reverse_input"})
    found = dict.fromkeys(item.id for item in assignment.items)
    result = classroom._row(assignment, found, "corregida")
    classroom.graded_notebook(original, submission, result)
    return result | {"notes": submission.notes, "answers": classroom._kept(submission)}


def grade_all(course, assignment, grade=fake):
    for student in course.students(NAME):
        grade_and_store(grade, course, assignment, RUN, student)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Cuatro entregas de una tarea con un ejercicio automático y uno abierto, sin corregir."""
    folder = tmp_path_factory.mktemp("hostil")
    course, assignment = make_course(folder / "curso", ["memoria", OPEN])
    origin = folder / "entregas"
    for name in PEOPLE:
        (origin / name).mkdir(parents=True)
        data = written(release(course), SOLUTIONS, essay(f"Soy {name} y predigo que mejora."))
        (origin / name / "t.ipynb").write_bytes(data)
    collect(course, assignment, origin)
    return course, assignment


@pytest.fixture
def pristine(made, tmp_path):
    course, assignment = made
    return Course(shutil.copytree(course.root, tmp_path / "curso")), assignment


@pytest.fixture(scope="module")
def in_peace(made, tmp_path_factory):
    """La misma clase, corregida y apuntada sin que nadie la moleste."""
    course, assignment = made
    own = Course(shutil.copytree(course.root, tmp_path_factory.mktemp("en-paz") / "curso"))
    grade_all(own, assignment)
    record(own, assignment, standing(own, assignment).good)
    return own, assignment


@pytest.fixture
def graded(in_peace, tmp_path):
    course, assignment = in_peace
    return Course(shutil.copytree(course.root, tmp_path / "corregido")), assignment


def marks(course, assignment, but=VICTIM):
    """Las notas de todos menos una persona: las que no pueden cambiar."""
    return {who: cells for who, cells in read_scores(course, assignment).items() if who != but}


# --- A. Una entrega, un fallo ------------------------------------------------------------------


class Odd(BaseException):
    """Un error que nadie espera."""


STEPS = [
    (classroom, "read_notebook"), (classroom, "arrange"), (classroom, "graded_notebook"),
    (classroom, "_kept"), (classroom, "fingerprint"), (classroom, "_serialised"),
]  # fmt: skip


@pytest.mark.parametrize(("module", "name"), STEPS, ids=lambda x: getattr(x, "__name__", x))
@pytest.mark.parametrize("error", [Odd, KeyboardInterrupt, RuntimeError])
def test_a_failure_in_any_step_of_grading_is_one_note(
    pristine, in_peace, monkeypatch, module, name, error
):
    course, assignment = pristine
    real, current = getattr(module, name), []

    def spoiled(*arguments, **named):
        if current[-1] == VICTIM and not (name == "_serialised" and len(current) > 9):
            current.extend([VICTIM] * 9)
            raise (RuntimeError if name == "_serialised" else error)("estropeado \ud800\x1b[2J")
        return real(*arguments, **named)

    monkeypatch.setattr(module, name, spoiled)
    for student in course.students(NAME):
        current[:] = [student]
        grade_and_store(fake, course, assignment, RUN, student)
    monkeypatch.undo()
    found = standing(course, assignment)
    assert [r["student"] for r in found.good] == ["ana-gil", "luis-paz", "zoe-ruiz"]
    said = " ".join(found.notices())
    assert "Eva Sol" in said and "\x1b" not in said
    record(course, assignment, found.good)
    assert marks(course, assignment) == marks(*in_peace) != {}


def test_a_failure_in_any_step_after_grading_is_one_note(graded, monkeypatch, tmp_path):
    """Devolver, exportar, puntuar y apuntar: las notas de los demás son las de una clase en paz."""
    course, assignment = graded
    before = marks(course, assignment)
    calm, _ = plain_rows(course, assignment, ",")

    def spoil(module, name, picks):
        real = getattr(module, name)

        def spoiled(*arguments, **named):
            if picks(arguments):
                raise RuntimeError("estropeado")
            return real(*arguments, **named)

        monkeypatch.setattr(module, name, spoiled)

    def is_victim(arguments):
        return any(isinstance(a, dict) and a.get("student") == VICTIM for a in arguments)

    for name in ("feedback_page", "_handed_back"):
        spoil(feedback, name, is_victim)
        written_pages, notices = write_feedback(course, assignment)
        assert written_pages == ["ana-gil", "luis-paz", "zoe-ruiz"]
        assert "Eva Sol: sin página" in notices[0]
        monkeypatch.undo()

    from tfcourse.teaching import export

    spoil(export, "comment_for", is_victim)
    rows, notices = plain_rows(course, assignment, ",")
    assert [row[:4] for row in calm] == [row[:4] for row in rows]  # solo le falta el comentario
    assert any("Eva Sol" in notice for notice in notices)
    monkeypatch.undo()
    others = [row for row in calm if row[0] != VICTIM]
    for module, name in ((export, "total_score"), (export, "_graded"), (stored, "fingerprint")):
        spoil(module, name, lambda arguments: is_victim(arguments) or VICTIM in arguments)
        rows, notices = plain_rows(course, assignment, ",")
        assert rows == others, name
        assert any("estropeado" in n and ("Eva Sol" in n or VICTIM in n) for n in notices), name
        monkeypatch.undo()

    machine = tmp_path / "maquina"
    shutil.copytree(course.results(NAME), machine)
    for name in ("_merge_one", "parse_result", "fingerprint"):
        spoil(
            stored,
            name,
            lambda arguments: (
                VICTIM in map(str, arguments)
                or any(isinstance(a, Path) and a.stem == VICTIM for a in arguments)
            ),
        )
        merged = merge_results(course, assignment, [machine])
        assert merged.brought == 3 and merged.notices[0].startswith(f"{VICTIM}: no se ha podido")
        monkeypatch.undo()
    spoil(recording, "_is_recorded", is_victim)
    assert record(course, assignment, standing(course, assignment).good) == []
    monkeypatch.undo()

    spoil(manual, "read_notebook", lambda arguments: VICTIM in str(arguments[0]))
    assert write_sheet(course, assignment)[2] == 4
    monkeypatch.undo()
    spoil(manual, "_answer", lambda arguments: arguments[1].student == VICTIM)
    assert "No se puede mostrar" in write_sheet(course, assignment)[1].read_text("utf-8")
    monkeypatch.undo()

    for path in course.results(NAME).glob("*.json"):
        result = json.loads(path.read_text("utf-8"))
        result["exercises"][0]["likely"] = "otro"
        path.write_text(json.dumps(result), encoding="utf-8")
    spoil(recording, "_record_one", is_victim)
    notices = record(course, assignment, standing(course, assignment).good)
    assert notices == ["Eva Sol: no se ha podido apuntar (RuntimeError: estropeado)"]
    assert marks(course, assignment) == before


def test_the_instructors_own_interrupt_gets_through(graded, monkeypatch):
    course, assignment = graded

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(feedback, "feedback_page", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_feedback(course, assignment)
    assert not list(course.folder(NAME).glob(".*parcial"))


@pytest.mark.parametrize("kind", ["KeyboardInterrupt", "GeneratorExit", "BaseException", "Odd", 3])
def test_a_forged_interrupt_does_not_interrupt(kind):
    with pytest.raises(Exception, match="falso"):
        raise_reported({"type": kind, "message": "falso"})


class ExitsGoingBack(torch.autograd.Function):
    """Un gradiente que termina el programa."""

    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        raise_reported({"type": "SystemExit", "message": "0"})


class FakeBox:
    """Un recinto que no aísla: lo justo para que el corrector crea que hay uno."""

    alive, deadline = True, 0.0

    def __init__(self, function):
        self.function, self.closed = function, False
        self.peer = self

    def proxy(self, number):
        return self.function

    def ask(self, request, seconds):
        return {"number": 1}

    def close(self):
        self.closed = True


def judged(function):
    grader = Grader(Submission([], {}), Limits(), False)
    grader.sandbox = FakeBox(function)
    return grader._judge(EXERCISES["contexto"], 1, {"number": 1})


def test_an_exit_in_the_gradient_is_a_diagnosis():
    diagnosis = judged(lambda alpha, h: ExitsGoingBack.apply((alpha[:, :, None] * h).sum(1)))
    assert diagnosis.key == "exit" and diagnosis.location is None
    assert judged(lambda alpha, h: (alpha[:, :, None] * h).sum(1)) is None


def test_a_diagnosis_never_shows_the_graders_code():
    from tfcourse.exercises.student import StoppedByChecker

    def endless(alpha, h):
        raise StoppedByChecker("no-termina", "tarda")

    diagnosis = judged(endless)
    assert diagnosis.key == "no-termina" and diagnosis.location is None


def test_each_exercise_has_its_own_time(monkeypatch):
    """Diez segundos por llamada, muchas veces, no son tres minutos."""
    monkeypatch.setattr("tfcourse.teaching.grading.time.monotonic", lambda: 100.0)
    box = FakeBox(None)
    ends = []

    def slow(alpha, h):
        ends.append(box.deadline)
        return h.sum(1)

    box.function = slow

    grader = Grader(Submission([], {}), Limits(exercise_seconds=1.0), False)
    grader.sandbox = box
    grader._judge(EXERCISES["contexto"], 1, {"number": 1})
    assert len(ends) > 1 and set(ends) == {101.0}


def test_lone_surrogates_do_not_come_in():
    text = json.dumps({"answer": {"error": {"message": "\ud800"}}}).encode()
    data = [HEADER.pack(len(text), 0) + text]

    def read(size):
        piece, data[0] = data[0][:size], data[0][size:]
        return piece

    with pytest.raises(WireError):
        unpack(read)


def test_a_submission_with_lone_surrogates_is_stored(pristine):
    course, assignment = pristine
    path = course.submitted(VICTIM, NAME)
    text = path.read_text("utf-8").replace("predigo que mejora", "predigo \\ud800 que mejora")
    assert "\\ud800" in text
    path.write_text(text, encoding="utf-8")
    grade_all(course, assignment)
    assert len(standing(course, assignment).good) == 4


def test_a_folder_without_its_notebook_is_unreadable(pristine):
    course, assignment = pristine
    course.submitted(VICTIM, NAME).unlink()

    def grade(course, assignment, student, run):
        own = classroom.grade_student if student == VICTIM else fake
        return own(course, assignment, student, run)

    grade_all(course, assignment, grade)
    result = stored.read_result(course, NAME, VICTIM)
    assert result["status"] == "ilegible" and "no está el cuaderno" in result["notes"][0]
    assert len(standing(course, assignment).good) == 4


# --- B y G. Límites fuera del recinto ----------------------------------------------------------


def test_a_huge_table_is_shown_as_text():
    html = prose("|a" * 2000 + "|\n" + "|-" * 2000 + "|\n" + "|\n" * 5000)
    assert len(html) < 400_000  # con su tabla serían cien millones de letras
    assert "<table>" not in html and "<table>" in prose("|a|b|\n|-|-|\n|1|2|")


def test_what_is_slow_to_draw_is_cut(monkeypatch):
    from tfcourse.teaching import pages

    def endless(text):
        while True:
            pass

    monkeypatch.setattr(pages, "RENDERING_SECONDS", 0.4)
    monkeypatch.setattr(pages, "_rendered", endless)
    assert "<pre>hola &lt;b&gt;</pre>" in prose("hola <b>")


def test_time_and_memory_outside_are_bounded():
    with pytest.raises(OutOfBounds), bounded(0.1):
        while True:
            pass
    with pytest.raises(MemoryError), bounded(5, 64 << 20):
        bytearray(1 << 30)
    bytearray(100 << 20)  # y después ya no
    with pytest.raises(OutOfBounds), bounded(0.3):  # el de dentro no quita el de fuera
        with bounded(5):
            pass
        while True:
            pass


def test_overlapping_tensors_are_refused(monkeypatch):
    tensor = {"t": "tensor", "d": "float32", "s": [1_000_000], "at": 0}
    with pytest.raises(WireError, match="ocupan más"):
        Decoder(bytes(4_000_000)).decode({"t": "list", "v": [tensor] * 100})
    empty = tensor | {"s": [0]}
    with pytest.raises(WireError, match="ocupan más"):
        Decoder(b"").decode({"t": "list", "v": [empty] * 3_000})
    monkeypatch.setattr(wire, "MAX_VALUES", 1_000)
    with pytest.raises(WireError, match="demasiados valores"):
        Decoder(b"").decode({"t": "list", "v": [1] * 1_000})


def test_forged_names_cost_nothing():
    """Buscar el parecido de un nombre de un millón de letras cuesta minutos."""
    from tfcourse.exercises.python_errors import _unknown_name

    report = {"type": "NameError", "name": "a" * 10**6, "names": ["ab" * 5 * 10**5, "corto"] * 200}
    try:
        raise_reported(report)
    except NameError as error:
        assert len(error.name) <= 80 and _unknown_name(error)
        *_, (frame, _) = traceback.walk_tb(error.__traceback__)
        assert set(frame.f_locals) == {"corto"}  # los larguísimos no se comparan con nada


def test_what_a_page_can_carry_is_bounded(graded):
    course, assignment = graded
    secret = "x" * 4_000_000
    with pytest.raises(Exception) as raised:
        raise_reported({"location": secret, "type": "ValueError", "message": secret})
    from tfcourse.teaching.remote_errors import reported_place

    assert len(reported_place(raised.value.report)) <= 300
    from tfcourse.exercises.diagnosis import Diagnosis

    found = Diagnosis(*(secret for _ in range(7)))
    row = classroom._row(assignment, {item.id: found for item in assignment.items}, "corregida")
    assert all(len(str(v)) <= 1_000 for r in row["exercises"] for v in r.values())
    result = stored.read_result(course, NAME, VICTIM) | {"exercises": row["exercises"]}
    assert len(feedback_page(assignment, result, {})) < 60_000


def test_a_notebook_of_200000_cells_is_refused_before_reading_it(tmp_path, monkeypatch):
    monkeypatch.setattr("tfcourse.teaching.submission.nbformat.reads", None)
    cell = '{"cell_type":"raw","metadata":{},"source":""}'
    path = tmp_path / "t.ipynb"
    cells = ",".join([cell] * 200_000)
    path.write_text(f'{{"nbformat":4,"nbformat_minor":5,"metadata":{{}},"cells":[{cells}]}}')
    with pytest.raises(UnreadableSubmission, match="tiene 200000 celdas y el máximo son 2000"):
        read_notebook(path)
    path.write_bytes(bytes(MAX_BYTES + 1))
    with pytest.raises(UnreadableSubmission, match="ocupa más de 20 MB"):
        read_notebook(path)


def test_what_is_printed_gives_no_orders():
    assert clean("Ana\x1b[2J\u202e\n\ud800 Gil") == "Ana [2J Gil"
    assert len(clean("x" * 10**6, 50)) == 50


# --- C y D. Reunir -----------------------------------------------------------------------------


def test_merging_keeps_the_newest_valid(graded, tmp_path):
    course, assignment = graded
    other = tmp_path / "otra"
    shutil.copytree(course.results(NAME), other)
    own = stored.result_file(course, NAME, "ana-gil")
    new = json.loads(own.read_text("utf-8"))

    def bring(**changes):
        (other / "ana-gil.json").write_text(json.dumps(new | changes), encoding="utf-8")
        return merge_results(course, assignment, [other])

    bring(graded="2000-01-01", notes=["vieja"])
    assert stored.read_result(course, NAME, "ana-gil")["notes"] == []
    bring(graded="9999-01-01", notes=["nueva"])
    assert stored.read_result(course, NAME, "ana-gil")["notes"] == ["nueva"]
    bring(graded="9999-02-01", status=OUR_FAILURE)  # un fallo no pisa una nota
    assert stored.read_result(course, NAME, "ana-gil")["status"] == "corregida"
    said = bring(graded="9999-03-01", fingerprint="de otra entrega").notices
    assert said == [
        "ana-gil: el resultado que llega es de otra entrega, otra tarea u otro corrector: no se usa"
    ]
    (other / "eva-sol.json").write_text('{"a medias', encoding="utf-8")
    (other / "nadie.json").write_text("{}", encoding="utf-8")
    merged = merge_results(course, assignment, [other])
    assert merged.brought == 2 and len(merged.notices) == 3
    assert standing(course, assignment).complete


def test_who_is_missing_is_said(graded, capsys):
    from tfcourse.teaching.steps import record_results

    course, assignment = graded
    stored.result_file(course, NAME, "luis-paz").unlink()
    record_results(course, assignment)
    assert "sin corregir: 1 (Luis Paz); se quedan sin nota" in capsys.readouterr().out
    rows, notices = plain_rows(course, assignment, ",")
    assert "luis-paz" not in [row[0] for row in rows] and "Luis Paz" in notices[0]
    written_pages, notices = write_feedback(course, assignment)
    assert "luis-paz" not in written_pages and "Luis Paz" in notices[0]


# --- E. Lo abierto -----------------------------------------------------------------------------


def marked_sheet(course, assignment):
    sheet, _, _ = write_sheet(course, assignment)
    rows = read_table(sheet)
    for row in rows[1:]:
        row[4:9] = ["2", "2", "2", "2", "Muy bien."]
    write_table(sheet, rows, ";", mark=True)
    return sheet


def resubmit(course, who, text):
    path = course.submitted(who, NAME)
    path.write_bytes(written(release(course), SOLUTIONS, essay(text)))


def test_a_mark_is_of_the_text_it_was_given_to(graded):
    course, assignment = graded
    sheet = marked_sheet(course, assignment)
    assert apply_sheet(course, assignment, sheet) == (4, 0)
    before = marks(course, assignment)
    resubmit(course, VICTIM, "Ahora digo otra cosa.")
    grade_all(course, assignment)
    notices = record(course, assignment, standing(course, assignment).good)
    assert len(notices) == 1 and "Eva Sol: ha entregado otro texto" in notices[0]
    cell = read_scores(course, assignment)[VICTIM][f"{OPEN}-texto"]
    assert cell[0] == 0 and cell[2] and cell[3] is None
    assert marks(course, assignment) == before
    with pytest.raises(ValueError, match="la respuesta ha cambiado desde que se hizo la hoja"):
        apply_sheet(course, assignment, sheet)
    again, _, empty = write_sheet(course, assignment)
    kept = {row[1]: row[4:9] for row in read_table(again)[1:]}
    assert empty == 1 and kept[VICTIM] == [""] * 5 and kept["ana-gil"][4] == "Muy bien."


def test_a_blank_that_becomes_an_answer_loses_its_zero(graded):
    course, assignment = graded
    resubmit(course, VICTIM, "")
    grade_all(course, assignment)
    record(course, assignment, standing(course, assignment).good)
    sheet, _, empty = write_sheet(course, assignment)
    assert empty == 3
    apply_sheet(course, assignment, sheet)
    assert not read_scores(course, assignment)[VICTIM][f"{OPEN}-texto"][2]
    resubmit(course, VICTIM, "Ya he contestado.")
    grade_all(course, assignment)
    record(course, assignment, standing(course, assignment).good)
    assert read_scores(course, assignment)[VICTIM][f"{OPEN}-texto"][2]
    assert write_sheet(course, assignment)[2] == 4


def test_a_text_that_lost_its_name_is_found(made):
    course, _ = made
    original = release(course)

    def forget(notebook):
        essay("Mi texto.")(notebook)
        for number, cell in enumerate(notebook.cells):
            cell.metadata.pop("nbgrader", None)
            cell.id = f"celda-{number}"

    submitted = nbformat.reads(written(original, SOLUTIONS, forget).decode(), as_version=4)
    found = arrange(submitted, original, {})
    assert found.answers[f"{OPEN}-texto"] == "Mi texto."
    assert any("había perdido su nombre" in note for note in found.notes)
    submitted.cells = [cell for cell in submitted.cells if cell.source != "Mi texto."]
    found = arrange(submitted, original, {})
    assert f"{OPEN}-texto" not in found.answers  # ni vacía ni un cero: alguien tiene que mirarlo
    assert any("falta la celda de la respuesta escrita" in note for note in found.notes)


def test_a_check_moved_before_its_answer_still_checks(made):
    course, _ = made
    original = release(course)

    def move(notebook):
        place = next(i for i, c in enumerate(notebook.cells) if c.id == "memoria-prueba")
        notebook.cells.insert(0, notebook.cells.pop(place))

    submitted = nbformat.reads(written(original, SOLUTIONS, move).decode(), as_version=4)
    found = arrange(submitted, original, {"memoria": "numbers_kept"})
    names = [(step.kind, step.name) for step in found.steps]
    assert names.index(("comprobar", "memoria")) > names.index(("celda", "memoria-respuesta"))
    assert any("estaba antes que su respuesta" in note for note in found.notes)


# --- F. Nada caduca en silencio ----------------------------------------------------------------


def test_an_old_mark_is_not_exported(graded):
    course, assignment = graded
    resubmit(course, VICTIM, "Otra.")
    rows, notices = plain_rows(course, assignment, ",")
    assert VICTIM not in [row[0] for row in rows] and "Eva Sol" in notices[0]
    assert VICTIM not in write_feedback(course, assignment)[0]


def test_a_mark_of_another_task_or_correction_is_stale(graded, monkeypatch):
    course, assignment = graded
    other = Assignment(NAME, "Otro", assignment.items, "otro secreto")
    assert len(standing(course, other).stale) == 4
    monkeypatch.setattr(stored, "_course_correction", lambda: "otro corrector")
    assert len(standing(course, assignment).stale) == 4
    with pytest.raises(ValueError, match="no hay ninguna nota que valga.*Ana Gil"):
        plain_rows(course, assignment, ",")


def test_a_failure_of_the_grader_is_never_a_zero(graded, tmp_path):
    course, assignment = graded

    def failing(*_):
        raise RuntimeError("nuestro")

    grade_and_store(failing, course, assignment, RUN, VICTIM)
    rows, notices = plain_rows(course, assignment, ",")
    assert VICTIM not in [row[0] for row in rows]
    assert "fallo del corrector, que no es un cero: 1 (Eva Sol" in notices[0]


def test_what_is_graded_and_not_recorded_is_said(graded):
    course, assignment = graded
    path = stored.result_file(course, NAME, VICTIM)
    result = json.loads(path.read_text("utf-8"))
    result["exercises"][0]["points"] = 0
    path.write_text(json.dumps(result), encoding="utf-8")
    rows, notices = plain_rows(course, assignment, ",")
    assert VICTIM not in [row[0] for row in rows]
    assert "corregidas y sin apuntar en el libro: 1 (Eva Sol)" in notices[0]


SHEET = (
    "Identificador,Nombre completo,Estado,Calificación,Calificación máxima,"
    "Última modificación (entrega),Última modificación (calificación)\n"
    'Participante 1000,Ana Gil,{state},,"9,00","{moment}",-\n'
)


def test_the_sheet_and_the_extension_count_whenever_they_come(pristine, tmp_path):
    course, assignment = pristine
    task = Assignment(NAME, "T", assignment.items, assignment.secret, "2026-12-03T23:59")
    course.save(task)
    archive = moodle_zip(tmp_path / "e.zip", [Entry("Ana Gil", {"t.ipynb": b"x"})])
    collect(course, task, archive)
    who = "ana-gil-1000"
    grade_and_store(lambda *_: classroom._row(task, {}, "corregida"), course, task, RUN, who)
    assert not stored.read_result(course, NAME, who)["late"]
    sheet = tmp_path / "hoja.csv"
    late = "viernes, 4 de diciembre de 2026, 10:00"
    sheet.write_text(SHEET.format(state="Enviado", moment=late), encoding="utf-8")
    collect(course, task, archive, sheet)
    result = stored.read_result(course, NAME, who)
    assert result["late"] and "fuera de plazo" in " ".join(result["notes"])
    extended = '"Prórroga hasta: sábado, 5 de diciembre de 2026, 12:00"'
    sheet.write_text(SHEET.format(state=extended, moment=late), encoding="utf-8")
    collect(course, task, archive, sheet)
    result = stored.read_result(course, NAME, who)
    assert not result["late"] and result["submitted"].startswith("2026-12-04T10:00")
    assert stored.is_done(course, task, who)


def dated(path, day, data, name="t.ipynb"):
    with zipfile.ZipFile(path, "w") as archive:
        entry = zipfile.ZipInfo(f"Ana Gil_1000_assignsubmission_file/{name}", day)
        archive.writestr(entry, data)
    return path


def test_an_older_zip_does_not_replace_newer_work(pristine, tmp_path):
    course, assignment = pristine
    new = dated(tmp_path / "nuevo.zip", (2026, 12, 4, 9, 0, 0), b"nuevo")
    old = dated(tmp_path / "viejo.zip", (2026, 12, 1, 9, 0, 0), b"viejo")
    collect(course, assignment, new)
    notices = collect(course, assignment, old)
    path = course.submitted("ana-gil-1000", NAME)
    assert path.read_bytes() == b"nuevo" and "más antiguo" in " ".join(notices)
    collect(course, assignment, dated(old, (2026, 12, 5, 9, 0, 0), b"otro"))
    assert path.read_bytes() == b"otro"
    kept = (course.folder(NAME) / "anteriores/ana-gil-1000").glob("*")
    assert {p.read_bytes() for p in kept} == {b"nuevo", b"viejo"}


def test_who_is_recognised_later_is_the_same_person(pristine, tmp_path):
    course, assignment = pristine
    archive = moodle_zip(tmp_path / "e.zip", [Entry("Ana Gil", {"t.ipynb": b"x"})])
    collect(course, assignment, archive)
    assert "ana-gil-1000" in course.students(NAME)
    (course.root / "alumnos.csv").write_text("id,nombre\nE7,Ana Gil\n", encoding="utf-8")
    notices = collect(course, assignment, archive)
    assert "e7" in course.students(NAME) and "ana-gil-1000" not in course.students(NAME)
    assert any("«ana-gil-1000» es «e7»" in notice for notice in notices)


# --- H. Recoger --------------------------------------------------------------------------------


def test_bad_entries_are_one_note_each(pristine, tmp_path):
    """Fecha a cero, contenido estropeado, nombre de 300 letras y bombas: los demás se recogen."""
    course, assignment = pristine
    path = tmp_path / "e.zip"
    stem = "{}_{}_assignsubmission_file/t.ipynb"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo(stem.format("Fecha Cero", 1), (1980, 1, 1, 0, 0, 0)), b"f")
        archive.writestr(stem.format("Mal Contenido", 2), os.urandom(4000))
        archive.writestr(stem.format("N" * 280, 3), b"largo")
        archive.writestr(stem.format("Buena\x1b Persona", 4), b"bueno")
        for number in range(2):
            archive.writestr(f"Bomba_5_assignsubmission_file/{number}.ipynb", bytes(MAX_BYTES + 9))
    data = bytearray(path.read_bytes())
    data = data.replace(b"\x21\x00", b"\x00\x00", 2)  # el día y el mes, a cero
    place = data.index(b"Mal Contenido") + 1000
    data[place : place + 4] = bytes(b ^ 0xFF for b in data[place : place + 4])
    path.write_bytes(data)
    notices = collect(course, assignment, path)
    said = " ".join(notices)
    assert course.submitted("fecha-cero-1", NAME).read_bytes() == b"f"
    assert course.submitted("buena-persona-4", NAME).read_bytes() == b"bueno"
    assert "Mal Contenido: «t.ipynb» no se puede leer" in said and "\x1b" not in said
    assert course.submitted("mal-contenido-2", NAME).read_bytes() == b""
    bomb = course.submitted("bomba-5", NAME).stat()
    assert bomb.st_size == MAX_BYTES + 1 and bomb.st_blocks * 512 < 100_000
    assert len([who for who in course.students(NAME) if who.startswith("nnn")]) == 1


def test_a_deadline_with_its_offset_works():
    task = Assignment(NAME, "T", (), "", "2026-12-03T23:59+01:00")
    assert task.due.tzinfo is None and task.due < datetime.max


def test_the_second_copy_is_the_newer(pristine, tmp_path):
    """Moodle da a todos los archivos la misma fecha."""
    course, assignment = pristine
    files = {"t.ipynb": b"primera", "t (1).ipynb": b"segunda", "t (2).ipynb": b"tercera"}
    collect(course, assignment, moodle_zip(tmp_path / "e.zip", [Entry("Ana Gil", files)]))
    assert course.submitted("ana-gil-1000", NAME).read_bytes() == b"tercera"


def test_rosters_in_utf16_are_read(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id\tnombre\n1\tÍñigo\n", encoding="utf-16")
    assert read_table(path) == [["id", "nombre"], ["1", "Íñigo"]]
    assert len(slug("ñ" * 300)) < 100 and slug("a" * 300) != slug("a" * 301)


# --- El libro de notas -------------------------------------------------------------------------


def test_another_programs_lock_is_respected(graded, monkeypatch):
    course, assignment = graded
    monkeypatch.setattr(gradebook, "PATIENCE", 0.1)
    results = standing(course, assignment).good
    results[0]["exercises"][0]["points"] = 0
    other = sqlite3.connect(course.gradebook, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    other.execute("UPDATE student SET email = 'suyo@uni.es' WHERE id = 'ana-gil'")
    with pytest.raises(ValueError, match="otro programa está escribiendo"):
        record(course, assignment, results)
    other.execute("COMMIT")
    record(course, assignment, results)
    query = "SELECT email FROM student WHERE id = 'ana-gil'"
    assert other.execute(query).fetchone() == ("suyo@uni.es",)  # y lo suyo sigue
    other.execute("UPDATE student SET email = 'después' WHERE id = 'ana-gil'")
    other.close()
    again = sqlite3.connect(course.gradebook)
    assert again.execute(query).fetchone() == ("después",)


def test_a_draft_does_not_lose_what_another_program_wrote(graded):
    course, _ = graded

    def write(path, email):
        with sqlite3.connect(path) as book:
            book.execute("UPDATE student SET email = ? WHERE id = 'ana-gil'", (email,))
        book.close()

    changed = pytest.raises(ValueError, match="otro programa ha cambiado")
    with changed, gradebook.draft(course) as path:
        write(path, "mío")
        write(course.gradebook, "suyo")
    with gradebook.draft(course) as path:
        write(path, "mío")
    with sqlite3.connect(course.gradebook) as book:
        found = book.execute("SELECT email FROM student WHERE id = 'ana-gil'").fetchone()
    assert found == ("mío",) and not list(course.root.glob("*borrador*"))


def test_recording_again_writes_nothing(graded):
    course, assignment = graded
    copies = len(list((course.root / "copias").glob("*.db")))
    before = course.gradebook.read_bytes()
    assert record(course, assignment, standing(course, assignment).good) == []
    assert course.gradebook.read_bytes() == before
    assert len(list((course.root / "copias").glob("*.db"))) == copies


def test_recording_a_big_class_reads_the_book_once(graded, monkeypatch):
    """Leerlo entero por cada persona hacía que mil entregas tardaran minutos."""
    course, assignment = graded
    read, readings = recording.read_book, []
    monkeypatch.setattr(recording, "read_book", lambda *a: readings.append(a) or read(*a))
    one = standing(course, assignment).good[0]
    many = [one | {"student": f"s{n}", "full_name": f"S {n}"} for n in range(300)]
    record(course, assignment, many)
    whole = [args for args in readings if len(args) == 2]  # sin decir de quién
    assert len(whole) == 2  # qué falta por apuntar, y lo que había
    assert len(read_scores(course, assignment)) == 304


def test_a_full_disk_is_said_in_spanish(graded, monkeypatch, tmp_path):
    from tfcourse.files import write_atomically

    error = OSError(28, "No space left on device", "nota.json")
    assert disk_message(error).startswith("no queda sitio en el disco al escribir nota.json")

    def full(*_):
        raise error

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError):
        write_atomically(tmp_path / "x.json", "{}")
    assert list(tmp_path.glob(".*parcial")) == []
    course, assignment = graded
    with pytest.raises(OSError):  # es de todos: no es la nota de nadie
        grade_and_store(fake, course, assignment, RUN, VICTIM)


# --- La página que lo dice ---------------------------------------------------------------------


def test_the_page_says_what_is_tested():
    """Cada fila tiene su prueba, cada prueba su fila, y la página es la que sale de ellas."""
    from tests.teaching import attacks

    rows = [name for section in attacks.SECTIONS.values() for name in section]
    files = sorted(Path(__file__).parent.glob("test_*.py"))
    written_tests = "\n".join(path.read_text(encoding="utf-8") for path in files)
    assert [name for name in rows if f"\ndef {name}(" not in written_tests] == []
    own = {name for name in globals() if name.startswith("test_")}
    assert own - {*rows} == {"test_the_page_says_what_is_tested"}
    assert attacks.PAGE.read_text(encoding="utf-8") == attacks.page()
