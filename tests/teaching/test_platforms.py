"""Moodle, Canvas, Google Classroom y una carpeta: entregas que entran y notas que salen.

Los archivos son como los que descarga cada plataforma: los nombres y las columnas salen de su
código (Moodle, Canvas) o de lo que ella descarga (Classroom).
"""

import json
import re
import shutil
import zipfile

import nbformat
import pytest

from tests.teaching.classes import SOLUTIONS, Entry, written
from tests.teaching.course import NAME, graded_course, make_course, moodle_zip, release
from tfcourse.teaching.assignment import Course
from tfcourse.teaching.collect import collect
from tfcourse.teaching.deliveries import read_delivery
from tfcourse.teaching.export import fill_sheet
from tfcourse.teaching.feedback import write_feedback
from tfcourse.teaching.platforms import PLATFORMS, named, of_files, of_sheet
from tfcourse.teaching.roster import read_roster
from tfcourse.teaching.tables import read_table

PEOPLE = ["José Ángel Núñez de la Peña", "Zoé Ruiz", "Ana Gil", "Ana Gil"]
NUMBERS = ["4001", "4002", "4003", "4004"]
MAILS = ["ja@uni.es", "zoe@uni.es", "ana.gil@uni.es", "agil@uni.es"]
LATE = "4002"
TITLE = "Atención y memoria"
ROSTER = "Nombre;Apellido(s);Número de ID;Dirección de correo\n" + "".join(
    f"{name.partition(' ')[0]};{name.partition(' ')[2]};E{i};{MAILS[i]}\n"
    for i, name in enumerate(PEOPLE)
)
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "cp1252"]


def sortable(name):
    """Como ordena Canvas: los apellidos, una coma y el nombre."""
    first, _, last = name.partition(" ")
    return f"{last}, {first}"


def canvas_name(name, number, attachment, file, late=False):
    """`get_filename` y `add_upload_submission` de `content_zipper.rb`."""
    parts = [sortable(name).lower(), *(["LATE"] if late else []), number]
    stem = re.sub(r"\W", "", "_".join(parts))
    return f"{stem}_{attachment}_{file}"


def canvas_zip(path, data, copies=True):
    with zipfile.ZipFile(path, "w") as archive:
        for i, (name, number) in enumerate(zip(PEOPLE, NUMBERS, strict=True)):
            file = "tarea-1-2.ipynb" if copies and i == 0 else "tarea-1.ipynb"
            full = canvas_name(name, number, str(90 + i), file, number == LATE)
            archive.writestr(full, data)
    return path


def canvas_book(points="9.00", title=f"{TITLE} (901234)", decimal="."):
    """`csv_data` de `gradebook_exporter.rb`, con la fila de las ocultas y la persona de prueba."""
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Notas propias",
            "Otra tarea (7)", title, "Final Score"]  # fmt: skip
    rows = [
        head,
        ["", "", "", "", "", "", "", "Manual Posting", ""],
        ["    Points Possible", "", "", "", "", "", f"10{decimal}00", points, "(read only)"],
    ]
    for i, name in enumerate(PEOPLE):
        rows.append([sortable(name), NUMBERS[i], f"E{i}", MAILS[i], "A", "", "5", "", "50"])
    rows.append(["Student, Test", "999", "", "x", "A", "", "", "", "0"])
    separator = ";" if decimal == "," else ","
    return "\n".join(separator.join(f'"{cell}"' for cell in row) for row in rows) + "\n"


def drive_zip(path, data):
    """La carpeta de la tarea, con la copia de cada alumno: su nombre delante."""
    with zipfile.ZipFile(path, "w") as archive:
        for name in PEOPLE[:3]:
            archive.writestr(f"{TITLE}/{name} - tarea-1.ipynb", data)
        variant = data.replace(b'"metadata": {', b'"metadata": {\n  "estudiante": "e3",', 1)
        archive.writestr(f"{TITLE}/tarea-1(1).ipynb", variant)
        archive.writestr(f"{TITLE}/tarea-1(2).ipynb", b"{}")
    return path


