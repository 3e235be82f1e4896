"""Cada paso de un proyecto: su solución y otra manera pasan, y cada error recibe su diagnóstico."""

import itertools
import linecache
import re
from functools import cache
from types import CodeType

import nbformat
import pytest
import torch
from torch import nn

from tests.conftest import ROOT
from tests.projects.answers import collect
from tests.recipes import N_SEEDS
from tfcourse.exercises import RespuestaIncorrecta, comprobar, pista
from tfcourse.exercises.data import other_data
from tfcourse.exercises.markers import blanked, solved
from tfcourse.exercises.masters import project_masters
from tfcourse.projects import prestada
from tfcourse.projects.lending import is_lent, lent_pieces
from tfcourse.projects.steps.registry import STEPS, project_steps, projects

pytestmark = pytest.mark.lento
WRONG, WHOLE_WRONG, RIGHT = (collect(table) for table in ("WRONG", "WHOLE_WRONG", "RIGHT"))
ENGLISH = re.compile(r"Traceback|most recent call|File \"|<module>|<lambda>|\bError\b|Exception")
SALTS = 10 if N_SEEDS > 1 else 5  # cada día, unas pocas; por la noche, todas
NOTEBOOKS = {path: nbformat.read(path, as_version=4) for path in project_masters(ROOT)}
CELLS = {
    cell.id.removesuffix("-respuesta"): cell.source
    for notebook in NOTEBOOKS.values()
    for cell in notebook.cells
    if cell.id.endswith("-respuesta")
}
_numbers = itertools.count()


@cache
def compiled(source: str) -> tuple[str, CodeType]:
    """El archivo de una celda y su código: las mismas celdas se ejecutan en cientos de pruebas."""
    file = f"<celda de proyecto {next(_numbers)}>"
    return file, compile(source, file, "exec")


def run(source: str, names: dict) -> dict:
    """Ejecuta una celda como en un cuaderno: cada una, con su archivo."""
    file, code = compiled(source)
    linecache.cache[file] = len(source), None, source.splitlines(True), file
    exec(code, names)
    return names


def notebook_names(step: str) -> dict:
    """Los nombres que hay en el cuaderno del proyecto, resuelto hasta ese paso."""
    project = next(name for name in projects() if step in {s.card.id for s in project_steps(name)})
    notebook = next(nb for path, nb in NOTEBOOKS.items() if path.stem == f"proyecto_{project}")
    names = {"__name__": "__main__"}
    (imports,) = (cell.source for cell in notebook.cells if cell.id == "imports")
    run(imports, names)
    for own in project_steps(project):
        run(solved(CELLS[own.card.id]), names)
        if own.card.id == step:
            return names
    raise AssertionError(step)


def answer_of(step: str, source: str) -> object:
    return run(source, notebook_names(step))[STEPS[step].task.function]


def broken(step: str, changes: tuple) -> str:
    source = solved(CELLS[step])
    for before, after in changes:
        assert before in source, (step, before)
        source = source.replace(before, after)
    return source


MISTAKES = [
    pytest.param(step, key, broken(step, changes), id=f"{step}/{n}-{key}")
    for step, rows in WRONG.items()
    for n, (key, *changes) in enumerate(rows)
] + [
    pytest.param(step, key, source, id=f"{step}/{key}")
    for step, rows in WHOLE_WRONG.items()
    for key, source in rows
]


def test_every_step_has_its_cell_its_wrong_answers_and_another_right_one():
    assert CELLS.keys() == STEPS.keys() == WRONG.keys() == RIGHT.keys() == lent_pieces().keys()
    assert all(len(project_steps(name)) >= 8 for name in projects())


@pytest.mark.parametrize("step", STEPS)
def test_the_solution_and_another_way_pass_with_any_data(step):
    for source in (solved(CELLS[step]), RIGHT[step]):
        answer = answer_of(step, source)
        for salt in range(SALTS):
            with other_data(salt * 7920):
                found = STEPS[step].check(answer)
            assert found is None, (salt, found)


@pytest.mark.parametrize("step", STEPS)
def test_the_blank_says_that_there_is_no_answer_yet(step):
    found = STEPS[step].check(answer_of(step, blanked(CELLS[step])))
    assert found is not None and found.key == "sin-escribir"


@pytest.mark.parametrize(("step", "key", "source"), MISTAKES)
def test_each_mistake_gets_its_own_diagnosis(step, key, source):
    with pytest.raises(RespuestaIncorrecta) as caught:
        comprobar(step, answer_of(step, source))
    message = str(caught.value)
    assert caught.value.diagnosis.key == key, message
    assert not ENGLISH.search(message.split("Mensaje original de Python:")[0]), message


