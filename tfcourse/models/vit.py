"""Vision Transformer: un codificador que lee una imagen como una frase de parches."""

from dataclasses import dataclass
from functools import partial

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.attention_maps import maps_by_layer
from tfcourse.layers.blocks import EncoderBlock
from tfcourse.layers.image.image_positions import (
    FixedPositions,
    resize_positions,
    sinusoidal_positions_2d,
)
from tfcourse.layers.image.patches import ConvStem, PatchEmbedding, check_patches
from tfcourse.layers.norms import LayerNorm
from tfcourse.layers.positions import LearnedPositions

ViTNorm = partial(LayerNorm, eps=1e-6)

BASE = {"d_model": 768, "n_heads": 12, "n_layers": 12, "d_hidden": 3072}
LARGE = {"d_model": 1024, "n_heads": 16, "n_layers": 24, "d_hidden": 4096}
HUGE = {"d_model": 1280, "n_heads": 16, "n_layers": 32, "d_hidden": 5120}
IMAGENET = {"n_classes": 1000, "image_size": 224, "channels": 3}

# Dosovitskiy et al. (2021), tabla 1; el número es el lado del parche. «aula» es del curso.
VARIANTS = {
    "aula": {"d_model": 64, "n_heads": 4, "n_layers": 3, "d_hidden": 128},
    "ViT-B/16": BASE | IMAGENET | {"patch_size": 16},
    "ViT-B/32": BASE | IMAGENET | {"patch_size": 32},
    "ViT-L/16": LARGE | IMAGENET | {"patch_size": 16},
    "ViT-L/32": LARGE | IMAGENET | {"patch_size": 32},
    "ViT-H/14": HUGE | IMAGENET | {"patch_size": 14},
}
STEMS, POOLS = ("parches", "convolución"), ("clase", "media")
POSITIONS = ("aprendidas", "senos 2D", "ninguna")


@dataclass(frozen=True)
class ViTConfig:
    """Tamaños de un Vision Transformer; `VARIANTS` tiene los del artículo y el de aula.

    `image_size` es el lado en píxeles, o (alto, ancho). `stem`, `pool` y `positions` son nombres
    de `STEMS`, `POOLS` y `POSITIONS`.
    Errores: `ValueError` si algún tamaño no es posible o un nombre no se conoce.
    """

    n_classes: int
    image_size: int | tuple[int, int] = 8
    patch_size: int = 2
    channels: int = 1
    d_model: int = VARIANTS["aula"]["d_model"]
    n_heads: int = VARIANTS["aula"]["n_heads"]
    n_layers: int = VARIANTS["aula"]["n_layers"]
    d_hidden: int = VARIANTS["aula"]["d_hidden"]
    dropout: float = 0.0
    stem: str = "parches"
    pool: str = "clase"
    positions: str = "aprendidas"

    def __post_init__(self):
        for name in ("n_classes", "channels", "d_model", "n_heads", "n_layers", "d_hidden"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}={getattr(self, name)}: tiene que ser al menos 1")
        for name, known in (("stem", STEMS), ("pool", POOLS), ("positions", POSITIONS)):
            if getattr(self, name) not in known:
                raise ValueError(f"{name}={getattr(self, name)!r}: usa {' o '.join(known)}")
        check_patches(self.sides, self.patch_size)

    @property
    def sides(self) -> tuple[int, int]:
        """Alto y ancho de la imagen, en píxeles."""
        size = self.image_size
        return (size, size) if isinstance(size, int) else size

    @property
    def grid(self) -> tuple[int, int]:
        """Filas y columnas de parches."""
        height, width = self.sides
        return height // self.patch_size, width // self.patch_size

    @property
    def n_prefix(self) -> int:
        """Cuántos tokens van delante de los parches: uno, el de clase, o ninguno."""
        return int(self.pool == "clase")

    @property
    def length(self) -> int:
        """Tokens que lee el codificador."""
        return self.grid[0] * self.grid[1] + self.n_prefix


