"""LibriMix: mezclas de personas que leen audiolibros, para el perfil `completo`."""

from collections.abc import Iterator
from pathlib import Path

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor
from torch.utils.data import Dataset

from tfcourse.audio.resampling import fit_length
from tfcourse.datasets.sounds.audio_files import read_sound
from tfcourse.stored.full import Source

# Los guiones de sus autores hacen las mezclas; aquí, a 8 kHz y cortadas por la voz más breve
# («min»). LibriSpeech, de donde salen las voces, es CC BY 4.0.
LIBRIMIX_SOURCE = Source(
    "Libri2Mix", "https://github.com/JorisCos/LibriMix", "CC BY 4.0", 14, "TFCOURSE_LIBRIMIX"
)
PARTS = ("train-100", "train-360", "dev", "test")
LEVEL_DB = 2.5  # lo que sube o baja cada voz, como mucho


def librimix(
    part: str,
    *,
    n_speakers: int = 2,
    sample_rate: int = 8_000,
    seconds: float | None = 4.0,
    limit: int | None = None,
    folder: Path | None = None,
) -> Iterator[Float[Tensor, "S T"]]:
    """Las voces de cada mezcla, en el orden de sus nombres: de `seconds` o, con `None`, enteras.

    La carpeta es la de las partes de LibriMix (`…/wav8k/min`: `train-100`, `dev`, `test`) o la de
    MiniLibriMix (`train` y `val`): dentro de cada parte, `s1`, `s2`… con un archivo por mezcla. La
    mezcla limpia es su suma. Fuente: Cosentino et al. (2020).
    Errores: `FileNotFoundError` si no está, o si a una mezcla le falta una voz; `ValueError` si no
    hay ninguna mezcla o si sus voces no miden lo mismo.
    """
    for paths in voice_paths(part, n_speakers, folder)[:limit]:
        voices = [read_sound(path, sample_rate)[0] for path in paths]
        if seconds is not None:
            voices = [fit_length(voice, round(seconds * sample_rate)) for voice in voices]
        if len({len(voice) for voice in voices}) > 1:
            raise ValueError(
                f"las voces de {paths[0].name} miden {[len(voice) for voice in voices]} muestras: "
                "usa las mezclas del modo «min», donde miden lo mismo"
            )
        yield torch.stack(voices)


def voice_paths(part: str, n_speakers: int, folder: Path | None) -> list[list[Path]]:
    """Los archivos de las voces de cada mezcla de una parte. Errores: los de `librimix`."""
    folder = folder or LIBRIMIX_SOURCE.folder()
    spoken = [folder / part / f"s{number}" for number in range(1, n_speakers + 1)]
    missing = [str(place) for place in spoken if not place.is_dir()]
    if missing:
        raise FileNotFoundError(
            f"no está {missing[0]}: hazlo con los guiones de {LIBRIMIX_SOURCE.page}, a 8 kHz y en "
            "modo «min», y da la carpeta que contiene "
            f"{', '.join(PARTS)} ({LIBRIMIX_SOURCE.variable}=…/Libri2Mix/wav8k/min)"
        )
    firsts = sorted(spoken[0].glob("*.wav"))
    if not firsts:
        raise ValueError(f"en {spoken[0]} no hay ningún .wav: las mezclas están a medio hacer")
    return [[place / first.name for place in spoken] for first in firsts]


class RemixedVoices(Dataset):
    """Mezclas nuevas con las voces de una parte: `(mezcla, voces)`, leídas al pedirlas.

    Cada voz viene de una mezcla sorteada, de `seconds` segundos que empiezan donde toque, y con un
    volumen al azar: así casi ninguna mezcla se repite, que es la mezcla dinámica de Subakan et al.
    (2021), § 3.1. Errores: los de `librimix`.
    """

    def __init__(
        self,
        part: str,
        *,
        n_speakers: int = 2,
        sample_rate: int = 8_000,
        seconds: float = 4.0,
        folder: Path | None = None,
    ):
        self.paths = voice_paths(part, n_speakers, folder)
        self.sample_rate, self.length = sample_rate, round(seconds * sample_rate)

    def __len__(self) -> int:
        return len(self.paths)

    def __getitem__(self, row: int) -> tuple[Float[Tensor, " T"], Float[Tensor, "S T"]]:
        others = torch.randint(len(self), (len(self.paths[row]) - 1,)).tolist()
        chosen = [self.paths[place][number] for number, place in enumerate([row, *others])]
        sources = torch.stack([self._excerpt(path) for path in chosen])
        levels = LEVEL_DB * (2 * torch.rand(len(sources), 1) - 1)
        sources = sources * 10 ** (levels / 20)
        return sources.sum(dim=0), sources

    def _excerpt(self, path: Path) -> Float[Tensor, " T"]:
        """Un trozo de una voz; si es más corta, acaba en silencio."""
        wave, _ = read_sound(path, self.sample_rate)
        start = int(torch.randint(max(1, len(wave) - self.length + 1), ()))
        wave = wave[start : start + self.length]
        return F.pad(wave, (0, self.length - len(wave)))
