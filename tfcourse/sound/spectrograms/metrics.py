"""Cuántas palabras sueltas se reconocen, con ruido y sin él, y cuántas acierta un modelo lineal."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.audio.mel import VARIANTS, MelConfig
from tfcourse.audio.signals import add_noise
from tfcourse.datasets.sounds.spoken_words import SpokenWords
from tfcourse.models.sound_classifier import LogMel


@torch.no_grad()
def guesses(model: nn.Module, data: SpokenWords) -> Tensor:
    """La palabra que el modelo cree oír en cada clip."""
    model.eval()
    device = next(model.parameters()).device
    parts = (model(part.to(device)).argmax(dim=-1).cpu() for part in data.waves.split(200))
    return torch.cat(list(parts))


def word_accuracy(model: nn.Module, data: SpokenWords) -> float:
    """Parte de los clips que el modelo reconoce."""
    return float((guesses(model, data) == data.labels).float().mean())


def with_noise(data: SpokenWords, snr_db: float, seed: int = 0) -> SpokenWords:
    """Los mismos clips con ruido blanco, a esa relación señal-ruido en decibelios."""
    generator = torch.Generator().manual_seed(seed)
    return data.with_waves(add_noise(data.waves, snr_db, generator))


@torch.no_grad()
def mean_spectra(data: SpokenWords, mel: MelConfig) -> Float[Tensor, "N mels"]:
    """La media en el tiempo del log-mel de cada clip: no sabe qué sonó antes y qué después."""
    return LogMel(mel)(data.waves).mean(dim=-1)


def linear_accuracy(train: SpokenWords, test: SpokenWords, mel: MelConfig | None = None) -> float:
    """Acierto de un modelo lineal (regresión logística) sobre la media del log-mel."""
    mel = mel or VARIANTS["aula"]
    known, unseen = ((mean_spectra(data, mel), data.labels) for data in (train, test))
    return logistic_accuracy(*known, *unseen)


def logistic_accuracy(
    known: Float[Tensor, "N F"],
    labels: Int[Tensor, " N"],
    unseen: Float[Tensor, "M F"],
    truth: Int[Tensor, " M"],
) -> float:
    """Acierto de una regresión logística sobre vectores tipificados; la calcula scikit-learn."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    model.fit(known.numpy(), labels.numpy())
    return float(model.score(unseen.numpy(), truth.numpy()))


def majority_accuracy(labels: Int[Tensor, " N"], truth: Int[Tensor, " M"]) -> float:
    """Acierto de quien dice siempre la palabra más frecuente al entrenar."""
    return float((truth == labels.bincount().argmax()).float().mean())
