"""Un cuatrimestre: puntuar por casos, rúbricas, retrasos, cambios, grupos, parecidos y el banco."""

import csv
import json
import re
import shlex
import shutil
import subprocess
import zipfile
from dataclasses import replace

import pytest
import typer
import yaml
from typer.testing import CliRunner

from tests.conftest import ROOT
from tests.teaching.classes import SOLUTIONS, written
from tests.teaching.course import NAME, OPEN, essay, fake_grade, graded_course, make_course, release
from tfcourse.bank.registry import EXERCISES, topic_exercises, topics
from tfcourse.exercises.diagnosis import Diagnosis
from tfcourse.teaching import classroom
from tfcourse.teaching._commands import app
from tfcourse.teaching.assignment import Course, LatePolicy
from tfcourse.teaching.autograded import graded_notebook
from tfcourse.teaching.catalogue import draw, search
from tfcourse.teaching.collect import collect, missing
from tfcourse.teaching.deliveries import delivery_card, read_delivery
from tfcourse.teaching.edit import save_changes, with_points
from tfcourse.teaching.export import plain_rows
from tfcourse.teaching.feedback import write_feedback
from tfcourse.teaching.gradebook import open_gradebook
from tfcourse.teaching.groups import read_groups
from tfcourse.teaching.jobs import write_jobs
from tfcourse.teaching.journal import journal_file
from tfcourse.teaching.likeness import class_pairs, likeness_page, shape, similar
from tfcourse.teaching.manual import apply_sheet, sheet_header, write_sheet
from tfcourse.teaching.meanings import MEANINGS, meaning
from tfcourse.teaching.override import override
from tfcourse.teaching.results import is_done, read_result, standing
from tfcourse.teaching.roster import course_roster
from tfcourse.teaching.rubric import forget_marks, with_rubric
from tfcourse.teaching.steps import parse_late, parse_points
from tfcourse.teaching.submission import Submission
from tfcourse.teaching.summary import summarise, summary_text
from tfcourse.teaching.tables import read_table, write_table
from tfcourse.teaching.variants import write_new_variants, write_variants
from tfcourse.teaching.written import read_scores

DUE = "2026-12-03T23:59"
ROSTER = "id,nombre,correo\nana,Ana Gil,a@uni.es\neva,Eva Sol,e@uni.es\nluis,Luis Paz,l@uni.es\n"


