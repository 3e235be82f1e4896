"""A escala real: un vector fijo contra la atención, con las mismas oraciones y los mismos pasos."""

from dataclasses import dataclass, field
from pathlib import Path

from tfcourse.datasets.folders.tatoeba import TATOEBA_SOURCE
from tfcourse.models.seq2seq import VARIANTS
from tfcourse.stored.full import FullRun
from tfcourse.text.seq2seq.translators import (
    Recipe,
    copying,
    read_sentences,
    recurrent,
    score,
    train_translator,
)
from tfcourse.training.checkpoints import Checkpoint


@dataclass(frozen=True)
class Full(Recipe):
    """La receta común y el tamaño de las dos redes, que es el del artículo."""

    sizes: dict = field(default_factory=lambda: VARIANTS["articulo"])
    decoders: dict = field(
        default_factory=lambda: {"fijo": "contexto fijo", "bahdanau": "Bahdanau"}
    )


TINY = {"steps": 6, "batch_size": 4, "save_every": 2, "n_tokens": 300, "n_test": 9}
REHEARSAL = Full(**TINY, max_tokens=24, sizes={"d_embedding": 8, "d_hidden": 8})


def measure(settings: Full, folder: Path) -> list[dict]:
    """BLEU y chrF en oraciones inglesas que no están al entrenar, y BLEU según lo que midan."""
    sentences = read_sentences(settings)
    rows = [copying(sentences)]
    for decoder, name in settings.decoders.items():
        point = Checkpoint(folder / f"{decoder}.safetensors", settings.save_every)
        model = train_translator(
            lambda read, decoder=decoder: recurrent(read, decoder, settings.sizes),
            sentences, settings, point,
        )  # fmt: skip
        rows.append(score(model, name, sentences, settings))
    return rows


RUNS = {
    "traducir": FullRun(
        name="traducir",
        title="Tatoeba inglés–español, BLEU y chrF en oraciones reservadas",
        sources=(TATOEBA_SOURCE,),
        settings=Full(),
        rehearsal=REHEARSAL,
        measure=measure,
        gpu_gigabytes=4,
        hours=0.7,
    )
}