def classroom_sheet(points="9"):
    rows = [
        ["Last Name", "First Name", "Email Address", "Otra", TITLE],
        ["", "", "Date", "2026-10-01", "2026-12-03"],
        ["", "", "Points", "10", points],
    ]
    for name, mail in zip(PEOPLE, MAILS, strict=True):
        first, _, last = name.partition(" ")
        rows.append([last, first, mail, "7", ""])
    rows.append(["Ausente", "Luz", "luz@uni.es", "", ""])
    return "\n".join(",".join(row) for row in rows) + "\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Una tarea sin recoger."""
    folder = tmp_path_factory.mktemp("plataformas")
    names = ["memoria", "contexto", "gradiente-del-reparto", "decodificador-voraz"]
    return make_course(folder / "curso", names, deadline="2026-12-03T23:59")


@pytest.fixture
def course(made, tmp_path):
    course, assignment = made
    return Course(shutil.copytree(course.root, tmp_path / "curso")), assignment


@pytest.fixture(scope="module")
def answer(made):
    return written(release(made[0]), SOLUTIONS)


def enrol(course, encoding="utf-8"):
    (course.root / "alumnos.csv").write_bytes(ROSTER.encode(encoding))


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_canvas_there_and_back(course, answer, tmp_path, encoding):
    """Con homónimos, tildes y una entrega tarde, y con el libro en varias codificaciones."""
    own, assignment = course
    enrol(own, encoding)
    book = tmp_path / "libro.csv"
    book.write_bytes(canvas_book().encode(encoding))
    archive = canvas_zip(tmp_path / "submissions.zip", answer)
    assert of_sheet(book).name == "canvas"
    notices = collect(own, assignment, archive, book)
    assert own.students(NAME) == ["e0", "e1", "e2", "e3"]
    cards = [read_delivery(own, NAME, f"e{i}") for i in range(4)]
    assert [card["number"] for card in cards] == NUMBERS
    assert [card["full_name"] for card in cards] == PEOPLE
    assert [card["late"] for card in cards] == [False, True, False, False]
    assert any("Zoé Ruiz: entregada fuera de plazo, según la plataforma" in n for n in notices)
    graded_course(own, assignment)
    filled = fill_sheet(own, assignment, book, ",")
    head, hidden, points, *rows = filled.rows
    assert head == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", f"{TITLE} (901234)"]
    assert filled.separator == "," and points[-1] == "9.00" and hidden[-1] == "Manual Posting"
    assert [row[-1] for row in rows] == ["9", "9", "9", "9", ""] and filled.notices == []
    written_pages, _ = write_feedback(own, assignment)
    assert written_pages == ["e0", "e1", "e2", "e3"]
    with zipfile.ZipFile(own.folder(NAME) / "devoluciones.zip") as handed:
        names = handed.namelist()
        notebook = nbformat.reads(handed.read(names[0]).decode(), as_version=4)
    with zipfile.ZipFile(archive) as came:
        assert names == came.namelist()  # Canvas busca la persona y el archivo en ese nombre
    assert [re.findall(r"(?<=_)\d+(?=_)", name)[:2] for name in names] == [
        [number, str(90 + i)] for i, number in enumerate(NUMBERS)
    ]
    assert notebook.cells[0].source.startswith(f"# {TITLE}: 9 de 9 puntos")


def test_canvas_in_spanish_writes_commas(course, answer, tmp_path):
    own, assignment = course
    book = tmp_path / "libro.csv"
    book.write_text("\ufeff" + canvas_book("9,00", decimal=","), encoding="utf-8")
    collect(own, assignment, canvas_zip(tmp_path / "s.zip", answer), book)
    graded_course(own, assignment)
    filled = fill_sheet(own, assignment, book, ",")
    assert filled.separator == ";" and filled.rows[3][-1] == "9"


def test_canvas_without_its_book_uses_the_roster(course, answer, tmp_path):
    """Los homónimos no se distinguen por su nombre: se guardan aparte y se avisa."""
    own, assignment = course
    enrol(own)
    notices = collect(own, assignment, canvas_zip(tmp_path / "s.zip", answer))
    assert {"e0", "e1"} < {*own.students(NAME)} and len(own.students(NAME)) == 4
    assert sum("hay varias personas con ese nombre" in notice for notice in notices) == 2
    (own.root / "alumnos.csv").write_text(canvas_book(), encoding="utf-8")
    assert [s.full_name for s in read_roster(own.root / "alumnos.csv")] == PEOPLE
    collect(own, assignment, tmp_path / "s.zip")
    assert own.students(NAME) == NUMBERS  # su libro sirve de lista, con sus números


