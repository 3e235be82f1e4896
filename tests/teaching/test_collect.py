"""Recoger entregas y reconocer a quien entrega."""

import zipfile
from datetime import datetime

import pytest

from tests.teaching.classes import Entry
from tests.teaching.course import NAME, moodle_zip
from tfcourse.teaching.assignment import Assignment, Course, Item
from tfcourse.teaching.collect import collect, missing
from tfcourse.teaching.deliveries import read_delivery
from tfcourse.teaching.roster import identify, read_roster, slug
from tfcourse.teaching.submission import MAX_BYTES


@pytest.fixture
def course(tmp_path):
    return Course(tmp_path / "curso")


TASK = Assignment(NAME, "Tarea", (Item("contexto", 2),), "x", "2026-12-03T23:59")
PEOPLE = [
    Entry("José Ángel Núñez de la Peña", {"mi tarea (1).ipynb": b"a"}),
    Entry("Ana_María O'Neill", {"t.ipynb": b"b"}),
    Entry("Ana Gil", {"t.ipynb": b"c"}),
    Entry("Ana Gil", {"t.ipynb": b"d"}),
]


@pytest.mark.parametrize("folders", [True, False])
def test_a_moodle_zip(course, tmp_path, folders):
    collect(course, TASK, moodle_zip(tmp_path / "e.zip", PEOPLE, folders))
    assert course.students(NAME) == [
        "ana-gil-1002", "ana-gil-1003", "ana-maria-o-neill-1001",
        "jose-angel-nunez-de-la-pena-1000",
    ]  # fmt: skip
    assert course.submitted("ana-gil-1003", NAME).read_bytes() == b"d"
    card = read_delivery(course, NAME, "jose-angel-nunez-de-la-pena-1000")
    assert card["full_name"] == "José Ángel Núñez de la Peña" and card["number"] == "1000"
    assert card["file"] == "mi tarea (1).ipynb"


def test_with_a_roster_each_one_gets_their_identifier(course, tmp_path):
    course.root.mkdir()
    (course.root / "alumnos.csv").write_bytes(
        "Nombre;Apellido(s);Número de ID;Dirección de correo\n"
        "José Ángel;Núñez de la Peña;E-17;ja@uni.es\nAna;Gil;E-18;a@uni.es\n".encode("cp1252")
    )
    notices = collect(course, TASK, moodle_zip(tmp_path / "e.zip", PEOPLE))
    assert course.submitted("e-17", NAME).read_bytes() == b"a"
    assert any("no está en la lista" in notice for notice in notices)
    assert any("serían los dos «e-18»" in notice for notice in notices)


def test_a_folder_with_a_folder_each(course, tmp_path):
    origin = tmp_path / "entregas"
    for name in ("Íñigo Pérez", "Zoé"):
        (origin / name).mkdir(parents=True)
        (origin / name / "t.ipynb").write_bytes(name.encode())
    (origin / "Zoé/.ipynb_checkpoints").mkdir()
    (origin / "Zoé/.ipynb_checkpoints/t.ipynb").write_bytes(b"viejo")
    (origin / "suelta.ipynb").write_bytes(b"s")
    (origin / "Zoé/enlace.ipynb").symlink_to("/etc/passwd")
    collect(course, TASK, origin)
    assert course.students(NAME) == ["inigo-perez", "suelta", "zoe"]
    assert course.submitted("zoe", NAME).read_bytes() == "Zoé".encode()


def test_hostile_zips(course, tmp_path):
    """Ni rutas que se escapan ni archivos que crecen: nada se extrae por su nombre."""
    path = tmp_path / "e.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../../fuera_1_assignsubmission_file/../../../x.ipynb", b"x")
        archive.writestr("/etc/raíz_2_assignsubmission_file/x.ipynb", b"x")
        archive.writestr("Bomba_3_assignsubmission_file/x.ipynb", bytes(3 * MAX_BYTES))
    collect(course, TASK, path)
    written = [p for p in tmp_path.rglob("*.ipynb")]
    assert len(written) == 3 and all(p.is_relative_to(course.root) for p in written)
    assert max(p.stat().st_size for p in written) == MAX_BYTES + 1
    path.write_bytes(b"PK no es un zip")
    with pytest.raises(ValueError, match="no es un zip que se pueda leer"):
        collect(course, TASK, path)
    with pytest.raises(ValueError, match="no existe"):
        collect(course, TASK, tmp_path / "nada.zip")


def dated_zip(path, name, files):
    with zipfile.ZipFile(path, "w") as archive:
        for file, day, data in files:
            entry = zipfile.ZipInfo(f"{name}/{file}", (2026, 12, day, 9, 0, 0))
            archive.writestr(entry, data)
    return path


