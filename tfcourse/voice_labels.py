"""Cuántas etiquetas de voz hacen falta: de cero, con lo preentrenado y con log-mel y un lineal.

La tabla se calcula con `python -m tfcourse tablas etiquetas_voz` (unos minutos) y se guarda con su
huella.
"""

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from tfcourse.audio.mel import VARIANTS as MEL_VARIANTS
from tfcourse.classifiers import classification_loss, fit_with_muon
from tfcourse.datasets.spoken_words import SoundChanges, SpokenWords, sound_batches
from tfcourse.models.sound_classifier import LogMel
from tfcourse.models.wav2vec2 import Wav2Vec2, WaveTagger
from tfcourse.sound_recipes import word_accuracy
from tfcourse.training import seed_everything
from tfcourse.wav2vec_recipes import SHIPPED, shipped_wav2vec, short_digits

NAME = "etiquetas_voz"
PER_WORD = (1, 5, 20)
SEGMENTS = 4


@dataclass(frozen=True)
class VoiceTuning:
    """Cómo se ajusta con pocas etiquetas: la misma receta, se empiece donde se empiece.

    `muon_lr` mueve las matrices y `adam_lr`, lo demás. `frozen` deja quietas las convoluciones.
    """

    steps: int = 150
    batch_size: int = 16
    muon_lr: float = 0.02
    adam_lr: float = 3e-3
    weight_decay: float = 0.0
    frozen: bool = False
    changes: SoundChanges = field(default_factory=lambda: SoundChanges(noise_db=(20.0, 60.0)))


TUNED = VoiceTuning()


def few_clips(data: SpokenWords, per_word: int, seed: int) -> SpokenWords:
    """`per_word` clips de cada palabra, al azar.

    Errores: `ValueError` si de alguna palabra no hay tantos.
    """
    generator = torch.Generator().manual_seed(seed)
    found = []
    for label, word in enumerate(data.words):
        places = (data.labels == label).nonzero()[:, 0]
        if len(places) < per_word:
            raise ValueError(
                f"de «{word}» hay {len(places)} clips y se piden {per_word}: pide menos"
            )
        found.append(places[torch.randperm(len(places), generator=generator)[:per_word]])
    return data.take(torch.cat(found))


def fine_tune(
    wav2vec2: Wav2Vec2, few: SpokenWords, recipe: VoiceTuning = TUNED, seed: int = 0
) -> WaveTagger:
    """Copia el modelo, le añade una capa y lo ajusta todo con las etiquetas que haya."""
    seed_everything(seed)
    model = WaveTagger(
        copy.deepcopy(wav2vec2), len(few.words), segments=SEGMENTS, frozen=recipe.frozen
    )
    batches = sound_batches(
        few, min(recipe.batch_size, len(few)), changes=recipe.changes, seed=seed
    )
    fit_with_muon(model, batches, classification_loss, recipe)
    return model.cpu()


def untrained(wav2vec2: Wav2Vec2, seed: int = 0) -> Wav2Vec2:
    """La misma red, sin entrenar."""
    seed_everything(seed)
    return Wav2Vec2(wav2vec2.config)


@torch.no_grad()
def segment_means(
    vectors: Callable[[Tensor], Tensor], data: SpokenWords, segments: int = SEGMENTS
) -> Float[Tensor, "N F"]:
    """La media de los vectores en cada trozo del clip: lo que lee una sonda lineal.

    `vectors(ondas)` da (B, D, L).
    """
    found = torch.cat([vectors(part) for part in data.waves.split(200)])
    return F.adaptive_avg_pool1d(found, segments).flatten(1)


def wav2vec_vectors(wav2vec2: Wav2Vec2) -> Callable[[Tensor], Tensor]:
    """Los vectores de contexto, con el tiempo al final."""
    return lambda waves: wav2vec2.eval()(waves).mT


def probe_accuracy(
    vectors: Callable[[Tensor], Tensor], train: SpokenWords, test: SpokenWords
) -> float:
    """Sonda lineal: regresión logística sobre unos vectores que no se mueven."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    model.fit(segment_means(vectors, train).numpy(), train.labels.numpy())
    return float(model.score(segment_means(vectors, test).numpy(), test.labels.numpy()))


def log_mel_vectors() -> LogMel:
    """El log-mel del capítulo de señales: aquí no se aprende nada."""
    return LogMel(MEL_VARIANTS["aula"])


def settings() -> dict:
    """La receta de la tabla."""
    return {
        "tuned": asdict(TUNED),
        "per_word": list(PER_WORD),
        "segments": SEGMENTS,
        "weights": SHIPPED,
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla, número de etiquetas y manera de empezar."""
    train, test = short_digits()
    shipped = shipped_wav2vec().wav2vec2
    for seed in seeds:
        for per_word in PER_WORD:
            few = few_clips(train, per_word, seed)
            start = untrained(shipped, seed)
            found = {
                "de cero": word_accuracy(fine_tune(start, few, TUNED, seed), test),
                "preentrenado": word_accuracy(fine_tune(shipped, few, TUNED, seed), test),
                "preentrenado, sonda": probe_accuracy(wav2vec_vectors(shipped), few, test),
                "log-mel y lineal": probe_accuracy(log_mel_vectors(), few, test),
            }
            for name, accuracy in found.items():
                yield {"seed": seed, "per_word": per_word, "start": name, "accuracy": accuracy}
