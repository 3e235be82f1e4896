"""Crear una tarea: lo que se reparte, lo que se guarda y lo que recibe cada estudiante."""

import re
import shutil
import zipfile
from dataclasses import replace
from unittest.mock import patch

import jaxtyping
import nbformat
import pytest
from typer.testing import CliRunner

from tests.conftest import ROOT
from tests.exercises.test_exercises import CELLS, WRONG, run_cell
from tests.exercises.test_statements import STATEMENTS
from tests.recipes import SEEDS
from tests.sample import sampled
from tests.teaching.course import NAME, make_course, release, schema_version
from tfcourse.bank.registry import EXERCISES
from tfcourse.exercises import RespuestaIncorrecta, comprobar, pista
from tfcourse.exercises.data import other_data
from tfcourse.exercises.engine import Variant
from tfcourse.exercises.markers import BEGIN_SOLUTION, solved, split_solution
from tfcourse.exercises.masters import masters
from tfcourse.teaching import create
from tfcourse.teaching._commands import app
from tfcourse.teaching.assignment import Assignment
from tfcourse.teaching.bank import load_bank
from tfcourse.teaching.bank_check import check_bank, memory_problems, variant_problems
from tfcourse.teaching.create import create_assignment, items_from
from tfcourse.teaching.steps import parse_part
from tfcourse.teaching.variants import personal_notebook