def essays(course, assignment, student, run):
    """Corrige de mentira y guarda lo que contestó cada cual."""
    submitted = classroom.read_notebook(course.submitted(student, NAME))
    cells = {cell.id: cell.source for cell in submitted.cells}
    kept = {name: text for name, text in cells.items() if name.endswith(("-texto", "-respuesta"))}
    return fake_grade(course, assignment, student, run) | {"answers": kept}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Tres entregas corregidas: la de Eva, un día y medio tarde."""
    folder = tmp_path_factory.mktemp("cuatrimestre")
    course, assignment = make_course(folder / "curso", ["memoria", "contexto", OPEN], deadline=DUE)
    (course.root / "alumnos.csv").write_text(ROSTER, encoding="utf-8")
    origin = folder / "entregas"
    for who in ("ana", "eva", "luis"):
        (origin / who).mkdir(parents=True)
        data = written(release(course), SOLUTIONS, essay(f"Soy {who}."))
        (origin / who / "t.ipynb").write_bytes(data)
    sheet = folder / "fechas.csv"
    moments = {"ana": "3/12/2026 10:00", "eva": "5/12/2026 10:00", "luis": "3/12/2026 23:59"}
    rows = "".join(f"{who},{moment}\n" for who, moment in moments.items())
    sheet.write_text(f"id,entregada\n{rows}", encoding="utf-8")
    collect(course, assignment, origin, sheet)
    graded_course(course, assignment, essays)
    return course, assignment


@pytest.fixture
def course(made, tmp_path):
    course, assignment = made
    return Course(shutil.copytree(course.root, tmp_path / "curso")), assignment


def totals(course, assignment):
    (_, *rows), notices = plain_rows(course, assignment, ",")
    return {row[0]: row[3] for row in rows}, notices


def journal(course):
    text = journal_file(course, NAME).read_text("utf-8-sig")
    return [row[2:] for row in csv.reader(text.splitlines(), delimiter=";")][1:]


def page_of(course, assignment, who):
    write_feedback(course, assignment)
    return course.feedback(who, NAME).read_text("utf-8")


# --- Por casos ---------------------------------------------------------------------------------


def half_right(alpha, h):
    """Bien con un lote de uno y mal con los demás."""
    return (alpha[:, :, None] * h).sum(1) if len(h) == 1 else h.sum(1)


def test_each_case_gives_its_part():
    exercise = EXERCISES["contexto"]
    shapes = [case.make()[1].shape for case in exercise.task.cases]
    easy = sum(1 in shape[:2] for shape in shapes)  # con un solo paso, sumar es lo mismo
    verdict = exercise.judge(half_right)
    assert verdict.total == len(shapes) + 1 and 0 < verdict.right == easy < len(shapes)
    right = exercise.judge(lambda alpha, h: (alpha[:, :, None] * h).sum(1))
    assert right.diagnosis is None and right.right == right.total
    cut = exercise.judge(lambda alpha, h: (alpha[:, :, None] * h).sum(1).detach())
    assert cut.diagnosis.key == "sin-gradiente" and cut.right == cut.total - 1
    for nothing in (None, lambda alpha, h: None, lambda x: x):
        assert exercise.judge(nothing).right == 0


def test_a_partial_mark_reaches_the_page_and_nbgrader(course):
    from nbgrader.utils import determine_grade

    own, assignment = course
    partial = replace(assignment, partial=True)
    wrong = {"memoria": None, "contexto": Diagnosis("valores", "mal"), OPEN: None}
    shares = {"contexto": (2, 3)}
    assert classroom._row(assignment, wrong, "corregida", shares)["exercises"][1]["points"] == 0
    result = classroom._row(partial, wrong, "corregida", shares)
    assert result["exercises"][1]["points"] == 1.33
    notebook = graded_notebook(release(own), Submission([], {}), result)
    cells = {cell.id: cell for cell in notebook.cells}
    assert determine_grade(cells["contexto-prueba"]) == (1.33, 2.0)
    own.save(partial)
    graded_course(own, partial, lambda *_: result | {"answers": {}})
    text = page_of(own, partial, "ana")
    assert "1,33 de 2 puntos" in text and "<dd>2 de 3</dd>" in text


# --- Retrasos ----------------------------------------------------------------------------------


def test_being_late_costs_what_the_policy_says(course):
    own, assignment = course
    before, _ = totals(own, assignment)
    assert set(before.values()) == {"5"}
    for text, wanted in (("10", "4"), ("10/1", "4,5"), ("60/0/50", "2,5"), ("10/2", "5")):
        policy = replace(assignment, late=parse_late(text))
        assert totals(own, policy)[0] == before | {"eva": wanted}
    text = page_of(own, replace(assignment, late=LatePolicy(10)), "eva")
    assert "4 de 13 puntos" in text and "Descuento por el retraso: 1 de 5 puntos." in text
    assert parse_late("no") is None
    for wrong in ("0", "x", "10/2/3/4", "10/-1", "200"):
        with pytest.raises(ValueError, match="10/2/50, con un tope"):
            parse_late(wrong)


def test_who_is_late_without_a_date_is_named(course):
    own, assignment = course
    path = delivery_card(own, NAME, "eva")
    card = json.loads(path.read_text("utf-8")) | {"submitted": None, "late": True}
    path.write_text(json.dumps(card), encoding="utf-8")
    graded_course(own, assignment, essays)
    found, notices = totals(own, replace(assignment, late=LatePolicy(10)))
    assert found["eva"] == "5" and any("no se les descuenta: Eva Sol" in n for n in notices)


def test_a_new_deadline_moves_the_lateness_and_no_mark(course):
    own, assignment = course
    assert read_delivery(own, NAME, "eva")["late"]
    told = save_changes(own, assignment, replace(assignment, deadline="2026-12-05T12:00"))
    assert told == ["los retrasos se han vuelto a calcular"]
    later = own.load(NAME)
    assert not read_result(own, NAME, "eva")["late"]
    assert all(is_done(own, later, who) for who in own.students(NAME))
    assert "5 de diciembre de 2026, 12:00" in release(own).cells[0].source
    with open_gradebook(own.gradebook) as book:
        assert f"{book.find_assignment(NAME).duedate:%d}" == "05"
    assert ["", "la tarea", "plazo", DUE, "2026-12-05T12:00", "cambio de la tarea"] in journal(own)
    assert save_changes(own, later, later) == ["no hay nada que cambiar"]


# --- Puntos, notas a mano y recorrecciones -----------------------------------------------------


def test_other_points_are_everywhere_and_marks_are_repeated(course):
    own, assignment = course
    after = replace(
        assignment, items=with_points(assignment, parse_points("contexto=5, memoria=2"))
    )
    told = save_changes(own, assignment, after)
    assert "repite «docente corregir»" in told[0] and "vale ahora 17 puntos" in told[1]
    assert len(standing(own, own.load(NAME)).stale) == 3
    cells = {cell.id: cell for cell in release(own).cells}
    assert cells["contexto-prueba"].metadata.nbgrader.points == 5
    assert "· 5 puntos ·" in cells["contexto-enunciado"].source
    assert "**Valen** 17 puntos" in cells["portada"].source
    graded_course(own, own.load(NAME), essays)
    with open_gradebook(own.gradebook) as book:
        assert book.find_assignment(NAME).max_score == 17
        assert book.find_submission(NAME, "ana").score == 9
    with pytest.raises(ValueError, match="no está luong"):
        with_points(assignment, {"luong": 2})
    with pytest.raises(ValueError, match="contexto=3,luong=2"):
        parse_points("contexto:3")


def test_a_mark_by_hand_has_a_reason_and_a_line(course):
    own, assignment = course
    override(own, assignment, "ana", "contexto", 0.5, "Copió el reparto del vecino")
    cell = read_scores(own, assignment)["ana"]["contexto-prueba"]
    assert cell.score == 0.5 and cell.by_hand and not cell.pending
    text = page_of(own, assignment, "ana")
    assert "Nota puesta a mano" in text and "Nota revisada: Copió el reparto del vecino" in text
    assert "Nota revisada: Copió" in plain_rows(own, assignment, ",")[0][1][4]
    graded_course(own, assignment, essays)  # volver a corregir no la toca
    assert read_scores(own, assignment)["ana"]["contexto-prueba"][:3] == (0.5, 2, False)
    line = ["ana", "Ana Gil", "contexto", "2", "0,5", "Copió el reparto del vecino"]
    assert journal(own) == [line]
    override(own, assignment, "ana", "contexto", None, "Era suyo")
    assert read_scores(own, assignment)["ana"]["contexto-prueba"].score == 2
    assert journal(own)[1][3:] == ["0,5", "2", "Era suyo"]
    for arguments, message in (
        (("ana", "contexto", 1.0, " "), "di por qué con --motivo"),
        (("ana", "contexto", 3.0, "x"), "va de 0 a 2: 3 no vale"),
        (("ana", "nada", 1.0, "x"), "ningún ejercicio «nada»"),
        (("otra", "contexto", 1.0, "x"), "no tiene una nota que valga"),
    ):
        with pytest.raises(ValueError, match=message):
            override(own, assignment, *arguments)


def test_a_mark_by_hand_is_of_the_answer_it_was_given_to(course):
    own, assignment = course
    override(own, assignment, "ana", "contexto", 0.5, "Estilo")
    data = written(release(own), SOLUTIONS | {"contexto": SOLUTIONS["contexto"] + "\n# otra\n"})
    own.submitted("ana", NAME).write_bytes(data)
    notices = graded_course(own, assignment, essays)
    assert "Ana Gil: ha entregado otro texto en contexto" in notices[0]
    assert read_scores(own, assignment)["ana"]["contexto-prueba"].score == 2


def test_who_changes_when_an_exercise_is_mended(course, monkeypatch, capsys):
    from tfcourse.teaching import results
    from tfcourse.teaching.steps import Regrading

    own, assignment = course
    own.submitted("luis", NAME).write_bytes(written(release(own), SOLUTIONS, essay("Otro.")))
    monkeypatch.setattr(results, "_course_correction", lambda: "corrector arreglado")
    regrading = Regrading(own, assignment)

    def mended(course, assignment, student, run):
        found = essays(course, assignment, student, run)
        if student != "ana":
            found["exercises"][1] |= {"points": 0, "key": "valores", "likely": "mal"}
        return found

    graded_course(own, assignment, mended)
    regrading.tell()
    said = capsys.readouterr().out
    assert "cambia la nota de 2 personas" in said and "Ana" not in said
    assert "Eva Sol: contexto, de 2 a 0 (la misma entrega, corregida otra vez)" in said
    assert "Luis Paz: contexto, de 2 a 0 (otra entrega)" in said
    assert [row[0] for row in journal(own)] == ["eva", "luis"]
    Regrading(own, assignment).tell()
    assert capsys.readouterr().out == ""


# --- Rúbricas ----------------------------------------------------------------------------------


def rubric_file(folder, *rows):
    path = folder / "rubrica.csv"
    lines = ["ejercicio;criterio;puntos;descripción", *rows]
    path.write_bytes("\n".join(lines).encode("cp1252"))
    return path


def test_a_rubric_of_ones_own(course, tmp_path):
    own, assignment = course
    sheet, _, _ = write_sheet(own, assignment)
    rows = read_table(sheet)
    for row in rows[1:]:
        row[4:8] = ["1", "1", "1", "1"]
    write_table(sheet, rows, ";")
    apply_sheet(own, assignment, sheet)
    path = rubric_file(tmp_path, f"{OPEN};claridad;1,5;se entiende", f"{OPEN};rigor;3,5;lo mide")
    after = with_rubric(assignment, path)
    save_changes(own, assignment, after)
    assert forget_marks(own, assignment, after) == 3
    after = own.load(NAME)
    assert after.items[2].manual_points == 5 and after.points == 10
    assert (
        "| **rigor** | 3,5 | lo mide |"
        in {c.id: c.source for c in release(own).cells}[f"{OPEN}-enunciado"]
    )
    graded_course(own, after, essays)
    sheet, reading, empty = write_sheet(own, after)
    assert empty == 3 and (own.folder(NAME) / "a-mano-anterior.csv").exists()
    assert "rigor, de 0 a 3,5: lo mide" in reading.read_text("utf-8")
    rows = read_table(sheet)
    assert rows[0] == sheet_header(after) and rows[0][4:6] == ["claridad", "rigor"]
    for row in rows[1:]:
        row[4:6] = ["1", "3,5"]
    write_table(sheet, rows, ";")
    assert apply_sheet(own, after, sheet) == (3, 0)
    cell = read_scores(own, after)["ana"][f"{OPEN}-texto"]
    assert cell.score == 4.5 and cell.comment == "Claridad: 1 de 1,5 · rigor: 3,5 de 3,5."
    rows[1][5] = "4"
    write_table(sheet, rows, ";")
    with pytest.raises(ValueError, match="«rigor» dice «4» y va de 0 a 3,5"):
        apply_sheet(own, after, sheet)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("memoria;x;1;", "«memoria» no es un ejercicio abierto"),
        (f"{OPEN};x;0;", "«0» no son unos puntos"),
        (f"{OPEN};texto;1;", "el criterio «texto» no vale"),
        (f"{OPEN};x;1,5;", "suman 1,5: deben dar un entero"),
    ],
)
def test_wrong_rubrics_are_refused(made, tmp_path, row, message):
    with pytest.raises(ValueError, match=message):
        with_rubric(made[1], rubric_file(tmp_path, row))


# --- Grupos y variantes ------------------------------------------------------------------------


def test_one_hands_in_for_the_group(made, tmp_path):
    course, assignment = made
    own = Course(tmp_path / "curso")
    shutil.copytree(course.root, own.root, ignore=shutil.ignore_patterns("submitted", "entregas"))
    shutil.rmtree(own.results(NAME))
    path = tmp_path / "grupos.csv"
    path.write_text("correo;grupo\na@uni.es;Rojo\nl@uni.es;Rojo\ne@uni.es;\n", encoding="utf-8")
    groups = read_groups(path, course_roster(own.root))
    assert groups == {"ana": "Rojo", "luis": "Rojo"}
    team = replace(assignment, groups=groups, seed="7")
    origin = tmp_path / "entregas"
    (origin / "ana").mkdir(parents=True)
    (origin / "ana/t.ipynb").write_bytes(written(release(own), SOLUTIONS))
    collect(own, team, origin)
    assert own.students(NAME) == ["ana", "luis"] and missing(own, team) == ["Eva Sol"]
    card = read_delivery(own, NAME, "luis")
    assert "entrega del grupo «Rojo», que hizo Ana Gil" in card["notes"]
    assert team.variant_number("ana", "memoria") == team.variant_number("luis", "memoria")
    assert team.salt("ana", "x") == team.salt("luis", "x") != team.salt("eva", "x")
    graded_course(own, team)
    assert totals(own, team)[0] == {"ana": "5", "luis": "5"}
    (origin / "luis").mkdir()
    (origin / "luis/t.ipynb").write_bytes(written(release(own), {}))
    notices = collect(own, team, origin)
    assert any("grupo «Rojo»: han entregado Ana Gil, Luis Paz" in notice for notice in notices)
    assert own.submitted("ana", NAME).read_bytes() == own.submitted("luis", NAME).read_bytes()
    path.write_text("correo;grupo\na@uni.es;Rojo\na@uni.es;Azul\n", encoding="utf-8")
    with pytest.raises(ValueError, match="«Ana Gil» está en dos grupos|está en dos grupos"):
        read_groups(path, course_roster(own.root))


def test_who_enrols_late_gets_a_variant_and_nobody_elses_changes(course):
    own, assignment = course
    with pytest.raises(ValueError, match="no reparte variantes"):
        write_new_variants(own, assignment, [])
    seeded = replace(assignment, seed="7")
    write_variants(own, seeded, course_roster(own.root)[:2])
    path = own.folder(NAME) / "variantes.zip"
    before = {name: zipfile.ZipFile(path).read(name) for name in zipfile.ZipFile(path).namelist()}
    target, people = write_new_variants(own, seeded, course_roster(own.root))
    assert people == ["Luis Paz"] and zipfile.ZipFile(target).namelist() == [
        "Luis Paz (luis)/tarea-1.ipynb"
    ]
    with zipfile.ZipFile(path) as archive:
        assert {name: archive.read(name) for name in before} == before
        assert len(archive.namelist()) == 3


# --- Parecidos ---------------------------------------------------------------------------------

USUAL = "def f(a, h):\n    return (a[:, :, None] * h).sum(dim=1)\n"
ODD = """def f(a, h):
    total = []
    for b in range(len(h)):
        row = torch.zeros(h.shape[-1])
        for t in range(h.shape[1]):
            row = row + a[b, t] * h[b, t]
        total.append(row)
    return torch.stack(total)
