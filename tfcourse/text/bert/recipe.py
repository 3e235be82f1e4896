"""Recetas para preentrenar un BERT pequeño con texto en español: la de clase y la larga."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache

import torch
from jaxtyping import Int
from torch import Tensor

from tfcourse.datasets.text.article_topics import plain_text
from tfcourse.datasets.text.articles import split_articles
from tfcourse.datasets.text.masking import (
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
from tfcourse.tokenizers.base import Tokenizer
from tfcourse.tokenizers.wordpiece import WordPieceTokenizer, association
from tfcourse.training import Evaluation
from tfcourse.training.budget import Budget
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.recipe import MuonRecipe, Trained, trained
from tfcourse.weights.shipped import Shipped, check_shipped, load_weights, weights_card

N_TOKENS = 2048
EVALUATION_SEED = 99


@dataclass(frozen=True)
class Phase:
    """Un tramo del entrenamiento: longitud de las ventanas, cuántas por lote y cuántos pasos."""

    length: int
    batch_size: int
    steps: int


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Una receta: tamaños, tramos (primero, ventanas cortas), qué parte se tapa y los ritmos.

    `lr` es el de Muon, para las matrices; `adam_lr`, el de lo demás.
    """

    betas = (0.9, 0.98)

    size: dict = field(default_factory=lambda: dict(VARIANTS["diminuto"]))
    phases: tuple[Phase, ...] = (Phase(16, 128, 700),)
    rate: float = 0.2
    lr: float = 0.02
    adam_lr: float = 1e-2

    @property
    def steps(self) -> int:
        """Pasos en total."""
        return sum(phase.steps for phase in self.phases)

    @property
    def muon_lr(self) -> float:
        """El ritmo de las matrices."""
        return self.lr


LONG = Recipe(
    size=dict(VARIANTS["aula"]),
    phases=(Phase(16, 128, 700), Phase(64, 32, 2300)),
    rate=0.3,
    lr=0.02,
    adam_lr=5e-3,
)


@dataclass(frozen=True)
class EncodedCorpus:
    """Los artículos, ya con sus números: los de entrenar y los reservados."""

    tokenizer: Tokenizer
    train: list[list[int]]
    test: list[list[int]]

    def windows(self, part: str, length: int) -> Int[Tensor, "N L"]:
        """Los de una parte (`"train"` o `"test"`), empaquetados en ventanas."""
        ends = {"start_id": self.tokenizer.token_id(CLS), "end_id": self.tokenizer.token_id(SEP)}
        return pack_sequences(getattr(self, part), length=length, **ends)


def encoded_articles(
    n_tokens: int = N_TOKENS, tokenizer: WordPieceTokenizer | None = None
) -> EncodedCorpus:
    """Los artículos en español con un WordPiece aprendido solo de los de entrenar.

    Si ya se tiene, p. ej. el que acompaña a los pesos, se pasa en `tokenizer` y no se aprende otro.
    """
    train, test = ([plain_text(a.text) for a in part] for part in split_articles())
    if tokenizer is None:
        # Con este criterio se aprendió el vocabulario que acompaña a los pesos.
        tokenizer = WordPieceTokenizer.train(
            train, n_tokens, special_tokens=BERT_TOKENS, gain=association
        )
    return encode_corpus(tokenizer, train, test)


def encode_corpus(tokenizer: Tokenizer, train: Sequence[str], test: Sequence[str]) -> EncodedCorpus:
    """Textos ya limpios → números."""
    encoded = ([tokenizer.encode(text) for text in part] for part in (train, test))
    return EncodedCorpus(tokenizer, *encoded)


def build(recipe: Recipe, n_tokens: int) -> MaskedLM:
    """El modelo de la receta, para un vocabulario de ese tamaño."""
    return MaskedLM(BertConfig(n_tokens, **recipe.size))


def batches(recipe: Recipe, seed: int, corpus: EncodedCorpus) -> Iterator[MaskedBatch]:
    """Los lotes de todos los tramos, uno detrás de otro, con máscara dinámica."""
    masking = Masking.for_tokenizer(corpus.tokenizer, rate=recipe.rate)
    for phase in recipe.phases:
        masked = masked_batches(
            corpus.windows("train", phase.length),
            masking,
            batch_size=phase.batch_size,
            seed=seed,
        )
        yield from itertools.islice(masked, phase.steps)


def train(
    recipe: Recipe,
    seed: int,
    budget: Budget | None = None,
    *,
    corpus: EncodedCorpus,
    evaluation: Evaluation | None = None,
    checkpoint: Checkpoint | None = None,
) -> Trained:
    """Preentrena un BERT rellenando huecos."""
    return trained(
        lambda: build(recipe, len(corpus.tokenizer)), batches(recipe, seed, corpus), masked_loss,
        recipe, seed, budget, evaluation=evaluation, checkpoint=checkpoint,
        description="Preentrenando",
    )  # fmt: skip


def held_out_masks(corpus: EncodedCorpus, length: int = 64, n_windows: int = 800) -> MaskedBatch:
    """Ventanas de artículos reservados, tapadas como en BERT (15 %) y siempre igual."""
    windows = corpus.windows("test", length)[:n_windows]
    generator = torch.Generator().manual_seed(EVALUATION_SEED)
    read, chosen = mask_tokens(windows, Masking.for_tokenizer(corpus.tokenizer), generator)
    return read, windows, chosen


_articles = cache(encoded_articles)


def shipped_config(model: MaskedLM) -> dict:
    """Lo que se apunta para construir el modelo y su tokenizador."""
    tokens = _articles().tokenizer.state()["tokens"]
    return {**asdict(model.bert.config), "vocabulary": " ".join(tokens)}


def blind_accuracy(corpus: EncodedCorpus, masks: MaskedBatch | None = None) -> float:
    """Acierto en los huecos de quien dice siempre el token más frecuente al entrenar."""
    _, tokens, chosen = held_out_masks(corpus) if masks is None else masks
    frequent = torch.tensor(list(itertools.chain(*corpus.train))).bincount().argmax()
    return float((tokens[chosen] == frequent).float().mean())


WEIGHTS = {
    "bert_espanol": Shipped(
        train=lambda: train(LONG, 0, corpus=_articles()),
        score=lambda model: {
            "acierto en huecos": masked_accuracy(model, held_out_masks(_articles()))
        },
        blind=lambda: {"acierto diciendo siempre lo más frecuente": blind_accuracy(_articles())},
        data=(
            "resúmenes de Wikipedia en español (CC BY-SA 4.0), los artículos de entrenar de "
            "split_articles()"
        ),
        config=shipped_config,
    )
}


def load(name: str) -> tuple[MaskedLM, WordPieceTokenizer]:
    """Un BERT de los que vienen con el curso y el tokenizador con el que aprendió.

    Errores: los de `check_shipped`.
    """
    check_shipped(name, WEIGHTS)
    config = dict(weights_card(name).config)
    tokens = config.pop("vocabulary").split(" ")
    model = MaskedLM(BertConfig(**config))
    load_weights(name, model)
    return model.eval(), WordPieceTokenizer(tokens, BERT_TOKENS)
