"""Recetas para preentrenar un wav2vec 2.0 pequeño sin etiquetas: la de clase y la larga."""

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace

import torch
from torch import Tensor, nn

from tfcourse.contrastive import contrastive_loss, diversity_loss, hit_share
from tfcourse.datasets.spoken_words import (
    SoundChanges,
    SpokenWords,
    sound_batches,
    split_spoken_digits,
)
from tfcourse.datasets.wave_masking import masked_spans, sample_distractors
from tfcourse.models.wav2vec2 import VARIANTS, Wav2Vec2Config, Wav2Vec2Pretraining
from tfcourse.muon import Muon, split_parameters
from tfcourse.shipped import WeightsCard, load_weights, weights_card
from tfcourse.training import Evaluation, History, fit, one_cycle, seed_everything

SHIPPED = "wav2vec_cifras"
SECONDS = 0.8
EVALUATION_SEED = 99


@dataclass(frozen=True)
class Wav2VecRecipe:
    """Una receta: tamaños, pasos, qué parte se tapa, distractores, ritmos y temperaturas.

    `span` cuenta vectores de 20 milésimas. `diversity` es α, el peso de la pérdida de diversidad.
    La temperatura de Gumbel va de `hot` a `cold` en proporción geométrica.
    """

    size: dict = field(default_factory=lambda: dict(VARIANTS["aula"]))
    steps: int = 150
    batch_size: int = 16
    share: float = 0.12
    span: int = 5
    n_distractors: int = 20
    diversity: float = 0.2
    hot: float = 2.0
    cold: float = 0.5
    muon_lr: float = 0.02
    adam_lr: float = 3e-3
    changes: SoundChanges = SoundChanges(noise_db=(20.0, 60.0))

    def temperature(self, step: int) -> float:
        """La de Gumbel en ese paso."""
        return self.hot * (self.cold / self.hot) ** (step / max(1, self.steps - 1))


CLASSROOM = Wav2VecRecipe()
LONG = replace(CLASSROOM, steps=240)


def cropped(data: SpokenWords, seconds: float = SECONDS) -> SpokenWords:
    """Los mismos clips, recortados por los dos lados a `seconds`."""
    length = round(seconds * data.sample_rate)
    start = (data.waves.shape[-1] - length) // 2
    return data.with_waves(data.waves[:, start : start + length])


def short_digits() -> tuple[SpokenWords, SpokenWords]:
    """Las cifras del curso en clips de `SECONDS`: las de entrenar y las de voces reservadas."""
    train, test = split_spoken_digits()
    return cropped(train), cropped(test)


def pretraining_batches(
    data: SpokenWords, recipe: Wav2VecRecipe, seed: int
) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Lotes `(ondas, tapadas, distractores)`: las etiquetas no se miran."""
    generator = torch.Generator().manual_seed(seed)
    frames = Wav2Vec2Config(**recipe.size).frames(data.waves.shape[-1])
    batches = sound_batches(data, recipe.batch_size, changes=recipe.changes, seed=seed)
    for waves, _ in batches:
        hidden = masked_spans(len(waves), frames, recipe.share, recipe.span, generator)
        yield waves, hidden, sample_distractors(hidden, recipe.n_distractors, generator)


def pretraining_loss(recipe: Wav2VecRecipe) -> Callable[[nn.Module, tuple], Tensor]:
    """La pérdida: contrastiva + α · diversidad, con la temperatura que toca en cada paso."""
    step = 0

    def loss(model: Wav2Vec2Pretraining, batch: tuple) -> Tensor:
        nonlocal step
        model.quantizer.temperature = recipe.temperature(min(step, recipe.steps - 1))
        step += 1
        waves, hidden, distractors = batch
        guess = model(waves, hidden, distractors)
        diversity = diversity_loss(guess.used, model.config.n_codes)
        return contrastive_loss(guess.logits, hidden) + recipe.diversity * diversity

    return loss


def pretrain(
    data: SpokenWords,
    recipe: Wav2VecRecipe,
    seed: int = 0,
    evaluation: Evaluation | None = None,
) -> tuple[Wav2Vec2Pretraining, History]:
    """Preentrena con ondas, sin mirar etiquetas. Muon lleva las matrices de los bloques."""
    seed_everything(seed)
    model = Wav2Vec2Pretraining(Wav2Vec2Config(**recipe.size))
    matrices, _ = split_parameters(model.wav2vec2.blocks)
    chosen = {id(p) for p in matrices}
    others = [p for p in model.parameters() if id(p) not in chosen]
    history = fit(
        model, pretraining_batches(data, recipe, seed), pretraining_loss(recipe),
        steps=recipe.steps,
        optimizer=Muon(matrices, others, lr=recipe.muon_lr, adam_lr=recipe.adam_lr),
        schedule=one_cycle(recipe.steps), evaluation=evaluation, description="Preentrenando",
    )  # fmt: skip
    return model.cpu(), history


@torch.no_grad()
def guessing(
    model: Wav2Vec2Pretraining, data: SpokenWords, recipe: Wav2VecRecipe, n_clips: int = 200
) -> dict[str, float]:
    """Pérdida y acierto contrastivos, y entradas en uso, con unos clips tapados siempre igual."""
    generator = torch.Generator().manual_seed(EVALUATION_SEED)
    waves = data.waves[:: max(1, len(data) // n_clips)][:n_clips]
    frames = model.config.frames(waves.shape[-1])
    hidden = masked_spans(len(waves), frames, recipe.share, recipe.span, generator)
    distractors = sample_distractors(hidden, recipe.n_distractors, generator)
    was_training = model.training
    guess = model.eval()(waves, hidden, distractors)
    model.train(was_training)
    return {
        "loss": float(contrastive_loss(guess.logits, hidden)),
        "hits": hit_share(guess.logits, hidden),
        "used": float(guess.used.sum()),
    }


def train_shipped() -> tuple[Wav2Vec2Pretraining, WeightsCard]:
    """Preentrena los pesos que vienen con el curso, con su ficha."""
    torch.set_num_threads(1)
    (train, test), started = short_digits(), time.process_time()
    model, _ = pretrain(train, LONG, seed=0)
    spent = time.process_time() - started
    seed_everything(0)
    before = guessing(Wav2Vec2Pretraining(model.config), test, LONG)
    after = guessing(model, test, LONG)
    quality = {
        "acierto entre distractores": round(after["hits"], 4),
        "acierto sin entrenar": round(before["hits"], 4),
        "entradas en uso": round(after["used"], 2),
    }
    card = WeightsCard(
        config=asdict(model.config),
        recipe=asdict(LONG),
        seed=0,
        cpu_seconds=round(spent),
        quality=quality,
        data="voces sintéticas de eSpeak NG, sin etiquetas: las de entrenar de short_digits()",
    )
    return model, card


def shipped_wav2vec() -> Wav2Vec2Pretraining:
    """El wav2vec 2.0 que viene con el curso, preentrenado sin etiquetas."""
    saved = weights_card(SHIPPED).config  # de un JSON, las tuplas llegan como listas
    sizes = {name: tuple(v) if isinstance(v, list) else v for name, v in saved.items()}
    model = Wav2Vec2Pretraining(Wav2Vec2Config(**sizes))
    load_weights(SHIPPED, model)
    return model.eval()
