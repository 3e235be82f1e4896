"""El espectrograma que lee Whisper: log-mel recortado por debajo de su máximo."""

from jaxtyping import Float
from torch import Tensor

from tfcourse.audio.mel import MelConfig, log_mel
from tfcourse.audio.signals import check_wave

# Para cifras: 8000 muestras por segundo, ventana de 32 ms y una columna cada 25.
SPEECH_MEL = MelConfig(8_000, n_fft=256, hop=200, n_mels=40, floor=1e-10)
# En log₁₀ de potencia: lo que se conserva por debajo del máximo, 80 y 50 dB.
DYNAMIC_RANGE, NARROW_RANGE = 8.0, 5.0


def whisper_mel(
    waves: Float[Tensor, "B T"], config: MelConfig, dynamic_range: float = DYNAMIC_RANGE
) -> Float[Tensor, "B mels frames"]:
    """Log-mel de cada onda, recortado por debajo de su máximo, más 4 y entre 4.

    La última columna se descarta, como en el código de los autores: 30 s son 3000 columnas justas.
    Fuente: Radford et al. (2023), § 2.2. Errores: los de `check_wave`.
    """
    check_wave(waves)
    x = log_mel(waves, config)[..., :-1]
    x = x.maximum(x.amax(dim=(-2, -1), keepdim=True) - dynamic_range)
    return (x + 4) / 4


def speech_mel(
    waves: Float[Tensor, "B T"], config: MelConfig = SPEECH_MEL
) -> Float[Tensor, "B mels frames"]:
    """El mismo espectrograma, con cada clip llevado a media 0 y desviación 1.

    Cambia de un clip a otro cuánto es silencio y cuánto ruido hay; así el modelo no tiene que
    aprenderlo. Errores: los de `check_wave`.
    """
    x = whisper_mel(waves, config, NARROW_RANGE)
    spread = x.std(dim=(-2, -1), keepdim=True, correction=0)
    return (x - x.mean(dim=(-2, -1), keepdim=True)) / (spread + 1e-5)
