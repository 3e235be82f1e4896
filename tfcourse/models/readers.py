"""Tres lectores de texto del mismo tamaño: recurrente en las dos direcciones, con ventanas y con
atención.

Cada uno lleva `(tokens, lengths)` a un vector por posición, `(B, L, D)`; para clasificar se pone
encima `Classifier`, con la manera de resumir que se diga.
"""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from tfcourse.layers.attention_maps import maps_by_layer
from tfcourse.layers.blocks import EncoderBlock
from tfcourse.layers.masks import padding_mask
from tfcourse.models.transformer import TokenEmbedding, TransformerConfig


def end_states(states: Float[Tensor, "B L D"], lengths: Int[Tensor, "B"]) -> Float[Tensor, "B D"]:
    """Lo último que leyó cada dirección: la de ida, al final; la de vuelta, al principio.

    `states` lleva las dos, una detrás de otra; el final es la última palabra, no el relleno.
    """
    ahead, behind = states.chunk(2, dim=-1)
    rows = torch.arange(len(states), device=states.device)
    return torch.cat([ahead[rows, lengths - 1], behind[:, 0]], dim=-1)


def max_state(states: Float[Tensor, "B L D"], lengths: Int[Tensor, "B"]) -> Float[Tensor, "B D"]:
    """El máximo de cada componente entre las posiciones que no son relleno."""
    kept = padding_mask(lengths, states.shape[1])[:, 0, 0, :, None]
    return states.masked_fill(~kept, -torch.inf).amax(dim=1)


class RecurrentEncoder(nn.Module):
    """LSTM bidireccional: cada posición conoce lo leído desde los dos extremos.

    Las secuencias se empaquetan: la dirección de vuelta empieza en la última palabra, no en el
    relleno. Fuente: Schuster y Paliwal (1997); Hochreiter y Schmidhuber (1997).
    """

    def __init__(self, n_tokens: int, d_model: int, d_hidden: int, dropout: float = 0.0):
        super().__init__()
        self.table = nn.Embedding(n_tokens, d_model)
        self.dropout = nn.Dropout(dropout)
        self.rnn = nn.LSTM(d_model, d_hidden, batch_first=True, bidirectional=True)

    def forward(
        self, tokens: Int[Tensor, "B L"], lengths: Int[Tensor, "B"]
    ) -> Float[Tensor, "B L D2"]:
        """Estados de las dos direcciones, concatenados: `(B, L, 2·d_hidden)`."""
        packed = pack_padded_sequence(
            self.dropout(self.table(tokens)), lengths.cpu(), batch_first=True, enforce_sorted=False
        )
        states, _ = pad_packed_sequence(
            self.rnn(packed)[0], batch_first=True, total_length=tokens.shape[1]
        )
        return states


class ConvolutionEncoder(nn.Module):
    """Convolución de una dimensión: los mismos detectores de ventanas de `width` palabras por todo.

    El relleno entra como ceros, así que no cuenta. Fuente: Kim (2014), ec. 1 y 2.
    Errores: `ValueError` si la ventana no tiene centro.
    """

    def __init__(
        self, n_tokens: int, d_model: int, d_hidden: int, width: int = 5, dropout: float = 0.0
    ):
        super().__init__()
        if width % 2 == 0:
            raise ValueError(f"width={width}: usa una ventana impar, p. ej. {width + 1}")
        self.table = nn.Embedding(n_tokens, d_model)
        self.dropout = nn.Dropout(dropout)
        self.convolution = nn.Conv1d(d_model, d_hidden, width, padding=width // 2)

    def forward(
        self, tokens: Int[Tensor, "B L"], lengths: Int[Tensor, "B"]
    ) -> Float[Tensor, "B L Dh"]:
        """Qué ha visto cada detector alrededor de cada posición, tras una ReLU."""
        kept = padding_mask(lengths, tokens.shape[1])[:, 0, 0, :, None]
        x = self.dropout(self.table(tokens)).masked_fill(~kept, 0.0)
        return torch.relu(self.convolution(x.transpose(1, 2))).transpose(1, 2)


class AttentionEncoder(nn.Module):
    """Codificador del Transformer, de un solo bloque por omisión y sin preentrenar.

    Fuente: Vaswani et al. (2017), § 3.1.
    """

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.embedding = TokenEmbedding(config.n_source, config)
        self.blocks = nn.ModuleList(
            EncoderBlock(
                config.d_model, config.n_heads, config.d_hidden,
                dropout=config.dropout, norm_first=config.norm_first,
            )
            for _ in range(config.n_layers)
        )  # fmt: skip

    def forward(
        self, tokens: Int[Tensor, "B L"], lengths: Int[Tensor, "B"]
    ) -> Float[Tensor, "B L D"]:
        """Un vector por token, que ha mirado a todos los demás."""
        mask, x = padding_mask(lengths, tokens.shape[1]), self.embedding(tokens)
        for block in self.blocks:
            x = block(x, mask)
        return x

    @torch.no_grad()
    def attention_maps(
        self, tokens: Int[Tensor, "B L"], lengths: Int[Tensor, "B"]
    ) -> list[Float[Tensor, "B H L L"]]:
        """Pesos de cada bloque y cabeza al leer, recalculados."""
        mask = padding_mask(lengths, tokens.shape[1])
        return maps_by_layer(self.blocks, self.embedding(tokens), mask)
