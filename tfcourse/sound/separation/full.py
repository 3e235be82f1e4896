"""A escala real: separar a dos personas que leen, entre la mezcla sin tocar y la máscara ideal."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from jaxtyping import Float
from torch import Tensor

from tfcourse.datasets.folders.librimix import LIBRIMIX_SOURCE, RemixedVoices, librimix
from tfcourse.datasets.folders.loading import EndlessLoader
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.models.sepformer import VARIANTS
from tfcourse.official.shown import find_official, official_source
from tfcourse.sound.separation.ideal_masks import ideal_separation
from tfcourse.sound.separation.metrics import mean_gain, separator
from tfcourse.sound.separation.recipe import Recipe, train
from tfcourse.stored.full import FullRun
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.loop import Evaluation, default_device

COLUMNS = {"dev": "SI-SNRi al validar", "test": "SI-SNRi al evaluar"}


@dataclass(frozen=True)
class Full:
    """Pasos, lote, segundos de cada mezcla, ritmo de Adam y cada cuánto se guarda y se valida.

    La red es la de Subakan et al. (2021) con la mitad de bloques en cada camino; `watched` son las
    mezclas de validar con las que se sigue el entrenamiento.
    """

    steps: int = 100_000
    batch_size: int = 4
    seconds: float = 4.0
    adam_lr: float = 1.5e-4
    save_every: int = 1_000
    validate_every: int = 10_000
    watched: int = 100
    limit: int | None = None
    size: dict = field(default_factory=lambda: VARIANTS["artículo"] | {"n_intra": 4, "n_inter": 4})


REHEARSAL = Full(
    steps=4, batch_size=2, seconds=0.25, save_every=1, validate_every=2, watched=1, limit=2,
    size=VARIANTS["artículo"] | {
        "n_filters": 8, "d_model": 8, "n_heads": 2, "d_hidden": 8, "n_intra": 1, "n_inter": 1,
        "n_blocks": 1, "chunk": 50,
    },
)  # fmt: skip


def measure(settings: Full, folder: Path) -> list[dict]:
    """Mejora de SI-SNR, en decibelios, en las partes de validar y de evaluar de Libri2Mix."""
    model = trained_separator(settings, folder).to(default_device())
    methods = {
        "la mezcla, sin tocar": lambda voices: voices.sum(dim=1, keepdim=True).expand_as(voices),
        "SepFormer": separator(model),
        "máscara ideal": ideal_separation,
    }
    return [
        {"método": name, "parámetros": n_parameters(model) if name == "SepFormer" else ""}
        | {column: mean_gain(separate, whole(part, settings.limit))
           for part, column in COLUMNS.items()}
        for name, separate in methods.items()
    ]  # fmt: skip


def trained_separator(settings: Full, folder: Path):
    """Un SepFormer entrenado con mezclas nuevas de las voces de `train-100`, con una semilla."""
    voices = RemixedVoices("train-100", seconds=settings.seconds)
    recipe = Recipe(
        settings.size, steps=settings.steps, batch_size=settings.batch_size, muon=False,
        adam_lr=settings.adam_lr,
    )  # fmt: skip
    return train(
        recipe, 0, data=EndlessLoader(voices, settings.batch_size, seed=0),
        evaluation=Evaluation(
            lambda model: {"SI-SNRi": mean_gain(separator(model), whole("dev", settings.watched))},
            every=settings.validate_every,
        ),
        checkpoint=Checkpoint(folder / "sepformer.safetensors", settings.save_every),
    ).model  # fmt: skip


def whole(part: str, limit: int | None) -> Iterator[Float[Tensor, "S T"]]:
    """Las mezclas de una parte, enteras."""
    return librimix(part, seconds=None, limit=limit)


@dataclass(frozen=True)
class Published:
    """Qué modelos, con qué nombre se publican, y cuántas mezclas de cada parte; sin decirlo, todas.

    El publicado se entrenó con las voces de Libri2Mix, a 8 kHz.
    """

    names: tuple[str, ...]
    limit: int | None = None


def measure_published(settings: Published, folder: Path) -> list[dict]:
    """Mejora de SI-SNR de cada modelo publicado, con las mismas partes y junto a no tocar nada."""
    rows = [{"método": "la mezcla, sin tocar", "parámetros": ""} | gains(untouched, settings.limit)]
    for name in settings.names:
        model = find_official(name).model.float().to(default_device())
        row = {"método": name, "parámetros": n_parameters(model)}
        rows.append(row | gains(separator(model), settings.limit))
    return rows


def gains(separate: Callable[[Tensor], Tensor], limit: int | None) -> dict[str, float]:
    """Mejora de SI-SNR de una manera de separar, en cada parte."""
    return {column: mean_gain(separate, whole(part, limit)) for part, column in COLUMNS.items()}


def untouched(voices: Float[Tensor, "B S T"]) -> Float[Tensor, "B S T"]:
    """Contestar con la mezcla, una vez por voz."""
    return voices.sum(dim=1, keepdim=True).expand_as(voices)


MODELS = ("speechbrain/sepformer-libri2mix",)
RUNS = {
    "separacion": FullRun(
        name="separacion",
        title="Libri2Mix a 8 kHz, mejora de SI-SNR en decibelios",
        sources=(LIBRIMIX_SOURCE,),
        settings=Full(),
        rehearsal=REHEARSAL,
        measure=measure,
        gpu_gigabytes=16,
        hours=10,
    ),
    "sepformer_publicado": FullRun(
        name="sepformer_publicado",
        title="SepFormer publicado, con sus tres diferencias: Libri2Mix, sin entrenar",
        sources=(LIBRIMIX_SOURCE, *map(official_source, MODELS)),
        settings=Published(MODELS),
        rehearsal=Published(MODELS, limit=2),
        measure=measure_published,
        gpu_gigabytes=12,
        hours=1,
        trains=False,
    ),
}
