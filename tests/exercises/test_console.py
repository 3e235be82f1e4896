"""`comprobar` y `pista`, tal como se usan en un cuaderno."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from tfcourse.bank.registry import EXERCISES
from tfcourse.exercises import RespuestaIncorrecta, UsoIncorrecto, comprobar, console, pista
from tfcourse.exercises.engine import Card

CONTEXT = "def context_vector(alpha, h):\n    return (alpha[:, :, None] * h).sum(dim=1)\n"


@pytest.fixture(autouse=True)
def nothing_checked():
    console._last_checked.clear()


def in_a_notebook(source):
    """Ejecuta una celda con sus propios nombres, como hace un cuaderno."""
    namespace = {"comprobar": comprobar}
    exec(compile(source, "<celda>", "exec"), namespace)


def test_without_an_answer_it_takes_the_function_of_the_notebook(capsys):
    in_a_notebook(CONTEXT + 'comprobar("contexto")')
    out = capsys.readouterr().out
    assert out.startswith("✓ El vector de contexto · correcto")
    for case in EXERCISES["contexto"].task.cases:
        assert case.label in out


def test_a_cell_that_was_not_run_is_not_a_name_error():
    with pytest.raises(RespuestaIncorrecta, match="no encuentro la función `context_vector`"):
        in_a_notebook('comprobar("contexto")')


@pytest.mark.parametrize(
    ("name", "fragment"),
    [
        ("contesto", "¿querías decir «contexto»?"),
        ("xyz", "memoria, a-mano"),
        (3, "memoria"),
        (None, "memoria"),
    ],
)
@pytest.mark.usefixtures("sin_tipos")
def test_an_unknown_exercise(name, fragment):
    with pytest.raises(UsoIncorrecto) as caught:
        comprobar(name, len)
    assert fragment in str(caught.value) and "No hay ningún ejercicio" in str(caught.value)


def test_hints_go_from_less_to_more(capsys):
    for name, exercise in EXERCISES.items():
        for number, hint in enumerate(exercise.card.hints, start=1):
            pista(number, name)
            out = capsys.readouterr().out
            assert (
                out
                == f"Pista {number} de {len(exercise.card.hints)} · {exercise.card.title}\n{hint}\n"
            )


def test_hints_are_of_the_exercise_last_checked(capsys):
    with pytest.raises(RespuestaIncorrecta):
        comprobar("luong", len)
    pista()
    assert "Un paso de la atención de Luong" in capsys.readouterr().out
    pista(2, "memoria")
    pista(2)
    assert "Un paso de la atención de Luong" in capsys.readouterr().out.split("Pista 2")[2]


def test_a_hint_before_checking_anything():
    with pytest.raises(UsoIncorrecto, match=r"di de cuál quieres la pista, p. ej. pista\(1, "):
        pista(1)


@pytest.mark.parametrize("number", [0, 4, -1, "1", None, 1.0, True])
@pytest.mark.usefixtures("sin_tipos")
def test_a_hint_that_does_not_exist(number):
    with pytest.raises(UsoIncorrecto, match=r"tiene 3 pistas: pide pista\(1\) o pista\(2\)"):
        pista(number, "contexto")


def test_cards_are_checked_when_written():
    good = {
        "id": "x",
        "title": "X",
        "kind": "codigo",
        "difficulty": 1,
        "minutes": 1,
        "points": 1,
        "objective": "x",
    }
    assert Card(**good, hints=("a", "b")).summary.startswith("**★☆☆** · 1 minutos · 1 punto")
    for change, fragment in (
        ({"kind": "facil"}, "usa un tipo de comprender, codigo, abierto"),
        ({"difficulty": 4}, "dificultad de 1 a 3"),
        ({"hints": ("una",)}, "escribe al menos dos"),
    ):
        with pytest.raises(ValueError, match=fragment):
            Card(**{**good, "hints": ("a", "b"), **change})


@pytest.mark.lento
def test_a_real_notebook_shows_only_spanish():
    """En un núcleo de verdad: lo que se ve es el mensaje, sin traza, y el texto es todo nuestro."""
    nbclient = pytest.importorskip("nbclient")
    cells = [
        "from tfcourse.exercises import comprobar, pista",
        CONTEXT.replace("(dim=1)", "(dim=0)"),
        'comprobar("contexto")',
        "pista(9)",
        'comprobar("luong")',
        "def luong_step(s, h, W_a, W_c):\n    return s @ h",
        'comprobar("luong")',
    ]
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(notebook, allow_errors=True, timeout=120).execute()
    nbformat.validate(notebook)
    errors = [o for c in notebook.cells for o in c.get("outputs", []) if o.output_type == "error"]
    shown = ["\n".join(error.traceback) for error in errors]
    assert [error.ename for error in errors] == [
        "RespuestaIncorrecta", "UsoIncorrecto", "RespuestaIncorrecta", "RespuestaIncorrecta",
    ]  # fmt: skip
    assert all(text.startswith("✗ ") and "Traceback" not in text for text in shown)
    assert "mezclas frases distintas" in shown[0]
    assert "no encuentro la función `luong_step`" in shown[2]
    assert "línea 2: `return s @ h`" in shown[3]
