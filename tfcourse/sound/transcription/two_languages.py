"""Un Whisper de cifras que oye dos lenguas: dice cuál es y escribe en ella."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from tfcourse.audio.speech_mel import SPEECH_MEL, speech_mel
from tfcourse.datasets.sounds.spoken_phrases import (
    Phrase,
    PhraseChanges,
    noisy,
    padded,
    phrase_batches,
    train_speakers,
)
from tfcourse.losses.ctc import ctc_loss
from tfcourse.metrics.edit_distance import error_rate
from tfcourse.models.whisper import Whisper, WhisperConfig
from tfcourse.sound.transcription.recipe import N_PROMPT, without_bands, writing_loss
from tfcourse.sound.transcription.transcribe import transcribe
from tfcourse.tokenizers.speech import TRANSCRIBE, SpeechVocabulary
from tfcourse.training.budget import Budget
from tfcourse.training.recipe import MuonRecipe, Trained, trained

LANGUAGES = ("es", "en")


class LanguageVocabulary(SpeechVocabulary):
    """El vocabulario de siempre para una de las dos lenguas, con el símbolo de la otra al final.

    Los números de los tokens son los mismos en las dos: cambia con qué símbolo se empieza y con qué
    palabras se transcribe. Errores: `ValueError` si la lengua no es «es» ni «en».
    """

    def __init__(self, language: str = "es"):
        super().__init__()
        if language not in LANGUAGES:
            raise ValueError(f"language={language!r}: usa {' o '.join(map(repr, LANGUAGES))}")
        self.language_ids = {"es": self.language_id, "en": len(self)}
        self.tokens = (*self.tokens, "<|en|>")
        self.language, self.language_id = language, self.language_ids[language]

    def words(self, labels: Iterable[int], task: str = TRANSCRIBE) -> list[str]:
        """Las palabras que se esperan: en inglés, si se habla inglés o si hay que traducir."""
        self.prompt(task)
        spanish = self.language == "es" and task == TRANSCRIBE
        written = self.heard if spanish else self.translated
        return [written[label] for label in labels]

    def decode(self, ids: Iterable[int] | Int[Tensor, " L"]) -> str:
        """El texto de unos números: para en el fin y salta los símbolos, también los de lengua."""
        return super().decode(i for i in map(int, ids) if i != self.language_ids["en"])


SPOKEN = {language: LanguageVocabulary(language) for language in LANGUAGES}


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """La receta: la de la página, sin frases cortas, y las lenguas en que se habla."""

    languages: tuple[str, ...] = LANGUAGES
    steps: int = 600
    batch_size: int = 16
    muon_lr: float = 0.03
    adam_lr: float = 6e-3
    weight_decay: float = 0.01
    ctc: float = 0.3
    takes: int = 4
    hidden_bands: int = 4
    changes: PhraseChanges = field(default_factory=PhraseChanges)


BOTH = Recipe()
ALONE = {language: replace(BOTH, languages=(language,)) for language in LANGUAGES}


def build(recipe: Recipe, **sizes) -> Whisper:
    """Un Whisper de cifras para dos lenguas, aunque solo se le enseñe una."""
    return Whisper(WhisperConfig(len(SPOKEN["es"]), n_mels=SPEECH_MEL.n_mels, **sizes))


def batches(recipe: Recipe, seed: int) -> Iterator[tuple[Tensor, ...]]:
    """Lotes sin fin, `(espectrogramas, escrito, lo que suena, cuántas)`, con las lenguas mezcladas.

    Los mismos timbres hablan las dos: la lengua no se adivina por la voz.
    """
    generator = torch.Generator().manual_seed(seed + 1)
    people = [one for tongue in recipe.languages for one in train_speakers(recipe.takes, tongue)]
    for phrases in phrase_batches(people, recipe.batch_size, recipe.changes, seed):
        mels = speech_mel(noisy(padded(phrases), recipe.changes, generator), SPEECH_MEL)
        yield without_bands(mels, recipe.hidden_bands, generator), *targets(phrases)


def targets(phrases: Sequence[Phrase]) -> tuple[Tensor, Tensor, Tensor]:
    """Lo que hay que escribir, (B, L), en la lengua de cada frase; lo que suena, y cuántas son."""
    pad = torch.nn.utils.rnn.pad_sequence
    written = [torch.tensor(SPOKEN[p.language].encode(p.labels)) for p in phrases]
    stop_id = SPOKEN["es"].stop_id
    return (
        pad(written, batch_first=True, padding_value=stop_id),
        pad([row[N_PROMPT:-1] for row in written], batch_first=True),
        torch.tensor([len(p.labels) for p in phrases]),
    )


def language_loss(ctc: float):
    """La pérdida de un lote: nombrar la lengua tras el inicio, escribir y oír, con peso `ctc`.

    Fuente: Radford et al. (2023), § 2.3: la lengua es el primer token que se predice.
    """

    def loss(model: Whisper, batch: tuple) -> tuple[Tensor, dict[str, Tensor]]:
        mels, written, heard, counts = batch
        memory = model.encoder(mels)
        logits, following = model.decoder(written[:, :-1], memory), written[:, 1:]
        naming = F.cross_entropy(logits[:, 0], following[:, 0])
        writing = writing_loss(logits, following)
        hearing = ctc_loss(model.ctc(memory), heard, counts, SPOKEN["es"].stop_id)
        terms = {"nombrar": naming, "escribir": writing, "oír": hearing}
        return naming + writing + ctc * hearing, terms

    return loss


def train(recipe: Recipe, seed: int, budget: Budget | None = None, **sizes) -> Trained:
    """Construye y entrena un Whisper que oye las lenguas de la receta."""
    return trained(
        lambda: build(recipe, **sizes), batches(recipe, seed), language_loss(recipe.ctc),
        recipe, seed, budget,
    )  # fmt: skip


@torch.no_grad()
def named_language(model: Whisper, wave: Float[Tensor, " T"]) -> str:
    """En qué lengua se habla: de los dos símbolos, el que el modelo escribiría tras el inicio.

    Fuente: Radford et al. (2023), § 2.3.
    """
    vocabulary, device = SPOKEN["es"], model.decoder.table.weight.device
    start = torch.tensor([[vocabulary.start_id]], device=device)
    logits = model(speech_mel(wave[None], SPEECH_MEL).to(device), start)[0, 0]
    return max(LANGUAGES, key=lambda language: float(logits[vocabulary.language_ids[language]]))


def hearing(model: Whisper, phrases: Sequence[Phrase], symbol: str) -> dict[str, float]:
    """Qué escribe el modelo si se le dice que se habla `symbol`, con frases de una misma lengua.

    `said` es el error frente a lo que se dijo; `translated`, frente a eso mismo en la lengua del
    símbolo, y `obeys`, la parte de las palabras escritas que son de esa lengua.
    """
    vocabulary = SPOKEN[symbol]
    texts = transcribe(model, [phrase.wave for phrase in phrases], vocabulary)
    written = [text.split() for text in texts]
    own = set(vocabulary.words(range(len(vocabulary.heard))))
    every = [word for words in written for word in words]
    return {
        "said": error_rate(written, [SPOKEN[p.language].words(p.labels) for p in phrases]),
        "translated": error_rate(written, [vocabulary.words(p.labels) for p in phrases]),
        "obeys": sum(word in own for word in every) / max(1, len(every)),
    }


def named_share(model: Whisper, phrases: Sequence[Phrase]) -> float:
    """En qué parte de las frases nombra bien la lengua."""
    return sum(named_language(model, p.wave) == p.language for p in phrases) / len(phrases)
