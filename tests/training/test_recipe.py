"""La receta: entrena lo que dice, se repite con la semilla y tiene la misma forma en cada tema."""

import ast
import inspect
from dataclasses import asdict, dataclass

import pytest
import torch
from torch import nn

from tests.conftest import ROOT
from tfcourse.training.budget import CpuSeconds, Steps
from tfcourse.training.recipe import MuonRecipe, classification_loss, fit_with_muon, muon, trained
from tfcourse.weights import WINGS


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Una receta diminuta."""

    steps: int = 6
    muon_lr: float = 0.02
    adam_lr: float = 5e-3


class Decaying(Recipe):
    weight_decay = 0.1
    betas = (0.5, 0.6)
    warmup = 0.5


def build():
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))


def batches(seed):
    generator = torch.Generator().manual_seed(seed)
    while True:
        inputs = torch.randn(16, 4, generator=generator)
        yield inputs, inputs[:, :3].argmax(dim=1)


def run(recipe, seed=0, budget=None):
    return trained(build, batches(seed), classification_loss, recipe, seed, budget)


def test_the_same_seed_gives_the_same_model_and_another_does_not():
    first, again, other = run(Recipe()), run(Recipe()), run(Recipe(), seed=1)
    assert first.history.loss == again.history.loss != other.history.loss
    assert all(map(torch.equal, first.model.parameters(), again.model.parameters()))
    assert not first.model.training and next(first.model.parameters()).device.type == "cpu"


def test_the_budget_rules_and_without_it_the_recipe(fake_clock):
    assert len(run(Recipe()).history.loss) == 6
    assert len(run(Recipe(), budget=Steps(2)).history.loss) == 2
    timed = run(Recipe(), budget=CpuSeconds(4 * fake_clock.tick)).history
    assert timed.seconds >= 4 * fake_clock.tick and 1 <= len(timed.loss) <= 4


def test_what_a_topic_changes_of_the_optimizer_is_used_and_is_not_written():
    optimizer = muon(build(), Decaying())
    assert optimizer.weight_decay == 0.1 and optimizer.defaults["betas"] == (0.5, 0.6)
    assert muon(build(), Recipe()).weight_decay == 0.0
    assert asdict(Decaying()) == {"steps": 6, "muon_lr": 0.02, "adam_lr": 5e-3}
    rates = [run(recipe).history.learning_rate for recipe in (Recipe(), Decaying())]
    assert rates[0].index(max(rates[0])) < rates[1].index(max(rates[1]))


def test_a_model_already_built_goes_on_from_where_it_was():
    model = build()
    before = [p.clone() for p in model.parameters()]
    history = fit_with_muon(model, batches(0), classification_loss, Recipe(), Steps(1))
    assert len(history.loss) == 1 and not model.training
    assert not all(map(torch.equal, before, model.parameters()))


def recipe_modules():
    """Cada módulo de un cuarto que entrena, con lo que define o importa por su nombre."""
    for wing in WINGS:
        for path in sorted((ROOT / "tfcourse" / wing).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            functions = {n.name: n for n in tree.body if isinstance(n, ast.FunctionDef)}
            if "train" in functions:
                yield pytest.param(functions, tree, id=str(path.relative_to(ROOT / "tfcourse")))


def names(tree):
    """Los nombres que un módulo define o importa."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name


@pytest.mark.parametrize(("functions", "tree"), recipe_modules())
def test_every_room_trains_in_the_same_shape(functions, tree):
    """`Recipe`, `build`, `batches` y `train(recipe, seed, budget)`; con pesos, `load(name)`."""
    known = set(names(tree))
    assert {"Recipe", "build", "batches", "train"} <= known
    arguments = functions["train"].args
    assert [a.arg for a in arguments.args] == ["recipe", "seed", "budget"]
    if "build" in functions:
        assert functions["build"].args.args[0].arg.lstrip("_") == "recipe"
    if "batches" in functions:
        found = [a.arg.lstrip("_") for a in functions["batches"].args.args]
        assert found[:2] == ["recipe", "seed"]
    if "WEIGHTS" in known:
        assert [a.arg for a in functions["load"].args.args] == ["name"]


def test_there_are_rooms_that_train():
    assert len(list(recipe_modules())) >= 20
    assert "budget" in inspect.signature(fit_with_muon).parameters
