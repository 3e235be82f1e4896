"""Episodios en movimiento: dibujos SVG que se mueven con CSS, sin guiones ni nada de fuera."""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from tfcourse.datasets.agents.control import Episode
from tfcourse.plots.movies import movie_html

FRAMES = 50  # fotogramas clave; entre dos, el navegador interpola
SECONDS = {"carro": 0.02, "péndulo": 0.05}  # lo que dura un paso
WIDE, HIGH, METRE = 220, 120, 38


@dataclass(frozen=True)
class Scene:
    """Un episodio con su título, para verlo moverse."""

    title: str
    episode: Episode


class EpisodeMovie:
    """Varios episodios, uno al lado de otro, con una casilla que los pone en marcha.

    Está parado hasta que alguien lo pide: nada se mueve solo. Se maneja con el teclado, y cada
    dibujo lleva un texto que dice qué pasa. Errores: `ValueError` si no hay episodios o alguno no
    se sabe dibujar.
    """

    def __init__(self, *scenes: Scene):
        unknown = [s.episode.task for s in scenes if s.episode.task not in SECONDS]
        if not scenes or unknown:
            raise ValueError(
                f"llegaron {len(scenes)} episodios{f', uno de «{unknown[0]}»' if unknown else ''}: "
                f"hace falta al menos uno, y de {' o '.join(SECONDS)}"
            )
        self.scenes = scenes

    def __repr__(self) -> str:
        return "\n".join(f"▶ {s.title}: {told(s.episode)}" for s in self.scenes)

    def _repr_html_(self) -> str:
        """La casilla y los dibujos, en HTML."""
        text = "".join(s.title + str(s.episode.observations.sum().item()) for s in self.scenes)
        name = "ep" + hashlib.sha256(text.encode()).hexdigest()[:8]
        drawn = [_panel(f"{name}-{i}", scene) for i, scene in enumerate(self.scenes)]
        rules = (
            f".{name} .q{{animation-timing-function:linear;animation-iteration-count:infinite;"
            f"animation-play-state:paused;transform-box:view-box}}"
        )
        styles = rules + "".join(style for style, _ in drawn)
        pictures = "".join(picture for _, picture in drawn)
        return movie_html(name, styles, pictures)


def told(episode: Episode) -> str:
    """Un episodio, contado en una frase."""
    seconds = f"{len(episode) * SECONDS[episode.task]:.1f}".replace(".", ",")
    if episode.task == "carro":
        where = f"{float(episode.observations[-1, 0]):+.1f}".replace(".", ",").replace("-", "−")
        return f"{len(episode)} pasos, {seconds} s; el carro acaba en {where} m"
    up = [float(cos) > 0.9 for cos in episode.observations[:, 0]]
    if not up[-1]:
        return f"{len(episode)} pasos, {seconds} s; el péndulo no acaba arriba"
    last_down = max((i for i, high in enumerate(up) if not high), default=-1)
    return f"{len(episode)} pasos, {seconds} s; arriba desde el paso {last_down + 1}"


def _panel(name: str, scene: Scene) -> tuple[str, str]:
    """Las reglas y el dibujo de un episodio."""
    draw = _cart if scene.episode.task == "carro" else _pendulum
    seen = scene.episode.observations.double().numpy()
    every = np.linspace(0, len(seen) - 1, min(FRAMES, len(seen))).round().astype(int)
    seconds = max(0.2, len(seen) * SECONDS[scene.episode.task])
    rules, shapes = draw(name, seen, every, seconds)
    label = escape(f"{scene.title}: {told(scene.episode)}")
    picture = (
        f'<figure style="margin:0;width:{WIDE}px;max-width:100%">'
        f'<svg viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{label}" fill="none" '
        f'stroke="currentColor" stroke-width="2">{shapes}</svg>'
        f'<figcaption style="font-size:.85em">{escape(scene.title)}</figcaption></figure>'
    )
    return rules, picture


def _cart(name: str, seen: np.ndarray, every: np.ndarray, seconds: float) -> tuple[str, str]:
    """El carro en su carril, con marcas en −1, 0 y 1 metros."""
    floor, middle = HIGH - 24, WIDE / 2
    x = [f"translateX({METRE * v:.1f}px)" for v in seen[every, 0]]
    turn = [f"rotate({math.degrees(v):.1f}deg)" for v in seen[every, 2]]
    rules = _moves(f"{name}x", x, seconds) + _moves(f"{name}r", turn, seconds)
    rules += f".{name}r{{transform-origin:{middle}px {floor - 12}px}}"
    marks = (
        "".join(f'<path d="M{middle + METRE * m} {floor + 4}v6"/>' for m in (-1, 0, 1))
        + f'<path d="M4 {floor + 2}H{WIDE - 4}" opacity=".5"/>'
    )
    pole = f'<path class="q {name}r" d="M{middle} {floor - 12}v-52" stroke-width="5"/>'
    box = f'<rect x="{middle - 18}" y="{floor - 12}" width="36" height="12" fill="currentColor"/>'
    return rules, f'{marks}<g class="q {name}x">{box}{pole}</g>'


def _pendulum(name: str, seen: np.ndarray, every: np.ndarray, seconds: float) -> tuple[str, str]:
    """La varilla, que cuelga de un punto; el ángulo se desenrolla para que no dé saltos."""
    angle = np.unwrap(np.arctan2(seen[:, 1], seen[:, 0]))[every]
    turn = [f"rotate({-math.degrees(v):.1f}deg)" for v in angle]
    x, y = WIDE / 2, HIGH / 2
    rules = _moves(f"{name}r", turn, seconds) + f".{name}r{{transform-origin:{x}px {y}px}}"
    rod = f'<path class="q {name}r" d="M{x} {y}v-48" stroke-width="7" stroke-linecap="round"/>'
    ring, pin = (
        f'<circle cx="{x}" cy="{y}" r="{r}" opacity="{o}"/>' for r, o in ((52, 0.25), (3, 1))
    )
    return rules, ring + rod + pin


def _moves(name: str, transforms: Sequence[str], seconds: float) -> str:
    """Una animación: un fotograma clave por cada transformación."""
    last = max(1, len(transforms) - 1)
    frames = "".join(
        f"{100 * i / last:.4g}%{{transform:{move}}}" for i, move in enumerate(transforms)
    )
    return (
        f"@keyframes {name}{{{frames}}}"
        f".{name}{{animation-name:{name};animation-duration:{seconds:.1f}s}}"
    )
