"""wav2vec 2.0: convoluciones sobre la onda, un Transformer con tramos tapados y un cuantizador."""

from dataclasses import dataclass
from math import prod
from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tfcourse.audio.signals import check_wave
from tfcourse.layers.blocks import EncoderBlock
from tfcourse.layers.norms import LayerNorm
from tfcourse.layers.similarity import contrastive_logits
from tfcourse.layers.sound.quantizer import ProductQuantizer

# «base»: Baevski et al. (2020), § 4.2, para ondas a 16 kHz. «aula» es del curso, a 8 kHz. En las
# dos hay un vector cada 20 milésimas.
VARIANTS = {
    "aula": {
        "channels": (16, 32, 64, 64), "kernels": (16, 10, 4, 4), "strides": (8, 5, 2, 2),
        "d_model": 64, "n_heads": 4, "n_layers": 2, "d_hidden": 128,
        "position_kernel": 9, "position_groups": 8, "n_groups": 2, "n_codes": 16, "d_code": 32,
    },
    "base": {
        "channels": (512,) * 7, "kernels": (10, 3, 3, 3, 3, 2, 2), "strides": (5, 2, 2, 2, 2, 2, 2),
        "d_model": 768, "n_heads": 12, "n_layers": 12, "d_hidden": 3072,
        "position_kernel": 129, "position_groups": 16, "n_groups": 2, "n_codes": 320, "d_code": 256,
    },
}  # fmt: skip


