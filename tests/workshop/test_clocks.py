"""Ninguna comprobación depende de un reloj: ni en las páginas ni en las pruebas."""

import nbformat
import pytest

from tests.conftest import ROOT
from workshop.clocks import Exempt, Timed, problems, timed_checks

# Comprobación que sí se deja → por qué no depende de lo ocupado que esté el equipo.
EXEMPT = (
    Exempt("tests/training/test_budget.py", "assert factor(", "es una fórmula: no mira el reloj"),
    Exempt("tests/training/test_budget.py", "assert by_steps(", "es una fórmula: no mira el reloj"),
)


def test_no_check_depends_on_how_busy_the_machine_is(sin_tipos):
    pages = sorted((ROOT / "chapters").glob("*/**/*.ipynb"))
    tests = sorted((ROOT / "tests").rglob("*.py"))
    assert len(pages) > 70 and len(tests) > 200
    found = problems(timed_checks(ROOT, pages, tests), EXEMPT)
    assert not found, "\n".join(found)


@pytest.fixture
def checks(tmp_path):
    """Lo que se encuentra en unas celdas y en una prueba escritas en una carpeta vacía."""

    def find(cells=(), test="", module=""):
        page = tmp_path / "chapters/1_parte/uno.ipynb"
        file, package = tmp_path / "tests/test_uno.py", tmp_path / "tfcourse/pace.py"
        for path in (page, file, package):
            path.parent.mkdir(parents=True, exist_ok=True)
        cells = [nbformat.v4.new_code_cell(cell) for cell in cells]
        nbformat.write(nbformat.v4.new_notebook(cells=cells), page)
        file.write_text(test, encoding="utf-8")
        package.write_text(module, encoding="utf-8")
        return [str(check) for check in timed_checks(tmp_path, [page], [file])]

    return find


START = "import time\nstarted = time.perf_counter()\n"
# Lo que depende de un reloj, en la última línea.
TIMED = {
    "un tiempo": START + "assert time.perf_counter() - started < 5",
    "con nombre": START + "spent = time.process_time() - started\nassert spent < 5",
    "de una función": START + "def f():\n    return time.time()\nassert f() > 3",
    "de una función de más abajo": "def g():\n    return f()\ndef f():\n    return time.time()\n"
    "assert g() > 3",
    "a una función": START + "def f(x):\n    return x\nassert f(started) > 3",
    "en una lista": START + "times = []\ntimes.append(started)\nassert sorted(times)[0] > 3",
    "en una tabla": START + "costs = {}\ncosts['a'] = 1, started\nassert costs['a'][1] > 3",
    "en una tabla que se recorre": START + "costs = {'a': [], 'b': []}\n"
    "for name, row in costs.items():\n    row.append(started)\nassert costs['a'] < costs['b']",
    "al repartir": START + "def f():\n    return 1, time.time()\na, b = f()\nassert b > 3",
    "en dos listas a la vez": START + "for a, b in zip([1], [started]):\n    assert b > 3",
    "por comprensión": START + "t = {n: started for n in 'ab'}\nassert t['a'] > 3",
    "sumado": START + "total = 0.0\ntotal += started\nassert total > 3",
    "segunda vuelta": START + "a = b = 0\nfor _ in 'ab':\n    a = b\n    b = started\nassert a > 3",
    "con assert_close": START + "from torch.testing import assert_close\nassert_close(started, 3)",
    "según un tiempo": START + "if started > 3:\n    assert True",
    "entrenado por tiempo": "run = train(CpuSeconds(0.2))\nassert run.history.loss",
    "apuntado": "assert run.history.seconds < 3",
    "con GPU": "cost = start.elapsed_time(end)\nassert cost < 3",
    "en una clase": START + "class A:\n    def f(self):\n        assert started < 3",
    "en un contexto": START + "with open(started) as f:\n    assert f > 3",
}
FREE = {
    "otra cosa": START + "assert 1 + 1 == 2",
    "solo se imprime": START + "print(time.perf_counter() - started)",
    "otra parte": START + "def f():\n    return 1, time.time()\na, b = f()\nassert a > 3",
    "otra columna": START + "t = {'a': (1, started)}\nfor k, (n, s) in t.items():\n    assert n",
    "la clave": START + "t = {'a': started}\nfor name in t:\n    assert name",
    "otro nombre": START + "started = 3\nassert started == 3",
    "un límite": "def f():\n    while time.time() < end:\n        pass\n    return 3\nassert f()",
    "un objeto que lo lleva": START + "run = Run(3, time.time())\nassert run.steps == 3",
    "segundos de sonido": "assert phrase.seconds == 3",
}


@pytest.mark.parametrize("name", TIMED)
def test_a_time_is_followed_to_the_check(checks, name):
    (found,) = checks(test=TIMED[name])
    assert found.startswith("tests/test_uno.py:")


def test_a_time_is_followed_from_cell_to_cell(checks):
    assert checks(TIMED["con nombre"].split("\n")) == ["uno, celda 4: assert spent < 5"]


@pytest.mark.parametrize("name", FREE)
def test_what_does_not_depend_on_a_time_is_free(checks, name):
    assert checks(cells=[FREE[name]], test=FREE[name]) == []


def test_it_is_followed_from_the_package_and_from_the_page(checks):
    module = "import time\ndef spent():\n    return time.time()\ndef steps():\n    return 3\n"
    test = (
        "from tfcourse.pace import spent, steps\nfrom tfcourse import pace\n"
        "assert spent() > 3\nassert steps() == 3\nassert pace.spent() > 3\n"
    )
    assert [found.split(":")[1] for found in checks(test=test, module=module)] == ["3", "5"]
    cell = "%matplotlib inline\nimport time\ndef race():\n    return time.time()\nsteps = 3"
    test = (
        "def chapter():\n    return recipe('1_parte/uno.ipynb')\n"
        "def test_race(chapter):\n    assert chapter['race']() > 3\n    assert chapter['steps']"
    )
    assert checks([cell], test) == ["tests/test_uno.py:4: assert chapter['race']() > 3"]


def test_with_a_fake_clock_nothing_depends_on_the_machine(checks):
    body = "    run = train(CpuSeconds(1))\n    assert run.history.seconds > 1\n"
    assert len(checks(test="def test_it():\n" + body)) == 1
    assert checks(test="def test_it(fake_clock):\n" + body) == []


def test_an_exception_covers_its_check_and_an_idle_one_is_told():
    found = [Timed("tests/test_uno.py:3", "assert time.time() > 5")]
    kept = Exempt("tests/test_uno.py", "assert time.time()", "porque sí")
    idle = Exempt("tests/test_dos.py", "assert a", "porque no")
    assert problems(found, [kept]) == []
    assert problems(found, []) == ["tests/test_uno.py:3: assert time.time() > 5"]
    assert problems(found, [kept, idle]) == [
        "tests/test_dos.py: «assert a» ya no depende de un reloj: quita su excepción"
    ]
