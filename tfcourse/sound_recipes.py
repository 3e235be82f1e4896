"""Recetas para reconocer palabras sueltas: un codificador sobre log-mel y un modelo lineal."""

from dataclasses import dataclass, field

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.audio.mel import VARIANTS, MelConfig
from tfcourse.audio.signals import add_noise
from tfcourse.classifiers import classification_loss, fit_with_muon
from tfcourse.datasets.spoken_words import SoundChanges, SpokenWords, sound_batches
from tfcourse.models.sound_classifier import LogMel, SoundClassifier, SoundConfig
from tfcourse.training import History, seed_everything

NOISY = SoundChanges(noise_db=(0.0, 60.0))


@dataclass(frozen=True)
class SoundRecipe:
    """Cómo se entrena un clasificador de sonidos: pasos, lote, ritmos y cambios al azar."""

    steps: int = 400
    batch_size: int = 16
    muon_lr: float = 0.02
    adam_lr: float = 3e-3
    weight_decay: float = 0.01
    changes: SoundChanges = field(default_factory=SoundChanges)


def trained(
    train: SpokenWords, seed: int, recipe: SoundRecipe | None = None, **options
) -> tuple[SoundClassifier, History]:
    """Construye y entrena un clasificador; devuelve el modelo, en la CPU, y la historia."""
    seed_everything(seed)
    recipe = recipe or SoundRecipe()
    model = SoundClassifier(SoundConfig(len(train.words), **options))
    batches = sound_batches(train, recipe.batch_size, changes=recipe.changes, seed=seed)
    history = fit_with_muon(model, batches, classification_loss, recipe)
    return model.cpu(), history


@torch.no_grad()
def guesses(model: nn.Module, data: SpokenWords) -> Tensor:
    """La palabra que el modelo cree oír en cada clip."""
    model.eval()
    return torch.cat([model(part).argmax(dim=-1) for part in data.waves.split(200)])


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
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    mel = mel or VARIANTS["aula"]
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    model.fit(mean_spectra(train, mel).numpy(), train.labels.numpy())
    return float(model.score(mean_spectra(test, mel).numpy(), test.labels.numpy()))
