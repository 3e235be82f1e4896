"""Recetas de Gato: entrenar una red para todo, o para una tarea, y medir cada tarea."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import torch

from tfcourse.classifiers import fit_with_muon
from tfcourse.datasets.control import CONTROL, expert_episodes, play, random_policy
from tfcourse.datasets.generalist import (
    SHARES,
    SPACE,
    GeneralistData,
    demonstration,
    generalist_batches,
    sound_chunks,
)
from tfcourse.datasets.spoken_words import DIGITS, SpokenWords
from tfcourse.datasets.told_scenes import ToldScene, ask, scene_patches, told_scenes
from tfcourse.gato_playing import play_with, write
from tfcourse.models.gato import Gato, GatoConfig, gato_loss
from tfcourse.tokenizers.token_rows import TokenRow
from tfcourse.training import History, seed_everything

TEST_SEED = 900_001
TASKS = tuple(SHARES)


@dataclass(frozen=True)
class GatoRecipe:
    """Cómo se entrena: pasos y ritmos; las filas de cada tarea, en `SHARES`."""

    steps: int = 1_500
    muon_lr: float = 0.02
    adam_lr: float = 3e-3
    weight_decay: float = 0.01


def trained(
    data: GeneralistData,
    seed: int,
    recipe: GatoRecipe | None = None,
    tasks: Sequence[str] = TASKS,
    **sizes,
) -> tuple[Gato, History]:
    """Entrena un Gato en esas tareas, con las mismas filas por paso de cada una."""
    seed_everything(seed)
    model = Gato(GatoConfig(len(SPACE), **sizes))
    shares = {task: SHARES[task] for task in tasks}
    batches = generalist_batches(data, shares, seed)
    history = fit_with_muon(model, batches, gato_loss, recipe or GatoRecipe())
    return model.cpu().eval(), history


def test_scenes(n: int, seed: int = TEST_SEED) -> list[ToldScene]:
    """Las escenas de evaluar, siempre las mismas."""
    return told_scenes(n, torch.Generator().manual_seed(seed))


def caption_accuracy(model: Gato, scenes: Sequence[ToldScene]) -> float:
    """Parte de las descripciones que salen exactas, palabra por palabra."""
    written = write(model, [SPACE.image(scene_patches(scene.image)) for scene in scenes])
    return _share(w == scene.caption for w, scene in zip(written, scenes, strict=True))


def asked(scenes: Sequence[ToldScene], seed: int = TEST_SEED) -> list[tuple[list[str], list[str]]]:
    """Una pregunta y su respuesta para cada escena, siempre las mismas."""
    generator = torch.Generator().manual_seed(seed)
    return [ask(scene, generator) for scene in scenes]


def asking_row(scene: ToldScene, question: Sequence[str]) -> TokenRow:
    """La imagen y la pregunta, a la espera de la respuesta."""
    patches = scene_patches(scene.image)
    return SPACE.image(patches) + SPACE.text(question, len(patches) + 1, stop=False)


def answer_accuracy(model: Gato, scenes: Sequence[ToldScene]) -> float:
    """Parte de las preguntas bien contestadas."""
    pairs = asked(scenes)
    rows = [asking_row(scene, q) for scene, (q, _) in zip(scenes, pairs, strict=True)]
    written = write(model, rows, most=3)
    return _share(w == answer for w, (_, answer) in zip(written, pairs, strict=True))


def digit_accuracy(model: Gato, spoken: SpokenWords) -> float:
    """Parte de las cifras habladas que escribe bien."""
    written = write(model, [SPACE.speech(chunks) for chunks in sound_chunks(spoken.waves)], most=2)
    return _share(w == [DIGITS[d]] for w, d in zip(written, spoken.labels.tolist(), strict=True))


def control_episodes(model: Gato, task: str, n: int, prompted: bool = True):
    """Episodios jugados por el modelo, con las metas por turno y una demostración de cada una."""
    goals = [CONTROL[task].goals[i % len(CONTROL[task].goals)] for i in range(n)]
    shown = expert_episodes(task, len(CONTROL[task].goals), seed=8, kicks=0.0)
    demos = {episode.goal: demonstration(episode) for episode in shown}
    prompts = [demos[goal] if prompted else TokenRow() for goal in goals]
    seeds = [TEST_SEED + i for i in range(n)]
    return play_with(model, task, seeds, prompts, goals)


def control_references(task: str, n: int) -> dict[str, float]:
    """Lo que gana de media el experto y lo que se gana al azar, en los mismos comienzos."""
    goals = CONTROL[task].goals
    players = {"experto": CONTROL[task].expert, "azar": random_policy(task)}
    return {
        name: sum(play(task, p, goals[i % len(goals)], TEST_SEED + i).score for i in range(n)) / n
        for name, p in players.items()
    }


def expert_share(score: float, references: dict[str, float]) -> float:
    """Qué parte del camino del azar al experto se ha recorrido: 0 es el azar y 1, el experto."""
    return (score - references["azar"]) / (references["experto"] - references["azar"])


def task_score(model: Gato, task: str, spoken: SpokenWords, n: int = 200, n_play: int = 20) -> float:
    """La nota de una tarea, de 0 a 1: aciertos, o la parte del experto en las de control."""
    if task == "describir":
        return caption_accuracy(model, test_scenes(n))
    if task == "responder":
        return answer_accuracy(model, test_scenes(n))
    if task == "oír":
        return digit_accuracy(model, spoken)
    played = control_episodes(model, task, n_play)
    mean = sum(episode.score for episode in played) / n_play
    return expert_share(mean, control_references(task, n_play))


def recipe_card(recipe: GatoRecipe) -> dict:
    """La receta y las filas de cada tarea, para las fichas."""
    return asdict(recipe) | {"rows": SHARES}


def _share(hits) -> float:
    hits = list(hits)
    return sum(hits) / len(hits)
