"""Una clase entera, de recoger a devolver: las notas son las sabidas y nada se escapa.

Por omisión es pequeña; `TFCOURSE_CLASE=120` corrige la clase completa, con todos los ataques.
"""

import csv
import io
import json
import os
import re
import shutil
import tempfile
from pathlib import Path

import nbformat
import pytest

from tests.conftest import ROOT
from tests.systems import require_system
from tests.teaching.browsing import assert_readable
from tests.teaching.classes import POINTS, synthetic_class
from tests.teaching.course import NAME, make_course, moodle_zip, release
from tfcourse.exercises import student
from tfcourse.teaching.classroom import Run, grade_class
from tfcourse.teaching.collect import collect
from tfcourse.teaching.export import fill_worksheet, plain_rows
from tfcourse.teaching.feedback import write_feedback
from tfcourse.teaching.gradebook import open_gradebook
from tfcourse.teaching.limits import Limits
from tfcourse.teaching.recording import record
from tfcourse.teaching.results import all_results, merge_results
from tfcourse.teaching.summary import draw_summary, summarise, summary_text
from tfcourse.teaching.written import read_scores

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]

SIZE = int(os.environ.get("TFCOURSE_CLASE", "24"))
RUN_SETTINGS = Run(limits=Limits(cell_seconds=5), workers=2)


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """La clase recogida, corregida y apuntada: (curso, tarea, entregas por nombre)."""
    require_system("bubblewrap")
    folder = tmp_path_factory.mktemp("clase")
    course, assignment = make_course(folder / "curso", alembic=True, deadline="2100-01-01T23:59")
    entries = synthetic_class(release(course), SIZE)
    collect(course, assignment, moodle_zip(folder / "entregas.zip", entries))
    usual, student.CALL_SECONDS = student.CALL_SECONDS, 3.0
    try:
        results, fresh = grade_class(course, assignment, RUN_SETTINGS)
    finally:
        student.CALL_SECONDS = usual
    assert fresh == len(results) == len(entries) >= 24
    record(course, assignment, results)
    return course, assignment, {entry.name: entry for entry in entries}


def by_name(course):
    return {result["full_name"]: result for result in all_results(course, NAME)}


def test_the_marks_are_the_known_ones(graded):
    course, _, entries = graded
    results = by_name(course)
    assert results.keys() == entries.keys()
    for name, entry in entries.items():
        got = {row["id"]: row["points"] for row in results[name]["exercises"]}
        assert got == entry.marks, (name, results[name])
        keys = {row["id"]: row["key"] for row in results[name]["exercises"]}
        for exercise, key in entry.keys.items():
            assert keys[exercise] == key, (name, keys)
        assert results[name]["status"] in ("corregida", "ilegible")


def test_nobody_escaped(graded):
    course, _, _ = graded
    for folder in ("/", "/tmp", "/usr", "/root", "/dev", "/var/tmp", tempfile.gettempdir()):
        assert not Path(folder, "escapado-tfcourse").exists()
    release_text = course.release(NAME).read_text(encoding="utf-8")
    assert "INICIO SOLUCIÓN" not in release_text


def test_the_gradebook_says_the_same(graded):
    course, assignment, entries = graded
    names = {r["student"]: r["full_name"] for r in all_results(course, NAME)}
    scores = read_scores(course, assignment)
    assert scores.keys() == names.keys()
    for who, cells in scores.items():
        marks = {cell.removesuffix("-prueba"): score for cell, (score, *_) in cells.items()}
        assert marks == entries[names[who]].marks
    with open_gradebook(course.gradebook) as book:
        found = {s["id"]: s["score"] for s in book.submission_dicts(NAME)}
    assert len(found) == len(entries)
    assert sum(found.values()) == sum(sum(entry.marks.values()) for entry in entries.values())


