"""Casos ligeros del entrenamiento."""

import tempfile
from pathlib import Path

import torch
from torch import nn

from tests.accelerator.light import Case, case
from tests.accelerator.material import floats, ids
from tfcourse.training import (
    accumulation,
    budget,
    checkpoints,
    loop,
    muon,
    optimizers,
    parameter_scale,
    recipe,
    schedules,
)
from tfcourse.training import batches as feeding

CASES: list[Case] = []
NOT_HERE = {
    "solo números": (
        "training.budget.Steps",
        "training.budget.CpuSeconds",
        "training.batches.after",
        "training.batches.repeated",
        "training.budget.Meter",
        "training.budget.total",
        "training.processes.mean_over_processes",
        "training.processes.said_by_the_first",
        "training.processes.share_of_the_mean",
        "training.schedules.constant",
        "training.schedules.cycle",
        "training.schedules.one_cycle",
        "training.schedules.warmup_cosine",
        "training.checkpoints.Checkpoint",
        "training.loop.Evaluation",
        "training.loop.History",
        "training.loop.default_accelerator",
        "training.loop.default_device",
        "training.loop.seed_everything",
        "training.optimizers.rectification",
        "training.progress.progress",
        "training.recipe.MuonRecipe",
        "training.schedules.exponential_warmup",
        "training.schedules.linear_decay",
        "training.schedules.linear_warmup",
        "training.schedules.noam",
        "training.schedules.product",
        "training.schedules.slanted_triangular",
        "training.schedules.untuned_warmup",
    ),
    "dan los lotes de uno en uno, y `fit` los pide": (
        "training.batches.prefetched",
        "training.processes.shared_out",
    ),
    "solo guarda lo que le dan": ("training.recipe.Trained",),
    "guarda en la CPU lo que se recupera de un archivo": (
        "training.checkpoints.Saved",
        "training.checkpoints.random_states",
        "training.checkpoints.restore_random_states",
    ),
}


class SmallRecipe(recipe.MuonRecipe):
    """Dos pasos."""

    steps, muon_lr, adam_lr = 2, 0.01, 0.001


def small(d) -> nn.Module:
    """Una red diminuta que clasifica."""
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3)).to(d)


def batches(d) -> list[tuple]:
    """Lotes de números y clases."""
    return [(floats(d, 6, 4).detach(), ids(d, 3, 6)) for _ in range(3)]


@case(CASES, accumulation.accumulate_gradients, accumulation.count_targets)
def accumulations(d):
    model, parts = small(d), batches(d)[:2]
    accumulation.accumulate_gradients(model, parts, recipe.classification_loss, [6, 6])
    pairs = ids(d, 9, 2, 5), ids(d, 5, 2), ids(d, 9, 2, 5, low=1)
    assert accumulation.count_targets(pairs) == 8
    return model


@case(CASES, loop.fit, recipe.classification_loss)
def trained_here(d):
    """Con el modelo y los lotes en la CPU o ya en el dispositivo: da lo mismo."""
    for place in (torch.device("cpu"), d):
        model = small(place)
        history = loop.fit(
            model, batches(place), recipe.classification_loss, budget=budget.Steps(3),
            optimizer=torch.optim.AdamW(model.parameters()), schedule=schedules.one_cycle(3),
            evaluation=loop.Evaluation(lambda m: {"uno": 1.0}, every=2),
        )  # fmt: skip
        assert len(history.loss) == 3


@case(CASES, checkpoints.save_checkpoint, checkpoints.load_checkpoint)
def resumed(d):
    model = small(d)
    optimizer = optimizers.Adam(model.parameters())
    recipe.classification_loss(model, batches(d)[0]).backward()
    optimizer.step()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "punto.safetensors")
        checkpoints.save_checkpoint(path, model, optimizer, 1)
        checkpoints.load_checkpoint(path, model, optimizer)
    optimizer.step()
    return model


@case(CASES, muon.orthogonalize, muon.Muon, muon.split_parameters)
def muons(d):
    model = small(d)
    optimizer = muon.Muon(*muon.split_parameters(model))
    recipe.classification_loss(model, batches(d)[0]).backward()
    optimizer.step()
    return model, muon.orthogonalize(floats(d, 4, 6))


@case(
    CASES,
    optimizers.Adam,
    optimizers.AdamW,
    optimizers.RAdam,
    optimizers.UpdateRecorder,
    optimizers.log_histogram,
    optimizers.share_of_zeros,
    parameter_scale.scaled_groups,
)
def adams(d):
    model, edges = small(d), torch.linspace(-8, 0, 9)
    for kind in (optimizers.Adam, optimizers.AdamW, optimizers.RAdam):
        optimizer = kind(parameter_scale.scaled_groups(list(model.parameters()), 0.01))
        recorder = optimizers.UpdateRecorder(optimizer, list(model.parameters()), edges)
        recipe.classification_loss(model, batches(d)[0]).backward()
        optimizer.step()
    assert optimizers.log_histogram(list(model.parameters()), edges).isfinite().all()
    return model, recorder.parameters


@case(CASES, recipe.muon, recipe.fit_with_muon, recipe.trained)
def by_recipe(d):
    made = recipe.trained(
        lambda: small(d), batches(d), recipe.classification_loss, SmallRecipe(), seed=0
    )
    recipe.fit_with_muon(small(d), batches(d), recipe.classification_loss, SmallRecipe())
    recipe.muon(small(d), SmallRecipe())
    assert made.history.loss


@case(CASES, accumulation.Accumulation)
def by_time_and_in_parts(d):
    """También el modelo que estaba en la CPU: se entrena en el dispositivo y vuelve."""
    for spent in (budget.Steps(2), budget.CpuSeconds(0.01)):
        for place in (torch.device("cpu"), d):
            model = small(place)
            loop.fit(
                model, batches(place), recipe.classification_loss, budget=spent,
                optimizer=torch.optim.SGD(model.parameters(), lr=0.01),
                accumulation=accumulation.Accumulation(2), schedule=schedules.cycle(spent),
            )  # fmt: skip
            assert next(model.parameters()).device.type == place.type and not model.training
    return model


@case(
    CASES,
    feeding.map_batch,
    feeding.n_examples,
    feeding.every_other,
    feeding.moved,
)
def feeding_here(d):
    batch = feeding.moved(feeding.moved(batches(torch.device("cpu"))[0], d), d)
    assert feeding.n_examples(batch) == 6
    return feeding.every_other(batch, 0, 2)
