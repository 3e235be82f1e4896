"""Control: la física es la de Gymnasium, el regulador es el de SciPy y los expertos saben."""

import gymnasium
import numpy as np
import pytest
import torch
from scipy.linalg import solve_discrete_are

from tfcourse.datasets.agents.control import (
    CART_GAIN,
    CONTROL,
    SIDES,
    cart_physics,
    expert_episodes,
    force_bin,
    lqr_gain,
    open_env,
    pendulum_expert,
    pendulum_physics,
    play,
    random_policy,
)
from tfcourse.tokenizers.mu_law import from_bins


def test_the_cart_moves_as_in_gymnasium():
    env, draw = gymnasium.make("CartPole-v1").unwrapped, np.random.default_rng(0)
    env.reset(seed=0)
    for _ in range(20):
        state = 0.2 * draw.standard_normal(4)
        env.state, push = state, int(draw.integers(2))
        seen = env.step(push)[0]
        np.testing.assert_allclose(cart_physics(state, 20.0 * push - 10), seen, atol=1e-6)


def test_the_pendulum_moves_as_in_gymnasium():
    env, draw = gymnasium.make("Pendulum-v1").unwrapped, np.random.default_rng(0)
    env.reset(seed=0)
    for _ in range(20):
        state, torque = draw.uniform(-3, 3, 2), float(draw.uniform(-2, 2))
        env.state = state
        env.step(np.array([torque]))
        np.testing.assert_allclose(pendulum_physics(state, torque), env.state, atol=1e-6)


def test_the_regulator_is_the_one_of_scipy():
    draw = np.random.default_rng(0)
    a, b = np.eye(3) + 0.2 * draw.standard_normal((3, 3)), draw.standard_normal((3, 1))
    q, r = np.diag([1.0, 2.0, 0.5]), np.eye(1) * 0.3
    p = solve_discrete_are(a, b, q, r)
    expected = np.linalg.solve(r + b.T @ p @ b, b.T @ p @ a)
    np.testing.assert_allclose(lqr_gain(a, b, q, r), expected, rtol=1e-6)


def test_the_experts_know_and_chance_does_not():
    for name, least in (("carro", 199), ("péndulo", -450)):
        episodes = expert_episodes(name, 6, kicks=0.0)
        assert min(e.score for e in episodes) > least
        chance = [play(name, random_policy(name, i), CONTROL[name].goals[0], i) for i in range(6)]
        assert np.mean([e.score for e in chance]) < {"carro": 60, "péndulo": -900}[name]


def test_the_cart_goes_to_the_side_that_is_asked():
    for goal, side in SIDES.items():
        episode = play("carro", CONTROL["carro"].expert, goal, 3)
        assert episode.goal == goal
        assert float(episode.observations[-1, 0]) == pytest.approx(side, abs=0.4)
    assert np.all(CART_GAIN < 0)  # hay que meterse debajo del palo


def test_the_pendulum_pumps_energy_from_below():
    down_turning = np.array([-1.0, 0.0, 2.0])
    assert from_bins(torch.tensor(pendulum_expert(down_turning))).item() > 0.9
    assert from_bins(torch.tensor(pendulum_expert(down_turning * [1, 1, -1]))).item() < -0.9
    still = np.array([1.0, 0.0, 0.0])
    assert abs(from_bins(torch.tensor(pendulum_expert(still))).item()) < 0.01


def test_an_episode_can_be_replayed():
    """Las acciones apuntadas, dadas al entorno, llevan a las mismas observaciones."""
    for name in CONTROL:
        episode = play(name, CONTROL[name].expert, CONTROL[name].goals[0], 5)
        env, seen = open_env(name, 5)
        for before, bins in zip(episode.observations, episode.actions.tolist(), strict=True):
            np.testing.assert_array_equal(before.numpy(), seen)
            seen = env.step(CONTROL[name].force(bins))[0]


def test_kicks_show_the_way_back():
    calm, kicked = (expert_episodes("péndulo", 2, kicks=k) for k in (0.0, 0.2))
    assert not torch.equal(calm[0].observations, kicked[0].observations)
    assert [e.goal for e in expert_episodes("carro", 3, kicks=0.0)] == [*SIDES, "izquierda"]


def test_forces_are_clipped():
    assert force_bin(9.0) == 1023 and force_bin(-9.0) == 0 and force_bin(0.0) == 512


def test_errors_in_spanish():
    with pytest.raises(ValueError, match="no hay ninguna tarea «ajedrez»"):
        open_env("ajedrez", 0)