def test_anonymous_canvas_files_are_kept_apart(course, answer, tmp_path):
    own, assignment = course
    path = tmp_path / "s.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("anon_AbC12_90_tarea-1.ipynb", answer)
        archive.writestr("anon_LATE_ZyX34_91_tarea-1.ipynb", answer)
    collect(own, assignment, path)
    cards = [read_delivery(own, NAME, who) for who in own.students(NAME)]
    assert [(card["number"], card["late"]) for card in cards] == [("AbC12", False), ("ZyX34", True)]


def test_classroom_there_and_back(course, answer, tmp_path):
    """De quién es cada archivo lo dice su nombre o su variante; si no, se pide."""
    own, assignment = course
    enrol(own)
    sheet = tmp_path / "notas.csv"
    sheet.write_text(classroom_sheet(), encoding="utf-16")
    path = drive_zip(tmp_path / "Atencion-20261204T090000Z-001.zip", answer)
    notices = collect(own, assignment, path, sheet, "classroom")
    assert of_sheet(sheet).name == "classroom"
    assert {"e0", "e1", "e3"} < {*own.students(NAME)}
    assert any("«tarea-1(2).ipynb» no dice de quién es" in notice for notice in notices)
    assert any("hay varias personas con ese nombre" in notice for notice in notices)
    assert read_delivery(own, NAME, "e0")["submitted"] is None  # la de Drive es de su último cambio
    graded_course(own, assignment)
    filled = fill_sheet(own, assignment, sheet, ",")
    assert filled.rows[0] == ["Last Name", "First Name", "Email Address", TITLE, "Comentario"]
    assert [row[3] for row in filled.rows[1:]] == ["9", "9", "", "9", ""]
    assert filled.rows[1][4].startswith("memoria: correcto; contexto: correcto")
    assert any("Ana Gil no está en la hoja" in notice for notice in filled.notices)
    write_feedback(own, assignment)
    with zipfile.ZipFile(own.folder(NAME) / "devoluciones.zip") as handed:
        names = handed.namelist()
    assert "Zoé Ruiz - devolucion-tarea-1.html" in names and len({*names}) == len(names) == 4


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_folder_and_a_csv(course, answer, tmp_path, encoding):
    own, assignment = course
    enrol(own)
    origin = tmp_path / "entregas"
    for who in ("Núñez de la Peña José Ángel", "ZOE@uni.es", "e2", "Ana Gil"):
        (origin / who).mkdir(parents=True)
        (origin / who / "t.ipynb").write_bytes(answer)
    sheet = tmp_path / "hoja.csv"
    text = (
        "Nombre;Correo;Entregada;Prórroga;Nota\n"
        "José Ángel Núñez de la Peña;ja@uni.es;04/12/2026 10:00;;\n"
        "Zoé Ruiz;zoe@uni.es;2026-12-04 10:00;5/12/2026 10:00;\n"
        "Ana Gil;ana.gil@uni.es;;;\nAna Gil;agil@uni.es;-;;3\n"
    )
    sheet.write_bytes(text.encode(encoding))
    notices = collect(own, assignment, origin, sheet)
    assert own.students(NAME) == ["ana-gil", "e0", "e1", "e2"]
    assert any("hay varias personas con ese nombre" in notice for notice in notices)
    assert [read_delivery(own, NAME, f"e{i}")["late"] for i in range(2)] == [True, False]
    graded_course(own, assignment)
    filled = fill_sheet(own, assignment, sheet, ",")
    assert filled.rows[0][-2:] == ["Nota", "Comentario"]
    assert [row[4] for row in filled.rows[1:]] == [
        "9",
        "9",
        "9",
        "3",
    ]  # la de ella queda como estaba
    sheet.write_text("Nombre,Entregada\nZoé Ruiz,ayer\n", encoding="utf-8")
    with pytest.raises(ValueError, match="«ayer» no es una fecha"):
        collect(own, assignment, origin, sheet)


