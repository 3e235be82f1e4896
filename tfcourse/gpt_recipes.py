"""Recetas para entrenar un GPT pequeño con texto en español, comparables a igual tiempo.

La de referencia es la que nanoGPT da para un procesador; la otra cambia el optimizador, las
posiciones, la normalización y el tokenizador, y quitar cada cambio dice cuánto puso.
"""

import time
from dataclasses import asdict, dataclass, replace

import torch
from jaxtyping import Int
from torch import Tensor

from tfcourse.datasets.articles import join_texts, split_articles
from tfcourse.datasets.streams import SPANISH_CHARACTERS, simplify_text
from tfcourse.datasets.windows import random_windows
from tfcourse.losses import next_token_loss
from tfcourse.metrics import bits_per_character, window_bits
from tfcourse.models.gpt import GPT, VARIANTS, GPTConfig
from tfcourse.models.ngrams import CountModel
from tfcourse.muon import Muon, split_parameters
from tfcourse.shipped import WeightsCard, load_weights, weights_card
from tfcourse.timed import check_budget, train_for, warmup_cosine
from tfcourse.tokenizers.base import Tokenizer
from tfcourse.tokenizers.bpe import BPETokenizer
from tfcourse.tokenizers.characters import CharacterTokenizer
from tfcourse.tokenizers.vocabulary import Vocabulary
from tfcourse.training import History, fit, seed_everything

BPE_CHARACTERS = 600_000  # con esta parte del texto basta para aprender las fusiones


@dataclass(frozen=True)
class GPTRecipe:
    """Una receta: tokenizador, modelo, lote y optimizador.

    `n_tokens=None` son caracteres; con un número, un BPE de ese tamaño. Sin `muon_lr`, todo va con
    AdamW. Errores: `ValueError` si el ritmo no es positivo.
    """

    n_tokens: int | None = None
    positions: str = "aprendidas"
    norm: str = "capa"
    muon_lr: float | None = None
    adam_lr: float = 1e-3
    batch_size: int = 12
    length: int = 64
    size: str = "aula"

    def __post_init__(self):
        if self.adam_lr <= 0 or (self.muon_lr or 1) <= 0:
            raise ValueError(f"adam_lr={self.adam_lr}, muon_lr={self.muon_lr}: deben ser positivos")

    def config(self, n_tokens: int) -> GPTConfig:
        """Los tamaños del modelo que entrena la receta."""
        sizes = VARIANTS[self.size] | {"max_length": self.length}
        return GPTConfig(n_tokens, positions=self.positions, norm=self.norm, **sizes)


# Karpathy (2022), nanoGPT: la orden para un portátil de su README, con el ritmo 1e-3, el
# calentamiento y el coseno de config/train_shakespeare_char.py.
NANOGPT = GPTRecipe()
OURS = GPTRecipe(
    n_tokens=1024,
    positions="rotatorias",
    norm="cuadratica",
    muon_lr=0.02,
    adam_lr=1e-2,
    batch_size=16,
)
ABLATIONS = {
    "sin Muon": replace(OURS, muon_lr=None, adam_lr=3e-3),
    "sin RoPE": replace(OURS, positions="aprendidas"),
    "sin RMSNorm": replace(OURS, norm="capa"),
    "sin BPE": replace(OURS, n_tokens=None),
}


@dataclass(frozen=True)
class Corpus:
    """Texto para entrenar y texto reservado, los dos con el alfabeto del curso."""

    train: str
    test: str


def spanish_corpus(test_characters: int | None = None) -> Corpus:
    """Los artículos en español; los reservados, cortados en `test_characters` si se pide."""
    train, test = split_articles()
    texts = (simplify_text(join_texts(part)) for part in (train, test))
    kept, held_out = texts
    return Corpus(kept, held_out[:test_characters])


def build_tokenizer(recipe: GPTRecipe, text: str) -> Tokenizer:
    """El tokenizador de la receta: el alfabeto del curso, o un BPE aprendido del texto."""
    if recipe.n_tokens is None:
        return CharacterTokenizer(SPANISH_CHARACTERS)
    return BPETokenizer.train(text[:BPE_CHARACTERS], recipe.n_tokens, byte_level=False)


