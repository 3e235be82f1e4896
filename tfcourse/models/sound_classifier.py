"""Clasificador de sonidos: un codificador de Transformer que lee tokens de log-mel."""

from dataclasses import dataclass, field

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.audio.mel import VARIANTS as MEL_VARIANTS
from tfcourse.audio.mel import MelConfig, mel_filter_bank
from tfcourse.audio.stft import power_spectrogram
from tfcourse.layers.attention_maps import maps_by_layer
from tfcourse.layers.blocks import EncoderBlock
from tfcourse.layers.norms import LayerNorm
from tfcourse.layers.positions import SinusoidalPositions

# «aula» es del curso; el tallo y el codificador son, en pequeño, los de Whisper.
VARIANTS = {"aula": {"d_model": 96, "n_heads": 4, "n_layers": 2, "d_hidden": 192}}


DYNAMIC_RANGE = 6.0  # en log₁₀ de potencia: 60 dB por debajo del máximo del clip, y nada más


class LogMel(nn.Module):
    """De ondas a log-mel, con cada clip llevado a media 0 y desviación 1.

    Así el volumen del clip casi no cuenta. Con `center_bands`, además, a cada banda se le resta su
    media en el tiempo: lo que un micrófono cambia por igual en todos los instantes casi deja de
    contar (Atal, 1974), y un ruido constante cuenta menos. El banco de filtros no se aprende.
    """

    def __init__(self, config: MelConfig, center_bands: bool = False):
        super().__init__()
        self.config = config
        self.center_bands = center_bands
        self.register_buffer("bank", mel_filter_bank(config), persistent=False)

    def forward(self, waves: Float[Tensor, "B T"]) -> Float[Tensor, "B mels frames"]:
        """El espectrograma log-mel normalizado. Errores: los de `check_wave`."""
        spectrum = power_spectrogram(waves, self.config.n_fft, self.config.hop)
        x = (self.bank @ spectrum).clamp(min=self.config.floor).log10()
        x = x.maximum(x.amax(dim=(1, 2), keepdim=True) - DYNAMIC_RANGE)
        center = x.mean(dim=(1, 2), keepdim=True)
        x = (x - center) / (x.std(dim=(1, 2), keepdim=True, correction=0) + 1e-5)
        return x - x.mean(dim=2, keepdim=True) if self.center_bands else x


class SoundStem(nn.Module):
    """Tallo: dos convoluciones en el tiempo, la segunda con zancada 2, y GELU.

    Convierte cada dos columnas del espectrograma en un token que ve unas pocas vecinas.
    Fuente: Radford et al. (2023), § 2.2.
    """

    def __init__(self, n_mels: int, d_model: int):
        super().__init__()
        self.first = nn.Conv1d(n_mels, d_model, 3, padding=1)
        self.second = nn.Conv1d(d_model, d_model, 3, stride=2, padding=1)

    def forward(self, x: Float[Tensor, "B mels frames"]) -> Float[Tensor, "B L D"]:
        """Un token cada dos columnas."""
        x = nn.functional.gelu(self.first(x))
        return nn.functional.gelu(self.second(x)).transpose(1, 2)


@dataclass(frozen=True)
class SoundConfig:
    """Tamaños de un clasificador de sonidos.

    Errores: `ValueError` si algún tamaño no es positivo.
    """

    n_classes: int
    mel: MelConfig = field(default_factory=lambda: MEL_VARIANTS["aula"])
    d_model: int = VARIANTS["aula"]["d_model"]
    n_heads: int = VARIANTS["aula"]["n_heads"]
    n_layers: int = VARIANTS["aula"]["n_layers"]
    d_hidden: int = VARIANTS["aula"]["d_hidden"]
    max_tokens: int = 400
    center_bands: bool = False

    def __post_init__(self):
        for name in ("n_classes", "d_model", "n_heads", "n_layers", "d_hidden", "max_tokens"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}={getattr(self, name)}: tiene que ser al menos 1")


class SoundClassifier(nn.Module):
    """Log-mel, tallo, posiciones, codificador Pre-LN y una capa que clasifica la media."""

    def __init__(self, config: SoundConfig):
        super().__init__()
        self.config = config
        self.log_mel = LogMel(config.mel, config.center_bands)
        self.stem = SoundStem(config.mel.n_mels, config.d_model)
        self.positions = SinusoidalPositions(config.max_tokens, config.d_model)
        self.blocks = nn.ModuleList(
            EncoderBlock(
                config.d_model, config.n_heads, config.d_hidden, norm_first=True,
                activation=nn.GELU,
            )
            for _ in range(config.n_layers)
        )  # fmt: skip
        self.norm = LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.n_classes)

    def tokens(self, waves: Float[Tensor, "B T"]) -> Float[Tensor, "B L D"]:
        """Lo que lee el codificador: un token cada dos columnas del log-mel, con su posición."""
        return self.positions(self.stem(self.log_mel(waves)))

    def encode(self, waves: Float[Tensor, "B T"]) -> Float[Tensor, "B L D"]:
        """Un vector por token que ya ha mirado a todos los demás."""
        x = self.tokens(waves)
        for block in self.blocks:
            x = block(x)
        return self.norm(x)

    def forward(self, waves: Float[Tensor, "B T"]) -> Float[Tensor, "B C"]:
        """Logits de cada clase."""
        return self.head(self.encode(waves).mean(dim=1))

    @torch.no_grad()
    def attention_maps(self, waves: Float[Tensor, "B T"]) -> list[Float[Tensor, "B H L L"]]:
        """Pesos de cada capa y cabeza al oír las ondas, recalculados."""
        return maps_by_layer(self.blocks, self.tokens(waves))
