"""Usar un Gato: escribir y jugar con caché es lo mismo que sin ella, y los episodios se mueven."""

import re

import pytest
import torch

from tfcourse.datasets.agents.control import CONTROL, expert_episodes, open_env, play, random_policy
from tfcourse.datasets.agents.generalist import LENGTH, SPACE, demonstration
from tfcourse.models.gato import Gato, GatoConfig, allowed_only
from tfcourse.multimodal.generalist.movie import EpisodeMovie, Scene, told
from tfcourse.multimodal.generalist.playing import KEPT_STEPS, play_with, write
from tfcourse.tokenizers.token_rows import TokenRow, collate
from tfcourse.training import seed_everything


@pytest.fixture(scope="module")
def model():
    seed_everything(0)
    return Gato(GatoConfig(len(SPACE), d_model=16, n_heads=2, n_layers=2)).eval()


def slow_write(model, row, most):
    """Palabra a palabra, leyendo siempre la fila entera."""
    found = []
    for _ in range(most):
        logits = model(collate([row]))[0, -1, : len(SPACE.words)]
        word = int(logits.argmax())
        found.append(word)
        row = row + TokenRow([word], [row.places[-1] + 1], [True])
    return SPACE.words.decode(found)


@torch.no_grad()
def test_writing_with_a_cache_is_writing_without_it(model):
    g = torch.Generator().manual_seed(0)
    rows = [
        SPACE.image(torch.rand(4, 3, 16, 16, generator=g)),
        SPACE.speech(torch.randn(8, 200, generator=g)),
        SPACE.image(torch.rand(4, 3, 16, 16, generator=g)),
    ]
    assert write(model, rows, most=5) == [slow_write(model, row, 5) for row in rows]


@torch.no_grad()
def slow_play(model, task, seed, prompt):
    """Lo mismo sin caché: se rehace la fila entera a cada paso."""
    env, seen = open_env(task, seed)
    rules, row, steps, actions, over = CONTROL[task], prompt, [], [], False
    allowed = len(SPACE.words) + torch.arange(rules.choices)
    while not over:
        if len(row) + len(rules_row := SPACE.observation(torch.tensor(seen))) + 1 > LENGTH:
            row = prompt
            for before, bins in steps[-KEPT_STEPS:]:
                row = row + SPACE.timestep(torch.tensor(before), bins)
        row = row + rules_row
        bins = [int(allowed_only(model(collate([row]))[0, -1], allowed))]
        row = row + SPACE.action(bins)
        steps.append((seen, bins))
        actions.append(bins)
        seen, _, fallen, late, _ = env.step(rules.force(bins))
        over = fallen or late
    return actions


@pytest.mark.parametrize("task", CONTROL)
def test_playing_with_a_cache_is_playing_without_it(model, task):
    episode = expert_episodes(task, 1, kicks=0.0)[0]
    prompts = [demonstration(episode)] * 2
    played = play_with(model, task, [11, 12], prompts, [episode.goal] * 2)
    for seed, result in zip((11, 12), played, strict=True):
        assert result.actions.tolist() == slow_play(model, task, seed, prompts[0])
        assert len(result) == len(result.observations)


def test_the_score_is_the_one_of_the_environment(model):
    played = play_with(model, "carro", [1, 2], [TokenRow()] * 2, ["derecha"] * 2)
    assert [e.score for e in played] == [len(e) for e in played]


def test_the_movie_tells_what_happens_and_does_not_move_alone():
    calm = play("carro", CONTROL["carro"].expert, "izquierda", 1)
    fall = play("carro", random_policy("carro"), "derecha", 1)
    movie = EpisodeMovie(Scene("Experto", calm), Scene("Al azar", fall))
    assert f"▶ Experto: {told(calm)}" in repr(movie) and "acaba en −" in told(calm)
    html = movie._repr_html_()
    assert html.count("<svg") == 2 and html.count('role="img" aria-label="') == 2
    assert "animation-play-state:paused" in html and "<script" not in html
    assert '<label for="ep' in html and "http" not in html
    turns = re.findall(r"100%\{transform:translateX\(([-0-9.]+)px\)", html)
    assert float(turns[0]) == pytest.approx(38 * float(calm.observations[-1, 0]), abs=0.1)


def test_the_pendulum_is_told_too():
    up = play("péndulo", CONTROL["péndulo"].expert, "arriba", 3)
    assert "arriba desde el paso" in told(up)
    down = play("péndulo", lambda seen, goal: [512], "arriba", 3)
    assert "no acaba arriba" in told(down)
    angles = re.findall(r"rotate\(([-0-9.]+)deg\)", EpisodeMovie(Scene("a", up))._repr_html_())
    jumps = [abs(float(b) - float(a)) for a, b in zip(angles, angles[1:], strict=False)]
    assert max(jumps) < 180  # desenrollado: nunca da la vuelta de golpe


def test_errors_in_spanish():
    with pytest.raises(ValueError, match="hace falta al menos uno"):
        EpisodeMovie()