@pytest.mark.parametrize("step", STEPS)
def test_every_mistake_the_checker_knows_is_made_by_somebody(step):
    known = {mistake.key for mistake in STEPS[step].task.mistakes}
    made = {row[0] for row in (*WRONG[step], *WHOLE_WRONG.get(step, ()))}
    assert len(known) >= 3 and known <= made


@pytest.mark.parametrize("step", STEPS)
def test_what_is_lent_lets_go_on_and_gives_no_points(step, capsys):
    piece = prestada(step)
    assert is_lent(piece) and piece.__name__ == STEPS[step].task.function
    assert STEPS[step].check(piece).key == "prestada"
    comprobar(step, piece)
    assert "este no puntúa" in capsys.readouterr().out


def test_an_unknown_step_is_told():
    with pytest.raises(ValueError, match="¿querías decir «gpt-norma»?"):
        prestada("gpt-normas")


def test_a_step_stands_on_lent_pieces():
    names = notebook_names("gpt-bloque")
    for step in ("gpt-norma", "gpt-atencion", "gpt-red"):
        names[STEPS[step].task.function] = prestada(step)
    assert STEPS["gpt-bloque"].check(names["Block"]) is None


def test_the_blame_goes_to_the_piece_that_fails():
    names = notebook_names("gpt-bloque")
    run(broken("gpt-norma", (("mean(-1", "sum(-1"),)), names)
    found = STEPS["gpt-bloque"].check(names["Block"])
    assert found.key == "pieza-anterior" and "`RMSNorm`" in found.likely
    assert 'prestada("gpt-norma")' in found.likely


def test_the_piece_that_is_not_written_is_named():
    names = notebook_names("gpt-bloque")
    run(blanked(CELLS["gpt-norma"]), names)
    found = STEPS["gpt-bloque"].check(names["Block"])
    assert found.key == "pieza-anterior" and "`RMSNorm`, que aún no has escrito" in found.likely
    run(blanked(CELLS["gpt-bloque"]), names)
    assert STEPS["gpt-bloque"].check(names["Block"]).key == "sin-escribir"


def test_what_inherits_from_a_lent_piece_is_lent_too():
    heir = type("RMSNorm", (prestada("gpt-norma"),), {})
    assert STEPS["gpt-norma"].check(heir).key == "prestada"


def test_a_greedy_translator_may_drop_the_rows_that_ended():
    source = """
@torch.no_grad()
def translate(model, source, start, stop, max_length):
    memory, mask = model.encode(source)
    rows, alive = [[start] for _ in source], list(range(len(source)))
    for _ in range(max_length):
        written = torch.tensor([rows[n] for n in alive])
        logits = model.decode(written, memory[alive], mask[alive])[:, -1]
        for n, token in zip(alive, logits.argmax(-1).tolist()):
            rows[n].append(token)
        alive = [n for n in alive if rows[n][-1] != stop]
        if not alive:
            break
    return [[token for token in row[1:] if token != stop] for row in rows]
"""
    assert STEPS["tf-voraz"].check(answer_of("tf-voraz", source)) is None


def test_who_writes_what_is_heard_may_drop_the_rows_that_ended():
    source = """
@torch.no_grad()
def write(model, mels, prompt, stop, max_length):
    heard, past = model.start(model.encode(mels)), None
    rows, alive = [[] for _ in mels], list(range(len(mels)))
    tokens = torch.tensor([prompt] * len(mels))
    for _ in range(max_length):
        logits, past = model.step(tokens, heard, past)
        best = logits[:, -1].argmax(-1)
        kept = (best != stop).nonzero()[:, 0]
        if not len(kept):
            break
        alive = [alive[n] for n in kept.tolist()]
        for row, token in zip(alive, best[kept].tolist()):
            rows[row].append(token)
        heard, past = ([tuple(x[kept] for x in pair) for pair in own] for own in (heard, past))
        tokens = best[kept, None]
    return rows
"""
    assert STEPS["wh-voraz"].check(answer_of("wh-voraz", source)) is None


def test_a_batch_may_be_read_in_smaller_chunks():
    source = broken("clip-trozos", (("start + size) for", "start + 1) for"), (", size)]", ", 1)]")))
    assert STEPS["clip-trozos"].check(answer_of("clip-trozos", source)) is None


