"""Recetas de Whisper en pequeño: cifras habladas, dos tareas y una pérdida CTC de ayuda."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from tfcourse.audio.speech_mel import SPEECH_MEL, speech_mel
from tfcourse.classifiers import fit_with_muon
from tfcourse.datasets.spoken_phrases import (
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
from tfcourse.edit_distance import error_rate
from tfcourse.models.whisper import Whisper, WhisperConfig
from tfcourse.shipped import WeightsCard, load_weights, weights_card
from tfcourse.tokenizers.speech import TRANSCRIBE, TRANSLATE, SpeechVocabulary
from tfcourse.training import History, seed_everything
from tfcourse.transcription import transcribe

VOCABULARY = SpeechVocabulary()
N_PROMPT = 4
SHORT = (1, 2)  # cifras de las frases con las que se empieza
TASKS = (TRANSCRIBE, TRANSLATE)


@dataclass(frozen=True)
class WhisperRecipe:
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


def speech_batches(recipe: WhisperRecipe, seed: int) -> Iterator[tuple[Tensor, ...]]:
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
    recipe: WhisperRecipe,
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
    phrases: Sequence[Phrase], recipe: WhisperRecipe, generator: torch.Generator
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
    """La pérdida de un lote: escribir bien y, con peso `ctc`, oír bien ya en el codificador."""

    def loss(model: Whisper, batch: tuple) -> Float[Tensor, ""]:
        mels, written, heard, counts = batch
        memory = model.encode(mels)
        total = writing_loss(model.decode(written[:, :-1], memory), written[:, 1:])
        return total + ctc * ctc_loss(model.ctc(memory), heard, counts) if ctc else total

    return loss


def writing_loss(
    logits: Float[Tensor, "B L V"], following: Tensor, n_given: int = N_PROMPT - 1
) -> Float[Tensor, ""]:
    """Entropía cruzada de las palabras y del primer fin: los símbolos se dan ya escritos."""
    stops = following == VOCABULARY.stop_id
    counted = stops.long().cumsum(dim=1) - stops.long() == 0  # hasta el primer fin, incluido
    counted[:, :n_given] = False
    return F.cross_entropy(logits[counted], following[counted])


def ctc_loss(logits: Float[Tensor, "B Lk V"], heard: Tensor, counts: Tensor) -> Float[Tensor, ""]:
    """CTC: la probabilidad de todas las maneras de repartir las palabras por los instantes.

    El fin hace de blanco. Fuente: Graves et al. (2006), § 3.
    """
    log_probabilities = logits.log_softmax(dim=-1).transpose(0, 1)
    lengths = torch.full_like(counts, logits.shape[1])
    return F.ctc_loss(log_probabilities, heard, lengths, counts, blank=VOCABULARY.stop_id)


def trained(seed: int, recipe: WhisperRecipe | None = None, **sizes) -> tuple[Whisper, History]:
    """Construye y entrena un Whisper de cifras."""
    seed_everything(seed)
    recipe = recipe or WhisperRecipe()
    model = Whisper(WhisperConfig(len(VOCABULARY), n_mels=SPEECH_MEL.n_mels, **sizes))
    batches = speech_batches(recipe, seed)
    history = fit_with_muon(model, batches, speech_loss(recipe.ctc), recipe)
    return model.cpu().eval(), history


def word_error(
    model: Whisper, phrases: Sequence[Phrase], task: str = TRANSCRIBE, **options
) -> float:
    """Tasa de error por palabra (WER) en unas frases."""
    written = transcribe(model, [phrase.wave for phrase in phrases], VOCABULARY, task, **options)
    wanted = [VOCABULARY.words(phrase.labels, task) for phrase in phrases]
    return error_rate([text.split() for text in written], wanted)


# Los pesos que vienen con el curso: el mismo modelo, con más pasos y más tomas de cada voz.
SHIPPED_NAME = "whisper_cifras"
SHIPPED_RECIPE = WhisperRecipe(steps=1_200, takes=6, distinct=None, short_steps=120, hidden_bands=6)


def train_shipped() -> tuple[Whisper, WeightsCard]:
    """Entrena los pesos que vienen con el curso; su medida va junto a la de no saber nada."""
    started = time.process_time()
    model, _ = trained(0, SHIPPED_RECIPE)
    spent = time.process_time() - started
    test = reserved_phrases()
    seed_everything(0)
    blind = Whisper(model.config).eval()
    card = WeightsCard(
        config=asdict(model.config),
        recipe=asdict(SHIPPED_RECIPE),
        seed=0,
        cpu_seconds=round(spent, 1),
        quality={f"WER al {task}": round(word_error(model, test, task), 4) for task in TASKS}
        | {"WER sin entrenar": round(word_error(blind, test), 4)},
        data="frases sintetizadas con eSpeak NG",
    )
    return model, card


def load_shipped() -> Whisper:
    """El Whisper de cifras que viene con el curso."""
    model = Whisper(WhisperConfig(**weights_card(SHIPPED_NAME).config)).eval()
    load_weights(SHIPPED_NAME, model)
    return model
