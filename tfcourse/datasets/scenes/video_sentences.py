"""Secuencias de VideoBERT: las palabras visuales de un clip y las de su frase, en una sola fila."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from tfcourse.datasets.text.masking import BERT_TOKENS, CLS, SEP, Masking
from tfcourse.tokenizers.words import WordTokenizer

JOIN = "[>]"  # separa el vídeo de la frase, como en el artículo
VIDEO, TEXT = 0, 1  # los segmentos
# Qué parte de cada modalidad se tapa, en los tres regímenes del entrenamiento.
REGIMES = {"juntas": (0.3, 0.3), "solo el vídeo": (0.3, 1.0), "solo la frase": (1.0, 0.3)}


class JointBatch(NamedTuple):
    """Un lote: lo que se lee, lo que había, longitudes, segmentos y qué hay que adivinar."""

    read: Int[Tensor, "B L"]
    tokens: Int[Tensor, "B L"]
    lengths: Int[Tensor, "B"]
    segments: Int[Tensor, "B L"]
    chosen: Bool[Tensor, "B L"]


@dataclass(frozen=True)
class Sentences:
    """Clips ya convertidos en números: `video` (N, M), y cada frase, `text` (N, W), con relleno."""

    video: Int[Tensor, "N M"]
    text: Int[Tensor, "N W"]
    tokenizer: WordTokenizer

    def __len__(self) -> int:
        return len(self.video)

    def joined(self, video: Tensor, text: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """[CLS] vídeo [>] frase [SEP] y relleno: números, longitudes y segmentos.

        `video` y `text` son filas de las de esta colección, emparejadas como se quiera.
        """
        cls, sep, join = (self.tokenizer.token_id(name) for name in (CLS, SEP, JOIN))
        words = (text != self.tokenizer.pad_id).sum(dim=1)
        edge = torch.full((len(video), 1), cls)
        tokens = torch.cat([edge, video, edge * 0 + join, text, edge * 0], dim=1)
        ends = video.shape[1] + 2 + words
        tokens[torch.arange(len(tokens)), ends] = sep
        segments = torch.zeros_like(tokens)
        segments[:, video.shape[1] + 2 :] = TEXT
        return tokens, ends + 1, segments


def joint_tokenizer(captions: list[list[str]], n_visual: int) -> WordTokenizer:
    """Un solo vocabulario: los especiales, las palabras de las frases y las visuales."""
    words = sorted({word for caption in captions for word in caption})
    visual = [f"v{number:02d}" for number in range(n_visual)]
    return WordTokenizer([*words, *visual], (*BERT_TOKENS, JOIN))


def encode_sentences(
    words: Int[Tensor, "N M"], captions: list[list[str]], tokenizer: WordTokenizer
) -> Sentences:
    """Palabras visuales (de 0 a n − 1) y frases → números del vocabulario común."""
    longest = max(map(len, captions))
    text = torch.full((len(captions), longest), tokenizer.pad_id)
    for row, caption in zip(text, captions, strict=True):
        row[: len(caption)] = torch.tensor([tokenizer.token_id(word) for word in caption])
    return Sentences(words + tokenizer.token_id("v00"), text, tokenizer)


def hide(
    tokens: Int[Tensor, "B L"],
    segments: Int[Tensor, "B L"],
    rates: Float[Tensor, "B 2"],
    masking: Masking,
    generator: torch.Generator,
) -> tuple[Int[Tensor, "B L"], Bool[Tensor, "B L"]]:
    """Tapa en cada fila una parte del vídeo y otra de la frase: lo que se lee y lo que se adivina.

    Con parte 1 se tapa toda la modalidad: queda la otra sola.
    """
    wanted = rates.gather(1, segments)
    draw = torch.rand(tokens.shape, generator=generator)
    chosen = (draw < wanted) & (tokens >= masking.n_special)
    return torch.where(chosen, masking.mask_id, tokens), chosen


def joint_batches(data: Sentences, *, batch_size: int, seed: int = 0) -> Iterator[JointBatch]:
    """Lotes sin fin; el régimen de cada fila se sortea entre los de `REGIMES`."""
    generator = torch.Generator().manual_seed(seed)
    masking = Masking.for_tokenizer(data.tokenizer)
    regimes = torch.tensor(list(REGIMES.values()))
    while True:
        rows = torch.randint(len(data), (batch_size,), generator=generator)
        tokens, lengths, segments = data.joined(data.video[rows], data.text[rows])
        rates = regimes[torch.randint(len(regimes), (batch_size,), generator=generator)]
        read, chosen = hide(tokens, segments, rates, masking, generator)
        yield JointBatch(read, tokens, lengths, segments, chosen)
