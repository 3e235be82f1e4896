"""BERT: un Transformer que es solo codificador y que aprende rellenando huecos."""

from dataclasses import dataclass
from functools import partial

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tfcourse.layers.attention_maps import maps_by_layer
from tfcourse.layers.blocks import EncoderBlock
from tfcourse.layers.masks import padding_mask
from tfcourse.layers.norms import LayerNorm
from tfcourse.layers.positions import LearnedPositions
from tfcourse.models.seq2seq import check_source

BertNorm = partial(LayerNorm, eps=1e-12)

BASE = {"d_model": 768, "n_heads": 12, "n_layers": 12, "d_hidden": 3072, "dropout": 0.1}
LARGE = {"d_model": 1024, "n_heads": 16, "n_layers": 24, "d_hidden": 4096, "dropout": 0.1}
WORDPIECE, BYTES, SENTENCEPIECE = {"n_tokens": 30_522}, {"n_tokens": 50_265}, {"n_tokens": 30_000}

# Devlin et al. (2019), § 3; Liu et al. (2019), § 5; Sanh et al. (2019), § 3; Lan et al. (2020),
# tabla 1. Cada uno se escribe como lo que cambia respecto de BERT; los dos primeros son del curso.
VARIANTS = {
    "diminuto": {"d_model": 64, "n_heads": 2, "n_layers": 2, "d_hidden": 256, "max_length": 64},
    "aula": {"d_model": 128, "n_heads": 4, "n_layers": 4, "d_hidden": 512, "max_length": 64},
    "BERT-base": BASE | WORDPIECE,
    "BERT-large": LARGE | WORDPIECE,
    "RoBERTa-base": BASE | BYTES | {"n_segments": 1, "max_length": 514},
    "RoBERTa-large": LARGE | BYTES | {"n_segments": 1, "max_length": 514},
    "DistilBERT": BASE | WORDPIECE | {"n_layers": 6, "n_segments": 0, "pooler": False},
    "ALBERT-base": BASE | SENTENCEPIECE | {"d_embedding": 128, "shared_layers": True},
    "ALBERT-large": LARGE | SENTENCEPIECE | {"d_embedding": 128, "shared_layers": True},
}


@dataclass(frozen=True)
class BertConfig:
    """Tamaños de un codificador como el de BERT; `VARIANTS` tiene los de su familia.

    `d_embedding`, si no es `None`, es la anchura de los embeddings de ALBERT; `n_segments=0` quita
    los de segmento. Errores: `ValueError` si algún tamaño no es posible.
    """

    n_tokens: int
    d_model: int = VARIANTS["aula"]["d_model"]
    n_heads: int = VARIANTS["aula"]["n_heads"]
    n_layers: int = VARIANTS["aula"]["n_layers"]
    d_hidden: int = VARIANTS["aula"]["d_hidden"]
    dropout: float = 0.0
    max_length: int = 512
    n_segments: int = 2
    d_embedding: int | None = None
    shared_layers: bool = False
    pooler: bool = True

    def __post_init__(self):
        for name in ("n_tokens", "d_model", "n_heads", "n_layers", "d_hidden", "max_length"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}={getattr(self, name)}: tiene que ser al menos 1")
        if self.n_segments < 0:
            raise ValueError(
                f"n_segments={self.n_segments}: usa 0 (sin segmentos), 1 o 2, como en BERT"
            )

    @property
    def embedding_width(self) -> int:
        """Anchura de los embeddings: la del modelo, salvo en ALBERT."""
        return self.d_model if self.d_embedding is None else self.d_embedding


class BertEmbedding(nn.Module):
    """Lo que lee BERT: la suma de tres vectores (token, posición y segmento), normalizada.

    Los embeddings no se multiplican por √D, al contrario que en el Transformer de 2017.
    Fuente: Devlin et al. (2019), figura 2; la proyección de E a D, Lan et al. (2020), § 3.1.
    """

    def __init__(self, config: BertConfig):
        super().__init__()
        width = config.embedding_width
        self.table = nn.Embedding(config.n_tokens, width)
        self.positions = LearnedPositions(config.max_length, width)
        self.segments = nn.Embedding(config.n_segments, width) if config.n_segments else None
        self.norm = BertNorm(width)
        self.dropout = nn.Dropout(config.dropout)
        factorized = config.d_embedding is not None
        self.widen = nn.Linear(width, config.d_model) if factorized else nn.Identity()

    def forward(
        self, tokens: Int[Tensor, "B L"], segments: Int[Tensor, "B L"] | None = None
    ) -> Float[Tensor, "B L D"]:
        """Un vector por token; sin `segments`, todos son del primero."""
        x = self.positions(self.table(tokens))
        if self.segments is not None:
            x = x + self.segments(torch.zeros_like(tokens) if segments is None else segments)
        return self.widen(self.dropout(self.norm(x)))


