"""La hoja de calificación de Moodle, en los idiomas de sus sitios."""

from datetime import datetime

import pytest

from tfcourse.teaching.assignment import Assignment
from tfcourse.teaching.lateness import days_late, is_past
from tfcourse.teaching.worksheet import Worksheet, moodle_date

SPAIN = """\
Identificador,Nombre completo,Dirección de correo,Estado,Calificación,Calificación máxima,\
La calificación puede ser cambiada,Última modificación (entrega),\
Última modificación (calificación),Comentarios de retroalimentación
Participante 7,Ana,a@uni.es,Enviado para calificar,,"10,00",Sí,\
"lunes, 5 de octubre de 2026, 10:00",-,
"""
ENGLISH = """\
Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,\
Last modified (submission),Last modified (grade),Feedback comments
Participant 7,Ana,a@uni.es,Submitted for grading,,10.00,Yes,\
"Monday, 5 October 2026, 10:00 AM",-,
"""


def sheet(folder, text):
    path = folder / "hoja.csv"
    path.write_text("\ufeff" + text, encoding="utf-8")
    return Worksheet(path)


@pytest.mark.parametrize(("text", "decimal"), [(SPAIN, ","), (ENGLISH, ".")])
def test_the_sheet_is_understood(tmp_path, text, decimal):
    found = sheet(tmp_path, text)
    assert found.decimal == decimal
    (person,) = found.people().values()
    assert (person.number, person.full_name, person.email) == ("7", "Ana", "a@uni.es")
    assert person.submitted == datetime(2026, 10, 5, 10) and person.extension is None
    assert all(place is not None for place in found.places.values())
    found.check_maximum(10)
    with pytest.raises(ValueError, match="la calificación máxima es 10 y la tarea vale 12"):
        found.check_maximum(12)


def test_a_scale_is_refused(tmp_path):
    with pytest.raises(ValueError, match="«Apto», que no es un número"):
        sheet(tmp_path, SPAIN.replace('"10,00"', "Apto")).check_maximum(10)


def test_a_whole_maximum_does_not_show_the_decimal(tmp_path):
    assert sheet(tmp_path, SPAIN.replace('"10,00"', "10")).decimal is None


def test_participants_without_a_space(tmp_path):
    """En español Moodle escribe «Participante7», sin espacio, según la versión."""
    assert [*sheet(tmp_path, SPAIN.replace("Participante 7", "Participante7")).people()] == ["7"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("miércoles, 16 de septiembre de 2026, 23:59", datetime(2026, 9, 16, 23, 59)),
        ("Wednesday, 16 September 2026, 11:59 PM", datetime(2026, 9, 16, 23, 59)),
        ("Wednesday, 16 September 2026, 12:05 AM", datetime(2026, 9, 16, 0, 5)),
        ("Wednesday, 16 September 2026, 12:05 PM", datetime(2026, 9, 16, 12, 5)),
        ("-", None), ("", None), ("31 de febrero de 2026, 10:00", None),
        ("Enviado para calificar - 2 días de retraso", None), ("5 de zzz de 2026, 10:00", None),
    ],
)  # fmt: skip
def test_dates(text, wanted):
    assert moodle_date(text) == wanted


def test_the_last_minute_counts_whole():
    def due(text):
        return Assignment("t", "T", (), "", text)

    on_time = due("2026-12-03T23:59")
    assert not is_past(on_time, datetime(2026, 12, 3, 23, 59), None)
    assert is_past(on_time, datetime(2026, 12, 4), None)
    assert not is_past(due("2026-12-03T23:59:30"), datetime(2026, 12, 3, 23, 59), None)
    assert not is_past(due(None), datetime(2026, 12, 4), None)
    assert not is_past(on_time, datetime(2026, 12, 4), datetime(2026, 12, 5))
    days = [days_late(on_time, datetime(2026, 12, day, 0, 0), None) for day in (4, 5, 6)]
    assert days == [1, 2, 3] and days_late(on_time, datetime(2026, 12, 4, 23, 59), None) == 1


def test_other_sheets_are_refused(tmp_path):
    with pytest.raises(ValueError, match="no es una hoja de calificación de Moodle"):
        sheet(tmp_path, "a,b\n1,2\n")
    with pytest.raises(ValueError, match="no existe"):
        Worksheet(tmp_path / "otra.csv")
    (tmp_path / "nada.csv").write_text("\n")
    with pytest.raises(ValueError, match="está vacío"):
        Worksheet(tmp_path / "nada.csv")
