"""Palabras visuales: un vídeo convertido en tokens con k-medias jerárquico, como en VideoBERT."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

TUBE_FRAMES, GRID = 2, 8


def motion_features(
    videos: Float[Tensor, "N T 3 S S"], tube_frames: int = TUBE_FRAMES, grid: int = GRID
) -> Float[Tensor, "N M P"]:
    """Qué se mueve en cada tubo de `tube_frames` fotogramas: M vectores por clip.

    De cada píxel se toma cuánto se aparta de su mediana en el clip, que es lo que está quieto: el
    fondo, y los colores, desaparecen. Después se reduce a `grid` × `grid` y se divide entre la
    norma media del clip. Errores: `ValueError` si los tubos no caben justos.
    """
    n_frames, size = videos.shape[1], videos.shape[-1]
    if n_frames % tube_frames or size % grid:
        raise ValueError(
            f"llegaron {n_frames} fotogramas de {size} × {size}: el número de fotogramas tiene que "
            f"ser múltiplo de {tube_frames}, y el lado, de {grid}"
        )
    still = videos.median(dim=1, keepdim=True).values
    moved = (videos - still).abs().amax(dim=2)
    small = F.avg_pool2d(moved, size // grid)
    tubes = small.flatten(2).unflatten(1, (-1, tube_frames)).flatten(2)
    scale = tubes.norm(dim=-1).mean(dim=1)
    return tubes / scale.clamp(min=1e-6)[:, None, None]


def nearest(
    points: Float[Tensor, "N P"], centers: Float[Tensor, "K P"]
) -> tuple[Int[Tensor, " N"], Float[Tensor, " N"]]:
    """El centro más cercano a cada punto y la distancia, al cuadrado."""
    # |x − c|² = |x|² − 2 x·c + |c|²: un producto de matrices, sin hacer todas las restas.
    scores = centers.square().sum(dim=1) - 2 * points @ centers.T
    smallest, which = scores.min(dim=1)
    return which, (smallest + points.square().sum(dim=1)).clamp(min=0)


def spread_centers(
    points: Float[Tensor, "N P"], n_centers: int, generator: torch.Generator
) -> Float[Tensor, "K P"]:
    """Centros para empezar: cada uno, un punto al azar, con preferencia por los más lejanos.

    La probabilidad es la distancia al cuadrado al centro ya elegido más cercano.
    Fuente: Arthur y Vassilvitskii (2007), § 2.2.
    """
    chosen = torch.randint(len(points), (1,), generator=generator)
    away = nearest(points, points[chosen])[1]
    while len(chosen) < n_centers:
        weights = away if float(away.sum()) > 0 else torch.ones_like(away)
        new = torch.multinomial(weights, 1, generator=generator)
        chosen = torch.cat([chosen, new])
        away = torch.minimum(away, nearest(points, points[new])[1])
    return points[chosen]


def k_means(
    points: Float[Tensor, "N P"], centers: Float[Tensor, "K P"], rounds: int = 20
) -> Float[Tensor, "K P"]:
    """k-medias: cada punto, con su centro más cercano; cada centro, a la media de los suyos.

    Se repite hasta que nada cambia o se acaban las vueltas. Un centro sin puntos se queda donde
    está. Fuente: Lloyd (1982).
    """
    for _ in range(rounds):
        which, _ = nearest(points, centers)
        sums = torch.zeros_like(centers).index_add_(0, which, points)
        counts = which.bincount(minlength=len(centers))[:, None]
        moved = torch.where(counts > 0, sums / counts.clamp(min=1), centers)
        if torch.equal(moved, centers):
            break
        centers = moved
    return centers


@dataclass(frozen=True)
class VisualWords:
    """Vocabulario visual de dos pisos: `n` grupos, y dentro de cada uno, otros `n`.

    `groups` es (n, P) y `words`, (n, n, P). La palabra de un tubo es la del grupo más cercano y,
    dentro de él, la del centro más cercano: basta mirar 2n centros y no n².
    Fuente: Sun et al. (2019), § 4.2, con cuatro pisos de doce.
    """

    groups: Float[Tensor, "K P"]
    words: Float[Tensor, "K K P"]

    def __len__(self) -> int:
        return len(self.groups) ** 2

    @classmethod
    def learn(cls, points: Float[Tensor, "N P"], branches: int = 5, seed: int = 0) -> "VisualWords":
        """Aprende los dos pisos. Errores: `ValueError` si hay menos puntos que palabras."""
        if len(points) < branches**2:
            raise ValueError(
                f"{len(points)} tubos no dan para {branches**2} palabras: usa más clips o menos "
                "ramas"
            )
        generator = torch.Generator().manual_seed(seed)
        groups = k_means(points, spread_centers(points, branches, generator))
        which, _ = nearest(points, groups)
        parts = [points[which == g] for g in range(branches)]
        words = [k_means(p, spread_centers(p, branches, generator)) for p in parts]
        return cls(groups, torch.stack(words))

    def encode(self, points: Float[Tensor, "*B P"]) -> Int[Tensor, "*B"]:
        """La palabra de cada tubo, de 0 a n² − 1."""
        flat = points.flatten(0, -2)
        group, _ = nearest(flat, self.groups)
        word = torch.zeros_like(group)
        for g in group.unique().tolist():
            word[group == g] = nearest(flat[group == g], self.words[g])[0]
        return (group * len(self.groups) + word).view(points.shape[:-1])
