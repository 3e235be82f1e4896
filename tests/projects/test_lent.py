"""Lo que presta el curso sale de los maestros, y el estudiante no recibe la solución."""

import shutil

import nbformat
import pytest

from tests.conftest import ROOT
from tfcourse.exercises.markers import split_solution
from tfcourse.exercises.masters import project_masters, student_path
from workshop.lent_pieces import FOLDER, check_lent_pieces, module_text, write_lent_pieces

MASTERS = project_masters(ROOT)


@pytest.fixture
def copy_of_projects(tmp_path):
    """Una copia de los maestros y de lo que se presta."""
    for master in MASTERS:
        target = tmp_path / master.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(master, target)
    shutil.copytree(ROOT / FOLDER, tmp_path / FOLDER, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_what_is_lent_is_up_to_date():
    assert MASTERS and check_lent_pieces(ROOT) == []


def test_what_is_stale_or_has_no_master_is_told_and_mended(copy_of_projects):
    folder = copy_of_projects / FOLDER
    (folder / "gpt.py").write_text("", encoding="utf-8")
    (folder / "otro.py").write_text("", encoding="utf-8")
    stale, orphan = check_lent_pieces(copy_of_projects)
    assert "gpt.py no sale de su maestro" in stale and "otro.py no tiene maestro" in orphan
    (folder / "otro.py").unlink()
    assert [path.name for path in write_lent_pieces(copy_of_projects)] == ["gpt.py"]
    assert check_lent_pieces(copy_of_projects) == []


def test_only_what_is_used_is_imported():
    imports = "import math\n\nimport torch\nfrom torch import Tensor, nn\n"
    text = module_text("Proyecto: x", imports, ["def f(x: Tensor):\n    return torch.sin(x)"])
    assert "import math" not in text and "from torch import Tensor, nn" in text


@pytest.mark.parametrize("master", MASTERS, ids=lambda path: path.stem)
def test_the_students_notebook_has_no_solution(master):
    text = student_path(master).read_text(encoding="utf-8")
    for cell in nbformat.read(master, as_version=4).cells:
        if cell.id.endswith("-respuesta"):
            longest = max(split_solution(cell.source)[1], key=len).strip().replace('"', '\\"')
            assert longest not in text, longest
