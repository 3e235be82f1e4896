"""El SepFormer publicado: normaliza la mezcla entera de una vez y cierra con una compuerta."""

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.audio.signals import check_wave
from tfcourse.audio.windows import overlap_add, split_frames
from tfcourse.layers.positions import sinusoidal_positions
from tfcourse.layers.sound.dual_path import PathTransformer, along
from tfcourse.layers.sound.wave_fronts import LearnedFront
from tfcourse.models.sepformer import SepFormerConfig


class PublishedFront(LearnedFront):
    """El codificador y el decodificador de la onda, sin añadir silencio por los bordes."""

    def analyze(self, waves: Float[Tensor, "B T"]) -> Float[Tensor, "B L F"]:
        """Los coeficientes de cada tramo entero; lo que no llena uno, se deja."""
        return F.relu(self.encoder(split_frames(waves, self.kernel, self.stride)))

    def synthesize(
        self, coefficients: Float[Tensor, "B S L F"], length: int
    ) -> Float[Tensor, "B S T"]:
        """Una onda de `length` muestras por cada juego de coeficientes; acaba en silencio."""
        waves = overlap_add(self.decoder(coefficients), self.stride)
        return F.pad(waves, (0, length - waves.shape[-1]))


class WholeNorm(nn.GroupNorm):
    """Normalización de un ejemplo entero, todos sus vectores a la vez, con escala por componente.

    Fuente: Luo y Mesgarani (2019), § II, ec. 8 y 9 (la «global»).
    """

    def __init__(self, d_model: int):
        super().__init__(1, d_model, eps=1e-8)

    def forward(self, input: Float[Tensor, "B *L D"]) -> Float[Tensor, "B *L D"]:
        """Media 0 y varianza 1 en cada ejemplo."""
        return super().forward(input.movedim(-1, 1)).movedim(1, -1)


class PublishedPath(PathTransformer):
    """Los mismos bloques con posiciones, sin el residuo, que aquí se suma después de otra norma."""

    def forward(self, x: Float[Tensor, "B L D"]) -> Float[Tensor, "B L D"]:
        """Cada vector mira a los de su secuencia."""
        y = x + sinusoidal_positions(x.shape[1], x.shape[2]).to(x)
        for block in self.blocks:
            y = block(y)
        return self.norm(y)


class PublishedDualPath(nn.Module):
    """Bloque de doble camino que normaliza, tras cada camino, todos los trozos a la vez."""

    def __init__(self, config: SepFormerConfig):
        super().__init__()
        size = (config.d_model, config.n_heads, config.d_hidden)
        self.intra = PublishedPath(*size, config.n_intra)
        self.inter = PublishedPath(*size, config.n_inter)
        self.intra_norm, self.inter_norm = WholeNorm(config.d_model), WholeNorm(config.d_model)

    def forward(self, chunks: Float[Tensor, "B N C D"]) -> Float[Tensor, "B N C D"]:
        """Los mismos trozos, después de mirar por los dos caminos."""
        chunks = chunks + self.intra_norm(along(self.intra, chunks))
        crossed = along(self.inter, chunks.transpose(1, 2)).transpose(1, 2)
        return chunks + self.inter_norm(crossed)


class PublishedMaskNet(nn.Module):
    """Red de máscaras: trozos, doble camino, una compuerta y una máscara por hablante."""

    def __init__(self, config: SepFormerConfig):
        super().__init__()
        self.config = config
        width, n_filters = config.d_model, config.n_filters
        self.norm = WholeNorm(n_filters)
        self.input = nn.Linear(n_filters, width, bias=False)
        self.blocks = nn.ModuleList(PublishedDualPath(config) for _ in range(config.n_blocks))
        self.activation = nn.PReLU()
        self.split = nn.Linear(width, config.n_speakers * width)
        self.content, self.gate = nn.Linear(width, width), nn.Linear(width, width)
        self.output = nn.Linear(width, n_filters, bias=False)

    def forward(self, features: Float[Tensor, "B L F"]) -> Float[Tensor, "B S L F"]:
        """Las máscaras: cuánto de cada coeficiente se lleva cada hablante."""
        x = self.input(self.norm(features))
        half, length = self.config.chunk // 2, x.shape[1]
        gap = self.config.chunk - (half + length) % self.config.chunk
        padded = F.pad(x, (0, 0, half, gap + half))
        chunks = split_frames(padded.mT, self.config.chunk, half).movedim(1, -1)
        for block in self.blocks:
            chunks = block(chunks)
        own = self.split(self.activation(chunks)).unflatten(-1, (self.config.n_speakers, -1))
        # De B N C S D a B S D N C: se suma lo que se solapa, sin dividir entre dos.
        total = overlap_add(own.permute(0, 3, 4, 1, 2), half)
        x = total[..., half : half + length].mT
        return torch.relu(self.output(self.content(x).tanh() * self.gate(x).sigmoid()))


class PublishedSepFormer(nn.Module):
    """SepFormer tal como se publicó: sin quitar antes el volumen de la mezcla.

    Fuente: Subakan et al. (2021), § 2, y la receta de SpeechBrain.
    """

    def __init__(self, config: SepFormerConfig):
        super().__init__()
        self.config = config
        self.front = PublishedFront(config.n_filters, config.kernel, config.stride)
        self.mask_net = PublishedMaskNet(config)

    def forward(self, waves: Float[Tensor, "B T"]) -> Float[Tensor, "B S T"]:
        """Una onda por hablante. Errores: los de `check_wave`."""
        check_wave(waves)
        coefficients = self.front.analyze(waves)
        masks = self.mask_net(coefficients)
        return self.front.synthesize(masks * coefficients[:, None], waves.shape[-1])