BANK = ROOT / "chapters/docencia/banco_de_ejemplo"
MIXED = ["memoria", "a-mano", "luong", "girar-vecinas", "invertir-la-entrada"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("crear")
    return make_course(folder / "curso", MIXED, seed="otoño", deadline="2026-12-03T23:59")


def cells(notebook):
    return {cell.id: cell for cell in notebook.cells}


def test_the_student_notebook_has_no_solutions(made):
    course, assignment = made
    notebook = release(course)
    nbformat.validate(notebook)
    text = nbformat.writes(notebook)
    assert BEGIN_SOLUTION not in text and "-solucion" not in text and ":::" not in text
    hidden = set()
    for cell in nbformat.read(course.source(NAME), as_version=4).cells:
        if BEGIN_SOLUTION in cell.source:
            before, solution, after = split_solution(cell.source)
            hidden |= {s.strip() for s in solution if len(s.strip()) > 12} - {
                s.strip() for s in before + after
            }
    assert len(hidden) > 20
    assert not {s.strip() for c in notebook.cells for s in c.source.split("\n")} & hidden
    by_id = cells(notebook)
    assert "**Plazo**: 3 de diciembre de 2026, 23:59" in by_id["portada"].source
    assert "**Valen** 18 puntos, 8 de ellos con una rúbrica" in by_id["portada"].source
    assert notebook.cells[1].id == "preparacion" and "%pip install" in notebook.cells[1].source
    for name in MIXED:
        assert f'id="ej-{name}"' in by_id[f"{name}-enunciado"].source
        assert EXERCISES[name].card.objective in by_id["portada"].source
        assert by_id[f"{name}-prueba"].metadata.nbgrader.points == EXERCISES[name].card.points


def test_the_instructor_copy_has_solutions_and_rubric(made):
    course, _ = made
    copy = cells(nbformat.read(course.folder(NAME) / "copia_docente.ipynb", as_version=4))
    for name in MIXED:
        assert BEGIN_SOLUTION in copy[f"{name}-respuesta"].source
        for mistake in EXERCISES[name].task.mistakes:
            assert mistake.key in copy[f"{name}-rubrica"].source
    assert "8 puntos, a mano" in copy["invertir-la-entrada-rubrica"].source


def test_the_deadline_is_in_the_gradebook(made):
    from tfcourse.teaching.gradebook import open_gradebook

    course, _ = made
    with open_gradebook(course.gradebook) as book:
        found = book.find_assignment(NAME)
        assert found.duedate is not None and found.max_score == 18


def test_names_and_exercises_are_checked(made, tmp_path):
    course, assignment = made
    with pytest.raises(ValueError, match="ya existe"):
        create_assignment(course, ROOT, assignment)
    for names, message in ((["nada"], "ningún ejercicio «nada»"), ([], "di qué ejercicios")):
        with pytest.raises(ValueError, match=message):
            items_from(names, None)
    with pytest.raises(ValueError, match="no vale: usa minúsculas"):
        create_assignment(
            type(course)(tmp_path), ROOT, Assignment("Tarea 1", "x", assignment.items, "")
        )
    with pytest.raises(ValueError, match="no está la tarea «otra»: hay estas: tarea-1"):
        course.load("otra")


def test_same_student_same_variant(made):
    course, assignment = made
    notebook = release(course)
    ana, again, luis = (
        [cell.source for cell in personal_notebook(assignment, notebook, who).cells]
        for who in ("ana", "ana", "luis")
    )
    assert ana == again != luis
    assert assignment.salt("ana", "luong") != assignment.salt("luis", "luong")
    assert any("solo_forma=True" in source for source in ana)
    assert (
        'comprobar("luong")'
        in cells(personal_notebook(assignment, notebook, "ana"))["luong-prueba"].source
    )


def test_the_notebook_does_not_give_its_constants_away(made):
    """Con lo que lleva el cuaderno, una línea del paquete no da la respuesta que se corrige."""
    course, assignment = made
    notebook = personal_notebook(assignment, release(course), "ana")
    text = nbformat.writes(notebook)
    assert assignment.sealed and "variante=" not in text
    assert assignment.secret not in text and assignment.seed not in text
    for item in assignment.items:
        number = assignment.variant_number("ana", item.id)
        assert str(number) not in text and number >= 1_000_000
        other = replace(assignment, secret="0" * 32)
        assert other.variant_number("ana", item.id) != number


def test_older_assignments_keep_their_constants(made):
    """Las de antes llevan el número en el cuaderno: se corrigen con lo que se repartió."""
    course, assignment = made
    old = replace(assignment, sealed=False)
    number = old.variant_number("ana", "memoria")
    assert number < 1_000_000
    source = cells(personal_notebook(old, release(course), "ana"))["memoria-prueba"].source
    assert source == f'comprobar("memoria", variante={number})'


def test_a_drawn_salt_that_breaks_a_solution_is_drawn_again(monkeypatch, tmp_path):
    drawn = iter(["malo", "bueno"])
    monkeypatch.setattr(create.secrets, "token_hex", lambda _: next(drawn))

    def problems(exercise, solution, salts):
        bad = replace(draft, secret="malo").salt("", exercise.card.id)
        return ["la solución no pasa"] if bad in salts else []

    draft = Assignment("x", "X", items_from(["contexto", "memoria"], None), "", sealed=True)
    monkeypatch.setattr(create, "salt_problems", problems)
    chosen = [(item, create.exercise_cells(ROOT)[item.id]) for item in draft.items]
    assert create.with_fair_data(draft, chosen, ("",)).secret == "bueno"
    monkeypatch.setattr(create.secrets, "token_hex", lambda _: "malo")
    with pytest.raises(ValueError, match="contexto: la solución no pasa"):
        create.with_fair_data(draft, chosen, ("",))


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        (lambda: {"A": 1, "B": 2, "C": 3}, None),
        (lambda: {"A": 1, "B": 2}, "claves"),
        (lambda: {"A": 1, "B": "dos", "C": 3}, "tipo-equivocado"),
        (lambda: 7, "tipo-equivocado"),
        (lambda: None, "sin-return"),
        (3, "no-es-funcion"),
    ],
)
def test_the_form_is_checked_without_the_values(answer, key, capsys):
    """Lo mal formado se dice antes de entregar, y nunca lo que se esperaba."""
    if key is None:
        comprobar("parametros", answer, solo_forma=True)
        assert "bien formada" in capsys.readouterr().out
        return
    with pytest.raises(RespuestaIncorrecta) as caught:
        comprobar("parametros", answer, solo_forma=True)
    assert caught.value.diagnosis.key == key and caught.value.diagnosis.expected is None


@pytest.fixture
def without_shapes():
    """Sin comprobar las formas: aquí se llama miles de veces a lo que ya se comprueba una a una."""
    before = jaxtyping.config.jaxtyping_disable
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", before)


DRAWN = [name for name, exercise in EXERCISES.items() if exercise.draw]


@pytest.mark.usefixtures("without_shapes")
@pytest.mark.parametrize("name", sampled(DRAWN))
def test_a_variant_s_answer_is_well_formed(name):
    for number in range(5):
        reference = EXERCISES[name].variant(number).exercise.task.reference
        assert EXERCISES[name].check_form(reference) is None


