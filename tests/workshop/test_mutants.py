"""El mutador: qué cambia y qué respeta, a qué pruebas pregunta y cómo cuenta."""

import ast
import json
import os
import subprocess
import sys
from contextlib import contextmanager

import pytest

from tests.conftest import ROOT
from workshop.mutants import run as trials
from workshop.mutants.known import forgotten, known_equivalents
from workshop.mutants.operators import Mutant, mutants
from workshop.mutants.overlay import Overlay
from workshop.mutants.relevant import ImportMap

# Una línea → en qué se puede convertir.
CHANGES = {
    "x = a + b": {"x = a - b"},
    "x = (a) // (b)": {"x = (a) * (b)"},
    "x **= b": {"x *= b"},
    "x = a <= b": {"x = a < b", "x = a >= b"},
    "x = a is None": {"x = a is not None"},
    "x = a not in b": {"x = a in b"},
    "x = a and b or c": {"x = a or b or c", "x = a and b and c"},
    "x = -a": {"x = a"},
    "x = not a": {"x = a"},
    "x = ~a": {"x = a"},
    "x = 3": {"x = 4", "x = 2"},
    "x = 0": {"x = 1"},
    "x = 0.5": {"x = 1.0"},
    "x = f(a, keepdim=True)": {"x = f(a, keepdim=False)"},
    "x = f(a, b, c)": {"x = f(b, a, c)"},
    "x = a.transpose(i, j)": set(),
    "x = a.sum(i)": {"x = a.mean(i)"},
    "x = max(a, b)": {"x = min(a, b)"},
    "x = a if b else c": {"x = a if not (b) else c"},
    "f(a)": {"pass"},
    "x = 'año' + b": {"x = 'año' - b"},
}


def changed(source: str) -> set[str]:
    return {mutant.after for mutant in mutants("m.py", source)}


@pytest.mark.parametrize("line", CHANGES)
def test_each_change(line):
    assert changed(f"{line}\n") == CHANGES[line]


def test_an_if_is_turned_around():
    assert changed("if a:\n    x = b\n") == {"if not (a):"}
    assert changed("for a in b:\n    continue\n") == {"break"}


@pytest.mark.parametrize(
    "source",
    [
        '"""El 3 y el -1."""\n',
        "def f(x: Int[2 + 1]) -> Float[1]:\n    return x\n",
        "x: Int[2 + 1]\n",
        "raise ValueError(1 + a)\n",
        "x = f'{a + 1}'\n",
        "@f(1)\nclass C(B[2]):\n    y = x\n",
        "Pair = tuple[1, 2]\n",
        "VARIANTS = {'aula': 3}\n",
        "x = zip(a, strict=True)\n",
        "super().__init__()\n",
    ],
)
def test_what_is_left_alone(source):
    assert changed(source) == set()


def test_a_mutant_changes_one_place_and_says_where():
    source = "def f(a):\n    «ñ»\n".replace("«ñ»", "return {'ñ': a - 1}, [\n        a + 2]")
    found = mutants("m.py", source)
    plus = next(m for m in found if m.source == source.replace("a + 2", "a - 2"))
    assert (plus.line, plus.kind, plus.before, plus.after) == (3, "operador", "a + 2]", "a - 2]")
    for mutant in found:
        ast.parse(mutant.source)
        assert sum(a != b for a, b in zip(mutant.source.splitlines(), source.splitlines(),
                                          strict=True)) == 1  # fmt: skip


def test_every_mutant_of_the_package_is_python():
    found = trials.candidates(ROOT, ["layers/attention.py", "tokenizers/unigram.py"])
    assert len(found) > 100
    for mutant in found:
        ast.parse(mutant.source)


def test_one_seed_draws_the_same_mutants():
    found = trials.candidates(ROOT, ["geometry"])
    assert trials.draw(found, 1, 20) == trials.draw(found, 1, 20) != trials.draw(found, 2, 20)
    assert len({m.source for m in trials.draw(found, 1, 20)}) == 20
    assert len(trials.draw(found, 1, 10**6)) == len(found)


