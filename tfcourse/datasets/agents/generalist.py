"""Cinco tareas en un solo formato: describir, responder, oír y dos de control."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from tfcourse.audio.speech_mel import speech_mel
from tfcourse.datasets.agents.control import CONTROL, Episode, expert_episodes
from tfcourse.datasets.scenes.told_scenes import (
    ToldScene,
    ask,
    scene_patches,
    scene_words,
    told_scenes,
)
from tfcourse.datasets.sounds.spoken_words import DIGITS, SoundChanges, SpokenWords, changed
from tfcourse.tokenizers.token_rows import TokenBatch, TokenRow, TokenSpace, collate
from tfcourse.tokenizers.vocabulary import Vocabulary

SPACE = TokenSpace(Vocabulary({*scene_words(), *DIGITS}))
LENGTH = 60  # tokens de una fila
CHUNK = 5  # columnas del espectrograma de cada trozo de sonido
DEMO_STEPS = 3
# Filas de cada tarea en un lote.
SHARES = {"describir": 7, "responder": 5, "oír": 2, "carro": 4, "péndulo": 5}


@dataclass(frozen=True)
class GeneralistData:
    """De dónde salen las filas: cifras habladas en trozos y episodios de cada tarea de control.

    Las escenas no están: se pintan al vuelo.
    """

    chunks: Float[Tensor, "N 8 200"]
    digits: Int[Tensor, " N"]
    episodes: dict[str, list[Episode]]


def sound_chunks(waves: Float[Tensor, "N T"]) -> Float[Tensor, "N 8 200"]:
    """El log-mel de cada clip de un segundo, en ocho trozos de cinco columnas."""
    mel = speech_mel(waves).transpose(1, 2)
    return mel.unflatten(1, (-1, CHUNK)).flatten(2)


def generalist_data(
    spoken: SpokenWords, n_episodes: int = 200, copies: int = 3, seed: int = 0
) -> GeneralistData:
    """Los datos de entrenar: cada clip, `copies` veces con cambios al azar, y los episodios."""
    generator = torch.Generator().manual_seed(seed)
    waves = [
        changed(spoken.waves, SoundChanges(), spoken.sample_rate, generator) for _ in range(copies)
    ]
    chunks = torch.cat([sound_chunks(part) for part in waves])
    episodes = {name: expert_episodes(name, n_episodes, seed) for name in CONTROL}
    return GeneralistData(chunks, spoken.labels.repeat(copies), episodes)


def caption_row(scene: ToldScene) -> TokenRow:
    """Una imagen y su descripción."""
    patches = scene_patches(scene.image)
    return SPACE.image(patches) + SPACE.text(scene.caption, len(patches) + 1)


def question_row(scene: ToldScene, question: Sequence[str], answer: Sequence[str]) -> TokenRow:
    """Una imagen, una pregunta y la respuesta."""
    patches = scene_patches(scene.image)
    return SPACE.image(patches) + SPACE.text([*question, *answer], len(patches) + 1)


def speech_row(chunks: Float[Tensor, "N F"], digit: int) -> TokenRow:
    """Una voz y la cifra que dice."""
    return SPACE.speech(chunks) + SPACE.text([DIGITS[digit]], len(chunks) + 1)


def episode_row(episode: Episode, start: int, n_steps: int) -> TokenRow:
    """Unos pasos seguidos de un episodio."""
    row = TokenRow()
    for seen, bins in zip(
        episode.observations[start : start + n_steps],
        episode.actions[start : start + n_steps].tolist(),
        strict=True,
    ):
        row = row + SPACE.timestep(seen, bins)
    return row


def demonstration(episode: Episode, n_steps: int = DEMO_STEPS) -> TokenRow:
    """El final de un episodio: enseña a qué se quiere llegar."""
    return episode_row(episode, max(0, len(episode) - n_steps), n_steps)


def fill(make: Callable[[], TokenRow], length: int = LENGTH) -> TokenRow:
    """Ejemplos seguidos mientras quepan enteros: los primeros son demostraciones del último."""
    row = make()
    while len(row) + len(extra := make()) <= length:
        row = row + extra
    return row


def control_row(
    episodes: list[Episode],
    generator: torch.Generator,
    length: int = LENGTH,
    prompted: float | None = None,
) -> TokenRow:
    """Un trozo de un episodio, a veces detrás de una demostración: el final de otro de igual meta.

    Fuente: Reed et al. (2022), § 2.3, donde llevan demostración una de cada cuatro filas, y solo la
    mitad son el final; aquí, las que dice la tarea, y siempre el final, que enseña la meta.
    """

    def draw(n: int) -> int:
        return int(torch.randint(max(1, n), (), generator=generator))

    episode = episodes[draw(len(episodes))]
    rules = CONTROL[episode.task]
    n_steps, row = length // rules.per_step, TokenRow()
    prompted = rules.prompted if prompted is None else prompted
    if float(torch.rand((), generator=generator)) < prompted:
        alike = [other for other in episodes if other.goal == episode.goal]
        row = demonstration(alike[draw(len(alike))])
        n_steps -= DEMO_STEPS
    start = draw(len(episode) - n_steps + 1)
    return row + episode_row(episode, start, n_steps)


def task_rows(
    task: str, n: int, data: GeneralistData, generator: torch.Generator
) -> list[TokenRow]:
    """`n` filas de una tarea. Errores: `ValueError` si no se conoce."""
    if task in CONTROL:
        return [control_row(data.episodes[task], generator) for _ in range(n)]
    if task in ("describir", "responder"):
        scenes = iter(told_scenes(8 * n, generator))

        def make() -> TokenRow:
            scene = next(scenes)
            if task == "describir":
                return caption_row(scene)
            return question_row(scene, *ask(scene, generator))

        return [fill(make) for _ in range(n)]
    if task == "oír":

        def make() -> TokenRow:
            i = int(torch.randint(len(data.digits), (), generator=generator))
            return speech_row(data.chunks[i], int(data.digits[i]))

        return [fill(make) for _ in range(n)]
    raise ValueError(f"no hay ninguna tarea «{task}»: usa {', '.join(SHARES)}")


def generalist_batches(
    data: GeneralistData, shares: dict[str, int] | None = None, seed: int = 0
) -> Iterator[TokenBatch]:
    """Lotes sin fin con filas de todas las tareas, o solo de las que diga `shares`."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        rows = [
            row
            for task, n in (shares or SHARES).items()
            for row in task_rows(task, n, data, generator)
        ]
        yield collate(rows)
