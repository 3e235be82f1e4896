"""LibriMix: mezclas de personas que leen audiolibros, para el perfil `completo`."""

from collections.abc import Iterator
from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.audio.resampling import fit_length
from tfcourse.datasets.audio_files import read_sound
from tfcourse.datasets.download import data_folder

PAGE = "https://zenodo.org/record/3871592"
NAME = "MiniLibriMix"


def librimix(
    part: str,
    *,
    n_speakers: int = 2,
    sample_rate: int = 8_000,
    seconds: float = 4.0,
    limit: int | None = None,
    folder: Path | None = None,
) -> Iterator[Float[Tensor, "S T"]]:
    """Las voces de cada mezcla, todas de `seconds`, en el orden de sus nombres.

    Sirven las carpetas de MiniLibriMix (`train` y `val`) y las de LibriMix (`train-100`, `dev`,
    `test`): dentro de cada parte, `s1`, `s2`… con un archivo por mezcla. La mezcla limpia es su
    suma. Fuente: Cosentino et al. (2020).
    Errores: `FileNotFoundError` si no está, o si a una mezcla le falta una voz.
    """
    folder = folder or data_folder() / NAME
    spoken = [folder / part / f"s{number}" for number in range(1, n_speakers + 1)]
    missing = [str(place) for place in spoken if not place.is_dir()]
    if missing:
        raise FileNotFoundError(
            f"no está {missing[0]}: descarga {NAME}.zip de {PAGE}, descomprímelo en "
            f"{folder.parent} y elige una de sus partes, p. ej. 'train'"
        )
    for first in sorted(spoken[0].glob("*.wav"))[:limit]:
        voices = [read_sound(place / first.name, sample_rate)[0] for place in spoken]
        yield torch.stack([fit_length(voice, round(seconds * sample_rate)) for voice in voices])


def librimix_batches(
    part: str, batch_size: int, seed: int = 0, **options
) -> Iterator[tuple[Tensor, Tensor]]:
    """Lotes sin fin de `(mezclas, voces)`, con un volumen sorteado para cada voz en cada vuelta.

    Las voces se cambian de pareja dentro del lote: así casi ninguna mezcla se repite, que es la
    mezcla dinámica de Subakan et al. (2021), § 3.1. Errores: los de `librimix`.
    """
    sources = torch.stack(list(librimix(part, **options)))
    if not 0 < batch_size <= len(sources):
        raise ValueError(
            f"batch_size={batch_size}: en «{part}» hay {len(sources)} mezclas; usa entre 1 y esas"
        )
    generator = torch.Generator().manual_seed(seed)
    count = sources.shape[1]
    while True:
        order = torch.randperm(len(sources), generator=generator)
        for places in order.split(batch_size):
            if len(places) < batch_size:
                continue
            others = [places[torch.randperm(batch_size, generator=generator)] for _ in range(count)]
            mixed = torch.stack([sources[o, speaker] for speaker, o in enumerate(others)], dim=1)
            levels = 5 * torch.rand(batch_size, count, 1, generator=generator) - 2.5
            mixed = mixed * 10 ** (levels / 20)
            yield mixed.sum(dim=1), mixed
