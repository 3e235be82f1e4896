"""Recetas para entrenar un GPT pequeño con texto en español, comparables a igual tiempo.

La de referencia es la que nanoGPT da para un procesador; la otra cambia el optimizador, las
posiciones, la normalización y el tokenizador, y quitar cada cambio dice cuánto puso.
"""

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import cache

import torch
from jaxtyping import Int
from torch import Tensor

from tfcourse.datasets.text.articles import Corpus, spanish_corpus
from tfcourse.datasets.text.streams import SPANISH_CHARACTERS
from tfcourse.datasets.windows import random_windows
from tfcourse.losses import next_token_loss
from tfcourse.metrics import bits_per_character, window_bits
from tfcourse.models.gpt import GPT, VARIANTS, GPTConfig
from tfcourse.models.ngrams import CountModel
from tfcourse.tokenizers.base import Tokenizer
from tfcourse.tokenizers.bpe import BPETokenizer
from tfcourse.tokenizers.characters import CharacterTokenizer
from tfcourse.tokenizers.vocabulary import Vocabulary
from tfcourse.training import History, fit, seed_everything
from tfcourse.training.budget import Budget, CpuSeconds
from tfcourse.training.recipe import MuonRecipe, Trained, muon
from tfcourse.training.schedules import warmup_cosine
from tfcourse.weights.shipped import Shipped, check_shipped, load_weights, weights_card

BPE_CHARACTERS = 600_000  # con esta parte del texto basta para aprender las fusiones


@dataclass(frozen=True)
class Recipe(MuonRecipe):
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
NANOGPT = Recipe()
OURS = Recipe(
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


def build_tokenizer(recipe: Recipe, text: str) -> Tokenizer:
    """El tokenizador de la receta: el alfabeto del curso, o un BPE aprendido del texto."""
    if recipe.n_tokens is None:
        return CharacterTokenizer(SPANISH_CHARACTERS)
    return BPETokenizer.train(text[:BPE_CHARACTERS], recipe.n_tokens, byte_level=False)


def build(recipe: Recipe, n_tokens: int) -> GPT:
    """El modelo de la receta, para un vocabulario de ese tamaño."""
    return GPT(recipe.config(n_tokens))


def batches(recipe: Recipe, seed: int, ids: Int[Tensor, "N"]) -> Iterator[tuple[Tensor]]:
    """Lotes sin fin de ventanas de un texto ya en números."""
    return random_windows(ids, batch_size=recipe.batch_size, length=recipe.length, seed=seed)


def build_optimizer(model: GPT, recipe: Recipe) -> torch.optim.Optimizer:
    """AdamW con las betas de nanoGPT, o Muon en las matrices y Adam en lo demás."""
    if recipe.muon_lr is None:
        matrices = [p for p in model.parameters() if p.ndim >= 2]
        others = [p for p in model.parameters() if p.ndim < 2]
        groups = [
            {"params": matrices, "weight_decay": 0.1},
            {"params": others, "weight_decay": 0.0},
        ]
        return torch.optim.AdamW(groups, lr=recipe.adam_lr, betas=(0.9, 0.99))
    return muon(model, recipe)


@dataclass
class TrainedGPT(Trained):
    """Un GPT entrenado, con su tokenizador."""

    tokenizer: Tokenizer

    def encode(self, text: str) -> Int[Tensor, "L"]:
        """Los números de un texto."""
        return torch.tensor(self.tokenizer.encode(text))

    def bits(self, text: str) -> float:
        """Bits por carácter en un texto, con al menos medio contexto delante de cada token."""
        ids = self.encode(text)
        first = len(self.tokenizer.decode(ids[:1]))
        length = self.model.config.max_length
        return window_bits(self.model, ids, len(text) - first, length=length)


def train(recipe: Recipe, seed: int, budget: Budget, *, text: str) -> TrainedGPT:
    """Entrena una receta con un texto hasta gastar `budget`, unos pasos o un tiempo de procesador.

    Aprender el BPE también se paga.
    Errores: `ValueError` si no da tiempo ni a preparar el texto.
    """
    started = time.process_time()
    tokenizer = build_tokenizer(recipe, text)
    ids = torch.tensor(tokenizer.encode(text))
    preparing = time.process_time() - started
    seed_everything(seed)
    model = build(recipe, len(tokenizer))
    if isinstance(budget, CpuSeconds):
        budget = CpuSeconds(budget.seconds - preparing)
    history = fit(
        model, batches(recipe, seed, ids), next_token_loss, budget=budget,
        optimizer=build_optimizer(model, recipe), schedule=warmup_cosine(budget),
    )  # fmt: skip
    return TrainedGPT(model, recipe, history, tokenizer)


def ngram_bits(corpus: Corpus, order: int = 6, strength: float = 30.0) -> float:
    """Bits por carácter de contar n-gramas en el mismo texto: el punto de comparación."""
    characters = Vocabulary(SPANISH_CHARACTERS)
    train, test = (torch.tensor(characters.encode(text)) for text in vars(corpus).values())
    counter = CountModel(order, len(characters), start_id=characters.encode("\n")[0]).fit(train)
    counter.strength = strength
    return bits_per_character(counter.probability(counter.windows(test), order).log())


# Los pesos que vienen con el curso: la misma receta, con un modelo y un contexto mayores.
WORKSHOP = replace(OURS, adam_lr=5e-3, length=128, size="taller")
WORKSHOP_TIME = CpuSeconds(840.0)


@cache
def _tokenizer() -> Tokenizer:
    return build_tokenizer(WORKSHOP, spanish_corpus().train)


def with_its_tokenizer(model: GPT) -> TrainedGPT:
    """Un GPT de los que vienen con el curso, con su tokenizador, que se vuelve a aprender."""
    return TrainedGPT(model, WORKSHOP, History(), _tokenizer())


WEIGHTS = {
    "gpt_espanol": Shipped(
        train=lambda: train(WORKSHOP, 0, WORKSHOP_TIME, text=spanish_corpus().train),
        score=lambda model: {
            "bits_por_caracter": with_its_tokenizer(model).bits(spanish_corpus().test)
        },
        blind=lambda: {"bits_por_caracter_6_grama": ngram_bits(spanish_corpus())},
        data="resúmenes de Wikipedia en español, CC BY-SA 4.0",
        recipe=lambda done: asdict(done.recipe) | {"steps": len(done.history.loss)},
    )
}


def load(name: str) -> TrainedGPT:
    """Un GPT de los que vienen con el curso. Errores: los de `check_shipped`."""
    check_shipped(name, WEIGHTS)
    model = GPT(GPTConfig(**weights_card(name).config)).eval()
    load_weights(name, model)
    return with_its_tokenizer(model)
