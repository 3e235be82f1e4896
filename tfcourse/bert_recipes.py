"""Recetas para preentrenar un BERT pequeño con texto en español: la de clase y la larga."""

import itertools
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field

import torch
from jaxtyping import Int
from torch import Tensor

from tfcourse.datasets.article_topics import plain_text
from tfcourse.datasets.articles import split_articles
from tfcourse.datasets.masking import (
    BERT_TOKENS,
    CLS,
    SEP,
    MaskedBatch,
    Masking,
    mask_tokens,
    masked_batches,
    pack_sequences,
)
from tfcourse.losses import masked_loss
from tfcourse.metrics import masked_accuracy
from tfcourse.models.bert import VARIANTS, BertConfig, MaskedLM
from tfcourse.muon import Muon, split_parameters
from tfcourse.shipped import WeightsCard, load_weights, weights_card
from tfcourse.tokenizers.base import Tokenizer
from tfcourse.tokenizers.wordpiece import WordPieceTokenizer
from tfcourse.training import Evaluation, History, fit, one_cycle, seed_everything

N_TOKENS = 2048
SHIPPED = "bert_espanol"
EVALUATION_SEED = 99


@dataclass(frozen=True)
class Phase:
    """Un tramo del entrenamiento: longitud de las ventanas, cuántas por lote y cuántos pasos."""

    length: int
    batch_size: int
    steps: int


@dataclass(frozen=True)
class BertRecipe:
    """Una receta: tamaños, tramos (primero, ventanas cortas), qué parte se tapa y los ritmos.

    `lr` es el de Muon, para las matrices; `adam_lr`, el de lo demás.
    """

    size: dict = field(default_factory=lambda: dict(VARIANTS["diminuto"]))
    phases: tuple[Phase, ...] = (Phase(16, 128, 700),)
    rate: float = 0.2
    lr: float = 0.02
    adam_lr: float = 1e-2

    @property
    def steps(self) -> int:
        """Pasos en total."""
        return sum(phase.steps for phase in self.phases)


LONG = BertRecipe(
    size=dict(VARIANTS["aula"]),
    phases=(Phase(16, 128, 700), Phase(64, 32, 2300)),
    rate=0.3,
    lr=0.02,
    adam_lr=5e-3,
)


@dataclass(frozen=True)
class Corpus:
    """Los artículos, ya con sus números: los de entrenar y los reservados."""

    tokenizer: Tokenizer
    train: list[list[int]]
    test: list[list[int]]

    def windows(self, part: str, length: int) -> Int[Tensor, "N L"]:
        """Los de una parte (`"train"` o `"test"`), empaquetados en ventanas."""
        ends = {"start_id": self.tokenizer.token_id(CLS), "end_id": self.tokenizer.token_id(SEP)}
        return pack_sequences(getattr(self, part), length=length, **ends)


def spanish_corpus(n_tokens: int = N_TOKENS, tokenizer: WordPieceTokenizer | None = None) -> Corpus:
    """Los artículos en español con un WordPiece aprendido solo de los de entrenar.

    Si ya se tiene, p. ej. el que acompaña a los pesos, se pasa en `tokenizer` y no se aprende otro.
    """
    train, test = ([plain_text(a.text) for a in part] for part in split_articles())
    if tokenizer is None:
        tokenizer = WordPieceTokenizer.train(train, n_tokens, special_tokens=BERT_TOKENS)
    return encode_corpus(tokenizer, train, test)


def encode_corpus(tokenizer: Tokenizer, train: Sequence[str], test: Sequence[str]) -> Corpus:
    """Textos ya limpios → números."""
    encoded = ([tokenizer.encode(text) for text in part] for part in (train, test))
    return Corpus(tokenizer, *encoded)


def phase_batches(corpus: Corpus, recipe: BertRecipe, seed: int) -> Iterator[MaskedBatch]:
    """Los lotes de todos los tramos, uno detrás de otro, con máscara dinámica."""
    masking = Masking.for_tokenizer(corpus.tokenizer, rate=recipe.rate)
    for phase in recipe.phases:
        batches = masked_batches(
            corpus.windows("train", phase.length),
            masking,
            batch_size=phase.batch_size,
            seed=seed,
        )
        yield from itertools.islice(batches, phase.steps)


def pretrain(
    corpus: Corpus, recipe: BertRecipe, seed: int = 0, evaluation: Evaluation | None = None
) -> tuple[MaskedLM, History]:
    """Preentrena un BERT rellenando huecos."""
    seed_everything(seed)
    model = MaskedLM(BertConfig(len(corpus.tokenizer), **recipe.size))
    optimizer = Muon(
        *split_parameters(model), lr=recipe.lr, adam_lr=recipe.adam_lr, betas=(0.9, 0.98)
    )
    history = fit(
        model,
        phase_batches(corpus, recipe, seed),
        masked_loss,
        steps=recipe.steps,
        optimizer=optimizer,
        schedule=one_cycle(recipe.steps),
        evaluation=evaluation,
        description="Preentrenando",
    )
    return model, history


def held_out_masks(corpus: Corpus, length: int = 64, n_windows: int = 800) -> MaskedBatch:
    """Ventanas de artículos reservados, tapadas como en BERT (15 %) y siempre igual."""
    windows = corpus.windows("test", length)[:n_windows]
    generator = torch.Generator().manual_seed(EVALUATION_SEED)
    read, chosen = mask_tokens(windows, Masking.for_tokenizer(corpus.tokenizer), generator)
    return read, windows, chosen


def train_shipped() -> tuple[MaskedLM, WeightsCard]:
    """Entrena los pesos que vienen con el curso, con su ficha."""
    torch.set_num_threads(1)
    corpus, started = spanish_corpus(), time.process_time()
    model, _ = pretrain(corpus, LONG, seed=0)
    spent = time.process_time() - started
    masks = held_out_masks(corpus)
    read, tokens, chosen = masks
    frequent = torch.tensor(list(itertools.chain(*corpus.train))).bincount().argmax()
    quality = {
        "acierto en huecos": round(masked_accuracy(model, masks), 4),
        "acierto diciendo siempre lo más frecuente": round(
            float((tokens[chosen] == frequent).float().mean()), 4
        ),
    }
    card = WeightsCard(
        config={
            **asdict(model.bert.config),
            "vocabulary": " ".join(corpus.tokenizer.state()["tokens"]),
        },
        recipe=asdict(LONG),
        seed=0,
        cpu_seconds=round(spent),
        quality=quality,
        data=(
            "resúmenes de Wikipedia en español (CC BY-SA 4.0), los artículos de entrenar de "
            "split_articles()"
        ),
    )
    return model, card


def shipped_bert() -> tuple[MaskedLM, WordPieceTokenizer]:
    """El BERT que viene con el curso y el tokenizador con el que aprendió."""
    config = dict(weights_card(SHIPPED).config)
    tokens = config.pop("vocabulary").split(" ")
    model = MaskedLM(BertConfig(**config))
    load_weights(SHIPPED, model)
    return model.eval(), WordPieceTokenizer(tokens, BERT_TOKENS)
