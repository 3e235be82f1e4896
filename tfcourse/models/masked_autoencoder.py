"""Autocodificador con parches tapados (MAE): leer unos pocos parches y pintar los demás."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tfcourse.layers.attention_maps import maps_by_layer
from tfcourse.layers.blocks import EncoderBlock
from tfcourse.layers.image.patches import join_patches
from tfcourse.models.vit import ViTConfig, ViTNorm, image_positions
from tfcourse.models.vit_published import ViTEncoder


@dataclass(frozen=True)
class MAEConfig:
    """Tamaños de un MAE: los del codificador, en `ViTConfig`, y los del decodificador.

    Errores: `ValueError` si algún tamaño no es posible o el codificador no tiene token de clase.
    """

    image_size: int = 8
    patch_size: int = 2
    channels: int = 1
    d_model: int = 64
    n_heads: int = 4
    n_layers: int = 3
    d_hidden: int = 128
    positions: str = "aprendidas"
    decoder_width: int = 32
    decoder_heads: int = 4
    decoder_layers: int = 1
    decoder_hidden: int = 64

    def __post_init__(self):
        for name in ("decoder_width", "decoder_heads", "decoder_layers", "decoder_hidden"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}={getattr(self, name)}: tiene que ser al menos 1")
        _ = self.encoder  # comprueba los demás

    @property
    def encoder(self) -> ViTConfig:
        """La configuración del codificador: un ViT que no clasifica."""
        return ViTConfig(
            1, self.image_size, self.patch_size, self.channels, self.d_model, self.n_heads,
            self.n_layers, self.d_hidden, positions=self.positions,
        )  # fmt: skip

    @property
    def decoder(self) -> ViTConfig:
        """La del decodificador: la misma rejilla, con otra anchura."""
        return replace(
            self.encoder, d_model=self.decoder_width, n_heads=self.decoder_heads,
            n_layers=self.decoder_layers, d_hidden=self.decoder_hidden,
        )  # fmt: skip


class Masked(NamedTuple):
    """Qué parches se ven: sus números `(B, K)`, y `hidden` `(B, N)`, `True` en los tapados."""

    kept: Int[Tensor, "B K"]
    hidden: Bool[Tensor, "B N"]


def random_masking(noise: Float[Tensor, "B N"], share: float) -> Masked:
    """Tapa al azar una parte `share` de los parches, los mismos en número en cada imagen.

    `noise` es un número al azar por parche: se quedan los que sacan los menores. Así se elige sin
    repetir y con las mismas formas en todas las filas.
    Fuente: He et al. (2022), § 3. Errores: `ValueError` si no queda ningún parche a la vista.
    """
    total = noise.shape[1]
    n_kept = int(total * (1 - share))
    if not 0 <= share < 1 or n_kept < 1:
        raise ValueError(
            f"share={share} de {total} parches: tiene que quedar alguno a la vista, y no puede ser "
            "negativo; prueba con 0.5"
        )
    kept = noise.argsort(dim=1)[:, :n_kept]
    hidden = torch.ones_like(noise, dtype=torch.bool).scatter(1, kept, False)
    return Masked(kept, hidden)


class MaskedAutoencoder(nn.Module):
    """MAE: el codificador solo lee los parches a la vista; el decodificador pinta todos.

    Donde falta un parche, el decodificador recibe un mismo vector aprendido, más la posición.
    Fuente: He et al. (2022), § 3.
    """

    def __init__(self, config: MAEConfig):
        super().__init__()
        self.config = config
        width = config.decoder_width
        self.encoder = ViTEncoder(config.encoder)
        self.narrow = nn.Linear(config.d_model, width)
        self.mask_token = nn.Parameter(torch.zeros(width))
        nn.init.normal_(self.mask_token, std=0.02)
        self.positions = image_positions(config.decoder)
        self.blocks = nn.ModuleList(
            EncoderBlock(
                width, config.decoder_heads, config.decoder_hidden, norm_first=True,
                activation=nn.GELU, norm=ViTNorm,
            )
            for _ in range(config.decoder_layers)
        )  # fmt: skip
        self.norm = ViTNorm(width)
        self.head = nn.Linear(width, config.channels * config.patch_size**2)

    def forward(
        self, images: Float[Tensor, "B C H W"], kept: Int[Tensor, "B K"]
    ) -> Float[Tensor, "B N P"]:
        """Lo que pinta en cada parche, también en los que ve, a partir de los de `kept`."""
        return self.decode(self.read(images, kept), kept)

    def read(
        self, images: Float[Tensor, "B C H W"], kept: Int[Tensor, "B K"]
    ) -> Float[Tensor, "B M D"]:
        """El codificador, con el token de clase y los parches de `kept`, y ninguno más."""
        x = self.visible(images, kept)
        for block in self.encoder.blocks:
            x = block(x)
        return self.encoder.norm(x)

    def visible(
        self, images: Float[Tensor, "B C H W"], kept: Int[Tensor, "B K"]
    ) -> Float[Tensor, "B M D"]:
        """Los tokens que entran en el codificador: el de clase y los parches de `kept`."""
        x = self.encoder.tokens(images)
        return torch.cat([x[:, :1], taken(x[:, 1:], kept)], dim=1)

    def decode(
        self, states: Float[Tensor, "B M D"], kept: Int[Tensor, "B K"]
    ) -> Float[Tensor, "B N P"]:
        """De lo leído a los píxeles de todos los parches."""
        x = self.filled(states, kept)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))[:, 1:]

    def filled(
        self, states: Float[Tensor, "B M D"], kept: Int[Tensor, "B K"]
    ) -> Float[Tensor, "B L E"]:
        """Lo que entra en el decodificador: lo leído en su sitio, y el vector de lo que falta."""
        x = self.narrow(states)
        rows, columns = self.config.encoder.grid
        seen = x[:, 1:]
        blank = self.mask_token.to(x.dtype).expand(len(x), rows * columns, -1)
        whole = blank.scatter(1, kept[..., None].expand_as(seen), seen)
        return self.positions(torch.cat([x[:, :1], whole], dim=1))

    @torch.no_grad()
    def attention_maps(
        self, images: Float[Tensor, "B C height width"], kept: Int[Tensor, "B K"]
    ) -> list[Tensor]:
        """Pesos de cada capa y cabeza, `(B, H, L, L)`: las del codificador y las que pintan."""
        painting = maps_by_layer(self.blocks, self.filled(self.read(images, kept), kept))
        return [*maps_by_layer(self.encoder.blocks, self.visible(images, kept)), *painting]

    def drawn(self, patches: Float[Tensor, "B N P"]) -> Float[Tensor, "B C H W"]:
        """Recompone imágenes con los parches que da `forward`."""
        return join_patches(patches, self.config.channels, self.config.encoder.grid)


def taken(tokens: Float[Tensor, "B N D"], kept: Int[Tensor, "B K"]) -> Float[Tensor, "B K D"]:
    """De cada imagen, los tokens de esos números, en ese orden."""
    return tokens.gather(1, kept[..., None].expand(-1, -1, tokens.shape[-1]))
