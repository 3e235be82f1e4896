"""Frases de Common Voice, leídas por voluntarios, para el perfil `completo`."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jaxtyping import Float
from torch import Tensor
from torch.utils.data import Dataset

from tfcourse.datasets.sounds.audio_files import read_sound
from tfcourse.stored.full import Source

# Cada versión ocupa algo más que la anterior; esto es lo que viene a pedir una de las últimas.
COMMON_VOICE_SOURCE = Source(
    "Common Voice en español",
    "https://commonvoice.mozilla.org/es/datasets",
    "CC0 1.0",
    50,
    "TFCOURSE_COMMON_VOICE",
)
PARTS = ("train", "dev", "test")
COLUMNS = ("client_id", "path", "sentence")


@dataclass(frozen=True)
class Recording:
    """Una grabación: onda (T,), lo que dice y quién la leyó."""

    wave: Float[Tensor, " T"]
    text: str
    voice: str


def common_voice(
    part: str,
    *,
    sample_rate: int = 16_000,
    limit: int | None = None,
    folder: Path | None = None,
) -> Iterator[Recording]:
    """Las grabaciones de una parte (`train`, `dev` o `test`), en el orden de su lista.

    El reparto es el oficial: quien está en una parte no está en las otras. No se descarga sola,
    porque hay que aceptar sus condiciones. Fuente: Ardila et al. (2020).
    Errores: los de `SpokenSentences`.
    """
    sentences = SpokenSentences(part, sample_rate=sample_rate, folder=folder)
    yield from (sentences[row] for row in range(len(sentences))[:limit])


class SpokenSentences(Dataset):
    """Las grabaciones de una parte, que se leen al pedirlas.

    La carpeta es la de una lengua, con las listas `.tsv` y `clips`.
    Errores: `FileNotFoundError` si no está o si falta una grabación; `ValueError` si la parte no
    existe, si a la lista le falta una columna o si está vacía.
    """

    def __init__(self, part: str, *, sample_rate: int = 16_000, folder: Path | None = None):
        if part not in PARTS:
            raise ValueError(f"part={part!r}: usa {', '.join(map(repr, PARTS))}")
        folder = folder or COMMON_VOICE_SOURCE.folder()
        self.clips, self.sample_rate = folder / "clips", sample_rate
        self.rows = _listed(folder / f"{part}.tsv")

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def texts(self) -> list[str]:
        """Lo que dice cada grabación."""
        return [text for *_, text in self.rows]

    def __getitem__(self, row: int) -> Recording:
        voice, name, text = self.rows[row]
        wave, _ = read_sound(self.clips / name, self.sample_rate)
        return Recording(wave, text, voice)


def _listed(path: Path) -> list[tuple[str, ...]]:
    """Las columnas que hacen falta de una lista de Common Voice."""
    if not path.exists():
        raise FileNotFoundError(
            f"no está {path}: descarga Common Voice en español de {COMMON_VOICE_SOURCE.page}, "
            f"descomprímela y da en {COMMON_VOICE_SOURCE.variable} la carpeta «es», la de los "
            "archivos .tsv y la carpeta clips"
        )
    with path.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        missing = [name for name in COLUMNS if name not in (rows.fieldnames or ())]
        if missing:
            raise ValueError(
                f"a {path.name} le falta la columna {missing[0]!r}: tiene que ser una lista de "
                "Common Voice, con tabuladores"
            )
        found = [tuple(row[name] for name in COLUMNS) for row in rows]
    if not found or any(None in row for row in found):
        raise ValueError(f"{path.name} está vacía o a medias: descomprime otra vez el archivo")
    return found
