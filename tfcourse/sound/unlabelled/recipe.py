"""Recetas para preentrenar un wav2vec 2.0 pequeño sin etiquetas: la de clase y la larga."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor, nn
from torch.utils.data import Dataset

from tfcourse.datasets.folders.loading import EndlessLoader
from tfcourse.datasets.folders.speech_commands import CommandClips
from tfcourse.datasets.sounds.spoken_words import (
    SoundChanges,
    SpokenWords,
    sound_batches,
    split_spoken_digits,
)
from tfcourse.datasets.sounds.wave_masking import masked_spans, sample_distractors
from tfcourse.losses.contrastive import contrastive_loss, diversity_loss, hit_share
from tfcourse.models.wav2vec2 import VARIANTS, Wav2Vec2Config, Wav2Vec2Pretraining
from tfcourse.training import Evaluation, fit, seed_everything
from tfcourse.training.batches import after
from tfcourse.training.budget import Budget, Steps
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.loop import Loss
from tfcourse.training.muon import Muon, split_parameters
from tfcourse.training.recipe import MuonRecipe, Trained
from tfcourse.training.schedules import cycle
from tfcourse.weights.shipped import Shipped, check_shipped, load_weights, weights_card

SECONDS = 0.8
EVALUATION_SEED = 99


@dataclass(frozen=True)
class Recipe(MuonRecipe):
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


CLASSROOM = Recipe()
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


def build(recipe: Recipe) -> Wav2Vec2Pretraining:
    """Un wav2vec 2.0 de los tamaños de la receta."""
    return Wav2Vec2Pretraining(Wav2Vec2Config(**recipe.size))


def batches(
    recipe: Recipe, seed: int, data: SpokenWords | CommandClips
) -> Iterable[tuple[Tensor, Tensor, Tensor, float]]:
    """Lotes `(ondas, tapadas, distractores, temperatura)`: las etiquetas no se miran.

    La temperatura de Gumbel es la que toca en el paso del lote. Los clips que no están en memoria
    se leen por adelantado.
    """
    return Cooling(
        _masked_batches(recipe, seed, data) if isinstance(data, SpokenWords)
        else EndlessLoader(_MaskedClips(recipe, data), recipe.batch_size, seed=seed),
        recipe,
    )  # fmt: skip


def _masked_batches(
    recipe: Recipe, seed: int, data: SpokenWords
) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    generator = torch.Generator().manual_seed(seed)
    frames = Wav2Vec2Config(**recipe.size).frames(data.waves.shape[-1])
    for waves, _ in sound_batches(data, recipe.batch_size, changes=recipe.changes, seed=seed):
        hidden = masked_spans(len(waves), frames, recipe.share, recipe.span, generator)
        yield waves, hidden, sample_distractors(hidden, recipe.n_distractors, generator)


class _MaskedClips(Dataset):
    """Clips leídos del disco, con sus tramos tapados: el azar es el de cada ejemplo."""

    def __init__(self, recipe: Recipe, clips: CommandClips):
        self.recipe, self.clips = recipe, clips.with_changes(recipe.changes)
        self.frames = Wav2Vec2Config(**recipe.size).frames(clips.sample_rate)

    def __len__(self) -> int:
        return len(self.clips)

    def __getitem__(self, row: int) -> tuple[Tensor, Tensor, Tensor]:
        wave, _ = self.clips[row]
        recipe, chance = self.recipe, torch.default_generator
        hidden = masked_spans(1, self.frames, recipe.share, recipe.span, chance)
        return wave, hidden[0], sample_distractors(hidden, recipe.n_distractors, chance)[0]


class Cooling:
    """Los mismos lotes, cada uno con la temperatura de su paso.

    Como va con el lote, quien sigue un entrenamiento a medias encuentra la que toca.
    """

    def __init__(self, stream: Iterable[tuple], recipe: Recipe):
        self.stream, self.recipe = stream, recipe

    def __iter__(self) -> Iterator[tuple]:
        return self.after(0)

    def after(self, n_batches: int) -> Iterator[tuple]:
        """Los lotes que siguen a los `n_batches` primeros."""
        last = self.recipe.steps - 1
        for step, batch in enumerate(after(self.stream, n_batches), start=n_batches):
            yield *batch, self.recipe.temperature(min(step, last))


def pretraining_loss(recipe: Recipe) -> Callable[[nn.Module, tuple], Loss]:
    """La pérdida: contrastiva + α · diversidad, con la temperatura que trae el lote.

    Da también cada término por separado.
    """

    def loss(model: Wav2Vec2Pretraining, batch: tuple) -> Loss:
        waves, hidden, distractors, model.quantizer.temperature = batch
        guess = model(waves, hidden, distractors)
        diversity = diversity_loss(guess.used, model.config.n_codes)
        contrast = contrastive_loss(guess.logits, hidden)
        whole = contrast + recipe.diversity * diversity
        return whole, {"contraste": contrast, "diversidad": diversity}

    return loss


def block_muon(model: Wav2Vec2Pretraining, recipe: Recipe) -> Muon:
    """El optimizador: las matrices de los bloques, con Muon, y todo lo demás, con Adam."""
    matrices, _ = split_parameters(model.wav2vec2.blocks)
    chosen = {id(p) for p in matrices}
    others = [p for p in model.parameters() if id(p) not in chosen]
    return Muon(
        matrices, others, lr=recipe.muon_lr, adam_lr=recipe.adam_lr,
        weight_decay=recipe.weight_decay, betas=recipe.betas,
    )  # fmt: skip


def train(
    recipe: Recipe,
    seed: int,
    budget: Budget | None = None,
    *,
    data: SpokenWords | CommandClips,
    evaluation: Evaluation | None = None,
    checkpoint: Checkpoint | None = None,
) -> Trained:
    """Preentrena con unas ondas, sin mirar sus etiquetas."""
    seed_everything(seed)
    model = build(recipe)
    budget = budget or Steps(recipe.steps)
    history = fit(
        model, batches(recipe, seed, data), pretraining_loss(recipe), budget=budget,
        optimizer=block_muon(model, recipe), schedule=cycle(budget, recipe.warmup),
        evaluation=evaluation, checkpoint=checkpoint, description="Preentrenando",
    )  # fmt: skip
    return Trained(model, recipe, history)


@torch.no_grad()
def guessing(
    model: Wav2Vec2Pretraining, data: SpokenWords, recipe: Recipe, n_clips: int = 200
) -> dict[str, float]:
    """Pérdida y acierto contrastivos, y entradas en uso, con unos clips tapados siempre igual."""
    generator = torch.Generator().manual_seed(EVALUATION_SEED)
    waves = data.waves[:: max(1, len(data) // n_clips)][:n_clips]
    frames = model.config.frames(waves.shape[-1])
    hidden = masked_spans(len(waves), frames, recipe.share, recipe.span, generator)
    distractors = sample_distractors(hidden, recipe.n_distractors, generator)
    was_training, device = model.training, next(model.parameters()).device
    waves, hidden, distractors = (x.to(device) for x in (waves, hidden, distractors))
    guess = model.eval()(waves, hidden, distractors)
    model.train(was_training)
    return {
        "loss": float(contrastive_loss(guess.logits, hidden)),
        "hits": hit_share(guess.logits, hidden),
        "used": float(guess.used.sum()),
    }


def quality(model: Wav2Vec2Pretraining) -> dict[str, float]:
    """Lo que acierta con voces reservadas y cuántas entradas usa."""
    found = guessing(model, short_digits()[1], LONG)
    return {"acierto entre distractores": found["hits"], "entradas en uso": found["used"]}


def blind_quality() -> dict[str, float]:
    """Lo que acierta un modelo sin entrenar."""
    seed_everything(0)
    return {"acierto sin entrenar": guessing(build(LONG), short_digits()[1], LONG)["hits"]}


WEIGHTS = {
    "wav2vec_cifras": Shipped(
        lambda: train(LONG, 0, data=short_digits()[0]), quality, blind_quality,
        "voces sintéticas de eSpeak NG, sin etiquetas: las de entrenar de short_digits()",
    )
}  # fmt: skip


def load(name: str) -> Wav2Vec2Pretraining:
    """Un wav2vec 2.0 de los que vienen con el curso, preentrenado sin etiquetas.

    Errores: los de `check_shipped`.
    """
    check_shipped(name, WEIGHTS)
    saved = weights_card(name).config  # de un JSON, las tuplas llegan como listas
    sizes = {key: tuple(v) if isinstance(v, list) else v for key, v in saved.items()}
    model = Wav2Vec2Pretraining(Wav2Vec2Config(**sizes))
    load_weights(name, model)
    return model.eval()