"""
RENAMED = '''def f(pesos, estados):
    """Lo he hecho yo."""
    salida = []   # lista
    for i in range(len(estados)):
        fila = torch.zeros(estados.shape[-1])
        for j in range(estados.shape[1]):
            fila = fila + pesos[i, j] * estados[i, j]
        salida.append(fila)
    return torch.stack(salida)
'''
OTHER = """def f(a, h):
    out = torch.einsum("bt,btd->bd", a, h)
    assert out.ndim == 2
    return out
"""


def test_structure_is_what_counts():
    assert shape(ODD) == shape(RENAMED) != shape(USUAL)
    assert shape("def f(:") == [] and shape("\0") == [] and shape("(" * 5_000) == []
    assert len(shape("x = 1\n" * 5_000)) <= 5_000
    people = {f"p{i}": USUAL for i in range(12)} | {"ana": ODD, "eva": RENAMED, "luis": OTHER}
    (pair,) = similar(people, "contexto")  # quien escribe lo habitual no se parece a nadie
    assert (pair.one, pair.other) == ("ana", "eva") and pair.likeness == pytest.approx(1)
    crowd = {f"q{i}": ODD for i in range(4)}  # lo que escribe más de un cuarto no dice nada
    assert similar({f"p{i}": USUAL for i in range(6)} | crowd, "contexto") == []
    half = ODD.replace("torch.stack(total)", "torch.cat([t[None] for t in total]).contiguous()")
    (pair,) = similar(people | {"eva": half}, "contexto")
    assert 0.6 < pair.likeness < 0.95
    assert similar({"ana": USUAL, "eva": OTHER}, "contexto") == []


def test_the_page_shows_both_and_says_its_limits(course):
    own, assignment = course
    for number, who in enumerate(("ana", "eva")):
        path = own.results(NAME) / f"{who}.json"
        result = json.loads(path.read_text("utf-8"))
        code = (ODD, RENAMED)[number].replace("def f", "# <b>\ndef context_vector")
        result["answers"]["contexto-respuesta"] = code
        path.write_text(json.dumps(result), encoding="utf-8")
    pairs, people = class_pairs(own, assignment)
    assert [(p.exercise, p.one, p.other) for p in pairs] == [("contexto", "ana", "eva")]
    text = likeness_page(assignment, pairs, people)
    assert "Parecerse no es copiar" in text and "Ana Gil" in text and "# &lt;b&gt;" in text
    team = replace(assignment, groups={"ana": "R", "eva": "R"})
    for who in ("ana", "eva"):  # los de un grupo entregan lo mismo
        path = own.results(NAME) / f"{who}.json"
        mark = classroom.fingerprint(own, team, who)
        path.write_text(json.dumps(json.loads(path.read_text()) | {"fingerprint": mark}))
    assert class_pairs(own, team)[0] == []


# --- El banco, el resumen y los trabajos -------------------------------------------------------


def test_the_bank_is_searched_and_drawn():
    found = search(ROOT, ["lstm_gru", "redes_recurrentes"], ["codigo"], "2-3", "")
    assert found and {entry.chapter for entry in found} == {"lstm_gru", "redes_recurrentes"}
    assert all(e.card.kind == "codigo" and e.card.difficulty >= 2 for e in found)
    assert {entry.chapter for entry in draw(found, 2, "a")} == {"lstm_gru", "redes_recurrentes"}
    assert draw(found, 3, "a") == draw(found, 3, "a")
    drawn = {tuple(e.card.id for e in draw(found, 3, str(seed))) for seed in range(10)}
    assert len(drawn) > 1
    everything = search(ROOT, [], [], "", "")
    assert {e.card.id for e in everything} == {*EXERCISES}
    bank = str(ROOT / "chapters/docencia/banco_de_ejemplo")
    assert len(search(ROOT, [], [], "", bank)) == len(everything) + 2
    for arguments, message in (
        ((["nada"], [], ""), "ningún capítulo «nada»"),
        (([], ["raro"], ""), "ningún tipo «raro»; hay: comprender, codigo, abierto"),
        (([], [], "mucha"), "la dificultad «mucha» no vale"),
    ):
        with pytest.raises(ValueError, match=message):
            search(ROOT, *arguments)
    with pytest.raises(ValueError, match="y pides 9999"):
        draw(found, 9_999, "")


EVIL = "](javascript:alert(1)) <script>x</script> | **tonto el profesor**"


def test_the_summary_is_safe_from_what_students_write(course):
    """Ni sus mensajes van a clase ni lo que no se pudo leer cuenta como un error del ejercicio."""
    own, assignment = course

    def grade(course, assignment, student, run):
        result = essays(course, assignment, student, run)
        if student == "ana":
            wrong = {"key": EVIL, "likely": EVIL, "original": EVIL, "points": 0}
            result["exercises"][0] |= wrong
            result["exercises"][1] |= {"key": "nombre", "likely": EVIL, "points": 0}
            result["notes"] = [EVIL]
        if student == "eva":
            return classroom._row(assignment, {}, "ilegible") | {"answers": {}, "notes": ["vacío"]}
        return result

    graded_course(own, assignment, grade)
    text = summary_text(own, assignment)
    shown, apart = text.split("## Para mirar")
    for piece in ("javascript", "script", "tonto"):
        assert piece not in shown
    assert f"**contexto**, 1 vez: {MEANINGS['nombre']}." in shown and "otro (1)" in shown
    (line,) = (line for line in apart.split("\n") if "javascript" in line)
    assert not re.search(r"(?<!\\)[<>\[\]*|]", line)
    assert "Entregas: 3. No se pudieron leer: 1" in text and "sin-corregir" not in shown
    assert [row["answers"] for row in summarise(own, assignment)] == [2, 2, 2]


def test_every_diagnosis_has_a_meaning():
    """Los del motor, con su texto; los de cada ejercicio, con el de su error típico."""
    sources = [*(ROOT / "tfcourse/exercises").glob("*.py"), *(ROOT / "tfcourse/bank").rglob("*.py")]
    sources += [ROOT / f"tfcourse/teaching/{n}.py" for n in ("grading", "sandbox", "usage")]
    pattern = r'(?:Diagnosis|StoppedByChecker|SandboxDied|_fixed)\(\s*"([a-z-]+)"'
    text = "\n".join(path.read_text("utf-8") for path in sources)
    keys = {*re.findall(pattern, text)}
    from tfcourse.exercises import python_errors

    keys |= {key for _, key, _ in python_errors._BY_MESSAGE}
    assert len(keys) > 25 and keys - {*MEANINGS} == set()
    for exercise in (e for topic in topics()[:3] for e in topic_exercises(topic)):
        for mistake in exercise.task.mistakes:
            assert meaning(exercise, mistake.key) == mistake.message


def test_the_jobs_cover_the_class(course, tmp_path):
    """El de Kubernetes es un Job válido, y entre todas las partes piden justo las que hay."""
    own, assignment = course
    slurm, path = write_jobs(own, assignment, 3, "reg/curso:1", "notas")
    job = yaml.safe_load(path.read_text("utf-8"))
    spec = job["spec"]
    assert (job["kind"], spec["completionMode"], spec["completions"]) == ("Job", "Indexed", 3)
    (box,) = spec["template"]["spec"]["containers"]
    assert box["image"] == "reg/curso:1" and box["resources"]["limits"]["memory"] == "8Gi"
    assert spec["template"]["spec"]["volumes"][0]["persistentVolumeClaim"]["claimName"] == "notas"
    fake = tmp_path / "python"
    fake.write_text('#!/bin/sh\necho "$@"\n')
    fake.chmod(0o755)
    said = []
    for index in range(3):
        variables = {
            "PATH": f"{tmp_path}:/usr/bin:/bin", "JOB_COMPLETION_INDEX": str(index),
            "SLURM_ARRAY_TASK_ID": str(index + 1), "SLURM_ARRAY_TASK_COUNT": "3",
        }  # fmt: skip
        for order in ([*box["command"], *box["args"]], ["bash", str(slurm)]):
            done = subprocess.run(order, env=variables, capture_output=True, text=True, check=True)
            said.append(done.stdout.split("--tarea ")[1].strip())
    assert said == ["1/3", "1/3", "2/3", "2/3", "3/3", "3/3"]
    assert "#SBATCH --array=1-3" in slurm.read_text("utf-8")
    with pytest.raises(ValueError, match="--partes 0 no vale"):
        write_jobs(own, assignment, 0, "x", "y")


# --- Las órdenes -------------------------------------------------------------------------------


def test_the_commands_do_it(course, tmp_path):
    own, _ = course
    run = CliRunner()

    def order(*words):
        done = run.invoke(app, [*words, "--curso", str(own.root)])
        assert done.exit_code == 0, (words, done.exception)
        return done.output

    assert "la tarea vale ahora 14 puntos" in order("cambiar", NAME, "--puntos", "contexto=3")
    assert own.load(NAME).items[1].points == 3
    order("cambiar", NAME, "--retraso", "10/1", "--por-casos", "--plazo", "no", "--titulo", "Otra")
    kept = own.load(NAME)
    assert kept.late == LatePolicy(10, 1) and kept.partial and kept.due is None
    assert kept.title == "Otra"
    graded_course(own, kept, essays)
    assert "de 3 a 1 (error)" in order("nota", NAME, "ana", "contexto", "1", "--motivo", "error")
    assert "Parecerse no es copiar" in order("parecidos", NAME)
    assert "trabajo-kubernetes.yaml" in order("repartir", NAME, "--partes", "4")
    path = rubric_file(tmp_path, f"{OPEN};rigor;4;mide")
    assert "vuelve a repartir" in order("rubrica", NAME, str(path))
    path = tmp_path / "grupos.csv"
    path.write_text("id,grupo\nana,Rojo\neva,Rojo\n", encoding="utf-8")
    assert "1 grupos con 2 personas" in order("grupos", NAME, str(path))
    found = run.invoke(app, ["ejercicios", "--capitulo", "lstm_gru", "--cuantos", "2", "--raiz",
                             str(ROOT)])  # fmt: skip
    assert "2 ejercicios" in found.output and "--ejercicios " in found.output


ORDER = re.compile(r"python -m tfcourse docente (.+)")


def told_orders():
    """Las órdenes de las páginas del docente, con sus líneas partidas ya unidas."""
    for path in sorted((ROOT / "chapters/docencia").glob("*.md")):
        text = path.read_text("utf-8").replace("\\\n", " ")
        for block in re.findall(r"```bash\n(.*?)```", text, re.DOTALL):
            yield from ((path.name, found) for found in ORDER.findall(block))


def test_every_order_of_the_pages_can_be_given():
    """Existe, y existen sus opciones; no se ejecuta."""
    group = typer.main.get_command(app)
    orders = [*told_orders()]
    assert len(orders) > 20
    for _page, line in orders:
        name, *words = shlex.split(line)
        if name != "--ayuda":
            group.commands[name].make_context(name, words)  # falla si algo no existe
    told = {shlex.split(line)[0] for _, line in orders}
    assert {*group.commands} <= told  # y ninguna se queda sin contar
    prose = "\n".join(p.read_text("utf-8") for p in (ROOT / "chapters/docencia").glob("*.md"))
    assert {*re.findall(r"docente ([a-z]+)", prose)} <= {*group.commands}