def test_moodle_there_and_back(course, answer, tmp_path):
    """Su hoja vuelve con las mismas columnas y su zip, con los mismos nombres."""
    own, assignment = course
    enrol(own)
    sheet = tmp_path / "hoja.csv"
    rows = "".join(
        f'Participante {1000 + i},{name},{MAILS[i]},Enviado,,"9,00",-,-,\n'
        for i, name in enumerate(PEOPLE)
    )
    head = (
        "Identificador,Nombre completo,Dirección de correo,Estado,Calificación,Calificación máxima,"
        "Última modificación (entrega),Última modificación (calificación),"
        "Comentarios de retroalimentación\n"
    )
    absent = 'Participante 1009,Zoé Ruiz,otra@uni.es,No enviado,,"9,00",-,-,\n'
    sheet.write_bytes((head + rows + absent).encode("utf-16"))
    entries = [Entry(name, {"t.ipynb": answer}) for name in PEOPLE]
    collect(own, assignment, moodle_zip(tmp_path / "e.zip", entries), sheet)
    assert own.students(NAME) == ["e0", "e1", "e2", "e3"]
    graded_course(own, assignment)
    filled = fill_sheet(own, assignment, sheet, ",")
    assert filled.rows[0] == head.strip().split(",") and filled.notices == []
    grades = [row[4] for row in filled.rows[1:]]
    assert grades == ["9"] * 4 + [""]  # otra que se llama igual y no entregó
    write_feedback(own, assignment)
    with zipfile.ZipFile(own.folder(NAME) / "devoluciones.zip") as handed:
        assert (
            f"{PEOPLE[0]}_1000_assignsubmission_file_/devolucion-tarea-1.html" in handed.namelist()
        )


@pytest.mark.parametrize("code", ["utf-8", "cp850", "cp1252"])
def test_zips_of_any_system_say_the_names(course, tmp_path, code):
    """Windows no marca en qué página de códigos escribe; macOS separa las tildes."""
    own, assignment = course
    name = "Íñigo Muñoz Ávila_7_assignsubmission_file"
    path = tmp_path / "e.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("X" * len(name.encode(code)) + "/t.ipynb", b"{}")
        archive.writestr("Jose\u0301_8_assignsubmission_file/t.ipynb", b"{}")
    path.write_bytes(path.read_bytes().replace(b"X" * len(name.encode(code)), name.encode(code)))
    collect(own, assignment, path)
    names = {read_delivery(own, NAME, who)["full_name"] for who in own.students(NAME)}
    assert names == {"Íñigo Muñoz Ávila", "José"}


def test_columns_that_are_not_clear_are_asked_for(course, answer, tmp_path):
    own, assignment = course
    book = tmp_path / "libro.csv"
    book.write_text(canvas_book(title="T1 (55)"), encoding="utf-8")
    collect(own, assignment, canvas_zip(tmp_path / "s.zip", answer), book)
    graded_course(own, assignment)
    with pytest.raises(ValueError, match="no se sabe qué columna.*«T1 .55.».*--columna"):
        fill_sheet(own, assignment, book, ",")
    assert fill_sheet(own, assignment, book, ",", "T1").rows[3][-1] == "9"
    book.write_text(canvas_book("12.00"), encoding="utf-8")
    with pytest.raises(ValueError, match="la tarea vale 12 y aquí 9"):
        fill_sheet(own, assignment, book, ",")


def test_platforms_are_told_apart():
    assert of_files(["Ana_1_assignsubmission_file/t.ipynb"]).name == "moodle"
    assert of_files(["gilana_1_2_t.ipynb", "solzoé_LATE_3_4_t.ipynb"]).name == "canvas"
    assert of_files(["gilana_1_2_t.ipynb", "Zoé/t.ipynb"]).name == "carpeta"
    with pytest.raises(ValueError, match="usa moodle, canvas, classroom, carpeta"):
        named("blackboard")
    assert json.loads(json.dumps([*PLATFORMS])) == ["moodle", "canvas", "classroom", "carpeta"]
    owner = PLATFORMS["classroom"].owner("Tarea/Copia de Ana Gil - tarea - 1.ipynb")
    assert (owner.name, owner.file) == ("Ana Gil", "tarea - 1.ipynb")


def test_books_that_are_not_whole_are_refused(tmp_path):
    path = tmp_path / "l.csv"
    path.write_text("Student,ID,SIS Login ID\nx,1,y\n", encoding="utf-8")
    with pytest.raises(ValueError, match="le falta la columna «Section»"):
        of_sheet(path).people(path)
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(ValueError, match="no es una hoja de calificación de Moodle"):
        of_sheet(path)
    assert read_table(path) == [["a", "b"], ["1", "2"]]
