"""Un proyecto se reparte y se corrige como una tarea: aislado y con puntos por paso."""

import copy

import nbformat
import pytest

from tests.conftest import ROOT
from tests.projects.test_steps import CELLS, NOTEBOOKS, broken
from tests.systems import require_system
from tests.teaching.course import make_course, release
from tfcourse.exercises.markers import blanked, solved
from tfcourse.projects.steps.registry import STEPS, project_steps
from tfcourse.teaching.create import exercise_cells
from tfcourse.teaching.grading import Grader
from tfcourse.teaching.limits import Limits
from tfcourse.teaching.sandbox import checker_folders
from tfcourse.teaching.submission import Step, Submission, arrange

GPT = [step.card.id for step in project_steps("gpt")]


def grade(cells: dict[str, str], project: str = "gpt") -> dict:
    (notebook,) = (nb for path, nb in NOTEBOOKS.items() if path.stem == f"proyecto_{project}")
    (imports,) = (cell.source for cell in notebook.cells if cell.id == "imports")
    steps = [Step("celda", "original imports", imports)]
    for name, source in cells.items():
        steps += [Step("celda", f"{name}-respuesta", source), Step("comprobar", name)]
    wanted = {name: (STEPS[name], 12345) for name in cells}
    return Grader(Submission(steps, {}), Limits(), isolated=True).grade(wanted)


@pytest.mark.lento
def test_each_step_is_graded_on_its_own_inside_the_box():
    """Uno mal y otro prestado: los que se apoyan en ellos no lo pagan."""
    require_system("bubblewrap")
    cells = {name: solved(CELLS[name]) for name in GPT}
    cells["gpt-norma"] = broken("gpt-norma", (("mean(-1", "sum(-1"),))
    cells["gpt-atencion"] = 'CausalAttention = prestada("gpt-atencion")'
    cells["gpt-cache"] = blanked(CELLS["gpt-cache"])
    cells["gpt-red"] = broken("gpt-red", (("self.hidden", "self.first"),))
    found = {name: diagnosis and diagnosis.key for name, diagnosis in grade(cells).items()}
    failed = {name: key for name, key in found.items() if key}
    assert failed == {
        "gpt-norma": "suma", "gpt-atencion": "prestada", "gpt-cache": "sin-escribir",
        "gpt-red": "parametros",
    }  # fmt: skip


@pytest.mark.lento
def test_what_a_layer_keeps_a_tuple_and_a_batch_in_chunks_are_graded_inside_the_box():
    """De CLIP: normas por lotes, tamaños que son una tupla, los pesos del curso y un juguete."""
    require_system("bubblewrap")
    names = [step.card.id for step in project_steps("clip")]
    cells = {name: solved(CELLS[name]) for name in names}
    cells["clip-imagen"] = broken("clip-imagen", (("max_pool2d", "avg_pool2d"),))
    cells["clip-texto"] = 'TextTower = prestada("clip-texto")'
    cells["clip-trozos"] = broken("clip-trozos", (("model.scale()", "model.scale().detach()"),))
    found = {name: diagnosis and diagnosis.key for name, diagnosis in grade(cells, "clip").items()}
    assert {name: key for name, key in found.items() if key} == {
        "clip-imagen": "media-al-reducir", "clip-texto": "prestada", "clip-trozos": "sin-escala",
    }  # fmt: skip


@pytest.mark.lento
def test_what_hears_and_writes_is_graded_inside_the_box():
    """Lo prohibido, lo que se relee y lo que se apoya en otra pieza, dentro del recinto."""
    require_system("bubblewrap")
    steps = ("wh-potencia", "wh-logmel", "wh-atencion", "wh-escritor", "wh-voraz", "wh-wer")
    cells = {name: solved(CELLS[name]) for name in steps}
    cells["wh-potencia"] = (
        "def power_spectrogram(waves, n_fft, hop):\n"
        "    window = torch.hann_window(n_fft)\n"
        "    found = torch.stft(waves, n_fft, hop, window=window, return_complex=True)\n"
        "    return found.abs().square()\n"
    )
    read_again = (
        ("(tokens, heard, past)", "(tokens, heard)"),
        ("tokens = last[:, None]", "tokens = torch.cat([tokens, last[:, None]], 1)"),
    )
    cells["wh-voraz"] = broken("wh-voraz", read_again)
    found = {
        name: diagnosis and diagnosis.key for name, diagnosis in grade(cells, "whisper").items()
    }
    failed = {name: key for name, key in found.items() if key}
    assert failed == {"wh-potencia": "prohibido", "wh-voraz": "relee"}


def test_the_checks_are_out_of_sight_and_what_is_lent_is_not():
    hidden = [folder for folder in checker_folders() if "projects" in folder]
    assert hidden and all(folder.endswith("projects/steps") for folder in hidden)


def test_a_project_is_handed_out_without_its_solution(tmp_path):
    course, assignment = make_course(tmp_path / "curso", ["proyecto_gpt"])
    assert [item.id for item in assignment.items] == GPT
    assert assignment.points == sum(STEPS[name].card.points for name in GPT)
    notebook = release(course)
    text = nbformat.writes(notebook)
    assert "class RMSNorm(nn.Module):" in text and "rsqrt" not in text
    assert "prestada" in text and "from torch import Tensor, nn" in text


def test_a_class_that_lost_the_name_of_its_cell_is_found():
    pool = exercise_cells(ROOT)["gpt-norma"]
    original = nbformat.v4.new_notebook(cells=copy.deepcopy(pool))
    sent = nbformat.v4.new_notebook(cells=copy.deepcopy(pool))
    for cell in sent.cells:
        if cell.id == "gpt-norma-respuesta":
            cell.source, cell.id, cell.metadata = solved(cell.source), "otra", {}
    found = arrange(sent, original, {"gpt-norma": "RMSNorm"})
    assert "rsqrt" in found.answers["gpt-norma-respuesta"]
