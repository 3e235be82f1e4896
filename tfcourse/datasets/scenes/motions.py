"""Clips de una figura que hace dos cosas seguidas, y la frase en español que lo cuenta.

Los personajes, los colores y el fondo se sortean en cada clip. Las parejas de movimientos se
reparten: unas son para entrenar y otras, que entonces no se ven, para evaluar.
"""

import itertools
from dataclasses import dataclass
from math import pi
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.datasets.scenes.scene_objects import random_backgrounds, random_colors
from tfcourse.datasets.scenes.skeleton import N_ANGLES, draw_skeletons, joints_from_angles

FRAMES = 8  # los que dura cada movimiento; un clip tiene dos
SPEEDS = ("despacio", "deprisa")
_SIDES = ("izquierda", "derecha")  # las de la figura, que está de frente
_SPLIT_SEED, _TEST_SEED = 3_000_000, 3_000_001
# Columnas de los ángulos de una postura: el tronco y, por parejas (izquierda, derecha), lo demás.
_LEAN, _SHOULDER, _ELBOW, _HIP, _KNEE = 0, 2, 4, 6, 8


class Motion(NamedTuple):
    """Un movimiento: qué hace, hacia qué lado (si lo tiene) y a qué velocidad."""

    verb: str
    side: str
    speed: str

    def words(self) -> list[str]:
        """Las palabras que lo cuentan."""
        reflexive, verb, rest = PHRASES[self.verb]
        side = [self.side] if self.side else []
        return [*reflexive.split(), verb, self.speed, *rest.split(), *side]


# Verbo → lo que va delante, el verbo en la frase y lo que va detrás.
PHRASES = {
    "saludar": ("", "saluda", "con la mano"),
    "patear": ("", "levanta", "la pierna"),
    "inclinarse": ("se", "inclina", "hacia la"),
    "caminar": ("", "camina", "hacia la"),
    "aletear": ("", "mueve", "los brazos"),
    "saltar": ("", "salta", ""),
    "agacharse": ("se", "agacha", ""),
}
_SIDED = ("saludar", "patear", "inclinarse", "caminar")
MOTIONS = tuple(
    Motion(verb, side, speed)
    for verb in PHRASES
    for side in (_SIDES if verb in _SIDED else ("",))
    for speed in SPEEDS
)
PAIRS = tuple((a, b) for a, b in itertools.permutations(MOTIONS, 2) if a.verb != b.verb)


@dataclass(frozen=True)
class Clips:
    """Clips con su frase: `videos` (N, T, 3, S, S), entre 0 y 1, y las palabras de cada una."""

    videos: Float[Tensor, "N T 3 S S"]
    captions: list[list[str]]
    pairs: list[tuple[Motion, Motion]]

    def __len__(self) -> int:
        return len(self.captions)


def caption(first: Motion, second: Motion) -> list[str]:
    """La frase de dos movimientos seguidos, en palabras."""
    return [*first.words(), "y", "después", *second.words()]


def split_pairs(n_reserved: int = 100) -> tuple[list, list]:
    """Las parejas de movimientos de entrenar y las reservadas, siempre las mismas.

    Errores: `ValueError` si no quedaría ninguna en una de las dos partes.
    """
    if not 0 < n_reserved < len(PAIRS):
        raise ValueError(f"n_reserved={n_reserved}: usa de 1 a {len(PAIRS) - 1} parejas")
    order = torch.randperm(len(PAIRS), generator=torch.Generator().manual_seed(_SPLIT_SEED))
    shuffled = [PAIRS[i] for i in order.tolist()]
    return shuffled[n_reserved:], shuffled[:n_reserved]


def make_clips(
    pairs: list[tuple[Motion, Motion]], generator: torch.Generator, size: int = 32
) -> Clips:
    """Un clip de cada pareja, con otro personaje, otro fondo y otro sitio en cada uno."""
    angles, shift = (torch.cat(half, dim=1) for half in zip(*_acted(pairs, generator), strict=True))
    n, frames = angles.shape[:2]
    heights = size * (0.62 + 0.1 * torch.rand(n, 1, 1, 1, generator=generator))
    places = size * (0.5 + 0.12 * (torch.rand(n, 1, 1, 2, generator=generator) - 0.5))
    joints = joints_from_angles(angles)
    standing = torch.tensor([0.0, -0.02])  # el centro de la figura de pie, desde la cadera
    joints = (joints + standing + shift[:, :, None]) * heights + places
    palette = random_colors((n, 1, 3), generator).expand(-1, frames, -1, -1)
    backgrounds = random_backgrounds(n, size, generator, uneven=True)
    flat = heights.expand(-1, frames, -1, -1).flatten()
    drawn = draw_skeletons(joints.flatten(0, 1), flat, palette.flatten(0, 1), size)
    inside = drawn.inside.unflatten(0, (n, frames))[:, :, None]
    videos = torch.where(inside, drawn.colors.unflatten(0, (n, frames)), backgrounds[:, None])
    videos = videos + 0.03 * torch.randn(videos.shape, generator=generator)
    return Clips(videos.clamp(0, 1), [caption(*pair) for pair in pairs], list(pairs))


