"""Un alumno y un maestro hechos de la misma red (DINO): el maestro es la media de los alumnos."""

import copy
from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.models.vit_published import ViTEncoder


class PrototypeHead(nn.Module):
    """Cabeza de prototipos: una red pequeña y el coseno con cada uno de `n_prototypes` vectores.

    El vector se lleva a longitud 1 y los prototipos también, así que cada número está entre −1 y 1.
    Con `batch_norm`, lo que entra se normaliza antes en el lote, número a número: al empezar, un
    codificador da casi lo mismo de todas las imágenes, y así se oye en qué se distinguen.
    Fuente: Caron et al. (2021), § 3.1 y apéndice C, con dos capas.
    """

    def __init__(
        self,
        d_model: int,
        d_hidden: int,
        d_bottleneck: int,
        n_prototypes: int,
        *,
        batch_norm: bool = True,
    ):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.GELU(), nn.Linear(d_hidden, d_bottleneck)
        )
        if batch_norm:
            norm = nn.BatchNorm1d(d_model, affine=False, track_running_stats=False)
            self.layers.insert(0, norm)
        self.prototypes = nn.Parameter(torch.randn(n_prototypes, d_bottleneck))

    def forward(self, x: Float[Tensor, "B D"]) -> Float[Tensor, "B K"]:
        """El parecido con cada prototipo."""
        return F.linear(F.normalize(self.layers(x), dim=-1), F.normalize(self.prototypes, dim=-1))


class Seen(NamedTuple):
    """Lo que dicen el alumno y el maestro de cada vista, y el centro que se le resta al maestro."""

    student: Float[Tensor, "B V K"]
    teacher: Float[Tensor, "B V K"]
    center: Float[Tensor, " K"]


class Observer(nn.Module):
    """Un codificador y su cabeza de prototipos: una imagen → K números, por su token de clase."""

    def __init__(self, encoder: ViTEncoder, head: PrototypeHead):
        super().__init__()
        self.encoder, self.head = encoder, head

    def forward(self, images: Float[Tensor, "B C H W"]) -> Float[Tensor, "B K"]:
        """El parecido de cada imagen con cada prototipo."""
        return self.head(self.encoder.summary(self.encoder(images)))


class SelfDistiller(nn.Module):
    """Alumno y maestro: el alumno aprende, y el maestro es la media móvil de sus pesos.

    `momentum` es lo que el maestro conserva de sí en cada paso, y `center_momentum`, lo que
    conserva su centro, la media de lo que dice. Al empezar cada paso de entrenamiento el maestro
    se acerca al alumno; así también cuenta lo último que este aprendió.
    Fuente: Caron et al. (2021), § 3.1, algoritmo 1.
    Errores: `ValueError` si alguna de las dos partes no está entre 0 y 1.
    """

    def __init__(self, student: Observer, momentum: float = 0.99, center_momentum: float = 0.9):
        super().__init__()
        for name, value in (("momentum", momentum), ("center_momentum", center_momentum)):
            if not 0 <= value <= 1:
                raise ValueError(f"{name}={value}: es la parte que se conserva, de 0 a 1")
        self.student, self.teacher = student, copy.deepcopy(student).requires_grad_(False)
        self.momentum, self.center_momentum = momentum, center_momentum
        self.center: Tensor
        self.register_buffer("center", torch.zeros(len(student.head.prototypes)))

    def forward(self, views: Float[Tensor, "B V C H W"]) -> Seen:
        """Las vistas de un lote, leídas por los dos; el maestro no recibe gradiente."""
        if self.training:
            self.follow()
        flat, shape = views.flatten(0, 1), views.shape[:2]
        student = self.student(flat).unflatten(0, shape)
        with torch.no_grad():
            teacher = self.teacher(flat).unflatten(0, shape)
        center = self.center.clone()
        if self.training:
            mean = teacher.flatten(0, 1).mean(0)
            self.center.copy_(moved_towards(self.center, mean, self.center_momentum))
        return Seen(student, teacher, center)

    @torch.no_grad()
    def follow(self) -> None:
        """El maestro conserva `momentum` de sí mismo y toma lo demás del alumno."""
        for mine, theirs in zip(self.teacher.parameters(), self.student.parameters(), strict=True):
            mine.copy_(moved_towards(mine, theirs, self.momentum))


def moved_towards(
    old: Float[Tensor, "*B"], new: Float[Tensor, "*B"], kept: float
) -> Float[Tensor, "*B"]:
    """Media móvil: la parte `kept` de lo viejo y lo que falta, de lo nuevo."""
    return kept * old + (1 - kept) * new
