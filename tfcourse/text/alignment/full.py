"""A escala real: cuatro maneras de mirar, con las mismas oraciones y los mismos pasos."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from jaxtyping import Bool, Float
from torch import Tensor, nn

from tfcourse.datasets.folders.tatoeba import TATOEBA_SOURCE
from tfcourse.layers.alignment.aligned import AlignedAttention
from tfcourse.layers.alignment.distributions import entmax
from tfcourse.layers.alignment.functions import AdditiveAlignment, GeneralAlignment
from tfcourse.layers.alignment.local import PredictiveAttention
from tfcourse.layers.alignment.products import ScaledDotAlignment
from tfcourse.models.attentive import AttentiveDecoder
from tfcourse.models.seq2seq import Seq2Seq
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


def precise_entmax(
    scores: Float[Tensor, "*B Lk"], mask: Bool[Tensor, "..."] | None = None
) -> Float[Tensor, "*B Lk"]:
    """La 1,5-entmax en float32: en media precisión, la bisección del umbral se queda corta."""
    return entmax(scores.float(), mask)


HALF_WIDTH = 10  # media ventana de la atención local: la D de Luong et al. (2015), § 4.1

# Nombre → la atención, para estados de un tamaño; el nombre es también el de su archivo.
CONTENDERS: dict[str, Callable[[int], nn.Module]] = {
    "general": lambda d: AlignedAttention(GeneralAlignment(d, d)),
    "escalado": lambda d: AlignedAttention(ScaledDotAlignment()),
    "aditiva + entmax": lambda d: AlignedAttention(AdditiveAlignment(d, d, d), precise_entmax),
    "local predictiva": lambda d: PredictiveAttention(GeneralAlignment(d, d), HALF_WIDTH, d),
}


@dataclass(frozen=True)
class Full(Recipe):
    """La receta común y el tamaño de las redes; la memoria y el estado miden lo mismo."""

    d_embedding: int = 256
    d_hidden: int = 512


REHEARSAL = Full(**TINY, max_tokens=24, d_embedding=8, d_hidden=8)


def build(name: str, sentences: Sentences, settings: Full) -> Seq2Seq:
    """El traductor que mira de esa manera."""
    d = settings.d_hidden
    decoder = AttentiveDecoder(
        len(sentences.pieces), settings.d_embedding, d, d, CONTENDERS[name](d)
    )
    sizes = {"d_embedding": settings.d_embedding, "d_hidden": d // 2}  # en cada dirección
    return recurrent(sentences, "luong", sizes, decoder)


def measure(settings: Full, folder: Path) -> list[dict]:
    """BLEU y chrF en oraciones inglesas que no están al entrenar, y BLEU según lo que midan."""
    sentences = read_sentences(settings)
    rows = [copying(sentences)]
    for name in CONTENDERS:
        point = Checkpoint(folder / f"{name}.safetensors", settings.save_every)
        model = train_translator(
            lambda read, name=name: build(name, read, settings), sentences, settings, point
        )
        rows.append(score(model, name, sentences, settings))
    return rows


RUNS = {
    "alinear": FullRun(
        name="alinear",
        title="Tatoeba inglés–español, cuatro maneras de mirar",
        sources=(TATOEBA_SOURCE,),
        settings=Full(),
        rehearsal=REHEARSAL,
        measure=measure,
        gpu_gigabytes=4,
        hours=0.7,
    )
}
