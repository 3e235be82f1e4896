"""A escala real: las variantes de la fusión, con cifras escritas y dichas por miles de personas."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import Tensor

from tfcourse.audio.mel import MelConfig
from tfcourse.datasets.folders.real_digit_pairs import MNIST_SOURCE, real_pools
from tfcourse.datasets.folders.speech_commands import SPEECH_COMMANDS_SOURCE
from tfcourse.datasets.sounds.digit_pairs import (
    N_CLASSES,
    DigitPairs,
    DigitPools,
    draw_pairs,
)
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.models.fusion import UNIMODAL, VARIANTS
from tfcourse.multimodal.fusion.decoding import class_prior, late_fusion
from tfcourse.multimodal.fusion.metrics import BOTH, NO_IMAGE, NO_SOUND, pair_logits
from tfcourse.multimodal.fusion.recipe import Recipe, train
from tfcourse.stored.full import FullRun
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.loop import default_device

ARRIVES = {"las dos": BOTH, "solo la imagen": NO_SOUND, "solo la voz": NO_IMAGE}
EVALUATION_SEED = 1


@dataclass(frozen=True)
class Full:
    """Pasos, lote, cada cuánto se guarda, parejas de evaluar, variantes y tamaños.

    Con parches de 7 × 7 y una columna cada 500 muestras, imagen y voz tienen los mismos tokens.
    """

    steps: int = 4_000
    batch_size: int = 256
    save_every: int = 500
    n_test: int = 10_000
    modality_dropout: float = 1 / 3
    variants: tuple = (*UNIMODAL, *VARIANTS)
    mel: dict = field(
        default_factory=lambda: {"sample_rate": 16_000, "n_fft": 1_024, "hop": 500, "n_mels": 80}
    )
    network: dict = field(
        default_factory=lambda: {"d_model": 256, "n_heads": 8, "n_layers": 4, "d_hidden": 1_024}
    )


REHEARSAL = Full(
    steps=2, batch_size=4, save_every=1, n_test=20,
    variants=(*UNIMODAL, "suma temprana", "cruzada"),
    network={"d_model": 8, "n_heads": 2, "n_layers": 2, "d_hidden": 8},
)  # fmt: skip


def measure(settings: Full, folder: Path) -> list[dict]:
    """Acierto de cada variante con manos y voces que no se han visto ni oído, según qué llegue.

    Las manos son de la parte de evaluar de MNIST y las voces, de la de Speech Commands. La fusión
    tardía junta las respuestas de las dos redes de una sola modalidad.
    """
    known, unseen = real_pools()
    pairs, logits, sizes = evaluation_pairs(unseen, settings), {}, {}
    for name in settings.variants:
        model = trained_variant(name, known, settings, folder)
        logits[name] = {what: pair_logits(model, pairs, flags) for what, flags in ARRIVES.items()}
        sizes[name] = n_parameters(model)
    prior = class_prior(known.images.labels, N_CLASSES)
    image, sound = (logits[name]["las dos"] for name in UNIMODAL)
    late = [late_fusion(image, sound, prior), image, sound]
    always = [prior.log().expand(len(pairs), -1)] * len(ARRIVES)
    return [
        row("la cifra más frecuente", "", always, pairs),
        *(row(name, sizes[name], logits[name].values(), pairs) for name in settings.variants),
        row("tardía", sum(sizes[name] for name in UNIMODAL), late, pairs),
    ]


def row(name: str, size: int | str, logits: Iterable[Tensor], pairs: DigitPairs) -> dict:
    """Una fila de la tabla: el acierto con lo que llega en cada caso."""
    right = [float((one.argmax(dim=1) == pairs.labels).float().mean()) for one in logits]
    return {"fusión": name, "parámetros": size} | dict(zip(ARRIVES, right, strict=True))


def trained_variant(name: str, known: DigitPools, settings: Full, folder: Path):
    """Una variante entrenada, ya donde se va a medir. La receta es la misma para todas."""
    recipe = Recipe(settings.steps, settings.batch_size, modality_dropout=settings.modality_dropout)
    sizes = {"image_size": 28, "patch_size": 7, "mel": MelConfig(**settings.mel)}
    point = Checkpoint(folder / f"{name}.safetensors", settings.save_every)
    made = train(
        recipe, 0, variant=name, pools=known, checkpoint=point, **sizes, **settings.network
    )
    return made.model.to(default_device())


def evaluation_pairs(pools: DigitPools, settings: Full) -> DigitPairs:
    """Las parejas de evaluar, estropeadas como al entrenar y siempre las mismas."""
    generator = torch.Generator().manual_seed(EVALUATION_SEED)
    labels = torch.randint(N_CLASSES, (settings.n_test,), generator=generator)
    return draw_pairs(pools, labels, labels, Recipe().damage, generator)


RUNS = {
    "fusion": FullRun(
        name="fusion",
        title="Parejas de MNIST y Speech Commands, acierto según qué llegue",
        sources=(MNIST_SOURCE, SPEECH_COMMANDS_SOURCE),
        settings=Full(),
        rehearsal=REHEARSAL,
        measure=measure,
        gpu_gigabytes=4,
        hours=2,
    )
}