@pytest.mark.usefixtures("without_shapes")
@pytest.mark.parametrize("name", sampled(DRAWN))
def test_each_variant_accepts_its_answer_and_refuses_the_published_one(name, capsys):
    statement = STATEMENTS[name][1]
    published = run_cell(solved(CELLS[name]))[EXERCISES[name].task.function]
    assert [*variant_problems(EXERCISES[name], statement)] == []
    comprobar(name, EXERCISES[name].variant(3).exercise.task.reference, variante=3)
    assert "✓" in capsys.readouterr().out
    with pytest.raises(RespuestaIncorrecta):
        comprobar(name, published, variante=3)
    pista(3)
    assert EXERCISES[name].variant(3).exercise.card.hints[2] in capsys.readouterr().out


def test_a_statement_that_changed_is_noticed():
    with pytest.raises(ValueError, match="no dice «| A | 10 | 128 |»"):
        EXERCISES["memoria"].variant(1).rewrite("otro enunciado")


@pytest.mark.lento
@pytest.mark.usefixtures("without_shapes")
@pytest.mark.parametrize("salt", SEEDS)
def test_hidden_data_are_as_good_as_the_published(salt):
    """Con otros datos, la solución pasa y ninguna respuesta equivocada cuela.

    En cada cambio, con unos; cada noche, con cinco.
    """
    for name, exercise in EXERCISES.items():
        solution = run_cell(solved(CELLS[name]))[exercise.task.function]
        with other_data((salt + 1) * 7919):
            assert exercise.check(solution) is None, name
            for wrong in WRONG[name]:
                assert exercise.check(wrong.answer) is not None, (name, wrong.key)


def test_hidden_data_are_other_data():
    case = EXERCISES["contexto"].task.cases[0]
    usual = case.make()
    with other_data(5):
        hidden = case.make()
    assert usual[0].shape == hidden[0].shape and not usual[0].equal(hidden[0])
    assert case.make()[0].equal(usual[0])


@pytest.mark.usefixtures("without_shapes")
@pytest.mark.parametrize(
    "name",
    sampled(name for name, exercise in EXERCISES.items() if exercise.card.kind != "comprender"),
)
def test_remembering_the_published_answers_earns_nothing(name):
    """Quien contesta de memoria lo que se espera con los datos publicados falla con los ocultos."""
    assert [*memory_problems(EXERCISES[name])] == []


def test_what_is_understood_by_hand_has_variants():
    """Los números de un ejercicio de comprender son toda su respuesta: cada cual recibe otros."""
    fixed = [n for n, e in EXERCISES.items() if e.card.kind == "comprender" and not e.draw]
    assert fixed == []


def test_changes_of_a_variant_do_not_chain():
    variant = Variant(EXERCISES["memoria"], (("2", "3"), ("3", "5"), ("23", "7")))
    assert variant.rewrite("2, 3 y 23") == "3, 5 y 7"


def test_no_exercise_has_its_own_randomness():
    """Quien hace su propio generador da a la clase entera los datos publicados."""
    engine, bank = ROOT / "tfcourse/exercises", ROOT / "tfcourse/bank"
    makers = re.compile(r"manual_seed|Random\(|import random\b")
    files = [*engine.rglob("*.py"), *bank.rglob("*.py")]
    own = [p for p in files if makers.search(p.read_text(encoding="utf-8"))]
    assert sorted(own) == [engine / "data.py", engine / "engine.py"]


# El mapa repasa el curso y no enseña código nuevo: tiene un solo ejercicio, el abierto.
WITHOUT_SIX = {"mapa_ejercicios.ipynb": 1}


def test_every_chapter_has_six_exercises():
    for master in masters(ROOT):
        cells = nbformat.read(master, as_version=4).cells
        found = sum(cell.id.endswith("-enunciado") for cell in cells)
        assert found >= WITHOUT_SIX.get(master.name, 6), master.name


@pytest.mark.usefixtures("without_shapes")
def test_the_example_bank_is_sound():
    assert check_bank(load_bank(str(BANK))) == []