def test_a_piece_that_does_not_exist_yet_is_named():
    names = notebook_names("wh-oyente")
    del names["Attention"]
    found = STEPS["wh-oyente"].check(names["EncoderBlock"])
    assert found.key == "pieza-anterior" and "`Attention`, que en este cuaderno aún" in found.likely


WRAPPED = {
    "gpt-norma": """
class RMSNorm(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        inner = prestada("gpt-norma")(d_model)
        self.gain, self.__dict__["inner"] = inner.gain, inner

    def forward(self, x):
        return self.inner(x)
""",
    "clip-perdida": "_own = prestada('clip-perdida')\nsymmetric_loss = lambda logits: _own(logits)",
    "wh-potencia": """
import functools
power_spectrogram = functools.partial(prestada("wh-potencia"))
""",
    "wh-wer": """
def _made():
    inside = {"own": prestada("wh-wer")}
    return lambda *given: inside["own"](*given)

word_error_rate = _made()
""",
    "wh-pesos": """
def rename(weights):
    import tfcourse.projects.lent.whisper as theirs
    return theirs.rename(weights)
""",
    "tr-celda": """
from tfcourse.projects.lent import traductor
class GRUCell(nn.Module):
    def __new__(cls, *sizes):
        return traductor.GRUCell(*sizes)
""",
}  # fmt: skip


@pytest.mark.parametrize("step", WRAPPED)
def test_what_wraps_a_lent_piece_is_lent_too(step):
    assert STEPS[step].check(answer_of(step, WRAPPED[step])).key == "prestada"


def test_who_stands_on_other_lent_pieces_has_written_the_step():
    for project in ("whisper", "clip"):
        *_, last = (step for step in project_steps(project) if len(step.needs) > 1)
        names = notebook_names(last.card.id)
        for own in last.needs:
            names[own.task.function] = prestada(own.card.id)
        assert not is_lent(names[last.task.function], last.task.function)


def test_an_error_is_placed_in_the_line_of_the_class():
    found = STEPS["gpt-norma"].check(
        answer_of("gpt-norma", broken("gpt-norma", (("x.square()", "y.square()"),)))
    )
    assert "y.square()" in found.location


def test_a_ready_made_piece_is_refused():
    names = notebook_names("gpt-modelo")
    run("from tfcourse.layers.norms import RMSNorm", names)
    assert STEPS["gpt-norma"].check(names["RMSNorm"]).key == "prohibida"
    found = STEPS["gpt-bloque"].check(names["Block"])
    assert found.key == "pieza-anterior" and "`RMSNorm`" in found.likely


class Hostile:
    """Un objeto que falla hagas lo que hagas con él."""

    def __getattribute__(self, name):
        raise RuntimeError("no me toques")


class Liar(nn.Module):
    """Una clase que se queja con lo que no es una queja."""

    def __init__(self, d_model):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        return {"queja": ["parametros"], "tuyos": 3}


def test_hostile_answers_are_told_too():
    for answer in (Hostile(), Liar):
        found = STEPS["gpt-norma"].check(answer)
        assert found is not None and len(found.likely) > 15


def test_the_examples_of_the_statements():
    norm = prestada("gpt-norma")(2)
    expected = torch.tensor([[[0.8485, 1.1314]]])
    torch.testing.assert_close(norm(torch.tensor([[[3.0, 4.0]]])), expected, atol=1e-4, rtol=0)
    turned = prestada("gpt-giro")(torch.tensor([[[[1.0, 0.0]]]]), 1)
    torch.testing.assert_close(turned.flatten(), torch.tensor([0.5403, 0.8415]), atol=1e-4, rtol=0)
    places = torch.tensor([[0.0, 1.0], [0.8415, 0.5403]])
    torch.testing.assert_close(prestada("tf-posiciones")(2, 2), places, atol=1e-4, rtol=0)
    assert prestada("tf-ritmo")(1, 4, 1) == 0.5
    centered = prestada("tf-norma")(2)(torch.tensor([[[1.0, 3.0]]]))
    torch.testing.assert_close(centered, torch.tensor([[[-1.0, 1.0]]]), atol=1e-4, rtol=0)
    cell, looking = prestada("tr-celda")(2, 3), prestada("tr-atencion")(2, 3, 4)
    for parameter in (*cell.parameters(), *looking.parameters()):
        nn.init.zeros_(parameter)
    torch.testing.assert_close(cell(torch.ones(1, 2), torch.ones(1, 3)), torch.full((1, 3), 0.5))
    states, mask = torch.ones(1, 3, 3), torch.tensor([[True, True, False]])
    seen = looking(torch.ones(1, 2), looking.prepare(states), states, mask)[1]
    torch.testing.assert_close(seen, torch.tensor([[0.5, 0.5, 0.0]]))
    loss = prestada("tr-perdida")(torch.zeros(2, 3, 4), torch.tensor([[1, 2, 0], [3, 0, 0]]))
    torch.testing.assert_close(loss, torch.tensor(4.0).log())