def training_clips(n_clips: int, seed: int = 0) -> Clips:
    """Clips de entrenar: parejas al azar de las no reservadas."""
    generator = torch.Generator().manual_seed(seed)
    pairs, _ = split_pairs()
    chosen = torch.randint(len(pairs), (n_clips,), generator=generator).tolist()
    return make_clips([pairs[i] for i in chosen], generator)


def reserved_clips(n_clips: int = 100) -> Clips:
    """Los de evaluar, siempre los mismos: un clip de cada pareja reservada."""
    return make_clips(split_pairs()[1][:n_clips], torch.Generator().manual_seed(_TEST_SEED))


def _acted(pairs, generator):
    """Ángulos y desplazamientos de la primera y de la segunda mitad de cada clip."""
    for half in (0, 1):
        chosen = [pair[half] for pair in pairs]
        jitter = torch.rand(2, len(pairs), 1, generator=generator)
        cycles = torch.tensor([1.0 + SPEEDS.index(m.speed) for m in chosen])[:, None]
        phase = 2 * pi * cycles * torch.arange(FRAMES) / FRAMES + 0.5 * (jitter[0] - 0.5)
        yield act([m.verb for m in chosen], [m.side for m in chosen], phase, 0.85 + 0.3 * jitter[1])


def act(
    verbs: list[str], sides: list[str], phase: Float[Tensor, "N T"], size: Float[Tensor, "N 1"]
) -> tuple[Float[Tensor, "N T A"], Float[Tensor, "N T 2"]]:
    """Representa cada movimiento: ángulos en cada instante y cuánto se aparta, en alturas."""
    angles = torch.zeros(*phase.shape, N_ANGLES)
    angles[..., _SHOULDER : _SHOULDER + 2] = 0.3
    shift = torch.zeros(*phase.shape, 2)
    for i, (verb, side) in enumerate(zip(verbs, sides, strict=True)):
        where = _SIDES.index(side) if side else 0
        _MOVES[verb](angles[i], shift[i], phase[i], float(size[i]), where)
    return angles, shift


def _wave(angles, shift, phase, size, side):
    angles[:, _SHOULDER + side] = 2.2
    angles[:, _ELBOW + side] = 0.5 + 0.9 * size * phase.sin()


def _kick(angles, shift, phase, size, side):
    angles[:, _HIP + side] = 0.65 * size * (1 - phase.cos())


def _bend(angles, shift, phase, size, side):
    angles[:, _LEAN] = (1 - 2 * side) * 0.45 * size * (1 - phase.cos())
    angles[:, _HIP] = angles[:, _LEAN]  # las piernas no se mueven
    angles[:, _HIP + 1] = -angles[:, _LEAN]


def _walk(angles, shift, phase, size, side):
    angles[:, _HIP : _HIP + 2] = 0.45 * phase.sin().abs()[:, None]
    shift[:, 0] = (1 - 2 * side) * 0.3 * size * torch.linspace(-0.5, 0.5, len(phase))


def _flap(angles, shift, phase, size, side):
    angles[:, _SHOULDER : _SHOULDER + 2] = 0.3 + 1.3 * size * (1 - phase.cos())[:, None]


def _jump(angles, shift, phase, size, side):
    shift[:, 1] = -0.18 * size * (phase / 2).sin().square()


def _squat(angles, shift, phase, size, side):
    bent = 0.5 * size * (1 - phase.cos())
    angles[:, _HIP : _HIP + 2] = bent[:, None]
    angles[:, _KNEE : _KNEE + 2] = -1.9 * bent[:, None]
    shift[:, 1] = 0.14 * bent


_MOVES = {
    "saludar": _wave,
    "patear": _kick,
    "inclinarse": _bend,
    "caminar": _walk,
    "aletear": _flap,
    "saltar": _jump,
    "agacharse": _squat,
}
