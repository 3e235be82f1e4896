"""El espectrograma que lee Whisper: log-mel recortado por debajo de su máximo."""

from jaxtyping import Float
from torch import Tensor

from tfcourse.audio.mel import MelConfig, log_mel
from tfcourse.audio.signals import check_wave

# Para cifras: 8000 muestras por segundo, ventana de 32 ms y una columna cada 25.
SPEECH_MEL = MelConfig(8_000, n_fft=256, hop=200, n_mels=40, floor=1e-10)
DYNAMIC_RANGE = 8.0  # en log₁₀ de potencia: 80 dB por debajo del máximo


def speech_mel(
    waves: Float[Tensor, "B T"],
    config: MelConfig = SPEECH_MEL,
    dynamic_range: float = DYNAMIC_RANGE,
) -> Float[Tensor, "B mels frames"]:
    """Log-mel de cada onda, recortado por debajo de su máximo y llevado a números cerca de 0.

    La última columna se descarta, como en el código de los autores: 30 s son 3000 columnas justas.
    Fuente: Radford et al. (2023), § 2.2. Errores: los de `check_wave`.
    """
    check_wave(waves)
    x = log_mel(waves, config)[..., :-1]
    x = x.maximum(x.amax(dim=(-2, -1), keepdim=True) - dynamic_range)
    return (x + 4) / 4
