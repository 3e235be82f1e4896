"""La receta de VideoBERT: aprender las palabras visuales, entrenar, adivinar y buscar."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.datasets.scenes.motions import Clips
from tfcourse.datasets.scenes.video_sentences import (
    Sentences,
    encode_sentences,
    hide,
    joint_batches,
    joint_tokenizer,
)
from tfcourse.datasets.text.masking import Masking
from tfcourse.losses import segmented_loss
from tfcourse.models.bert import BertConfig
from tfcourse.models.segmented_bert import VARIANTS, SegmentedLM
from tfcourse.tokenizers.visual_words import VisualWords, motion_features
from tfcourse.training.budget import Budget
from tfcourse.training.recipe import MuonRecipe, Trained, trained


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Cómo se entrena: tamaños, pasos, lote, ramas del vocabulario visual y ritmos."""

    size: dict = field(default_factory=lambda: dict(VARIANTS["aula"]))
    steps: int = 220
    batch_size: int = 64
    branches: int = 5
    muon_lr: float = 0.02
    adam_lr: float = 3e-3
    weight_decay: float = 0.0


def video_corpus(train: Clips, test: Clips, branches: int = 5, seed: int = 0):
    """Los clips en números: el vocabulario visual se aprende solo con los de entrenar."""
    points = motion_features(train.videos)
    words = VisualWords.learn(points.flatten(0, 1), branches, seed)
    tokenizer = joint_tokenizer(train.captions, len(words))
    parts = [
        encode_sentences(words.encode(x), clips.captions, tokenizer)
        for x, clips in ((points, train), (motion_features(test.videos), test))
    ]
    return words, *parts


def build(recipe: Recipe, n_tokens: int) -> SegmentedLM:
    """Un VideoBERT sin entrenar, para un vocabulario de tantos tokens."""
    return SegmentedLM(BertConfig(n_tokens, **recipe.size))


def batches(recipe: Recipe, seed: int, data: Sentences) -> Iterator[tuple]:
    """Lotes sin fin de clips y frases, con huecos en los dos."""
    return joint_batches(data, batch_size=recipe.batch_size, seed=seed)


def train(recipe: Recipe, seed: int, budget: Budget | None = None, *, data: Sentences) -> Trained:
    """Construye y entrena un VideoBERT con esos clips; sin `budget`, los pasos de la receta."""
    return trained(
        lambda: build(recipe, len(data.tokenizer)), batches(recipe, seed, data), segmented_loss,
        recipe, seed, budget,
    )  # fmt: skip


@torch.no_grad()
def filled_share(
    model: SegmentedLM, data: Sentences, rates: tuple[float, float], segment: int, seed: int = 0
) -> float:
    """Acierto en los huecos de una modalidad, con esa parte tapada de cada una."""
    generator = torch.Generator().manual_seed(seed)
    tokens, lengths, segments = data.joined(data.video, data.text)
    masking = Masking.for_tokenizer(data.tokenizer)
    both = torch.tensor(rates).expand(len(tokens), 2)
    read, chosen = hide(tokens, segments, both, masking, generator)
    logits = model(read, lengths, segments, chosen)
    right = logits.argmax(dim=-1) == tokens[chosen]
    return float(right[segments[chosen] == segment].float().mean())


@torch.no_grad()
def likelihood_scores(model: SegmentedLM, data: Sentences) -> Float[Tensor, "N N"]:
    """Cuánto casa cada frase (fila) con cada vídeo (columna): log p(vídeo | frase).

    Se tapa el vídeo entero: con una sola lectura de la frase se puntúan todos los vídeos.
    """
    tokens, lengths, segments = data.joined(data.video, data.text)
    mask = Masking.for_tokenizer(data.tokenizer).mask_id
    places = slice(1, 1 + data.video.shape[1])
    chosen = torch.zeros_like(tokens, dtype=torch.bool)
    chosen[:, places] = True
    logits = model(tokens.masked_fill(chosen, mask), lengths, segments, chosen)
    chances = logits.log_softmax(dim=-1).view(len(data), data.video.shape[1], -1)
    index = data.video.T[None].expand(len(data), -1, -1)
    return chances.gather(2, index).sum(dim=1)