@pytest.mark.usefixtures("without_shapes")
@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('"un-paso-tarde", LATE', '"un-paso-tarde", SWAPPED', "debía recibir «un-paso-tarde»"),
        ('        ("beta-cambiada", SWAPPED),\n', "", "nadie comete beta-cambiada"),
        ("points=3", "points=4", "debe valer 4 puntos"),
        ("reference=_by_weights", "reference=LATE", "la solución no pasa"),
        ('id="media-movil-corregida"', 'id="contexto"', "repite identificadores"),
        ("_draw)", "None)", "le falta `draw`"),
        ("p = (", "p  = (", "no dice «p  = ("),
        ("random.sample(DRAWN, 4)", "[1, 2, 3, 3]", "solo hay 1 enunciados distintos"),
        (
            "random.sample(DRAWN, 4)",
            "[random.choice(DRAWN)] * 4",
            "el error «media-de-probabilidades» recibe «correcto»",
        ),
        (
            "_perplexity_task(exponents)), changes",
            "_perplexity_task(EXPONENTS)), changes",
            "acepta la respuesta publicada",
        ),
        (
            "*random_tensors((length, size), seed=seed, dtype=dtype)",
            "torch.arange(length * size, dtype=dtype).reshape(length, size)",
            "con otros datos se espera lo mismo",
        ),
    ],
)
def test_a_spoilt_bank_is_reported(tmp_path, before, after, message):
    folder = shutil.copytree(BANK, tmp_path / "banco")
    code = folder / "ejercicios.py"
    text = code.read_text(encoding="utf-8")
    assert before in text
    code.write_text(text.replace(before, after), encoding="utf-8")
    try:
        problems = check_bank(load_bank(str(folder)))
    except ValueError as error:
        problems = [str(error)]
    assert any(message in problem for problem in problems), problems


def test_private_exercises_do_not_show_their_check(tmp_path):
    course, assignment = make_course(
        tmp_path / "curso", ["contexto", "media-movil-corregida"], bank=str(BANK)
    )
    by_id = cells(release(course))
    assert by_id["contexto-prueba"].source == 'comprobar("contexto")'
    assert by_id["media-movil-corregida-prueba"].source.startswith("# Esta respuesta se corrige")
    assert [item.bank is not None for item in assignment.items] == [False, True]


def test_the_commands_speak_spanish(tmp_path):
    run = CliRunner()
    roster = tmp_path / "lista.csv"
    roster.write_text("id;nombre;apellidos\na1;José Ángel;Núñez\na2;Ana;Gil\n", encoding="utf-8")
    order = ["crear", "t1", "--ejercicios", "memoria,contexto", "--semilla", "7", "--alumnos",
             str(roster), "--curso", str(tmp_path / "c"), "--raiz", str(ROOT)]  # fmt: skip
    with patch("nbgrader.api.get_alembic_version", schema_version):
        done = run.invoke(app, order)
    assert done.exit_code == 0, done.exception
    with zipfile.ZipFile(tmp_path / "c/tareas/t1/variantes.zip") as archive:
        assert archive.namelist() == ["José Ángel Núñez (a1)/t1.ipynb", "Ana Gil (a2)/t1.ipynb"]
    handed = tmp_path / "entregas/José Ángel Núñez"
    handed.mkdir(parents=True)
    (handed / "t.ipynb").write_text("{}", encoding="utf-8")
    order = ["recoger", "t1", str(handed.parent), "--curso", str(tmp_path / "c")]
    said = run.invoke(app, order).output
    assert "recogidas: 1 entregas" in said and "faltan 1: Ana Gil" in said
    assert "sin la lista de la clase" not in said
    (tmp_path / "c/alumnos.csv").unlink()
    assert "sin la lista de la clase" in run.invoke(app, order).output
    for wrong, message in (
        (["crear", "t2"], "di qué ejercicios quieres"),
        (["crear", "t2", "--ejercicios", "memoria", "--plazo", "mañana"], "el plazo «mañana»"),
        (["crear", "t2", "--ejercicios", "memoria", "--semilla", "1"], "hace falta la lista"),
        (["corregir", "t9"], "no está la tarea «t9»"),
        (["recoger", "t9", "x.zip"], "no está la tarea «t9»"),
    ):
        result = run.invoke(app, [*wrong, "--curso", str(tmp_path / "vacío")])
        assert message in str(result.exception), (wrong, result.exception)


@pytest.mark.parametrize("text", ["0/4", "5/4", "x", "1", "/", "1/0"])
def test_parts_are_checked(text):
    with pytest.raises(ValueError, match="escribe i/n"):
        parse_part(text)
