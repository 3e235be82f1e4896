"""MMBT: un BERT que lee una imagen y un texto como si fueran dos frases."""

import copy
from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tfcourse.layers.image.patches import ConvStem
from tfcourse.layers.masks import padding_mask
from tfcourse.models.bert import Bert

# Qué lee: las dos modalidades o una sola, con la misma red.
SIGHTS = {"las dos": (True, True), "solo imagen": (True, False), "solo texto": (False, True)}
IMAGE, TEXT = 0, 1  # los segmentos A y B de BERT


@dataclass(frozen=True)
class MmbtConfig:
    """Un MMBT: cuántas clases, qué lee (de `SIGHTS`), y los números de [CLS] y de [SEP].

    `cell` es el lado, en píxeles, del trozo de imagen del que sale cada token; `n_layers`, cuántos
    bloques del BERT se usan, y `None`, todos.
    Errores: `ValueError` si no se conoce lo que lee o hay menos de dos clases.
    """

    n_classes: int
    cls_id: int
    sep_id: int
    sight: str = "las dos"
    channels: int = 3
    cell: int = 8
    n_layers: int | None = None
    dropout: float = 0.1

    def __post_init__(self):
        if self.sight not in SIGHTS:
            raise ValueError(f"sight={self.sight!r}: usa {', '.join(map(repr, SIGHTS))}")
        if self.n_classes < 2:
            raise ValueError(f"n_classes={self.n_classes}: hacen falta al menos dos")


class Mmbt(nn.Module):
    """MMBT: `[CLS]`, los tokens de la imagen, `[SEP]` y las palabras, en un BERT ya entrenado.

    La imagen se convierte en tokens con unas convoluciones y entra por la puerta de las palabras:
    se le suman las posiciones y el segmento del propio BERT, que se copia y se sigue entrenando.
    Cada modalidad cuenta sus posiciones desde cero.
    Fuente: Kiela et al. (2019), § 3. Allí las convoluciones son una ResNet-152 y resume [CLS]; aquí
    resume la media, porque nuestro BERT aprendió sin una tarea para [CLS].
    """

    def __init__(self, bert: Bert, config: MmbtConfig):
        super().__init__()
        self.config = config
        self.bert = copy.deepcopy(bert)
        if config.n_layers is not None:
            self.bert.blocks = self.bert.blocks[: config.n_layers]
            self.bert.config = replace(bert.config, n_layers=len(self.bert.blocks))
        width = bert.config.d_model
        self.image_tokens = ConvStem(config.channels, config.cell, width)
        self.dropout = nn.Dropout(config.dropout)
        self.head = nn.Linear(width, config.n_classes)

    def enter(self, vectors: Float[Tensor, "B L D"], segment: int) -> Float[Tensor, "B L D"]:
        """Suma las posiciones y el segmento de BERT, y normaliza: como entra una palabra."""
        embedding = self.bert.embedding
        summed = embedding.positions(vectors) + embedding.segments.weight[segment]
        return embedding.dropout(embedding.norm(summed))

    def tokens(
        self,
        images: Float[Tensor, "B C H W"],
        words: Int[Tensor, "B L"],
        lengths: Int[Tensor, "B"],
    ) -> tuple[Float[Tensor, "B M D"], Bool[Tensor, "B M"]]:
        """Lo que lee BERT, en una sola secuencia, y qué posiciones no son relleno."""
        sees, reads = SIGHTS[self.config.sight]
        table, n = self.bert.embedding.table, len(words)
        first, last = (
            table.weight[number].expand(n, 1, -1)
            for number in (self.config.cls_id, self.config.sep_id)
        )
        picture = [first, self.image_tokens(images), last] if sees else [first]
        parts = [self.enter(torch.cat(picture, dim=1), IMAGE)]
        kept = [words.new_ones(n, parts[0].shape[1], dtype=torch.bool)]
        if reads:
            parts.append(self.enter(table(words), TEXT))
            kept.append(padding_mask(lengths, words.shape[1])[:, 0, 0])
        return torch.cat(parts, dim=1), torch.cat(kept, dim=1)

    def encode(
        self,
        images: Float[Tensor, "B C H W"],
        words: Int[Tensor, "B L"],
        lengths: Int[Tensor, "B"],
    ) -> tuple[Float[Tensor, "B M D"], Bool[Tensor, "B M"]]:
        """Cada token, después de mirar a todos los demás, y cuáles no son relleno."""
        x, kept = self.tokens(images, words, lengths)
        for block in self.bert.layers():
            x = block(x, kept[:, None, None])
        return x, kept

    def forward(
        self,
        images: Float[Tensor, "B C H W"],
        words: Int[Tensor, "B L"],
        lengths: Int[Tensor, "B"],
    ) -> Float[Tensor, "B K"]:
        """Logits de cada clase, con la media de los tokens."""
        x, kept = self.encode(images, words, lengths)
        summary = x.masked_fill(~kept[..., None], 0.0).sum(1) / kept.sum(1, keepdim=True)
        return self.head(self.dropout(summary))