def test_late_and_repeated_are_noted(course, tmp_path):
    """Fuera de Moodle, la fecha del archivo es la única que hay."""
    files = ("viejo.ipynb", 1, b"1"), ("nuevo.ipynb", 4, b"2")
    notices = collect(course, TASK, dated_zip(tmp_path / "e.zip", "Ana", files))
    card = read_delivery(course, NAME, "ana")
    assert course.submitted("ana", NAME).read_bytes() == b"2" and card["late"]
    assert any("fuera de plazo, el 04/12/2026 a las 09:00" in notice for notice in notices)
    assert datetime.fromisoformat(card["submitted"]).day == 4


def test_the_dates_of_a_moodle_zip_are_not_believed(course, tmp_path):
    """Moodle pone en todas las entregas la hora a la que se descarga el zip."""
    path = dated_zip(tmp_path / "e.zip", "Ana_9_assignsubmission_file", [("t.ipynb", 30, b"1")])
    notices = collect(course, TASK, path)
    card = read_delivery(course, NAME, "ana-9")
    assert not card["late"] and card["submitted"] is None
    assert any("dila con --hoja" in notice for notice in notices)


SHEET = """\
Identificador,Nombre completo,Dirección de correo,Estado,Calificación,Calificación máxima,\
Última modificación (entrega),Última modificación (calificación)
Participante 1000,José,ja@uni.es,Enviado para calificar,,"2,00","jueves, 3 de diciembre de 2026, \
23:59",-
Participante 1001,Ana_María,am@uni.es,Enviado para calificar - 1 minuto de retraso,,"2,00",\
"viernes, 4 de diciembre de 2026, 00:00",-
Participante 1002,Ana Gil,Gil@uni.es,"Enviado - Prórroga hasta: sábado, 5 de diciembre de 2026, \
12:00",,"2,00","sábado, 5 de diciembre de 2026, 11:59",-
Participante 1003,Ana Gil,ana@uni.es,Enviado para calificar,,"2,00",-,-
"""


def test_moodles_worksheet_says_when_and_who(course, tmp_path):
    """El último minuto vale, la prórroga también, y el correo distingue a dos tocayas."""
    sheet = tmp_path / "hoja.csv"
    sheet.write_text("\ufeff" + SHEET, encoding="utf-8")
    course.root.mkdir()
    (course.root / "alumnos.csv").write_text(
        "id,nombre,apellidos,correo\n1,José,,JA@uni.es\n2,Ana María,,am@uni.es\n"
        "3,Ana,Gil,GIL@uni.es\n4,Ana,Gil,ana@uni.es\n5,Ausente,,x@uni.es\n",
        encoding="utf-8",
    )
    notices = collect(course, TASK, moodle_zip(tmp_path / "e.zip", PEOPLE), sheet)
    cards = {who: read_delivery(course, NAME, who) for who in "1234"}
    assert [cards[who]["late"] for who in "1234"] == [False, True, False, False]
    assert cards["3"]["number"] == "1002" and cards["4"]["number"] == "1003"
    assert cards["1"]["submitted"].startswith("2026-12-03T23:59")
    assert len(notices) == 1 and "fuera de plazo, el 04/12/2026 a las 00:00" in notices[0]
    assert missing(course, TASK) == ["Ausente"]
    stamp = course.submitted("1", NAME).with_name("timestamp.txt")
    assert stamp.read_text("utf-8").startswith("2026-12-03T23:59")
    undated = SHEET.replace('"jueves, 3 de diciembre de 2026, 23:59"', "-")
    sheet.write_text(undated, encoding="utf-8")
    collect(course, TASK, tmp_path / "e.zip", sheet)  # la fecha de antes ya no vale
    assert not stamp.exists() and read_delivery(course, NAME, "1")["submitted"] is None


def test_the_notebook_of_this_assignment_is_the_one(course, tmp_path):
    """Aunque el otro archivo sea más nuevo."""
    own = b'{"grade_id": "contexto-respuesta"}'
    files = ("apuntes.ipynb", 2, b"{}"), ("tarea.ipynb", 1, own), ("copia.txt", 3, own)
    notices = collect(course, TASK, dated_zip(tmp_path / "e.zip", "Ana", files))
    assert course.submitted("ana", NAME).read_bytes() == own
    assert "se corrige «tarea.ipynb» (no: apuntes.ipynb, copia.txt)" in notices[0]


def test_rosters_are_checked(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id,nombre\n1,Ana\n1,Luis\n", encoding="utf-8")
    with pytest.raises(ValueError, match="se repite el identificador 1"):
        read_roster(path)
    path.write_text("columna\n1\n", encoding="utf-8")
    with pytest.raises(ValueError, match="no hay ninguna columna de nombre"):
        read_roster(path)


def test_names_are_recognised_however_they_are_written(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id\tnombre\tapellidos\nx\tJOSÉ\tPeña  Núñez\n", encoding="utf-8")
    roster = read_roster(path)
    assert identify("Pena Nuñez José", "5", roster) == ("x", None)
    assert identify("Otra", "5", roster)[0] == "otra-5"
    assert slug("Ñandú & Cía.") == "nandu-cia"
