"""La receta de Gato: entrenar una red para todo, o para una tarea, y los pesos del curso."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache

from tfcourse.datasets.agents.generalist import (
    SHARES,
    SPACE,
    GeneralistData,
    generalist_batches,
    generalist_data,
)
from tfcourse.datasets.sounds.spoken_words import SpokenWords, split_spoken_digits
from tfcourse.models.gato import Gato, GatoConfig, gato_loss
from tfcourse.multimodal.generalist.metrics import task_score
from tfcourse.training import seed_everything
from tfcourse.training.budget import Budget
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.recipe import MuonRecipe, Trained, trained
from tfcourse.weights.shipped import Shipped, check_shipped, load_weights

TASKS = tuple(SHARES)
N_EPISODES, COPIES, N_TEST, N_PLAY = 120, 2, 400, 20


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Cómo se entrena: pasos y ritmos; las filas de cada tarea, en `SHARES`."""

    steps: int = 1_200
    muon_lr: float = 0.02
    adam_lr: float = 3e-3
    weight_decay: float = 0.01


def build(recipe: Recipe, **sizes) -> Gato:
    """Un Gato sin entrenar, con los tamaños del aula o los que se den; la receta no los dice."""
    return Gato(GatoConfig(len(SPACE), **sizes))


def batches(
    recipe: Recipe, seed: int, data: GeneralistData, tasks: Sequence[str] = TASKS
) -> Iterator[tuple]:
    """Lotes sin fin de esas tareas, con las filas de cada una que dice `SHARES`."""
    return generalist_batches(data, {task: SHARES[task] for task in tasks}, seed)


def train(
    recipe: Recipe,
    seed: int,
    budget: Budget | None = None,
    *,
    data: GeneralistData,
    tasks: Sequence[str] = TASKS,
    checkpoint: Checkpoint | None = None,
    **sizes,
) -> Trained:
    """Entrena un Gato en esas tareas; sin `budget`, los pasos de la receta."""
    return trained(
        lambda: build(recipe, **sizes), batches(recipe, seed, data, tasks), gato_loss,
        recipe, seed, budget, checkpoint=checkpoint,
    )  # fmt: skip


@cache
def long_data() -> tuple[GeneralistData, SpokenWords]:
    """Los datos de entrenar y las voces de evaluar, que son otras."""
    train, test = split_spoken_digits()
    return generalist_data(train, N_EPISODES, COPIES), test


def _scores(model: Gato) -> dict[str, float]:
    _, spoken = long_data()
    return {task: task_score(model, task, spoken, N_TEST, N_PLAY) for task in TASKS}


def _untrained_scores() -> dict[str, float]:
    seed_everything(0)
    (_, spoken), model = long_data(), build(Recipe())
    return {f"{task}, sin entrenar": task_score(model, task, spoken, 100, 4) for task in TASKS}


WEIGHTS = {
    "gato": Shipped(
        train=lambda: train(Recipe(), 0, data=long_data()[0]),
        score=_scores,
        blind=_untrained_scores,
        data=(
            "escenas y episodios generados por el curso (CC0 1.0), con la física de Gymnasium, y "
            "voces sintéticas de eSpeak NG"
        ),
        recipe=lambda made: asdict(made.recipe) | {"rows": SHARES},
    )
}


def load(name: str) -> Gato:
    """Un Gato que viene con el curso: un solo juego de pesos para las cinco tareas.

    Errores: los de `check_shipped`.
    """
    check_shipped(name, WEIGHTS)
    model = build(Recipe())
    load_weights(name, model)
    return model.eval()
