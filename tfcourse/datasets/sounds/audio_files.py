"""Archivos de sonido: leer uno, en un solo canal y a la frecuencia de muestreo que haga falta."""

from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.audio.resampling import resampled
from tfcourse.audio.signals import check_wave


def read_sound(path: Path | str, sample_rate: int | None = None) -> tuple[Float[Tensor, " T"], int]:
    """Lee un archivo WAV, FLAC, OGG o MP3: la onda (T,), entre −1 y 1, y sus muestras por segundo.

    Los canales se promedian; con `sample_rate`, se remuestrea. Errores: `FileNotFoundError` si no
    está; `ValueError` si no es un sonido, si está vacío o si tiene muestras que no son números.
    """
    import soundfile

    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"no existe el archivo {path}: revisa la ruta")
    try:
        samples, rate = soundfile.read(str(path), dtype="float32", always_2d=True)
    except (soundfile.LibsndfileError, RuntimeError):
        raise ValueError(
            f"{path.name} no es un archivo de sonido que se sepa leer: usa WAV, FLAC, OGG o MP3"
        ) from None
    wave = torch.from_numpy(samples).mean(dim=1)
    if len(wave) == 0:
        raise ValueError(f"{path.name} no tiene ninguna muestra: está vacío o a medio grabar")
    check_wave(wave)
    if sample_rate is None:
        return wave, rate
    return resampled(wave, rate, sample_rate), sample_rate


def clipped_share(wave: Float[Tensor, "... T"], level: float = 0.999) -> float:
    """Parte de las muestras que están en el tope: si pasa de unas milésimas, está saturado."""
    return float((wave.abs() >= level).float().mean())
