"""Recetas de VideoBERT: aprender las palabras visuales, entrenar, adivinar y buscar."""

from dataclasses import dataclass, field

import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.classifiers import fit_with_muon
from tfcourse.datasets.masking import Masking
from tfcourse.datasets.motions import Clips
from tfcourse.datasets.video_sentences import (
    Sentences,
    encode_sentences,
    hide,
    joint_batches,
    joint_tokenizer,
)
from tfcourse.losses import segmented_loss
from tfcourse.models.bert import BertConfig
from tfcourse.models.segmented_bert import VARIANTS, SegmentedLM
from tfcourse.tokenizers.visual_words import VisualWords, motion_features
from tfcourse.training import History, seed_everything


@dataclass(frozen=True)
class VideoRecipe:
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


def trained(data: Sentences, recipe: VideoRecipe, seed: int = 0) -> tuple[SegmentedLM, History]:
    """Construye y entrena un VideoBERT."""
    seed_everything(seed)
    model = SegmentedLM(BertConfig(len(data.tokenizer), **recipe.size))
    batches = joint_batches(data, batch_size=recipe.batch_size, seed=seed)
    history = fit_with_muon(model, batches, segmented_loss, recipe)
    return model.cpu().eval(), history


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
