"""A escala real: el Transformer base y la red de Bahdanau, con las mismas oraciones."""

from dataclasses import dataclass, field
from pathlib import Path

from tfcourse.datasets.folders.tatoeba import TATOEBA_SOURCE
from tfcourse.models import seq2seq
from tfcourse.models.transformer import VARIANTS, Transformer, TransformerConfig
from tfcourse.stored.full import FullRun
from tfcourse.text.seq2seq.full import TINY
from tfcourse.text.seq2seq.translators import (
    Recipe,
    Sentences,
    copying,
    read_sentences,
    recurrent,
    score,
    train_translator,
)
from tfcourse.training.checkpoints import Checkpoint


@dataclass(frozen=True)
class Full(Recipe):
    """La receta común, con más pasos, y los tamaños de los dos artículos."""

    steps: int = 20_000
    recurrent_sizes: dict = field(default_factory=lambda: seq2seq.VARIANTS["articulo"])
    transformer_sizes: dict = field(default_factory=lambda: VARIANTS["base"])


REHEARSAL = Full(
    **TINY,
    max_tokens=24,
    recurrent_sizes={"d_embedding": 8, "d_hidden": 8},
    transformer_sizes={
        "d_model": 16, "n_heads": 2, "n_layers": 1, "d_hidden": 32, "dropout": 0.1,
    },
)  # fmt: skip


def build(sentences: Sentences, sizes: dict) -> Transformer:
    """Un Transformer que lee y escribe los mismos trozos de palabra."""
    n = len(sentences.pieces)
    return Transformer(TransformerConfig(n, n, **sizes))


def measure(settings: Full, folder: Path) -> list[dict]:
    """BLEU y chrF en oraciones inglesas que no están al entrenar, y BLEU según lo que midan."""
    sentences = read_sentences(settings)
    rows = [copying(sentences)]
    contenders = {
        "Bahdanau": lambda read: recurrent(read, "bahdanau", settings.recurrent_sizes),
        "Transformer": lambda read: build(read, settings.transformer_sizes),
    }
    for name, make in contenders.items():
        point = Checkpoint(folder / f"{name}.safetensors", settings.save_every)
        model = train_translator(make, sentences, settings, point)
        rows.append(score(model, name, sentences, settings))
    return rows


RUNS = {
    "traducir_transformer": FullRun(
        name="traducir_transformer",
        title="Tatoeba inglés–español: recurrente y Transformer",
        sources=(TATOEBA_SOURCE,),
        settings=Full(),
        rehearsal=REHEARSAL,
        measure=measure,
        gpu_gigabytes=5,
        hours=0.8,
    )
}
