"""Las filas de las cinco tareas: qué llevan, qué cabe y qué enseña la demostración."""

import pytest
import torch

from tfcourse.audio.speech_mel import speech_mel
from tfcourse.datasets.agents.control import CONTROL, expert_episodes
from tfcourse.datasets.agents.generalist import (
    DEMO_STEPS,
    LENGTH,
    SHARES,
    SPACE,
    GeneralistData,
    caption_row,
    control_row,
    demonstration,
    episode_row,
    fill,
    generalist_batches,
    question_row,
    sound_chunks,
    speech_row,
    task_rows,
)
from tfcourse.datasets.scenes.told_scenes import told_scenes


@pytest.fixture(scope="module")
def data():
    g = torch.Generator().manual_seed(0)
    episodes = {name: expert_episodes(name, 4) for name in CONTROL}
    return GeneralistData(torch.randn(20, 8, 200, generator=g), torch.arange(20) % 10, episodes)


def words(row):
    """Las palabras de una fila, por su sitio."""
    return [SPACE.words.tokens[i] for i in row.ids if i < len(SPACE.words)]


def test_the_text_of_a_row_is_what_is_said():
    scene = told_scenes(1, torch.Generator().manual_seed(0))[0]
    row = caption_row(scene)
    assert words(row) == [*scene.caption, "<fin>"]
    assert row.ids[:4] == [SPACE.patch] * 4 and row.places[4] == 5
    asked = question_row(scene, ["¿", "cuántas", "figuras", "hay", "?"], ["una"])
    assert words(asked) == ["¿", "cuántas", "figuras", "hay", "?", "una", "<fin>"]
    said = speech_row(torch.randn(8, 200), 7)
    assert words(said) == ["siete", "<fin>"] and said.places[8] == 9


def test_chunks_are_columns_of_the_spectrogram():
    waves = torch.randn(2, 8000, generator=torch.Generator().manual_seed(0)) * 0.1
    mel, chunks = speech_mel(waves), sound_chunks(waves)
    assert chunks.shape == (2, 8, 200)
    torch.testing.assert_close(chunks[1, 3].view(5, 40), mel[1, :, 15:20].T)


def test_rows_are_filled_with_whole_examples():
    scene = told_scenes(1, torch.Generator().manual_seed(0))[0]
    one = len(caption_row(scene))
    row = fill(lambda: caption_row(scene), length=2 * one + one // 2)
    assert len(row) == 2 * one


@pytest.mark.parametrize("task", SHARES)
def test_rows_fit_and_have_something_to_learn(task, data):
    generator = torch.Generator().manual_seed(0)
    for row in task_rows(task, 6, data, generator):
        assert 0 < len(row) <= LENGTH and any(row.scored)
        assert len(row.ids) == len(row.places) == len(row.scored)


def test_a_demonstration_has_the_goal_of_what_follows(data):
    """Con dos metas y demostración siempre: los tres primeros pasos son de otra de la misma."""
    episodes = data.episodes["carro"]
    ends = {e.goal: set() for e in episodes}
    for e in episodes:
        for start in range(len(e) - DEMO_STEPS + 1):
            ends[e.goal].add(tuple(episode_row(e, start, DEMO_STEPS).ids))
    generator = torch.Generator().manual_seed(1)
    size = DEMO_STEPS * CONTROL["carro"].per_step
    for _ in range(20):
        row = control_row(episodes, generator, prompted=1.0)
        head, tail = tuple(row.ids[:size]), row.ids[size : size + size]
        goals = [goal for goal, seen in ends.items() if head in seen]
        assert goals and any(tuple(tail) in ends[goal] for goal in goals)


def test_the_demonstration_is_the_end(data):
    episode = data.episodes["péndulo"][0]
    assert demonstration(episode).ids == episode_row(episode, len(episode) - 3, 3).ids


def test_batches_repeat_with_the_seed_and_respect_the_shares(data):
    first, again = (next(generalist_batches(data, seed=3)) for _ in range(2))
    assert torch.equal(first.ids, again.ids) and len(first.ids) == sum(SHARES.values())
    alone = next(generalist_batches(data, {"oír": 2}, seed=3))
    assert len(alone.ids) == 2 and len(alone.patches) == 0
    with pytest.raises(ValueError, match="no hay ninguna tarea «bailar»"):
        task_rows("bailar", 1, data, torch.Generator())