class ViT(nn.Module):
    """Vision Transformer: parches, posiciones, un codificador Pre-LN y una capa que clasifica.

    Fuente: Dosovitskiy et al. (2021), § 3.1, ec. 1–4; el resumen por la media, apéndice D.3.
    Errores: `ValueError` si las imágenes no miden lo que dice la configuración.
    """

    def __init__(self, config: ViTConfig):
        super().__init__()
        self.config = config
        stem = PatchEmbedding if config.stem == "parches" else ConvStem
        self.embedding = stem(config.channels, config.patch_size, config.d_model)
        self.class_token = nn.Parameter(torch.zeros(config.d_model)) if config.n_prefix else None
        self.positions = image_positions(config)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(
            EncoderBlock(
                config.d_model, config.n_heads, config.d_hidden, dropout=config.dropout,
                norm_first=True, activation=nn.GELU, norm=ViTNorm,
            )
            for _ in range(config.n_layers)
        )  # fmt: skip
        self.norm = ViTNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.n_classes)

    def tokens(self, images: Float[Tensor, "B C H W"]) -> Float[Tensor, "B L D"]:
        """Lo que lee el codificador: el token de clase, si lo hay, y los parches, con posición."""
        check_images(images, self.config)
        x = self.embedding(images)
        if self.class_token is not None:
            x = torch.cat([self.class_token.expand(len(x), 1, -1), x], dim=1)
        return self.dropout(self.positions(x))

    def encode(self, images: Float[Tensor, "B C H W"]) -> Float[Tensor, "B L D"]:
        """Un vector por token que ya ha mirado a todos los demás."""
        x = self.tokens(images)
        for block in self.blocks:
            x = block(x)
        return self.norm(x)

    def forward(self, images: Float[Tensor, "B C H W"]) -> Float[Tensor, "B K"]:
        """Logits de cada clase."""
        return self.head(self.summary(self.encode(images)))

    def summary(self, states: Float[Tensor, "B L D"]) -> Float[Tensor, "B D"]:
        """El vector de la imagen: el del token de clase o la media de los parches."""
        return states.mean(dim=1) if self.class_token is None else states[:, 0]

    @torch.no_grad()
    def attention_maps(
        self, images: Float[Tensor, "B C height width"]
    ) -> list[Float[Tensor, "B H L L"]]:
        """Pesos de cada capa y cabeza al leer las imágenes, recalculados."""
        return maps_by_layer(self.blocks, self.tokens(images))


def image_positions(config: ViTConfig) -> nn.Module:
    """Las posiciones de una configuración: aprendidas, senos en dos dimensiones o ninguna."""
    if config.positions == "aprendidas":
        return LearnedPositions(config.length, config.d_model)
    if config.positions == "senos 2D":
        return FixedPositions(sinusoidal_positions_2d(*config.grid, config.d_model))
    return nn.Identity()


def check_images(images: Tensor, config: ViTConfig) -> None:
    """Error si las imágenes no tienen los canales y los lados que espera el modelo."""
    expected = (config.channels, *config.sides)
    if tuple(images.shape[1:]) != expected:
        raise ValueError(
            f"llegaron imágenes de forma {tuple(images.shape[1:])} y el modelo espera {expected} "
            "(canales, alto, ancho): cámbialas de tamaño, o el modelo con resized"
        )


@torch.no_grad()
def resized(model: ViT, image_size: int | tuple[int, int]) -> ViT:
    """El mismo modelo para imágenes de otro tamaño: las posiciones aprendidas se interpolan.

    Los parches siguen midiendo lo mismo, así que hay más o menos. Los demás pesos se copian.
    Errores: `ValueError` si el tamaño nuevo no se reparte en parches enteros.
    """
    old = model.config
    config = ViTConfig(**vars(old) | {"image_size": image_size})
    other = ViT(config).to(next(model.parameters())).train(model.training)
    weights = model.state_dict()
    if old.positions == "aprendidas":
        table = weights["positions.table.weight"]
        weights["positions.table.weight"] = resize_positions(table, old.grid, config.grid)
    other.load_state_dict(weights)
    return other
