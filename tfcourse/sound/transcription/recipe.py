"""Recetas de Whisper en pequeño: cifras habladas, dos tareas y una pérdida CTC de ayuda."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from tfcourse.audio.speech_mel import SPEECH_MEL, speech_mel
from tfcourse.datasets.sounds.spoken_phrases import (
    LONGEST,
    SHORTEST,
    Phrase,
    PhraseChanges,
    noisy,
    padded,
    phrase_batches,
    reserved_phrases,
    train_speakers,
)
from tfcourse.losses.ctc import ctc_loss
from tfcourse.metrics.edit_distance import error_rate
from tfcourse.models.whisper import Whisper, WhisperConfig
from tfcourse.sound.transcription.transcribe import transcribe
from tfcourse.tokenizers.speech import TRANSCRIBE, TRANSLATE, SpeechVocabulary
from tfcourse.training import seed_everything
from tfcourse.training.budget import Budget
from tfcourse.training.recipe import MuonRecipe, Trained, trained
from tfcourse.weights.shipped import Shipped, check_shipped, load_weights, weights_card

VOCABULARY = SpeechVocabulary()
N_PROMPT = 4
SHORT = (1, 2)  # cifras de las frases con las que se empieza
TASKS = (TRANSCRIBE, TRANSLATE)


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Cómo se entrena: pasos, lote, ritmos, peso de la pérdida CTC y lo que se sortea al hablar.

    `takes` son las tomas de cada voz; `distinct`, los lotes distintos que se repiten (con `None`,
    todos son nuevos); `short_steps`, cuántos pasos se empieza con frases de `SHORT` cifras, y
    `hidden_bands`, cuántas bandas seguidas se tapan, como mucho, en cada frase.
    """

    steps: int = 600
    batch_size: int = 16
    muon_lr: float = 0.03
    adam_lr: float = 6e-3
    weight_decay: float = 0.01
    ctc: float = 0.3
    takes: int = 4
    distinct: int | None = None
    short_steps: int = 120
    hidden_bands: int = 4
    changes: PhraseChanges = field(default_factory=PhraseChanges)


# La de los pesos que vienen con el curso: más pasos y más tomas de cada voz.
LONG = Recipe(steps=1_200, takes=6, distinct=None, short_steps=120, hidden_bands=6)


def build(recipe: Recipe, **sizes) -> Whisper:
    """Un Whisper de cifras; `sizes` son los tamaños de `WhisperConfig`."""
    return Whisper(WhisperConfig(len(VOCABULARY), n_mels=SPEECH_MEL.n_mels, **sizes))


def batches(recipe: Recipe, seed: int) -> Iterator[tuple[Tensor, ...]]:
    """Lotes sin fin, `(espectrogramas, escrito, etiquetas, cuántas)`: primero, de frases cortas.

    Hacer el sonido cuesta casi tanto como aprender de él: con `distinct` se preparan ese número de
    lotes y se repiten, en otro orden cada vuelta. Cada frase tiene una tarea sorteada; lo escrito
    se rellena con el fin, y las etiquetas son lo que suena, para la pérdida CTC.
    """
    generator = torch.Generator().manual_seed(seed + 1)
    first = recipe.short_steps
    yield from islice(_repeated(SHORT, recipe, seed + 2, generator, first), first)
    yield from _repeated((SHORTEST, LONGEST), recipe, seed, generator, recipe.distinct)


def _repeated(
    counts: tuple[int, int],
    recipe: Recipe,
    seed: int,
    generator: torch.Generator,
    distinct: int | None,
) -> Iterator[tuple[Tensor, ...]]:
    """Lotes de frases de tantas cifras: todos nuevos, o unos cuantos en otro orden cada vuelta."""
    people = train_speakers(recipe.takes)
    fresh = (
        prepared_batch(phrases, recipe, generator)
        for phrases in phrase_batches(people, recipe.batch_size, recipe.changes, seed, counts)
    )
    if distinct is None:
        yield from fresh
    kept = list(islice(fresh, distinct))
    while True:
        for place in torch.randperm(len(kept), generator=generator).tolist():
            yield kept[place]


def prepared_batch(
    phrases: Sequence[Phrase], recipe: Recipe, generator: torch.Generator
) -> tuple[Tensor, ...]:
    """Un lote: ruido, espectrograma y lo que hay que escribir, con la tarea sorteada."""
    tasks = [TASKS[i] for i in torch.randint(2, (len(phrases),), generator=generator).tolist()]
    mels = speech_mel(noisy(padded(phrases), recipe.changes, generator), SPEECH_MEL)
    if recipe.hidden_bands:
        mels = without_bands(mels, recipe.hidden_bands, generator)
    return mels, *targets(phrases, tasks)


