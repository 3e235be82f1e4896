"""A escala real: el Whisper oficial, tal cual y afinado, con frases leídas por voluntarios."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.utils.data import Dataset

from tfcourse.audio.mel import VARIANTS as MELS
from tfcourse.audio.mel import MelConfig
from tfcourse.audio.speech_mel import whisper_mel
from tfcourse.datasets.folders.common_voice import COMMON_VOICE_SOURCE, SpokenSentences
from tfcourse.datasets.folders.loading import EndlessLoader
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.models.whisper import Whisper
from tfcourse.official.shown import official_source
from tfcourse.sound.transcription.pretrained import (
    WHISPER_SOURCE,
    OfficialVocabulary,
    official_whisper,
)
from tfcourse.sound.transcription.recipe import N_PROMPT, writing_loss
from tfcourse.sound.transcription.transcribe import padded_to, transcribe_together
from tfcourse.stored.full import FullRun
from tfcourse.training import fit, seed_everything
from tfcourse.training.budget import Steps
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.loop import default_device
from tfcourse.training.schedules import cycle

SECONDS = 30  # lo que leen los pesos oficiales
READ_AT_ONCE = 512  # grabaciones de evaluar que se tienen a la vez en memoria


@dataclass(frozen=True)
class Full:
    """Qué pesos, cuántos pasos de ajuste, lote, ritmo, cada cuánto se guarda y tokens por frase."""

    weights: str = "openai/whisper-tiny"
    steps: int = 5_000
    batch_size: int = 32
    lr: float = 1e-5
    save_every: int = 500
    max_length: int = 128


REHEARSAL = Full(steps=3, batch_size=2, save_every=1, max_length=24)


def measure(settings: Full, folder: Path) -> list[dict]:
    """WER y CER en la parte de evaluar de Common Voice en español, sin mayúsculas ni puntuación."""
    known, test = SpokenSentences("train"), SpokenSentences("test")
    model, vocabulary = official_whisper(settings.weights)
    rows = [{"modelo": "no escribir nada"} | errors([""] * len(test), test.texts)]
    for name, tune in (("oficial", False), ("oficial, afinado", True)):
        if tune:
            tuned(model, vocabulary, known, settings, folder)
        model.to(default_device())
        written = transcriptions(model, vocabulary, test, settings.max_length)
        model.cpu()
        rows.append({"modelo": name} | errors(written, test.texts))
    return rows


@dataclass(frozen=True)
class Published:
    """Qué Whisper, con qué nombre se publican, y cuántos tokens caben por frase."""

    names: tuple[str, ...]
    max_length: int = 128


def measure_published(settings: Published, folder: Path) -> list[dict]:
    """WER y CER de varios Whisper publicados, sin afinar, con la misma parte de evaluar."""
    test = SpokenSentences("test")
    rows = []
    for name in settings.names:
        model, vocabulary = official_whisper(name)
        model.to(default_device())
        written = transcriptions(model, vocabulary, test, settings.max_length)
        row = {"modelo": name, "parámetros": n_parameters(model)}
        rows.append(row | errors(written, test.texts))
    return rows


def mel_of(model: Whisper) -> MelConfig:
    """El espectrograma que lee un Whisper oficial: todos de 80 bandas, menos los que piden 128.

    Errores: `ValueError` si pide otro número de bandas.
    """
    for name in ("whisper", "whisper-128"):
        if MELS[name].n_mels == model.config.n_mels:
            return MELS[name]
    raise ValueError(
        f"este modelo lee {model.config.n_mels} bandas: los Whisper oficiales leen 80, o 128 desde "
        "large-v3"
    )


def tuned(
    model: Whisper,
    vocabulary: OfficialVocabulary,
    known: SpokenSentences,
    settings: Full,
    folder: Path,
) -> None:
    """Afina los pesos, que cambian, con unas grabaciones."""
    seed_everything(0)
    pairs = _MelsAndTokens(known, vocabulary, settings.max_length, mel_of(model))
    budget = Steps(settings.steps)
    stream = EndlessLoader(pairs, settings.batch_size, seed=0)
    fit(
        model, stream, dictation_loss(vocabulary.stop_id), budget=budget,
        optimizer=torch.optim.AdamW(model.parameters(), lr=settings.lr),
        schedule=cycle(budget, 0.1), description="Afinando",
        checkpoint=Checkpoint(folder / "afinado.safetensors", settings.save_every),
    )  # fmt: skip


def dictation_loss(stop_id: int) -> Callable[[nn.Module, tuple], Tensor]:
    """La pérdida de un lote `(espectrogramas, escrito)`: escribir bien lo que se ha dicho."""

    def loss(model: nn.Module, batch: tuple) -> Float[Tensor, ""]:
        mels, written = batch
        return writing_loss(model(mels, written[:, :-1]), written[:, 1:], N_PROMPT - 1, stop_id)

    return loss


class _MelsAndTokens(Dataset):
    """Cada grabación como la lee y la escribe Whisper; lo escrito se rellena con el fin."""

    def __init__(
        self,
        sentences: SpokenSentences,
        vocabulary: OfficialVocabulary,
        length: int,
        mel: MelConfig,
    ):
        self.sentences, self.vocabulary = sentences, vocabulary
        self.length, self.mel = length, mel

    def __len__(self) -> int:
        return len(self.sentences)

    def __getitem__(self, row: int) -> tuple[Float[Tensor, "mels frames"], Int[Tensor, " L"]]:
        one = self.sentences[row]
        ids = self.vocabulary.encode(one.text)[: self.length]
        ids += [self.vocabulary.stop_id] * (self.length - len(ids))
        return whisper_mel(padded_to(one.wave, SECONDS, self.mel)[None], self.mel)[0], torch.tensor(
            ids
        )


def transcriptions(
    model: Whisper, vocabulary: OfficialVocabulary, test: SpokenSentences, max_length: int
) -> list[str]:
    """Lo que el modelo escribe de cada grabación."""
    texts: list[str] = []
    for start in range(0, len(test), READ_AT_ONCE):
        rows = range(start, min(start + READ_AT_ONCE, len(test)))
        waves = [test[row].wave for row in rows]
        texts += transcribe_together(
            model, waves, vocabulary, mel=mel_of(model), seconds=SECONDS, max_length=max_length
        )
    return texts


def errors(written: Sequence[str], texts: Sequence[str]) -> dict[str, float]:
    """WER y CER de unos textos, con `jiwer`; las frases en las que no queda ni una letra, fuera."""
    import jiwer

    plain = jiwer.Compose([
        jiwer.ToLowerCase(), jiwer.RemovePunctuation(), jiwer.RemoveMultipleSpaces(), jiwer.Strip(),
    ])  # fmt: skip
    pairs = [(plain(text), plain(one)) for text, one in zip(texts, written, strict=True)]
    wanted, obtained = zip(*((text, one) for text, one in pairs if text), strict=True)
    return {
        "WER": jiwer.wer(list(wanted), list(obtained)),
        "CER": jiwer.cer(list(wanted), list(obtained)),
    }


MODELS = ("openai/whisper-tiny", "openai/whisper-large-v3-turbo")
RUNS = {
    "dictado": FullRun(
        name="dictado",
        title="Common Voice en español, errores al evaluar",
        sources=(WHISPER_SOURCE, COMMON_VOICE_SOURCE),
        settings=Full(),
        rehearsal=REHEARSAL,
        measure=measure,
        gpu_gigabytes=10,
        hours=3,
    ),
    "whisper_publicados": FullRun(
        name="whisper_publicados",
        title="Whisper publicados, en nuestra clase, sin afinar: errores en Common Voice",
        sources=(COMMON_VOICE_SOURCE, *map(official_source, MODELS)),
        settings=Published(MODELS),
        rehearsal=Published(MODELS, max_length=24),
        measure=measure_published,
        gpu_gigabytes=10,
        hours=2,
        trains=False,
    ),
}