def test_places_are_folders_or_files_and_some_can_be_left_out():
    every = {m.path for m in trials.candidates(ROOT, ["geometry"])}
    assert every == {"tfcourse/geometry/boxes.py", "tfcourse/geometry/crops.py"}
    left = trials.candidates(ROOT, ["geometry", "layers/norms.py"], iter(["geometry/crops.py"]))
    assert {m.path for m in left} == {"tfcourse/geometry/boxes.py", "tfcourse/layers/norms.py"}
    with pytest.raises(ValueError, match="no existe .*nada: da carpetas o archivos de tfcourse"):
        trials.candidates(ROOT, ["nada"])


@pytest.fixture(scope="module")
def imports():
    return ImportMap(ROOT)


def test_the_closest_tests_go_first(imports):
    rotary = imports.tests_of("tfcourse/layers/rotary.py")
    assert rotary[:2] == ["tests/layers/test_rotary.py", "tests/layers/test_causal.py"]
    assert "tests/models/test_gpt.py" in rotary and "tests/audio/test_mel.py" not in rotary
    # Sin archivo con su nombre, el que lo importa con menos cosas.
    assert imports.tests_of("tfcourse/models/glove.py")[0] == "tests/models/test_word2vec.py"
    # Por la fachada de su carpeta.
    loop = imports.tests_of("tfcourse/training/loop.py")
    assert loop[0] == "tests/training/test_loop.py" and "tests/models/test_word2vec.py" in loop


def test_notebooks_and_their_mirror_are_not_asked(imports):
    """Compararían el texto: notarían también un cambio que no cambia nada."""
    asked = {test.split("/")[1] for test in imports.tests_of("tfcourse/layers/attention.py")}
    assert {"layers", "models", "vision"} <= asked
    assert not asked & {"workshop", "exercises", "claims", "site"}


def test_the_copy_is_changed_and_the_course_is_not(tmp_path):
    """Y la hora del archivo no se repite: Python no puede tomar un mutante por otro."""
    root = tmp_path / "curso"
    (root / "tfcourse").mkdir(parents=True)
    (root / ".venv").mkdir()
    file = root / "tfcourse/a.py"
    file.write_text("x = 1\n")
    copy = Overlay(root, tmp_path / "copia")
    assert not (copy.folder / ".venv").exists()
    changed, times = copy.folder / "tfcourse/a.py", {file.stat().st_mtime}
    for mutant in mutants("tfcourse/a.py", "x = 1\n"):
        with copy.mutated(mutant):
            assert changed.read_text() == mutant.source and file.read_text() == "x = 1\n"
            times.add(changed.stat().st_mtime)
    assert len(times) == 3
    assert changed.read_text() == "x = 1\n" and changed.stat().st_mtime == file.stat().st_mtime


SLOW = "import pytest\n@pytest.mark.lento\ndef test_lento():\n    assert 0\n"
CHILDREN = {
    "pasa": (SLOW + "def test_a():\n    pass\n", ""),  # las lentas no se ejecutan
    "falla": ("def test_a():\n    pass\ndef test_b():\n    assert 0\n", "test_b"),
    "se cuelga": ("def test_a():\n    while True:\n        pass\n", ""),
}


ASK = """
import json, sys
from workshop.mutants.server import run_apart
answers = [run_apart([path], seconds) for path, seconds in json.loads(sys.argv[1])]
print(json.dumps(answers), file=sys.stderr)
"""


def test_a_child_says_what_happened(tmp_path):
    """En otro proceso: bifurcar el de las pruebas, que puede tener hilos, no es seguro."""
    asked = []
    for number, (outcome, (text, _)) in enumerate(CHILDREN.items()):
        path = tmp_path / f"test_{number}.py"
        path.write_text(text)
        asked.append([str(path), 0 if outcome == "se cuelga" else 60])
    order = [sys.executable, "-c", ASK, json.dumps(asked)]
    alone = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # así arranca en un momento
    result = subprocess.run(order, cwd=ROOT, env=alone, capture_output=True, text=True, check=True)
    answers = json.loads(result.stderr.splitlines()[-1])
    for answer, (outcome, (_, by)) in zip(answers, CHILDREN.items(), strict=True):
        assert answer["outcome"] == outcome and answer["seconds"] > 0, answer
        assert answer["by"].endswith(by) and bool(answer["by"]) == bool(by)


