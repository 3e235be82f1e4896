"""Las notas de Gato: contra cuentas hechas a mano, y sus bases."""

import pytest
import torch

from tfcourse.datasets.agents.control import CONTROL, play
from tfcourse.datasets.agents.generalist import SPACE
from tfcourse.datasets.sounds.spoken_words import SpokenWords
from tfcourse.models.gato import Gato, GatoConfig
from tfcourse.multimodal.generalist import metrics
from tfcourse.multimodal.generalist.metrics import (
    asked,
    caption_accuracy,
    control_references,
    expert_share,
    guess_rates,
    held_out_scenes,
    mean_score,
    task_score,
)
from tfcourse.multimodal.generalist.recipe import TASKS
from tfcourse.multimodal.generalist.shifts import crowded_scenes


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(0)
    return Gato(GatoConfig(len(SPACE), d_model=16, n_heads=2, n_layers=1)).eval()


def test_scores_by_hand(model, monkeypatch):
    scenes = held_out_scenes(4)
    written = [scene.caption for scene in scenes]
    written[2] = written[2][:-1]
    monkeypatch.setattr(metrics, "write", lambda *_, **__: written)
    assert caption_accuracy(model, scenes) == 0.75
    monkeypatch.setattr(metrics, "write", lambda *_, **__: [a for _, a in asked(scenes)])
    assert metrics.answer_accuracy(model, scenes) == 1.0
    clips = SpokenWords(torch.zeros(2, 8000), torch.tensor([7, 0]), ("a", "b"), (), 8000)
    monkeypatch.setattr(metrics, "write", lambda *_, **__: [["siete"], ["uno"]])
    assert metrics.digit_accuracy(model, clips) == 0.5


def test_the_longest_caption_has_room(model, monkeypatch):
    """Lo que se escribe no se corta antes de que acabe la descripción más larga."""
    scenes = crowded_scenes(3)

    def cut(model, rows, most):
        return [scene.caption[:most] for scene in scenes]

    monkeypatch.setattr(metrics, "write", cut)
    assert caption_accuracy(model, scenes) == 1.0


def test_the_expert_is_one_and_chance_is_zero():
    references = control_references("carro", 3)
    assert expert_share(references["experto"], references) == 1.0
    assert expert_share(references["azar"], references) == 0.0
    assert references["experto"] == mean_score(
        play("carro", CONTROL["carro"].expert, goal, metrics.TEST_SEED + i)
        for i, goal in enumerate(("izquierda", "derecha", "izquierda"))
    )


def test_guessing_reads_the_question():
    rates = guess_rates(300)
    assert rates.keys() == set(TASKS)
    assert rates["describir"] < 0.15 and 0.25 < rates["responder"] < 0.6 and rates["oír"] == 0.1


def test_untrained_is_no_better_than_chance(model):
    clips = SpokenWords(torch.randn(20, 8000) * 0.1, torch.arange(20) % 10, ("a",) * 20, (), 8000)
    for task in TASKS:
        assert task_score(model, task, clips, n=20, n_play=2) < 0.55