def build_optimizer(model: GPT, recipe: GPTRecipe) -> torch.optim.Optimizer:
    """AdamW con las betas de nanoGPT, o Muon en las matrices y Adam en lo demás."""
    if recipe.muon_lr is None:
        matrices = [p for p in model.parameters() if p.ndim >= 2]
        others = [p for p in model.parameters() if p.ndim < 2]
        groups = [
            {"params": matrices, "weight_decay": 0.1},
            {"params": others, "weight_decay": 0.0},
        ]
        return torch.optim.AdamW(groups, lr=recipe.adam_lr, betas=(0.9, 0.99))
    return Muon(*split_parameters(model), lr=recipe.muon_lr, adam_lr=recipe.adam_lr)


@dataclass
class TrainedGPT:
    """Un GPT entrenado, con su tokenizador y su historia."""

    model: GPT
    tokenizer: Tokenizer
    history: History

    def encode(self, text: str) -> Int[Tensor, "L"]:
        """Los números de un texto."""
        return torch.tensor(self.tokenizer.encode(text))

    def bits(self, text: str) -> float:
        """Bits por carácter en un texto, con al menos medio contexto delante de cada token."""
        ids = self.encode(text)
        first = len(self.tokenizer.decode(ids[:1]))
        length = self.model.config.max_length
        return window_bits(self.model, ids, len(text) - first, length=length)


def train_recipe(
    recipe: GPTRecipe,
    text: str,
    cpu_seconds: float | None = None,
    seed: int = 0,
    *,
    steps: int | None = None,
) -> TrainedGPT:
    """Entrena una receta durante un tiempo de procesador, o unos pasos si se dan en su lugar.

    Aprender el BPE también se paga.
    Errores: `ValueError` si no da tiempo ni a preparar el texto, o si no se da una de las dos
    cosas, y solo una.
    """
    check_budget(steps, cpu_seconds)
    started = time.process_time()
    tokenizer = build_tokenizer(recipe, text)
    ids = torch.tensor(tokenizer.encode(text))
    preparing = time.process_time() - started
    seed_everything(seed)
    model, rate = GPT(recipe.config(len(tokenizer))), warmup_cosine()
    optimizer = build_optimizer(model, recipe)
    windows = random_windows(ids, batch_size=recipe.batch_size, length=recipe.length, seed=seed)
    if cpu_seconds is not None:
        history = train_for(
            cpu_seconds - preparing, model, windows, next_token_loss, optimizer=optimizer,
            schedule=rate,
        )  # fmt: skip
    else:
        history = fit(
            model, windows, next_token_loss, steps=steps, optimizer=optimizer,
            schedule=lambda step: rate(step / steps),
        )  # fmt: skip
    return TrainedGPT(model, tokenizer, history)


# Los pesos que vienen con el curso: la misma receta, con un modelo y un contexto mayores.
WORKSHOP = replace(OURS, adam_lr=5e-3, length=128, size="taller")
WORKSHOP_SECONDS, WORKSHOP_NAME, NGRAM = 840.0, "gpt_espanol", 6


def train_workshop() -> tuple[GPT, WeightsCard]:
    """Entrena los pesos que vienen con el curso; su medida va junto a la de contar 6-gramas."""
    corpus, started = spanish_corpus(), time.process_time()
    trained = train_recipe(WORKSHOP, corpus.train, WORKSHOP_SECONDS, seed=0)
    card = WeightsCard(
        config=asdict(trained.model.config),
        recipe=asdict(WORKSHOP) | {"steps": len(trained.history.loss)},
        seed=0,
        cpu_seconds=round(time.process_time() - started, 1),
        quality={
            "bits_por_caracter": round(trained.bits(corpus.test), 4),
            "bits_por_caracter_6_grama": round(ngram_bits(corpus), 4),
        },
        data="resúmenes de Wikipedia en español, CC BY-SA 4.0",
    )
    return trained.model, card


def load_workshop() -> TrainedGPT:
    """El GPT que viene con el curso, con su tokenizador, que se vuelve a aprender."""
    card = weights_card(WORKSHOP_NAME)
    model = GPT(GPTConfig(**card.config)).eval()
    load_weights(WORKSHOP_NAME, model)
    return TrainedGPT(model, build_tokenizer(WORKSHOP, spanish_corpus().train), History())


def ngram_bits(corpus: Corpus, order: int = NGRAM, strength: float = 30.0) -> float:
    """Bits por carácter de contar n-gramas en el mismo texto: el punto de comparación."""
    characters = Vocabulary(SPANISH_CHARACTERS)
    train, test = (torch.tensor(characters.encode(text)) for text in vars(corpus).values())
    counter = CountModel(order, len(characters), start_id=characters.encode("\n")[0]).fit(train)
    counter.strength = strength
    return bits_per_character(counter.probability(counter.windows(test), order).log())
