"""Dos tareas de control de Gymnasium, con sus expertos: sostener un palo y subir un péndulo."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.tokenizers.mu_law import from_bins, to_bins

START = 1.3  # a cuántos metros del centro, como mucho, empieza el carro al grabar
NOTCH = 0.5  # el mando del péndulo se mueve de media en media unidad
SIDES = {"izquierda": -1.0, "derecha": 1.0}  # dónde se quiere el carro, en metros


@dataclass(frozen=True)
class Episode:
    """Un episodio: lo que se vio (T, O), lo que se hizo (T, A), en casillas, y cuánto se ganó."""

    task: str
    goal: str
    observations: Float[Tensor, "T O"]
    actions: Tensor
    score: float

    def __len__(self) -> int:
        return len(self.observations)


def lqr_gain(a, b, q, r, steps: int = 500) -> np.ndarray:
    """Regulador cuadrático: la ganancia K de u = −K s que gasta menos, para s ← A s + B u.

    El coste es sᵀQs + uᵀRu, sumado para siempre; P, lo que queda por gastar, sale de repetir la
    ecuación de Riccati hasta que no cambia. Fuente: Kwakernaak y Sivan (1972), § 6.4.
    """
    p = q
    for _ in range(steps):
        k = np.linalg.solve(r + b.T @ p @ b, b.T @ p @ a)
        p = q + a.T @ p @ (a - b @ k)
    return k


def _linearized(step: Callable, n_state: int, eps: float = 1e-4) -> tuple[np.ndarray, np.ndarray]:
    """A y B cerca del equilibrio, por diferencias, de una función (estado, fuerza) → estado."""
    zero = np.zeros(n_state)
    columns = [(step(e, 0.0) - step(-e, 0.0)) / (2 * eps) for e in eps * np.eye(n_state)]
    return np.stack(columns, 1), ((step(zero, eps) - step(zero, -eps)) / (2 * eps))[:, None]


def cart_physics(state: np.ndarray, force: float) -> np.ndarray:
    """Un paso del carro con el palo, como en `CartPole-v1`: x, ẋ, θ y θ̇. Fuerza en newtons."""
    x, dx, angle, spin = state
    cos, sin = np.cos(angle), np.sin(angle)
    push = (force + 0.05 * spin**2 * sin) / 1.1
    turn = (9.8 * sin - cos * push) / (0.5 * (4 / 3 - 0.1 * cos**2 / 1.1))
    slide = push - 0.05 * turn * cos / 1.1
    return state + 0.02 * np.array([dx, slide, spin, turn])


def pendulum_physics(state: np.ndarray, torque: float) -> np.ndarray:
    """Un paso del péndulo de `Pendulum-v1`: ángulo desde arriba y velocidad."""
    angle, spin = state
    spin = np.clip(spin + 0.05 * (15 * np.sin(angle) + 3 * torque), -8, 8)
    return np.array([angle + 0.05 * spin, spin])


CART_GAIN = lqr_gain(*_linearized(cart_physics, 4), np.diag([1.0, 0.2, 4.0, 0.4]), np.eye(1) * 0.02)
PENDULUM_GAIN = lqr_gain(*_linearized(pendulum_physics, 2), np.diag([1.0, 0.1]), np.eye(1) * 0.1)


def cart_expert(observation: np.ndarray, goal: str) -> list[int]:
    """Empuja hacia donde dice el regulador, medido desde el sitio en que se quiere el carro."""
    away = observation - np.array([SIDES[goal], 0, 0, 0])
    away[0] = np.clip(away[0], -1.0, 1.0)  # sin prisas si está lejos
    return [int(-(CART_GAIN @ away)[0] > 0)]


def pendulum_expert(observation: np.ndarray, goal: str = "") -> list[int]:
    """Cerca de arriba, el regulador; lejos, da energía hasta que baste para llegar.

    Fuente: Åström y Furuta (2000). La fuerza, de −2 a 2, se apunta partida por 2.
    """
    cos, sin, spin = observation
    angle = np.arctan2(sin, cos)
    torque = float(-(PENDULUM_GAIN @ np.array([angle, spin]))[0])
    if abs(torque) > 5 or abs(angle) > 0.8:
        missing = 5 * (1 - cos) - spin**2 / 6
        torque = 2.0 * np.sign(spin or 1.0) * np.sign(missing)
    return [force_bin(round(torque / NOTCH) * NOTCH)]


def force_bin(torque: float) -> int:
    """La casilla de una fuerza entre −2 y 2; las demás se recortan."""
    return int(to_bins(torch.tensor(torque / 2)))


@dataclass(frozen=True)
class ControlTask:
    """Una tarea: su entorno, su experto, sus metas y qué se le da al entorno en cada casilla."""

    env: str
    expert: Callable[[np.ndarray, str], list[int]]
    goals: tuple[str, ...]
    choices: int  # cuántas casillas sirven de acción
    per_step: int  # tokens de un paso
    kick: float  # desviación de un empujón
    prompted: float  # qué parte de las filas lleva demostración delante
    steps: int = 200

    def force(self, bins: list[int]):
        """Lo que entiende el entorno: una opción, o una fuerza entre −2 y 2."""
        if self.choices == 2:
            return bins[0]
        return np.array([2 * float(from_bins(torch.tensor(bins[0])))], dtype=np.float32)


CONTROL = {
    "carro": ControlTask("CartPole-v1", cart_expert, tuple(SIDES), 2, 6, 0.06, 1.0),
    "péndulo": ControlTask("Pendulum-v1", pendulum_expert, ("arriba",), 1024, 5, 0.3, 0.25),
}


def open_env(name: str, seed: int, world: Mapping[str, float] | None = None):
    """El entorno de una tarea, recién empezado, y su primera observación.

    `world` cambia la física: la gravedad, `g`, o el largo del palo, `length`. Errores: `ValueError`
    si no se conoce; `ModuleNotFoundError` si falta Gymnasium.
    """
    if name not in CONTROL:
        raise ValueError(f"no hay ninguna tarea «{name}»: usa {' o '.join(CONTROL)}")
    try:
        import gymnasium
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            "falta Gymnasium, que mueve el carro y el péndulo: instálalo con pip install gymnasium"
        ) from missing
    env = gymnasium.make(CONTROL[name].env, max_episode_steps=CONTROL[name].steps)
    for attribute, value in (world or {}).items():
        setattr(env.unwrapped, attribute, value)
    return env, env.reset(seed=seed)[0]


def play(
    name: str,
    policy: Callable[[np.ndarray, str], list[int]],
    goal: str,
    seed: int,
    *,
    kicks: float = 0.0,
    world: Mapping[str, float] | None = None,
) -> Episode:
    """Juega un episodio; con `kicks`, en esa parte de los pasos alguien da un empujón al azar.

    Los empujones llevan al experto a sitios de los que hay que saber volver. Con ellos, además, el
    carro empieza en cualquier sitio: si no, dónde está diría ya a dónde va.
    """
    env, seen = open_env(name, seed, world)
    task, noise = CONTROL[name], np.random.default_rng(seed)
    if kicks and name == "carro":
        env.unwrapped.state[0] += START * (2 * noise.random() - 1)
        seen = np.array(env.unwrapped.state, dtype=np.float32)
    observations, actions, score, over = [], [], 0.0, False
    while not over:
        bins = policy(seen.astype(np.float64), goal)
        observations.append(torch.tensor(seen))
        actions.append(bins)
        if noise.random() < kicks:
            state = np.asarray(env.unwrapped.state, dtype=np.float64)
            env.unwrapped.state = state + task.kick * noise.standard_normal(len(state))
        seen, reward, fallen, late, _ = env.step(task.force(bins))
        score, over = score + float(reward), fallen or late
    env.close()
    return Episode(name, goal, torch.stack(observations), torch.tensor(actions), score)


def expert_episodes(name: str, n: int, seed: int = 0, kicks: float = 0.05) -> list[Episode]:
    """Episodios del experto, con las metas por turno. Errores: los de `open_env`."""
    goals = CONTROL[name].goals if name in CONTROL else ("",)
    return [
        play(name, CONTROL[name].expert if name in CONTROL else cart_expert, goals[i % len(goals)],
             seed * 100_000 + i, kicks=kicks)
        for i in range(n)
    ]  # fmt: skip


def random_policy(name: str, seed: int = 0) -> Callable[[np.ndarray, str], list[int]]:
    """Actúa al azar, sin mirar: la base con la que se compara."""
    draw = np.random.default_rng(seed)
    return lambda seen, goal: [int(draw.integers(CONTROL[name].choices))]
