"""Reglas de la casa, leídas del código sin ejecutarlo: quién importa a quién y cuánto ocupa."""

import ast
import re
from pathlib import Path

import pytest

from tests.conftest import ROOT

PACKAGE = "tfcourse"
MAX_FILE, MAX_FUNCTION = 300, 60
CHAPTER_NUMBER = re.compile(r"^\d|(^|_)(ch|cap|capitulo|chapter)_?\d|^[a-z]+_\d\d(_|$)")

# Paquete que importa → paquetes que no puede importar. El camino es el de los datos.
FORBIDDEN = {
    "layers": ("models", "training", "datasets", "plots", "decoding", "widgets"),
    "models": ("training", "datasets", "plots", "decoding", "widgets"),
    "datasets": ("layers", "models", "training", "plots"),
    "tokenizers": ("layers", "models", "training", "plots", "datasets"),
}

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS = (*FUNCTIONS, ast.ClassDef)


def architecture_problems(package: Path) -> list[str]:
    """Todo lo que incumple un paquete, en frases que dicen dónde y qué."""
    problems = []
    for path in sorted(package.rglob("*.py")):
        module = path.relative_to(package).with_suffix("")
        tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
        problems += [
            f"{package.name}/{module}.py: {problem}"
            for rule in (name_problems, import_problems, docstring_problems, size_problems)
            for problem in rule(module, tree, path)
        ]
    return problems


def name_problems(module: Path, _tree: ast.Module, _path: Path):
    """Ningún módulo sabe en qué capítulo se explica."""
    for part in module.parts:
        if CHAPTER_NUMBER.search(part):
            yield f"«{part}» parece un número de capítulo: nombra el concepto"


def import_problems(module: Path, tree: ast.Module, _path: Path):
    """Los imports van en un solo sentido, también dentro de las funciones."""
    lazy = {id(node) for scope in _functions(tree) for node in ast.walk(scope)}
    for node, target in _imports(module, tree):
        if target in FORBIDDEN.get(module.parts[0], ()):
            yield f"línea {node.lineno}: «{module.parts[0]}» no puede importar «{target}»"
        if target == "exercises" and module.parts[0] not in ("exercises", "teaching"):
            if module != Path("__main__"):
                yield f"línea {node.lineno}: nadie importa «exercises» salvo «__main__»"
            elif id(node) not in lazy:
                yield f"línea {node.lineno}: importa «exercises» dentro de la orden que lo usa"


def _functions(tree: ast.AST):
    return (node for node in ast.walk(tree) if isinstance(node, FUNCTIONS))


