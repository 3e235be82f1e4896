"""Medir un Gato: la nota de cada tarea, y con qué se compara."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

import torch

from tfcourse.datasets.agents.control import CONTROL, Episode, expert_episodes, play, random_policy
from tfcourse.datasets.agents.generalist import SPACE, demonstration, sound_chunks
from tfcourse.datasets.scenes.told_scenes import ToldScene, ask, scene_patches, told_scenes
from tfcourse.datasets.sounds.spoken_words import DIGITS, SpokenWords
from tfcourse.models.gato import Gato
from tfcourse.multimodal.generalist.playing import play_with, write
from tfcourse.tokenizers.token_rows import TokenRow

TEST_SEED = 900_001


def held_out_scenes(n: int, seed: int = TEST_SEED) -> list[ToldScene]:
    """Las escenas de evaluar, siempre las mismas."""
    return told_scenes(n, torch.Generator().manual_seed(seed))


def caption_accuracy(model: Gato, scenes: Sequence[ToldScene]) -> float:
    """Parte de las descripciones que salen exactas, palabra por palabra."""
    longest = max(len(scene.caption) for scene in scenes)
    rows = [SPACE.image(scene_patches(scene.image)) for scene in scenes]
    written = write(model, rows, most=longest + 1)  # con sitio para la marca de fin
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


def control_episodes(
    model: Gato, task: str, n: int, world: Mapping[str, float] | None = None
) -> list[Episode]:
    """Episodios jugados por el modelo, con las metas por turno y una demostración de cada una."""
    goals = [CONTROL[task].goals[i % len(CONTROL[task].goals)] for i in range(n)]
    shown = expert_episodes(task, len(CONTROL[task].goals), seed=8, kicks=0.0)
    demos = {episode.goal: demonstration(episode) for episode in shown}
    seeds = [TEST_SEED + i for i in range(n)]
    return play_with(model, task, seeds, [demos[goal] for goal in goals], goals, world)


def control_references(
    task: str, n: int, world: Mapping[str, float] | None = None
) -> dict[str, float]:
    """Lo que gana de media el experto y lo que se gana al azar, en los mismos comienzos."""
    goals = CONTROL[task].goals
    players = {"experto": CONTROL[task].expert, "azar": random_policy(task)}
    return {
        name: mean_score(
            play(task, player, goals[i % len(goals)], TEST_SEED + i, world=world) for i in range(n)
        )
        for name, player in players.items()
    }


def mean_score(episodes: Iterable[Episode]) -> float:
    """Lo que se gana de media."""
    scores = [episode.score for episode in episodes]
    return sum(scores) / len(scores)


def expert_share(score: float, references: dict[str, float]) -> float:
    """Qué parte del camino del azar al experto se ha recorrido: 0 es el azar y 1, el experto."""
    return (score - references["azar"]) / (references["experto"] - references["azar"])


def task_score(
    model: Gato, task: str, spoken: SpokenWords, n: int = 200, n_play: int = 20
) -> float:
    """La nota de una tarea, de 0 a 1: aciertos, o la parte del experto en las de control."""
    if task == "describir":
        return caption_accuracy(model, held_out_scenes(n))
    if task == "responder":
        return answer_accuracy(model, held_out_scenes(n))
    if task == "oír":
        return digit_accuracy(model, spoken)
    played = mean_score(control_episodes(model, task, n_play))
    return expert_share(played, control_references(task, n_play))


def guess_rates(n: int = 400) -> dict[str, float]:
    """Lo que se acierta sin mirar, diciendo siempre lo más frecuente; en control, el azar es 0.

    La respuesta más frecuente se busca para cada pregunta, que sí se lee.
    """
    scenes, by_question = held_out_scenes(n), defaultdict(Counter)
    for question, answer in asked(scenes):
        by_question[" ".join(question)][" ".join(answer)] += 1
    captions = Counter(" ".join(scene.caption) for scene in scenes)
    right = sum(counts.most_common(1)[0][1] for counts in by_question.values())
    return {
        "describir": captions.most_common(1)[0][1] / n,
        "responder": right / n,
        "oír": 1 / len(DIGITS),
    } | dict.fromkeys(CONTROL, 0.0)


def _share(hits) -> float:
    hits = list(hits)
    return sum(hits) / len(hits)
