"""Transformer: codificador y decodificador de Vaswani et al. (2017)."""

import math
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.layers.attention_maps import AttentionMaps, maps_by_layer
from tfcourse.layers.blocks import DecoderBlock, EncoderBlock
from tfcourse.layers.masks import causal_mask, padding_mask
from tfcourse.layers.norms import LayerNorm
from tfcourse.layers.positions import LearnedPositions, SinusoidalPositions
from tfcourse.models.seq2seq import check_source

# Vaswani et al. (2017), tabla 3, filas «base» y «big»; «aula» es la del curso.
VARIANTS = {
    "aula": {"d_model": 64, "n_heads": 4, "n_layers": 2, "d_hidden": 256, "dropout": 0.0},
    "base": {"d_model": 512, "n_heads": 8, "n_layers": 6, "d_hidden": 2048, "dropout": 0.1},
    "grande": {"d_model": 1024, "n_heads": 16, "n_layers": 6, "d_hidden": 4096, "dropout": 0.3},
}
POSITIONS = {"sinusoidales": SinusoidalPositions, "aprendidas": LearnedPositions}


@dataclass(frozen=True)
class TransformerConfig:
    """Tamaños del Transformer; `VARIANTS` tiene los del artículo.

    Errores: `ValueError` si las posiciones no son «sinusoidales» o «aprendidas».
    """

    n_source: int
    n_target: int
    d_model: int = VARIANTS["aula"]["d_model"]
    n_heads: int = VARIANTS["aula"]["n_heads"]
    n_layers: int = VARIANTS["aula"]["n_layers"]
    d_hidden: int = VARIANTS["aula"]["d_hidden"]
    dropout: float = VARIANTS["aula"]["dropout"]
    max_length: int = 512
    norm_first: bool = False
    positions: str = "sinusoidales"

    def __post_init__(self):
        if self.positions not in POSITIONS:
            raise ValueError(
                f"posiciones desconocidas: {self.positions!r}; usa {' o '.join(POSITIONS)}"
            )


@dataclass
class Memory:
    """Lo que el codificador deja dicho: sus vectores, `(B, Lk, D)`, y su máscara de relleno."""

    states: Tensor
    mask: Tensor


class TokenEmbedding(nn.Module):
    """Embedding de tokens con posición: √D · E[x] + posición, y dropout.

    Fuente: Vaswani et al. (2017), § 3.4 y 3.5.
    """

    def __init__(self, n_tokens: int, config: TransformerConfig):
        super().__init__()
        self.table = nn.Embedding(n_tokens, config.d_model)
        # Con esta desviación, multiplicados por √D los vectores tienen componentes de tamaño 1.
        nn.init.normal_(self.table.weight, std=config.d_model**-0.5)
        self.positions = POSITIONS[config.positions](config.max_length, config.d_model)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, tokens: Int[Tensor, "B L"]) -> Float[Tensor, "B L D"]:
        """Un vector por token, que ya sabe dónde está."""
        scaled = self.table(tokens) * math.sqrt(self.table.embedding_dim)
        return self.dropout(self.positions(scaled))


class Rereader:
    """Escribir token a token con un modelo que tiene `encode` y `decode`.

    Con cada token vuelve a leer todo lo escrito: sencillo, aunque repite trabajo.
    """

    def start(
        self, source: Int[Tensor, "B Lk"], lengths: Int[Tensor, "B"]
    ) -> tuple[Memory, Int[Tensor, "B _"]]:
        """Estado con el que se empieza a escribir: la memoria y nada escrito."""
        return self.encode(source, lengths), source.new_zeros(len(source), 0)

    def step(
        self, tokens: Int[Tensor, "B 1"], state: tuple[Memory, Int[Tensor, "B _"]]
    ) -> tuple[Float[Tensor, "B V"], tuple[Memory, Int[Tensor, "B _"]]]:
        """Escribe un token más."""
        memory, written = state
        written = torch.cat([written, tokens], dim=1)
        return self.decode(written, memory)[:, -1], (memory, written)

    def select(
        self, state: tuple[Memory, Int[Tensor, "B _"]], rows: Int[Tensor, "K"]
    ) -> tuple[Memory, Int[Tensor, "K _"]]:
        """El estado de algunas filas, en ese orden y repetidas si hace falta."""
        memory, written = state
        return Memory(memory.states[rows], memory.mask[rows]), written[rows]


class Transformer(Rereader, nn.Module):
    """Transformer completo: lee una secuencia y escribe otra.

    La capa de salida comparte su matriz con los embeddings de salida (Press y Wolf, 2017).
    """

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.config = config
        size = (config.d_model, config.n_heads, config.d_hidden)
        options = {"dropout": config.dropout, "norm_first": config.norm_first}
        self.source = TokenEmbedding(config.n_source, config)
        self.target = TokenEmbedding(config.n_target, config)
        layers = range(config.n_layers)
        self.encoder = nn.ModuleList(EncoderBlock(*size, **options) for _ in layers)
        self.decoder = nn.ModuleList(DecoderBlock(*size, **options) for _ in layers)
        # Con Pre-LN nadie ha normalizado lo último que se sumó.
        closing = LayerNorm if config.norm_first else lambda _: nn.Identity()
        self.encoder_norm, self.decoder_norm = closing(config.d_model), closing(config.d_model)

    def forward(
        self, source: Int[Tensor, "B Lk"], lengths: Int[Tensor, "B"], target: Int[Tensor, "B Lq"]
    ) -> Float[Tensor, "B Lq V"]:
        """Logits con forzado del profesor: `target` es la salida correcta, desde el inicio."""
        return self.decode(target, self.encode(source, lengths))

    def encode(self, source: Int[Tensor, "B Lk"], lengths: Int[Tensor, "B"]) -> Memory:
        """Lee la entrada entera, todas las posiciones a la vez."""
        check_source(source, lengths, self.config.n_source)
        mask = padding_mask(lengths, source.shape[1])
        x = self.source(source)
        for block in self.encoder:
            x = block(x, mask)
        return Memory(self.encoder_norm(x), mask)

    def decode(self, target: Int[Tensor, "B Lq"], memory: Memory) -> Float[Tensor, "B Lq V"]:
        """Logits del token que sigue a cada posición de `target`."""
        x, mask = self.target(target), causal_mask(target.shape[1], device=target.device)
        for block in self.decoder:
            x = block(x, memory.states, mask, memory.mask)
        return self.decoder_norm(x) @ self.target.table.weight.T

    @torch.no_grad()
    def attention_maps(
        self, source: Int[Tensor, "B Lk"], lengths: Int[Tensor, "B"], target: Int[Tensor, "B Lq"]
    ) -> AttentionMaps:
        """Pesos de cada capa y cabeza al leer y al escribir, recalculados."""
        memory = self.encode(source, lengths)
        reading = maps_by_layer(self.encoder, self.source(source), memory.mask)
        y, mask = self.target(target), causal_mask(target.shape[1], device=target.device)
        writing = maps_by_layer(self.decoder, y, memory.states, mask, memory.mask)
        return AttentionMaps.gather(reading, writing)
