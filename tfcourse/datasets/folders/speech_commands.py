"""Speech Commands: palabras inglesas dichas por miles de personas, para el perfil `completo`."""

import copy
import tarfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.utils.data import Dataset

from tfcourse.audio.resampling import fit_length
from tfcourse.datasets.download import RemoteFile, data_folder, download
from tfcourse.datasets.sounds.audio_files import read_sound
from tfcourse.datasets.sounds.spoken_words import SoundChanges, SpokenWords, changed
from tfcourse.stored.full import Source

# Warden (2018), versión 0.02. La huella es la que comprueba torchaudio.
ARCHIVE = RemoteFile(
    name="speech_commands_v0.02.tar.gz",
    urls=(
        "https://download.tensorflow.org/data/speech_commands_v0.02.tar.gz",
        "https://storage.googleapis.com/download.tensorflow.org/data/speech_commands_v0.02.tar.gz",
    ),
    sha256="af14739ee7dc311471de98f5f9d2c9191b18aedfe957f4a6ff791c709868ff58",
)
SPEECH_COMMANDS_SOURCE = Source(
    "Speech Commands",
    "https://www.tensorflow.org/datasets/catalog/speech_commands",
    "CC BY 4.0",
    2.3,
)
ENGLISH_DIGITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
)  # fmt: skip
# Las treinta y cinco de Warden (2018), tabla 2: las cifras, las órdenes y las auxiliares.
WORDS = ENGLISH_DIGITS + (
    "yes", "no", "up", "down", "left", "right", "on", "off", "stop", "go", "backward", "forward",
    "follow", "learn", "visual", "bed", "bird", "cat", "dog", "happy", "house", "marvin", "sheila",
    "tree", "wow",
)  # fmt: skip
LISTS = ("testing_list.txt", "validation_list.txt")
INSIDE = Path("SpeechCommands") / "speech_commands_v0.02"
_PARTS = ("training", "testing", "validation")


class CommandClips(Dataset):
    """Los clips de unas palabras, que se leen del disco al pedirlos: `(onda, palabra)`.

    `part` es `training`, `validation` o `testing`: el reparto por personas es el oficial, y lo hace
    torchaudio. `changes` son los cambios al azar de cada clip. Sin los archivos, los descarga
    (2,3 GB). Errores: `ValueError` si la parte no existe, si la carpeta está a medias o si no hay
    clips de esas palabras; `ConnectionError` si no se puede descargar.
    """

    def __init__(
        self,
        part: str,
        words: Sequence[str] = WORDS,
        *,
        changes: SoundChanges | None = None,
        sample_rate: int = 16_000,
        folder: Path | None = None,
    ):
        folder = _unpacked(folder or data_folder())
        self.words, self.changes, self.sample_rate = tuple(words), changes, sample_rate
        self.clips = list(_listed(part, self.words, folder))
        if not self.clips:
            raise ValueError(f"en {folder} no hay clips de {', '.join(words)}")

    def __len__(self) -> int:
        return len(self.clips)

    def __getitem__(self, row: int) -> tuple[Float[Tensor, " T"], Int[Tensor, ""]]:
        path, label, _ = self.clips[row]
        wave = fit_length(read_sound(path, self.sample_rate)[0], self.sample_rate)
        if self.changes is not None:
            wave = changed(wave[None], self.changes, self.sample_rate, torch.default_generator)[0]
        return wave, torch.tensor(label)

    @property
    def labels(self) -> Int[Tensor, " N"]:
        """La palabra de cada clip."""
        return torch.tensor([label for _, label, _ in self.clips])

    def with_changes(self, changes: SoundChanges | None) -> "CommandClips":
        """Los mismos clips, con otros cambios al azar."""
        other = copy.copy(self)
        other.changes = changes
        return other

    def take(self, rows: Tensor | None = None) -> SpokenWords:
        """Los clips de esas filas, ya en memoria; sin ellas, todos."""
        places = range(len(self)) if rows is None else rows.tolist()
        waves, labels = zip(*(self[place] for place in places), strict=True)
        voices = tuple(self.clips[place][2] for place in places)
        return SpokenWords(
            torch.stack(waves), torch.stack(labels), voices, self.words, self.sample_rate
        )


def speech_commands(
    part: str,
    words: tuple[str, ...] = ENGLISH_DIGITS,
    *,
    sample_rate: int = 16_000,
    folder: Path | None = None,
) -> SpokenWords:
    """Los clips de esas palabras, todos en memoria. Errores: los de `CommandClips`."""
    return CommandClips(part, words, sample_rate=sample_rate, folder=folder).take()


def _unpacked(folder: Path) -> Path:
    """La carpeta de los clips, que se descarga si no está."""
    inside = folder / INSIDE
    if not inside.exists():
        _unpack(download(ARCHIVE, folder), inside)
    missing = [name for name in LISTS if not (inside / name).exists()]
    if missing:
        raise ValueError(
            f"en {inside} falta {missing[0]}: la carpeta está a medias o no es la de Speech "
            "Commands; bórrala y se volverá a descargar"
        )
    return inside


def _listed(part: str, words: tuple[str, ...], folder: Path) -> Iterator[tuple[Path, int, str]]:
    """La ruta, la palabra y la voz de cada clip de una parte."""
    if part not in _PARTS:
        raise ValueError(f"part={part!r}: usa {', '.join(map(repr, _PARTS))}")
    from torchaudio.datasets import SPEECHCOMMANDS

    listed = SPEECHCOMMANDS(str(folder.parents[1]), download=False, subset=part)
    for place in range(len(listed)):
        path, _, word, speaker, _ = listed.get_metadata(place)
        if word in words:
            yield folder.parent / path, words.index(word), speaker


def _unpack(archive: Path, folder: Path) -> None:
    """Descomprime en una carpeta que solo recibe su nombre al acabar."""
    partial = folder.with_name(folder.name + ".parcial")
    try:
        with tarfile.open(archive) as packed:
            packed.extractall(partial, filter="data")
    except (tarfile.TarError, EOFError) as error:
        raise ValueError(f"{archive} no es un archivo .tar.gz entero ({error})") from error
    partial.rename(folder)