class Bert(nn.Module):
    """BERT: bloques de codificador en los que cada posición mira a todas, a izquierda y derecha.

    Con `shared_layers` hay un solo bloque y se pasa por él `n_layers` veces (ALBERT). Los pesos
    empiezan en N(0, 0,02²), como en el código publicado.
    Fuente: Devlin et al. (2019), § 3; Phuong y Hutter (2022), alg. 9.
    """

    def __init__(self, config: BertConfig):
        super().__init__()
        self.config = config
        self.embedding = BertEmbedding(config)
        different = 1 if config.shared_layers else config.n_layers
        self.blocks = nn.ModuleList(
            EncoderBlock(
                config.d_model, config.n_heads, config.d_hidden,
                dropout=config.dropout, activation=nn.GELU, norm=BertNorm,
            )
            for _ in range(different)
        )  # fmt: skip
        width = config.d_model
        self.pooler = nn.Sequential(nn.Linear(width, width), nn.Tanh()) if config.pooler else None
        self.apply(bert_initialization)

    def layers(self) -> list[EncoderBlock]:
        """Los bloques en el orden en que se recorren, repetidos si se comparten."""
        repeats = self.config.n_layers if self.config.shared_layers else 1
        return list(self.blocks) * repeats

    def forward(
        self,
        tokens: Int[Tensor, "B L"],
        lengths: Int[Tensor, "B"],
        segments: Int[Tensor, "B L"] | None = None,
    ) -> Float[Tensor, "B L D"]:
        """Un vector por token que ya sabe lo que hay a los dos lados."""
        check_source(tokens, lengths, self.config.n_tokens)
        mask = padding_mask(lengths, tokens.shape[1])
        x = self.embedding(tokens, segments)
        for block in self.layers():
            x = block(x, mask)
        return x

    def summary(self, states: Float[Tensor, "B L D"]) -> Float[Tensor, "B D"]:
        """El vector de la frase: el de [CLS], tras una capa y una tangente.

        Errores: `ValueError` si el modelo se hizo sin ella.
        """
        if self.pooler is None:
            raise ValueError("este modelo no tiene resumen de frase: créalo con pooler=True")
        return self.pooler(states[:, 0])

    @torch.no_grad()
    def attention_maps(
        self,
        tokens: Int[Tensor, "B L"],
        lengths: Int[Tensor, "B"],
        segments: Int[Tensor, "B L"] | None = None,
    ) -> list[Float[Tensor, "B H L L"]]:
        """Pesos de cada capa y cabeza al leer, recalculados."""
        mask = padding_mask(lengths, tokens.shape[1])
        return maps_by_layer(self.layers(), self.embedding(tokens, segments), mask)


class MaskedHead(nn.Module):
    """Cabeza de huecos: transforma, normaliza y compara con cada embedding de la tabla.

    Comparte la matriz de embeddings; solo añade un sesgo por token.
    Fuente: Phuong y Hutter (2022), alg. 9, líneas 10 a 12; Devlin et al. (2019), apéndice A.1.
    """

    def __init__(self, config: BertConfig, table: nn.Embedding):
        super().__init__()
        self.transform = nn.Linear(config.d_model, config.embedding_width)
        self.activation = nn.GELU()
        self.norm = BertNorm(config.embedding_width)
        self.output = nn.Linear(config.embedding_width, config.n_tokens)
        self.apply(bert_initialization)
        self.output.weight = table.weight

    def forward(self, states: Float[Tensor, "*B D"]) -> Float[Tensor, "*B V"]:
        """Logits del token que había en cada posición."""
        return self.output(self.norm(self.activation(self.transform(states))))


class MaskedLM(nn.Module):
    """BERT con su cabeza de huecos: da, para cada posición tapada, los logits de lo que había."""

    def __init__(self, config: BertConfig):
        super().__init__()
        self.bert = Bert(config)
        self.head = MaskedHead(config, self.bert.embedding.table)

    def forward(
        self,
        tokens: Int[Tensor, "B L"],
        lengths: Int[Tensor, "B"],
        chosen: Bool[Tensor, "B L"] | None = None,
    ) -> Float[Tensor, "*B V"]:
        """Logits de las posiciones de `chosen`, `(M, V)`; sin él, de todas, `(B, L, V)`.

        Calcular solo las tapadas ahorra la mayor parte del trabajo de la cabeza.
        """
        states = self.bert(tokens, lengths)
        return self.head(states if chosen is None else states[chosen])


def bert_initialization(layer: nn.Module) -> None:
    """Pesos de N(0, 0,02²) y sesgos a cero. Fuente: Devlin et al. (2019), código publicado."""
    if isinstance(layer, nn.Linear | nn.Embedding):
        nn.init.normal_(layer.weight, std=0.02)
    if isinstance(layer, nn.Linear):
        nn.init.zeros_(layer.bias)
