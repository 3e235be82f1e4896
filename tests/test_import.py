"""`import tfcourse` no espera por nadie: no carga torch ni lo que solo hace falta después.

Se cuentan los módulos y no el tiempo, que depende de lo cargado que esté el equipo.
"""

import subprocess
import sys

from tests.conftest import ROOT

OWN = {"tfcourse", "tfcourse.moved", "tfcourse.notebook", "tfcourse.profile"}
LOADED = """
import sys
before = set(sys.modules)
import {name}
print(*sorted(set(sys.modules) - before))
"""


def loaded_by(name: str) -> set[str]:
    """Los módulos que carga un `import`, en un Python recién abierto."""
    order = [sys.executable, "-c", LOADED.format(name=name)]
    result = subprocess.run(order, cwd=ROOT, capture_output=True, text=True, check=True)
    return set(result.stdout.split())


def test_importing_the_course_loads_four_modules_and_nothing_else():
    """Ni torch, ni nbformat, ni pathlib: lo que cada cosa necesita lo carga ella.

    De fuera del curso, solo `typing` y lo que `typing` carga.
    """
    loaded = loaded_by("tfcourse")
    assert {name for name in loaded if name.startswith("tfcourse")} == OWN
    assert loaded - OWN <= loaded_by("typing")


def test_the_count_would_notice_a_heavy_module():
    assert "torch" in loaded_by("tfcourse.layers.attention")
