"""Cifras dichas por personas: las grabaciones de la centralita Asterisk, en tres idiomas."""

from pathlib import Path

import torch

from tfcourse.audio.resampling import fit_length
from tfcourse.datasets.download import data_folder
from tfcourse.datasets.sounds.audio_files import read_sound
from tfcourse.datasets.sounds.spoken_words import DIGITS, PEAK, SAMPLE_RATE, SpokenWords

SOUNDS = Path("/usr/share/asterisk/sounds")  # donde las dejan los paquetes de Debian y de Ubuntu
# Quién las grabó → su carpeta y el idioma de su paquete.
PEOPLE = {
    "Allison Smith": ("es_MX_f_Allison", "es"),
    "June Wallack": ("fr_CA_f_June", "fr"),
    "Carlo Flora": ("it_IT_m_Carlo", "it"),
}
SPEAKER = "Allison Smith"  # la que habla español


def folders(speaker: str = SPEAKER) -> tuple[Path, Path]:
    """Dónde se buscan las de una persona: en el sistema y en la carpeta de datos del curso.

    Errores: `ValueError` si no hay grabaciones de esa persona.
    """
    if speaker not in PEOPLE:
        raise ValueError(f"no hay grabaciones de {speaker!r}: usa {', '.join(PEOPLE)}")
    name, language = PEOPLE[speaker]
    return SOUNDS / name / "digits", data_folder() / f"asterisk-{language}" / "digits"


def recorded_digits(
    folder: Path | None = None,
    sample_rate: int = SAMPLE_RATE,
    seconds: float = 1.0,
    speaker: str = SPEAKER,
) -> SpokenWords:
    """Las diez cifras dichas por una persona, en su idioma: una grabación de cada una, del 0 al 9.

    Errores: `FileNotFoundError` si no están; dice cómo conseguirlas. Los de `folders`.
    """
    known = folders(speaker)
    folder = folder or next((f for f in known if f.exists()), known[0])
    paths = [folder / f"{digit}.wav" for digit in range(len(DIGITS))]
    if not all(path.exists() for path in paths):
        package = f"asterisk-core-sounds-{PEOPLE[speaker][1]}-wav"
        raise FileNotFoundError(
            f"no están en {folder} las grabaciones «0.wav» a «9.wav»: en Debian o en Ubuntu se "
            f"instalan con «apt install {package}»"
        )
    waves = [read_sound(path, sample_rate)[0] for path in paths]
    waves = [fit_length(wave * (PEAK / wave.abs().max()), round(seconds * sample_rate))
             for wave in waves]  # fmt: skip
    voices = (speaker,) * len(DIGITS)
    return SpokenWords(torch.stack(waves), torch.arange(len(DIGITS)), voices, DIGITS, sample_rate)