def test_nbgrader_reads_what_was_graded(graded):
    """El cuaderno corregido vale para nbgrader, que cuenta los mismos puntos."""
    from nbgrader.utils import determine_grade, is_grade

    course, _, entries = graded
    for result in all_results(course, NAME):
        if result["status"] != "corregida":
            continue
        notebook = nbformat.read(course.autograded(result["student"], NAME), as_version=4)
        nbformat.validate(notebook)
        cells = [c for c in notebook.cells if "nbgrader" in c.metadata and is_grade(c)]
        counted = {
            c.metadata.nbgrader.grade_id.removesuffix("-prueba"): determine_grade(c)[0]
            for c in cells
        }
        assert counted == entries[result["full_name"]].marks


def test_tampering_is_noted(graded):
    course, _, _ = graded
    notes = {name: " ".join(result["notes"]) for name, result in by_name(course).items()}
    assert notes["Ataque pruebas cambiadas"].count("estaba cambiada: se ha restaurado") == 5
    assert "se corrige «b_nuevo.ipynb»" in notes["Dos Veces"]
    assert "el archivo está vacío" in notes["Ataque vacío"]
    assert notes["José Ángel Núñez de la Peña"] == ""


def test_parts_make_the_same_class(graded, tmp_path):
    course, assignment, entries = graded
    students = course.students(NAME)
    parts = [students[i::3] for i in range(3)]
    assert sorted(sum(parts, [])) == students
    other = type(course)(shutil.copytree(course.root, tmp_path / "curso"))
    shutil.rmtree(other.results(NAME))
    other.gradebook.unlink()
    shutil.copy(sorted((course.root / "copias").glob("*.db"))[0], other.gradebook)
    for number, part in enumerate(parts):
        folder = tmp_path / f"maquina-{number}"
        folder.mkdir()
        for who in part:
            shutil.copy(course.results(NAME) / f"{who}.json", folder)
        merge_results(other, assignment, [folder])
    record(other, assignment, all_results(other, NAME))
    assert read_scores(other, assignment) == read_scores(course, assignment)


def test_a_failure_while_recording_leaves_the_gradebook_alone(graded, monkeypatch):
    from tfcourse.teaching import recording

    course, assignment, _ = graded
    before = course.gradebook.read_bytes()
    real, calls = recording._record_one, []

    def fail_halfway(*arguments):
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(recording, "_record_one", fail_halfway)
    results = all_results(course, NAME)  # con otra nota: apuntar la misma no cambiaría nada
    for row in (row for result in results for row in result["exercises"]):
        row["points"] = row["maximum"] - row["points"]
    with pytest.raises(KeyboardInterrupt):
        record(course, assignment, results)
    assert course.gradebook.read_bytes() == before
    assert not list(course.root.glob("*borrador*"))
    assert list((course.root / "copias").glob("*.db"))


def test_a_mark_given_by_hand_survives_regrading(graded, tmp_path):
    course, assignment, _ = graded
    other = type(course)(shutil.copytree(course.root, tmp_path / "curso"))
    who = other.students(NAME)[0]
    with open_gradebook(other.gradebook) as book:
        grade = book.find_grade("contexto-prueba", NAME, NAME, who)
        grade.manual_score = 1.5
        book.db.commit()
    record(other, assignment, all_results(other, NAME))
    assert read_scores(other, assignment)[who]["contexto-prueba"][0] == 1.5


@pytest.fixture(scope="module")
def pages(graded):
    course, assignment, _ = graded
    return {who: course.feedback(who, NAME) for who in write_feedback(course, assignment)[0]}


def test_feedback_pages_stand_alone(graded, pages):
    course, _, entries = graded
    results = {r["student"]: r for r in all_results(course, NAME)}
    assert len(pages) == len(entries)
    for who, path in pages.items():
        text = path.read_text(encoding="utf-8")
        assert '<html lang="es">' in text and "width=device-width" in text
        assert not re.search(r"(src|href)\s*=|url\(|@import|<script", text), who
        score = sum(entries[results[who]["full_name"]].marks.values())
        assert f"{score} de {sum(POINTS.values())} puntos" in text
    attack = next(r["student"] for n, r in by_name(course).items() if "HTML" in n)
    assert "&lt;script&gt;alert(1)" in pages[attack].read_text(encoding="utf-8")


def test_feedback_pages_pass_axe_and_fit_a_phone(pages, browser):
    assert_readable(browser, pages.values())


