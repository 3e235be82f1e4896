"""La comprobación de cada día: qué pruebas elige, que no son pocas y que ninguna entrena de más."""

import os
import re
import subprocess
import sys

from tests.conftest import ROOT

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
# Sin estas no valdría de nada: paridad de las piezas, reglas de la casa, ejercicios y cuadernos.
ALWAYS = (
    "tests/test_architecture.py::test_package_keeps_the_rules",
    "tests/layers/test_attention.py::",
    "tests/exercises/test_exercises.py::test_the_solution_passes",
    "tests/workshop/test_guide.py::",
)


# Para preguntar qué se elige no hace falta comprobar ninguna forma.
QUIET = os.environ | {"TFCOURSE_FORMAS": "no"}


def recipe_of(target: str) -> str:
    """Las órdenes de un objetivo del Makefile."""
    return re.search(rf"^{target}:.*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE)[1]


def test_it_checks_style_and_notebooks_first_and_hides_no_failure():
    recipe, quick = recipe_of("prueba-rapida"), recipe_of("rapidas")
    assert recipe.index("revisar") < recipe.index("rapidas")
    assert '-m pytest -m "$(RAPIDAS)"' in quick
    assert not re.search(r"\|\||^\t@?-|; *true|exit 0", recipe + quick, re.MULTILINE)
    for order in ("ruff check", "ruff format --check", "espejo", "enlaces", "ejercicios"):
        assert order in recipe_of("revisar")


def test_it_chooses_thousands_and_not_the_slow_ones():
    """Se pregunta a pytest con la expresión del Makefile, sin ejecutar nada."""
    chosen = re.search(r"^RAPIDAS := (.+)$", MAKEFILE, re.MULTILINE)[1]
    order = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    result = subprocess.run(
        [*order, "-m", chosen, "tests/layers", "tests/exercises", "tests/workshop", "tests/models",
         "tests/claims", "tests/test_architecture.py", "tests/test_chapters.py"],
        cwd=ROOT, env=QUIET, capture_output=True, text=True, check=False,
    )  # fmt: skip
    names = [line for line in result.stdout.splitlines() if "::" in line]
    assert len(names) > 2_000, result.stdout[-500:]
    assert all(any(name.startswith(start) for name in names) for start in ALWAYS)
    assert not [name for name in names if name.startswith(("tests/claims", "tests/test_chapters"))]
    assert not [name for name in names if re.search("models/.*memori[sz]es_(a|one)_batch", name)]


def test_with_nothing_to_run_pytest_fails():
    """Una expresión que no elige nada no pasa por buena."""
    order = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/moved"]
    result = subprocess.run(
        [*order, "-m", "lento and not lento"],
        cwd=ROOT, env=QUIET, capture_output=True, check=False,
    )  # fmt: skip
    assert result.returncode == 5