class FakeCopy(Overlay):
    """Una copia en la que se sabe qué archivos fallan con el mutante y cuáles fallan siempre."""

    def __init__(self, noticing=(), broken=(), seconds=1.0):
        self.noticing, self.broken, self.seconds = set(noticing), set(broken), seconds
        self.mutant, self.asked = None, []

    @contextmanager
    def mutated(self, mutant):
        self.mutant = mutant
        yield
        self.mutant = None

    def test(self, files, seconds):
        if self.mutant:
            self.asked.append(files)
        names = [file.partition("::")[0] for file in files]
        bad = [f for f in names if f in self.broken or self.mutant and f in self.noticing]
        outcome = "falla" if bad else "pasa"
        return {"outcome": outcome, "by": f"{bad[0]}::t" if bad else "", "seconds": self.seconds}


class FakeTests(ImportMap):
    """Doce archivos de pruebas para cualquier módulo."""

    def __init__(self):
        pass

    def tests_of(self, path):
        return [f"test_{n}.py" for n in range(12)]


MUTANT = Mutant("tfcourse/a.py", "constante", 1, 4, "x = 1", "x = 2", "x = 2\n")


def fate(budget=100.0, **copy):
    copy = FakeCopy(**copy)
    return trials.Trial(copy, FakeTests(), budget).fate(MUTANT), copy.asked


def test_a_mutant_dies_by_the_first_test_that_notices():
    found, asked = fate(noticing=["test_0.py", "test_8.py"])
    assert found == ("muere", "test_0.py::t") and asked == [["test_0.py"]]
    found, asked = fate(noticing=["test_8.py"])
    assert found == ("muere", "test_8.py::t") and [len(files) for files in asked] == [1, 6, 5]


def test_a_test_that_always_fails_notices_nothing():
    found, asked = fate(broken=["test_0.py", "test_5.py"])
    assert found == ("vive", "")
    assert [len(files) for files in asked] == [1, 6, 5, 5]  # los seis, otra vez sin el roto
    assert {*asked[2], *asked[3]} == {*FakeTests().tests_of("")} - {"test_0.py", "test_5.py"}


def test_a_hang_counts_only_if_the_tests_are_usually_quick():
    class Hanging(FakeCopy):
        def test(self, files, seconds):
            hung = {"outcome": "se cuelga", "by": "", "seconds": seconds}
            return hung if self.mutant else super().test(files, seconds)

    for usual, expected in ((1.0, "muere"), (90.0, "vive")):
        trial = trials.Trial(Hanging(seconds=usual), FakeTests(), 100.0)
        assert trial.fate(MUTANT)[0] == expected


def test_a_mutant_lives_when_the_budget_is_spent():
    found, asked = fate(noticing=["test_9.py"], budget=3.0, seconds=2.0)
    assert found == ("vive", "") and len(asked) == 2


def test_the_count_leaves_the_equivalents_out(tmp_path):
    row = trials.Result("tfcourse/a.py", 1, "constante", "x = 1", "x = 2", "vive")
    dead = trials.Result("tfcourse/a.py", 1, "constante", "x = 1", "x = 0", "muere", by="t")
    same = trials.Result("tfcourse/a.py", 2, "constante", "y = 1", "y = 2", "equivale", reason="r")
    text = trials.summary([row, dead, dead, dead, same])
    assert text == "se notan 3 de 4 (75.0 %); equivalentes, 1; viven, 1"
    report = tmp_path / "informe.json"
    report.write_text(json.dumps([vars(r) for r in (row, dead, same)]))
    found = mutants("tfcourse/a.py", "y = 3\nx = 1\n")
    assert [m.after for m in trials.survivors(report, found)] == ["x = 2"]


def test_each_equivalent_still_exists_and_has_its_reason():
    assert not forgotten(ROOT), "su línea cambió: quítalos de equivalentes.yml o ponlos al día"
    assert all(len(reason) > 20 for reason in known_equivalents().values())


def test_a_forgotten_equivalent_is_noticed(tmp_path):
    file = tmp_path / "equivalentes.yml"
    entry = "- {antes: 'x = 1', despues: 'x = %d', motivo: porque sí}"
    file.write_text("tfcourse/a.py:\n" + "\n".join(entry % value for value in (2, 7)))
    (tmp_path / "tfcourse").mkdir()
    (tmp_path / "tfcourse/a.py").write_text("x = 1\n")
    assert forgotten(tmp_path, file) == [("tfcourse/a.py", "x = 1", "x = 7")]