def test_the_feedback_zip_is_named_for_moodle(graded, pages):
    import zipfile

    course, _, _ = graded
    with zipfile.ZipFile(course.folder(NAME) / "devoluciones.zip") as archive:
        names = archive.namelist()
    folder = "José Ángel Núñez de la Peña_1000_assignsubmission_file_"
    assert f"{folder}/devolucion-tarea-1.html" in names
    for name in names:  # así lo parte Moodle al subirlo, también en sus versiones antiguas
        parts = name.split("/")[0].split("_", 4)
        assert len(parts) == 5 and parts[1].isdigit() and parts[2] == "assignsubmission"


def test_grades_for_the_moodle_gradebook(graded):
    course, assignment, entries = graded
    (header, *rows), _ = plain_rows(course, assignment, ",")
    assert header[:3] == ["Identificador", "Nombre completo", "Dirección de correo"]
    assert {row[1]: row[3] for row in rows} == {
        name: str(sum(entry.marks.values())) for name, entry in entries.items()
    }


def test_moodles_own_worksheet_is_filled(graded, tmp_path):
    course, assignment, entries = graded
    columns = ["Identificador", "Nombre completo", "Dirección de correo", "Estado", "Calificación",
               "Calificación máxima", "La calificación puede ser cambiada",
               "Última modificación (entrega)", "Última modificación (calificación)",
               "Comentarios de retroalimentación"]  # fmt: skip
    table = [columns] + [
        [f"Participante {1000 + i}", name, "", "Enviado", "", "12,00", "Sí", "-", "-", ""]
        for i, name in enumerate(entries)
    ]
    table.append(["Participante 7", "Ausente", "", "No enviado", "", "12,00", "Sí", "-", "-", ""])
    buffer = io.StringIO()
    csv.writer(buffer).writerows(table)
    sheet = tmp_path / "hoja.csv"
    sheet.write_text("\ufeff" + buffer.getvalue(), encoding="utf-8")
    rows, notices = fill_worksheet(course, assignment, sheet, ",")
    assert notices == [] and rows[0] == columns and rows[-1][4] == ""
    assert {row[1]: row[4] for row in rows[1:-1]} == {
        name: str(sum(entry.marks.values())) for name, entry in entries.items()
    }
    sheet.write_text(buffer.getvalue().replace("12,00", "10,00"), encoding="utf-8")
    with pytest.raises(ValueError, match="la calificación máxima es 10 y la tarea vale 12"):
        fill_worksheet(course, assignment, sheet, ",")
    sheet.write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(ValueError, match="no es una hoja de calificación de Moodle"):
        fill_worksheet(course, assignment, sheet, ",")


def test_the_summary_counts(graded, tmp_path):
    course, assignment, entries = graded
    rows = {row["id"]: row for row in summarise(course, assignment)}
    read = [r for r in by_name(course).values() if r["status"] == "corregida"]
    assert 0 < len(read) < len(entries)  # lo que no se pudo leer no dice nada del ejercicio
    for name, points in POINTS.items():
        assert rows[name]["right"] == sum(e.marks[name] == points for e in entries.values())
        assert rows[name]["answers"] == len(read)
    assert rows["contexto"]["timeouts"] >= 1
    text = summary_text(course, assignment)
    assert f"Entregas: {len(entries)}." in text and "## Para mirar" in text
    said = text.split("## Qué decir en clase")[1]
    for name, row in rows.items():
        for key, count in row["diagnoses"]:
            assert f"- **{name}**, {count} ve" in said, (name, key)
    assert draw_summary(course, assignment, tmp_path / "r.png").stat().st_size > 5_000


def test_secrets_stay_at_home(graded):
    """Ni la tarea repartida ni los cuadernos corregidos dicen con qué datos se corrige."""
    course, assignment, _ = graded
    card = json.loads((course.folder(NAME) / "tarea.json").read_text(encoding="utf-8"))
    assert len(card["secret"]) == 32
    for path in [*course.root.glob("release/**/*"), *course.root.glob("feedback/**/*")]:
        assert path.is_dir() or card["secret"] not in path.read_text(encoding="utf-8")
    assert str(ROOT) not in course.release(NAME).read_text(encoding="utf-8")