def without_bands(
    mels: Float[Tensor, "B mels frames"], most: int, generator: torch.Generator
) -> Float[Tensor, "B mels frames"]:
    """Tapa en cada frase unas bandas seguidas, como mucho `most`: nadie debe fiarse de una sola.

    Fuente: Park et al. (2019), § 2. Lo tapado vale lo mismo que el silencio de la frase.
    """
    bands = torch.arange(mels.shape[1])
    width = torch.randint(most + 1, (len(mels), 1), generator=generator)
    first = (torch.rand(len(mels), 1, generator=generator) * (mels.shape[1] - width)).long()
    hidden = (bands >= first) & (bands < first + width)
    return torch.where(hidden[:, :, None], mels.amin(dim=(1, 2), keepdim=True), mels)


def targets(phrases: Sequence[Phrase], tasks: Sequence[str]) -> tuple[Tensor, Tensor, Tensor]:
    """Lo que hay que escribir, (B, L); lo que suena, (B, N), y cuántas palabras son, (B,)."""
    pad = torch.nn.utils.rnn.pad_sequence
    written = [
        torch.tensor(VOCABULARY.encode(p.labels, t)) for p, t in zip(phrases, tasks, strict=True)
    ]
    heard = [torch.tensor(VOCABULARY.encode(p.labels)[N_PROMPT:-1]) for p in phrases]
    return (
        pad(written, batch_first=True, padding_value=VOCABULARY.stop_id),
        pad(heard, batch_first=True),
        torch.tensor([len(p.labels) for p in phrases]),
    )


def speech_loss(ctc: float):
    """La pérdida de un lote: escribir bien y, con peso `ctc`, oír bien ya en el codificador.

    Da también cada término por separado.
    """

    def loss(model: Whisper, batch: tuple) -> tuple[Tensor, dict[str, Tensor]]:
        mels, written, heard, counts = batch
        memory = model.encoder(mels)
        writing = writing_loss(model.decoder(written[:, :-1], memory), written[:, 1:])
        if not ctc:
            return writing, {"escribir": writing}
        hearing = ctc_loss(model.ctc(memory), heard, counts, VOCABULARY.stop_id)
        return writing + ctc * hearing, {"escribir": writing, "oír": hearing}

    return loss


def writing_loss(
    logits: Float[Tensor, "B L V"],
    following: Tensor,
    n_given: int = N_PROMPT - 1,
    stop_id: int = VOCABULARY.stop_id,
) -> Float[Tensor, ""]:
    """Entropía cruzada de las palabras y del primer fin: los símbolos se dan ya escritos."""
    stops = following == stop_id
    counted = stops.long().cumsum(dim=1) - stops.long() == 0  # hasta el primer fin, incluido
    counted[:, :n_given] = False
    return F.cross_entropy(logits[counted], following[counted])


def train(recipe: Recipe, seed: int, budget: Budget | None = None, **sizes) -> Trained:
    """Construye y entrena un Whisper de cifras."""
    return trained(
        lambda: build(recipe, **sizes), batches(recipe, seed), speech_loss(recipe.ctc),
        recipe, seed, budget,
    )  # fmt: skip


def word_error(
    model: Whisper, phrases: Sequence[Phrase], task: str = TRANSCRIBE, **options
) -> float:
    """Tasa de error por palabra (WER) en unas frases."""
    written = transcribe(model, [phrase.wave for phrase in phrases], VOCABULARY, task, **options)
    wanted = [VOCABULARY.words(phrase.labels, task) for phrase in phrases]
    return error_rate([text.split() for text in written], wanted)


@torch.no_grad()
def hearing_error(model: Whisper, phrases: Sequence[Phrase]) -> float:
    """El error por palabra del codificador solo: el mejor camino de su cabeza CTC."""
    written = []
    for phrase in phrases:
        mels = speech_mel(phrase.wave[None], SPEECH_MEL).to(model.ctc.weight.device)
        path = model.ctc(model.encoder(mels))[0].argmax(dim=-1).unique_consecutive().tolist()
        written.append([VOCABULARY.tokens[s] for s in path if s != VOCABULARY.stop_id])
    return error_rate(written, [VOCABULARY.words(phrase.labels) for phrase in phrases])


def quality(model: Whisper) -> dict[str, float]:
    """El error al transcribir y al traducir, con voces reservadas."""
    test = reserved_phrases()
    return {f"WER al {task}": word_error(model, test, task) for task in TASKS}


def blind_quality() -> dict[str, float]:
    """El error de un modelo sin entrenar."""
    seed_everything(0)
    return {"WER sin entrenar": word_error(build(LONG).eval(), reserved_phrases())}


WEIGHTS = {
    "whisper_cifras": Shipped(
        lambda: train(LONG, 0), quality, blind_quality, "frases sintetizadas con eSpeak NG"
    )
}


def load(name: str) -> Whisper:
    """Un Whisper de los que vienen con el curso. Errores: los de `check_shipped`."""
    check_shipped(name, WEIGHTS)
    model = Whisper(WhisperConfig(**weights_card(name).config)).eval()
    load_weights(name, model)
    return model
