"""Cifras dichas por una persona: las grabaciones en español de la centralita Asterisk."""

from pathlib import Path

import torch

from tfcourse.audio.resampling import fit_length
from tfcourse.datasets.audio_files import read_sound
from tfcourse.datasets.download import data_folder
from tfcourse.datasets.spoken_words import DIGITS, PEAK, SAMPLE_RATE, SpokenWords

# Donde las deja el paquete asterisk-core-sounds-es-wav de Debian y de Ubuntu.
FOLDER = Path("/usr/share/asterisk/sounds/es_MX_f_Allison/digits")
SPEAKER = "Allison Smith"


def folders() -> tuple[Path, Path]:
    """Dónde se buscan: en el sistema y en la carpeta de datos del curso."""
    return FOLDER, data_folder() / "asterisk-es" / "digits"


def recorded_digits(
    folder: Path | None = None, sample_rate: int = SAMPLE_RATE, seconds: float = 1.0
) -> SpokenWords:
    """Las diez cifras, de «cero» a «nueve», con la voz de Allison Smith: una grabación de cada una.

    Errores: `FileNotFoundError` si no están; dice cómo conseguirlas.
    """
    folder = folder or next((f for f in folders() if f.exists()), FOLDER)
    paths = [folder / f"{digit}.wav" for digit in range(len(DIGITS))]
    if not all(path.exists() for path in paths):
        raise FileNotFoundError(
            f"no están en {folder} las grabaciones «0.wav» a «9.wav»: en Debian o en Ubuntu se "
            "instalan con «apt install asterisk-core-sounds-es-wav»"
        )
    waves = [read_sound(path, sample_rate)[0] for path in paths]
    waves = [fit_length(wave * (PEAK / wave.abs().max()), round(seconds * sample_rate))
             for wave in waves]  # fmt: skip
    voices = (SPEAKER,) * len(DIGITS)
    return SpokenWords(torch.stack(waves), torch.arange(len(DIGITS)), voices, DIGITS, sample_rate)
