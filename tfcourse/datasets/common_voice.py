"""Frases de Common Voice, leídas por voluntarios, para el perfil `completo`."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jaxtyping import Float
from torch import Tensor

from tfcourse.datasets.audio_files import read_sound
from tfcourse.datasets.download import data_folder

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
    language: str = "es",
    limit: int | None = None,
    folder: Path | None = None,
) -> Iterator[Recording]:
    """Las grabaciones de una parte (`train`, `dev` o `test`), en el orden de su lista.

    El reparto es el oficial: quien está en una parte no está en las otras. No se descarga sola,
    porque hay que aceptar sus condiciones. Fuente: Ardila et al. (2020).
    Errores: `FileNotFoundError` si no está; `ValueError` si la parte no existe o si a la lista le
    falta una columna.
    """
    if part not in PARTS:
        raise ValueError(f"part={part!r}: usa {', '.join(map(repr, PARTS))}")
    folder = folder or data_folder() / "common-voice" / language
    listed = folder / f"{part}.tsv"
    if not listed.exists():
        raise FileNotFoundError(
            f"no está {listed}: descarga Common Voice en «{language}» de la página de Mozilla, "
            f"descomprímela y deja en {folder} los archivos .tsv y la carpeta clips"
        )
    with listed.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        missing = [name for name in COLUMNS if name not in (rows.fieldnames or ())]
        if missing:
            raise ValueError(
                f"a {listed.name} le falta la columna {missing[0]!r}: tiene que ser una lista de "
                "Common Voice, con tabuladores"
            )
        for place, row in enumerate(rows):
            if limit is not None and place >= limit:
                return
            wave, _ = read_sound(folder / "clips" / row["path"], sample_rate)
            yield Recording(wave, row["sentence"], row["client_id"])
