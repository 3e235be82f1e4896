"""La escala mel, su banco de filtros y el espectrograma log-mel."""

import math
from dataclasses import dataclass, replace

import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.audio.fourier import bin_frequencies
from tfcourse.audio.stft import power_spectrogram

SCALES = ("htk", "slaney")
# Slaney: recta hasta 1000 Hz (200/3 Hz por mel) y, por encima, 27 mels cada vez que se multiplica
# por 6,4.
_SLANEY_STEP, _SLANEY_BREAK, _SLANEY_LOG = 200 / 3, 1000.0, math.log(6.4) / 27


def check_scale(scale: str) -> None:
    """Comprueba el nombre de la escala. Errores: `ValueError` si no se conoce."""
    if scale not in SCALES:
        raise ValueError(f"scale={scale!r}: usa {' o '.join(map(repr, SCALES))}")


def hz_to_mel(hertz: Float[Tensor, "..."], scale: str = "htk") -> Float[Tensor, "..."]:
    """De hercios a mels.

    HTK: 2595 · log₁₀(1 + f / 700), de O'Shaughnessy (1987). Slaney (1998): recta hasta 1000 Hz y
    logaritmo por encima. Errores: `ValueError` si la escala no se conoce o hay hercios negativos.
    """
    check_scale(scale)
    if (hertz < 0).any():
        raise ValueError("hay frecuencias negativas: en un espectrograma van de 0 a f_s / 2")
    if scale == "htk":
        return 2595 * torch.log10(1 + hertz / 700)
    above = _SLANEY_BREAK / _SLANEY_STEP + torch.log(hertz / _SLANEY_BREAK) / _SLANEY_LOG
    return torch.where(hertz < _SLANEY_BREAK, hertz / _SLANEY_STEP, above)


def mel_to_hz(mels: Float[Tensor, "..."], scale: str = "htk") -> Float[Tensor, "..."]:
    """De mels a hercios: deshace `hz_to_mel`."""
    check_scale(scale)
    if scale == "htk":
        return 700 * (10 ** (mels / 2595) - 1)
    knee = _SLANEY_BREAK / _SLANEY_STEP
    above = _SLANEY_BREAK * torch.exp(_SLANEY_LOG * (mels - knee))
    return torch.where(mels < knee, mels * _SLANEY_STEP, above)


@dataclass(frozen=True)
class MelConfig:
    """Cómo se hace un espectrograma mel: frecuencias en hercios; ventana y salto, en muestras.

    `normalize` divide cada filtro entre su anchura (Slaney), para que todos tengan la misma área.
    `floor` es la menor potencia de la que se toma el logaritmo.
    Errores: `ValueError` si los límites, la escala o los tamaños no valen.
    """

    sample_rate: int = 8_000
    n_fft: int = 256
    hop: int = 128
    n_mels: int = 40
    low: float = 0.0
    high: float | None = None
    scale: str = "htk"
    normalize: bool = False
    floor: float = 1e-6

    def __post_init__(self):
        check_scale(self.scale)
        if not 0 <= self.low < self.top <= self.sample_rate / 2:
            raise ValueError(
                f"low={self.low} y high={self.high} Hz: tienen que estar, en ese orden, entre 0 y "
                f"{self.sample_rate / 2:g} Hz, la mitad de sample_rate={self.sample_rate}"
            )
        if min(self.n_fft, self.hop, self.n_mels) < 1 or self.n_fft % 2 or self.floor <= 0:
            raise ValueError(
                f"n_fft={self.n_fft}, hop={self.hop}, n_mels={self.n_mels} y floor={self.floor}: "
                "todos son positivos, y n_fft, además, par"
            )

    @property
    def top(self) -> float:
        """La frecuencia más alta: `high` o la de Nyquist."""
        return self.sample_rate / 2 if self.high is None else self.high

    def frames(self, samples: int) -> int:
        """Cuántos instantes salen de una onda de `samples` muestras."""
        return 1 + samples // self.hop


# «whisper»: Radford et al. (2023), § 2.2: 80 canales, ventana de 25 ms y salto de 10 ms a 16 kHz.
# «whisper-128»: la de large-v3 y turbo, que solo cambia el número de bandas.
_WHISPER = MelConfig(16_000, n_fft=400, hop=160, n_mels=80, scale="slaney", normalize=True,
                     floor=1e-10)  # fmt: skip
VARIANTS = {
    "aula": MelConfig(),
    "whisper": _WHISPER,
    "whisper-128": replace(_WHISPER, n_mels=128),
}


def mel_corners(config: MelConfig) -> Float[Tensor, " corners"]:
    """Vértices de los triángulos, en hercios: n_mels + 2 frecuencias equiespaciadas en mels."""
    ends = torch.tensor([config.low, config.top], dtype=torch.float64)
    low, high = hz_to_mel(ends, config.scale).tolist()
    mels = torch.linspace(low, high, config.n_mels + 2, dtype=torch.float64)
    return mel_to_hz(mels, config.scale)


def mel_filter_bank(
    config: MelConfig, dtype: torch.dtype = torch.float32
) -> Float[Tensor, "mels bins"]:
    """Banco de filtros mel: un triángulo por fila.

    Cada uno sube desde el centro del anterior hasta el suyo y baja hasta el del siguiente.
    Fuente: Davis y Mermelstein (1980), fig. 1.
    """
    corners = mel_corners(config)
    left, center, right = corners[:-2, None], corners[1:-1, None], corners[2:, None]
    bins = bin_frequencies(config.n_fft, config.sample_rate)
    rising, falling = (bins - left) / (center - left), (right - bins) / (right - center)
    bank = torch.minimum(rising, falling).clamp(min=0)
    if config.normalize:
        bank = bank * 2 / (right - left)
    return bank.to(dtype)


def mel_spectrogram(
    wave: Float[Tensor, "... T"], config: MelConfig
) -> Float[Tensor, "... mels frames"]:
    """Espectrograma mel: el banco de filtros por el espectrograma de potencia."""
    bank = mel_filter_bank(config, wave.dtype).to(wave.device)
    return bank @ power_spectrogram(wave, config.n_fft, config.hop)


def log_mel(wave: Float[Tensor, "... T"], config: MelConfig) -> Float[Tensor, "... mels frames"]:
    """Espectrograma log-mel: log₁₀ del espectrograma mel, con el suelo de la configuración."""
    return mel_spectrogram(wave, config).clamp(min=config.floor).log10()
