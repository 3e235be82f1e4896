"""Speech Commands: palabras inglesas dichas por miles de personas, para el perfil `completo`."""

import tarfile
from pathlib import Path

import torch

from tfcourse.audio.resampling import fit_length
from tfcourse.datasets.audio_files import read_sound
from tfcourse.datasets.download import RemoteFile, data_folder, download
from tfcourse.datasets.spoken_words import SpokenWords

# Warden (2018), versión 0.02. La huella es la que comprueba torchaudio.
ARCHIVE = RemoteFile(
    name="speech_commands_v0.02.tar.gz",
    urls=(
        "https://download.tensorflow.org/data/speech_commands_v0.02.tar.gz",
        "https://storage.googleapis.com/download.tensorflow.org/data/speech_commands_v0.02.tar.gz",
    ),
    sha256="af14739ee7dc311471de98f5f9d2c9191b18aedfe957f4a6ff791c709868ff58",
)
ENGLISH_DIGITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
)  # fmt: skip
INSIDE = Path("SpeechCommands") / "speech_commands_v0.02"
_PARTS = {"training": "entrenar", "testing": "evaluar", "validation": "validar"}


def speech_commands(
    part: str,
    words: tuple[str, ...] = ENGLISH_DIGITS,
    *,
    sample_rate: int = 16_000,
    folder: Path | None = None,
) -> SpokenWords:
    """Los clips de esas palabras: `part` es `training`, `validation` o `testing`.

    El reparto por personas es el oficial, y lo hace torchaudio. Sin los archivos, los descarga
    (2,3 GB). Errores: `ValueError` si la parte no existe o si no hay clips de esas palabras;
    `ConnectionError` si no se puede descargar.
    """
    if part not in _PARTS:
        raise ValueError(f"part={part!r}: usa {', '.join(map(repr, _PARTS))}")
    from torchaudio.datasets import SPEECHCOMMANDS

    folder = folder or data_folder()
    if not (folder / INSIDE).exists():
        _unpack(download(ARCHIVE, folder), folder / INSIDE)
    listed = SPEECHCOMMANDS(str(folder), download=False, subset=part)
    waves, labels, voices = [], [], []
    for place in range(len(listed)):
        path, _, word, speaker, _ = listed.get_metadata(place)
        if word in words:
            wave, _ = read_sound(folder / INSIDE.parent / path, sample_rate)
            waves.append(fit_length(wave, sample_rate))
            labels.append(words.index(word))
            voices.append(speaker)
    if not waves:
        raise ValueError(f"en {folder / INSIDE} no hay clips de {', '.join(words)}")
    return SpokenWords(torch.stack(waves), torch.tensor(labels), tuple(voices), words, sample_rate)


def _unpack(archive: Path, folder: Path) -> None:
    """Descomprime en una carpeta que solo recibe su nombre al acabar."""
    partial = folder.with_name(folder.name + ".parcial")
    try:
        with tarfile.open(archive) as packed:
            packed.extractall(partial, filter="data")
    except (tarfile.TarError, EOFError) as error:
        raise ValueError(f"{archive} no es un archivo .tar.gz entero ({error})") from error
    partial.rename(folder)
