"""Traducir oraciones de verdad: los mismos datos, la misma receta y la misma medida para todos."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import nn

from tfcourse.datasets.folders.tatoeba import ReservedSentence, tatoeba_split
from tfcourse.datasets.sequences import SequencePairs, encode_pairs
from tfcourse.decoding import translate
from tfcourse.layers.recurrent.precision import keep_full_precision
from tfcourse.losses import teacher_forcing_loss
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.metrics.translation import scores_by_length
from tfcourse.models.seq2seq import Seq2Seq, Seq2SeqConfig
from tfcourse.tokenizers.bpe import BPETokenizer
from tfcourse.training import default_device, fit, one_cycle, seed_everything
from tfcourse.training.budget import Steps
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.schedules import Schedule


@dataclass(frozen=True)
class Recipe:
    """Cuánto se entrena un traductor, y con qué oraciones y trozos de palabra.

    `max_tokens` es lo más que mide una oración al entrenar, y lo más que se escribe.
    """

    steps: int = 10_000
    batch_size: int = 128
    rate: float = 5e-4
    save_every: int = 1_000
    n_tokens: int = 8_000
    n_test: int = 2_000
    max_tokens: int = 64


@dataclass(frozen=True)
class Sentences:
    """Lo que se lee: los trozos de palabra, las parejas de entrenar y las oraciones de evaluar."""

    pieces: BPETokenizer
    known: SequencePairs
    test: Sequence[ReservedSentence]


def read_sentences(recipe: Recipe) -> Sentences:
    """Tatoeba en trozos de palabra, que se aprenden solo de lo que se entrena.

    Errores: los de `tatoeba_split`.
    """
    known, test = tatoeba_split(recipe.n_test)
    pieces = BPETokenizer.train((text for pair in known for text in pair), recipe.n_tokens)
    fits = [pair for pair in known if max(len(pieces.encode(t)) for t in pair) <= recipe.max_tokens]
    return Sentences(pieces, encode_pairs(*zip(*fits, strict=True), pieces, pieces), test)


def batches(sentences: Sentences, recipe: Recipe, seed: int) -> Iterator[tuple]:
    """Lotes sin fin de oraciones de longitud parecida, los mismos para todos los modelos."""
    return sentences.known.batches(recipe.batch_size, seed, similar_lengths=True)


def train_translator(
    build: Callable[[Sentences], nn.Module],
    sentences: Sentences,
    recipe: Recipe,
    checkpoint: Checkpoint,
    *,
    seed: int = 0,
    loss_fn: Callable = teacher_forcing_loss,
    schedule: Schedule | None = None,
    betas: tuple[float, float] = (0.9, 0.999),
) -> nn.Module:
    """Siembra, construye un traductor y lo entrena con la receta; solo cambia lo que se dice.

    Sin `schedule`, el ritmo hace un ciclo. Errores: los de `fit`.
    """
    seed_everything(seed)
    model = keep_full_precision(build(sentences))
    optimizer = torch.optim.AdamW(model.parameters(), lr=recipe.rate, betas=betas, fused=True)
    fit(
        model, batches(sentences, recipe, seed), loss_fn, budget=Steps(recipe.steps),
        optimizer=optimizer, schedule=schedule or one_cycle(recipe.steps), checkpoint=checkpoint,
        description=checkpoint.path.stem,
    )  # fmt: skip
    return model


def recurrent(
    sentences: Sentences, decoder: str, sizes: dict, own: nn.Module | None = None
) -> Seq2Seq:
    """Un traductor recurrente; `own`, si se da, hace de decodificador."""
    n = len(sentences.pieces)
    return Seq2Seq(Seq2SeqConfig(n, n, decoder, **sizes), own)


def write(
    model: nn.Module, sentences: Sentences, recipe: Recipe, batch_size: int = 250
) -> list[str]:
    """Traducciones voraces de las oraciones de evaluar."""
    ids = [torch.tensor(sentences.pieces.encode(s.source)) for s in sentences.test]
    written = []
    for start in range(0, len(ids), batch_size):
        part = ids[start : start + batch_size]
        source = nn.utils.rnn.pad_sequence(part, batch_first=True)
        lengths = torch.tensor([len(row) for row in part])
        written += translate(model, source, lengths, sentences.pieces, max_length=recipe.max_tokens)
    return [text.strip() for text in written]


def score(model: nn.Module, name: str, sentences: Sentences, recipe: Recipe) -> dict:
    """La fila de un traductor: su nombre, sus parámetros y su BLEU y su chrF al evaluar."""
    home = next(model.parameters()).device
    written = write(model.to(default_device()), sentences, recipe)
    model.to(home)
    row = {"traductor": name, "parámetros": n_parameters(model)}
    return row | scores_by_length(written, sentences.test)


def copying(sentences: Sentences) -> dict:
    """La fila de no hacer nada: dejar la oración en inglés."""
    written = [sentence.source for sentence in sentences.test]
    row = {"traductor": "copiar el inglés", "parámetros": 0}
    return row | scores_by_length(written, sentences.test)