def test_the_examples_of_the_statements_of_vision():
    image = torch.tensor([[[[1.0, 2, 3, 4], [5, 6, 7, 8]]]])
    assert prestada("vis-parches")(image, 2).tolist() == [[[1, 2, 5, 6], [3, 4, 7, 8]]]
    corners = prestada("vis-cajas")(torch.tensor([0.5, 0.5, 0.2, 0.4]), "esquinas")
    torch.testing.assert_close(corners, torch.tensor([0.4, 0.3, 0.6, 0.7]))
    low, high = torch.tensor([[0, 0, 0.5, 0.5]]), torch.tensor([[0.5, 0.5, 1, 1]])
    iou, giou = prestada("vis-giou")(low, high)
    assert (iou.item(), giou.item()) == (0.0, -0.5)
    table = torch.tensor([[[1.0, 2], [0, 5], [9, 9]]])
    assert prestada("vis-parejas")(table, torch.tensor([2])).tolist() == [[1, 0]]


def test_the_examples_of_the_statements_of_clip():
    named = {"text_tower.embedding.segments.weight": torch.ones(2, 1)}
    named |= {f"text_tower.embedding.{n}.weight": torch.ones(1, 1) for n in ("table", "norm")}
    named |= {"text_tower.embedding.positions.table.weight": torch.ones(1, 1)}
    found = prestada("clip-pesos")(named | {"image_tower.layers.10.weight": torch.ones(1)})
    assert "image_tower.stages.1.conv2.weight" in found
    assert prestada("clip-recuerdo")(torch.tensor([[2.0, 1], [3, 3]]), 1) == (0.5, 0.5)
    phrases = torch.tensor([[3.0, 0], [0, 5]])
    kind = prestada("clip-clases")(phrases, torch.tensor([0, 0]), 1)
    torch.testing.assert_close(kind, torch.full((1, 2), 0.5).sqrt())
    loss = prestada("clip-perdida")(torch.zeros(4, 4))
    torch.testing.assert_close(loss, torch.tensor(4.0).log())
    table = prestada("clip-gradiente")(torch.zeros(2, 2))
    assert table.tolist() == [[-0.25, 0.25], [0.25, -0.25]]


def test_the_examples_of_the_statements_of_whisper():
    power = prestada("wh-potencia")(torch.ones(1, 5), 4, 2)[0]
    torch.testing.assert_close(power, torch.tensor([4.0, 1, 0])[:, None].expand(3, 3))
    weights = prestada("wh-filtros")(8_000, 8, 2)[:, 1]
    torch.testing.assert_close(weights, torch.tensor([0.6759, 0.3241]), atol=1e-4, rtol=0)
    tokens = torch.tensor([[3, 4, 2, 0, 0]])
    loss = prestada("wh-perdida")(torch.zeros(1, 4, 5), tokens, 2, 0)
    torch.testing.assert_close(loss, torch.tensor(5.0).log())
    said, written = ["uno dos tres", "dos dos"], ["uno tres", "dos"]
    assert prestada("wh-wer")(written, said) == 0.4


@pytest.mark.parametrize("junk", [None, 3, "hola", int, print, lambda *a: None, object(), type])
@pytest.mark.parametrize(
    "step", ["gpt-norma", "gpt-atencion", "gpt-cache", "gpt-sorteo", "wh-escritor"]
)
def test_junk_is_told_and_nothing_breaks(step, junk):
    found = STEPS[step].check(junk)
    assert found is not None and len(found.likely) > 15


def test_hints_of_a_step(capsys):
    pista(1, "gpt-norma")
    assert capsys.readouterr().out.startswith("Pista 1 de 2 · La norma")


@pytest.mark.parametrize("step", STEPS)
def test_the_statement_names_the_piece_and_its_arguments(step):
    (statement,) = (
        cell.source
        for notebook in NOTEBOOKS.values()
        for cell in notebook.cells
        if cell.id == f"{step}-enunciado"
    )
    task = STEPS[step].task
    assert f"`{task.function}(" in statement