@dataclass(frozen=True)
class Wav2Vec2Config:
    """Tamaños: los de las convoluciones, los del Transformer y los del cuantizador.

    Errores: `ValueError` si hay tamaños que no casan o que no son positivos.
    """

    channels: tuple[int, ...] = VARIANTS["aula"]["channels"]
    kernels: tuple[int, ...] = VARIANTS["aula"]["kernels"]
    strides: tuple[int, ...] = VARIANTS["aula"]["strides"]
    d_model: int = VARIANTS["aula"]["d_model"]
    n_heads: int = VARIANTS["aula"]["n_heads"]
    n_layers: int = VARIANTS["aula"]["n_layers"]
    d_hidden: int = VARIANTS["aula"]["d_hidden"]
    position_kernel: int = VARIANTS["aula"]["position_kernel"]
    position_groups: int = VARIANTS["aula"]["position_groups"]
    n_groups: int = VARIANTS["aula"]["n_groups"]
    n_codes: int = VARIANTS["aula"]["n_codes"]
    d_code: int = VARIANTS["aula"]["d_code"]

    def __post_init__(self):
        sizes = (self.channels, self.kernels, self.strides)
        if len({len(size) for size in sizes}) > 1 or not self.channels:
            raise ValueError(
                f"channels={self.channels}, kernels={self.kernels} y strides={self.strides}: "
                "hace falta uno de cada por convolución"
            )
        if self.position_kernel % 2 == 0:
            raise ValueError(
                f"position_kernel={self.position_kernel}: usa un impar, p. ej. "
                f"{self.position_kernel + 1}, para que haya tantos vecinos a un lado como al otro"
            )

    @property
    def hop(self) -> int:
        """Muestras entre dos vectores seguidos."""
        return prod(self.strides)

    @property
    def reach(self) -> int:
        """Muestras que ve cada vector."""
        seen = 1
        for kernel, stride in zip(reversed(self.kernels), reversed(self.strides), strict=True):
            seen = (seen - 1) * stride + kernel
        return seen

    def frames(self, samples: int) -> int:
        """Cuántos vectores salen de una onda de `samples` muestras."""
        for kernel, stride in zip(self.kernels, self.strides, strict=True):
            samples = max(0, (samples - kernel) // stride + 1)
        return samples


def normalized(waves: Float[Tensor, "B T"]) -> Float[Tensor, "B T"]:
    """Cada onda con media 0 y varianza 1: el volumen deja de contar.

    Errores: los de `check_wave`.
    """
    check_wave(waves)
    centered = waves - waves.mean(dim=-1, keepdim=True)
    return centered / (centered.square().mean(dim=-1, keepdim=True) + 1e-7).sqrt()


class WaveEncoder(nn.Module):
    """Codificador de la onda: convoluciones con zancada y GELU; tras la primera, se normaliza.

    `GroupNorm` con un canal por grupo lleva cada canal del clip a media 0 y varianza 1.
    Fuente: Baevski et al. (2020), § 2 y § 4.2; la variante «base».
    """

    def __init__(
        self, channels: tuple[int, ...], kernels: tuple[int, ...], strides: tuple[int, ...]
    ):
        super().__init__()
        widths = zip((1, *channels), channels, kernels, strides, strict=False)
        self.convolutions = nn.ModuleList(
            nn.Conv1d(before, after, kernel, stride=stride, bias=False)
            for before, after, kernel, stride in widths
        )
        self.norm = nn.GroupNorm(channels[0], channels[0])

    def forward(self, waves: Float[Tensor, "B T"]) -> Float[Tensor, "B L C"]:
        """Un vector cada tantas muestras como valga el producto de las zancadas."""
        first, *others = self.convolutions
        x = F.gelu(self.norm(first(waves[:, None])))
        for convolution in others:
            x = F.gelu(convolution(x))
        return x.transpose(1, 2)


class ConvPositions(nn.Module):
    """Posiciones aprendidas con una convolución: cada vector recibe algo de sus vecinos.

    Como en una posición relativa, lo que se suma depende de qué hay alrededor y a qué distancia.
    Fuente: Baevski et al. (2020), § 2; Mohamed et al. (2019).
    """

    def __init__(self, d_model: int, kernel: int, groups: int):
        super().__init__()
        self.convolution = nn.Conv1d(d_model, d_model, kernel, padding=kernel // 2, groups=groups)

    def forward(self, x: Float[Tensor, "B L D"]) -> Float[Tensor, "B L D"]:
        """Los vectores, con su posición sumada."""
        return x + F.gelu(self.convolution(x.transpose(1, 2))).transpose(1, 2)


class Wav2Vec2(nn.Module):
    """La parte que se aprovecha después: de la onda a un vector de contexto por tramo de sonido.

    Fuente: Baevski et al. (2020), § 2, con bloques Pre-LN.
    """

    def __init__(self, config: Wav2Vec2Config):
        super().__init__()
        self.config = config
        self.encoder = WaveEncoder(config.channels, config.kernels, config.strides)
        self.feature_norm = LayerNorm(config.channels[-1])
        self.projection = nn.Linear(config.channels[-1], config.d_model)
        self.mask_vector = nn.Parameter(torch.rand(config.d_model))
        self.positions = ConvPositions(
            config.d_model, config.position_kernel, config.position_groups
        )
        self.blocks = nn.ModuleList(
            EncoderBlock(
                config.d_model, config.n_heads, config.d_hidden, norm_first=True,
                activation=nn.GELU,
            )
            for _ in range(config.n_layers)
        )  # fmt: skip
        self.norm = LayerNorm(config.d_model)

    def features(self, waves: Float[Tensor, "B T"]) -> Float[Tensor, "B L C"]:
        """Lo que sale de las convoluciones, normalizado: lo que ve el cuantizador.

        Errores: `ValueError` si la onda no da ni un vector.
        """
        if not self.config.frames(waves.shape[-1]):
            raise ValueError(
                f"la onda tiene {waves.shape[-1]} muestras y hacen falta {self.config.reach}: "
                "alárgala con silencio (tfcourse.audio.resampling.fit_length)"
            )
        return self.feature_norm(self.encoder(normalized(waves)))

    def context(
        self, features: Float[Tensor, "B L C"], hidden: Bool[Tensor, "B L"] | None = None
    ) -> Float[Tensor, "B L D"]:
        """Vectores de contexto; donde `hidden` es True, el Transformer no ve el sonido."""
        x = self.projection(features)
        if hidden is not None:
            x = torch.where(hidden[..., None], self.mask_vector, x)
        x = self.positions(x)
        for block in self.blocks:
            x = block(x)
        return self.norm(x)

    def forward(self, waves: Float[Tensor, "B T"]) -> Float[Tensor, "B L D"]:
        """Vectores de contexto de la onda entera."""
        return self.context(self.features(waves))


class Guess(NamedTuple):
    """Lo que sale al preentrenar: parecidos (B, L, 1 + K) y perplejidad de cada tabla (G,)."""

    logits: Tensor
    used: Tensor


class Wav2Vec2Pretraining(nn.Module):
    """wav2vec 2.0 con lo que solo hace falta para preentrenarlo: el cuantizador y dos proyecciones.

    El Transformer lee los vectores con tramos tapados; el cuantizador, los mismos sin tapar.
    """

    def __init__(self, config: Wav2Vec2Config):
        super().__init__()
        self.config = config
        self.wav2vec2 = Wav2Vec2(config)
        self.quantizer = ProductQuantizer(
            config.channels[-1], config.d_code, config.n_groups, config.n_codes
        )
        self.project_context = nn.Linear(config.d_model, config.d_code)
        self.project_code = nn.Linear(config.d_code, config.d_code)

    def forward(
        self,
        waves: Float[Tensor, "B T"],
        hidden: Bool[Tensor, "B L"],
        distractors: Int[Tensor, "B L K"],
    ) -> Guess:
        """Compara lo que se predice en cada posición con la entrada verdadera y con otras."""
        features = self.wav2vec2.features(waves)
        codes, used = self.quantizer(features, hidden)
        predicted = self.project_context(self.wav2vec2.context(features, hidden))
        return Guess(contrastive_logits(predicted, self.project_code(codes), distractors), used)


class WaveTagger(nn.Module):
    """wav2vec 2.0 con una capa encima: una palabra por clip o un símbolo por vector.

    Con `segments`, clasifica el clip a partir de la media de cada trozo, puestas en fila; con
    `None`, cada vector, que es lo que pide CTC. Si `frozen`, las convoluciones no se mueven.
    Fuente: Baevski et al. (2020), § 3.3, que solo etiqueta cada vector.
    """

    def __init__(self, wav2vec2: Wav2Vec2, n_classes: int, *, segments: int | None, frozen: bool):
        super().__init__()
        self.wav2vec2 = wav2vec2
        self.segments = segments
        self.frozen = frozen
        self.head = nn.Linear(wav2vec2.config.d_model * (segments or 1), n_classes)

    def forward(self, waves: Float[Tensor, "B T"]) -> Float[Tensor, "B *L K"]:
        """Logits de cada clase."""
        with torch.set_grad_enabled(torch.is_grad_enabled() and not self.frozen):
            features = self.wav2vec2.features(waves)
        x = self.wav2vec2.context(features)
        if self.segments:
            x = F.adaptive_avg_pool1d(x.mT, self.segments).flatten(1)
        return self.head(x)