def _imports(module: Path, tree: ast.Module):
    """Cada import del propio paquete, con el primer nombre tras `tfcourse.`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = (PACKAGE, *module.parts[: len(module.parts) - node.level]) if node.level else ()
            origin = ".".join([*above, *filter(None, [node.module])])
            names = [f"{origin}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            parts = name.split(".")
            if parts[0] == PACKAGE and len(parts) > 1:
                yield node, parts[1]


def docstring_problems(_module: Path, tree: ast.Module, _path: Path):
    """Lo público se explica: módulos, clases, funciones y métodos."""
    if not ast.get_docstring(tree):
        yield "el módulo no tiene docstring"
    yield from _undocumented(tree, "")


def _undocumented(owner: ast.Module | ast.ClassDef, prefix: str):
    for node in owner.body:
        if not isinstance(node, DEFINITIONS) or node.name.startswith("_"):
            continue
        if not ast.get_docstring(node):
            yield f"línea {node.lineno}: «{prefix}{node.name}» no tiene docstring"
        if isinstance(node, ast.ClassDef):
            yield from _undocumented(node, f"{prefix}{node.name}.")


def size_problems(_module: Path, tree: ast.Module, path: Path):
    """Lo que crece demasiado se parte por conceptos."""
    lines = len(path.read_text(encoding="utf-8").splitlines())
    if lines > MAX_FILE:
        yield f"tiene {lines} líneas y el máximo es {MAX_FILE}: pártelo por conceptos"
    for node in _functions(tree):
        length = node.end_lineno - node.lineno + 1
        if length > MAX_FUNCTION:
            yield (
                f"línea {node.lineno}: «{node.name}» tiene {length} líneas y el máximo es "
                f"{MAX_FUNCTION}"
            )


def test_package_keeps_the_rules():
    problems = architecture_problems(ROOT / PACKAGE)
    assert not problems, "\n".join(problems)


def test_rules_see_the_whole_package():
    """Si la ruta estuviera mal, no habría módulos y la prueba anterior pasaría sin mirar nada."""
    modules = {path.stem for path in (ROOT / PACKAGE).rglob("*.py")}
    assert {"attention", "seq2seq", "training", "plots"} <= modules


DOCUMENTED = '"""Módulo."""\n'
LONG_FUNCTION = '"""M."""\ndef f():\n    """F."""\n' + "    x = 1\n" * MAX_FUNCTION
VIOLATIONS = {
    "layers importa models": (
        "layers/a.py",
        DOCUMENTED + "from tfcourse.models.seq2seq import Encoder",
        "«layers» no puede importar «models»",
    ),
    "layers importa models dentro de una función": (
        "layers/a.py",
        DOCUMENTED + 'def f():\n    """F."""\n    import tfcourse.models',
        "«layers» no puede importar «models»",
    ),
    "layers importa models con puntos": (
        "layers/a.py",
        DOCUMENTED + "from ..models import seq2seq",
        "«layers» no puede importar «models»",
    ),
    "models importa training": (
        "models/a.py",
        DOCUMENTED + "from tfcourse import training",
        "«models» no puede importar «training»",
    ),
    "models importa datasets": (
        "models/a.py",
        DOCUMENTED + "import tfcourse.datasets.sequences as s",
        "«models» no puede importar «datasets»",
    ),
    "models importa plots": (
        "models/__init__.py",
        DOCUMENTED + "from tfcourse.plots import COLORS",
        "«models» no puede importar «plots»",
    ),
    "datasets importa models": (
        "datasets/a.py",
        DOCUMENTED + "from tfcourse import models",
        "«datasets» no puede importar «models»",
    ),
    "alguien importa exercises": (
        "training.py",
        DOCUMENTED + "from .exercises import comprobar",
        "nadie importa «exercises»",
    ),
    "main importa exercises al arrancar": (
        "__main__.py",
        DOCUMENTED + "from tfcourse.exercises import comprobar",
        "dentro de la orden que lo usa",
    ),
    "módulo con número de capítulo": ("ch03.py", DOCUMENTED, "«ch03» parece un número"),
    "módulo que empieza por número": ("03_attention.py", DOCUMENTED, "«03_attention» parece"),
    "carpeta con número de capítulo": ("capitulo_3/a.py", DOCUMENTED, "«capitulo_3» parece"),
    "módulo sin docstring": ("a.py", "x = 1", "el módulo no tiene docstring"),
    "función sin docstring": ("a.py", DOCUMENTED + "def f(): ...", "«f» no tiene docstring"),
    "clase sin docstring": ("a.py", DOCUMENTED + "class C: ...", "«C» no tiene docstring"),
    "método sin docstring": (
        "a.py",
        DOCUMENTED + 'class C:\n    """C."""\n    def m(self): ...',
        "«C.m» no tiene docstring",
    ),
    "archivo largo": ("a.py", DOCUMENTED + "\n" * MAX_FILE, f"máximo es {MAX_FILE}"),
    "función larga": ("a.py", LONG_FUNCTION, f"máximo es {MAX_FUNCTION}"),
}


@pytest.mark.parametrize("name", VIOLATIONS)
def test_each_rule_catches_its_violation(tmp_path, name):
    file, source, message = VIOLATIONS[name]
    problems = architecture_problems(write_package(tmp_path, {file: source}))
    assert len(problems) == 1, problems
    assert message in problems[0]


def test_a_correct_package_has_no_problems(tmp_path):
    files = {
        "__main__.py": DOCUMENTED + "def _o():\n    from tfcourse.exercises import build",
        "exercises/a.py": DOCUMENTED + "from tfcourse.exercises.b import C\nimport tfcourse.models",
        "models/seq2seq.py": DOCUMENTED + "from tfcourse.layers import masks\ndef _f(): ...",
        "models/t5.py": DOCUMENTED + "import torch\nfrom .seq2seq import _f",
        "models/wav2vec2.py": DOCUMENTED + "class _C:\n    def m(self): ...",
    }
    assert architecture_problems(write_package(tmp_path, files)) == []


def write_package(folder: Path, files: dict[str, str]) -> Path:
    """Escribe un paquete de mentira y devuelve su carpeta."""
    package = folder / PACKAGE
    for name, source in files.items():
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
    return package
