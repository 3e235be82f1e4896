"""Proyecto: el Transformer desde cero: lo que presta el curso. Se escribe con «make ejercicios»."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class LayerNorm(nn.Module):
    """Centra cada vector y lo divide entre su desviación."""

    def __init__(self, d_model: int):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x: Tensor) -> Tensor:
        """Cada vector por separado."""
        centered = x - x.mean(-1, keepdim=True)
        variance = centered.square().mean(-1, keepdim=True)
        return self.gain * centered / (variance + 1e-5).sqrt() + self.bias


def positions(length: int, d_model: int) -> Tensor:
    """Senos y cosenos alternados, una fila por posición."""
    places = torch.arange(length, dtype=torch.float32)[:, None]
    rates = 10_000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float32) / d_model)
    angles = places * rates
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def masks(source: Tensor, length: int) -> tuple[Tensor, Tensor]:
    """A dónde se puede mirar: en la entrada, a lo que no es relleno; en la salida, al pasado."""
    past = torch.ones(length, length, dtype=torch.bool, device=source.device).tril()
    return (source != 0)[:, None, None, :], past[None, None]


class MultiHeadAttention(nn.Module):
    """Varias atenciones en paralelo, de un texto a otro."""

    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        self.n_heads = n_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (
            nn.Linear(d_model, d_model) for _ in range(4)
        )

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor | None = None) -> Tensor:
        """Pregunta desde `x` y mezcla lo de `memory`."""
        projected = (self.q_proj(x), self.k_proj(memory), self.v_proj(memory))
        q, k, v = (y.unflatten(-1, (self.n_heads, -1)).transpose(1, 2) for y in projected)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        return self.out_proj((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))


class FeedForward(nn.Module):
    """La misma red de una capa oculta para cada vector."""

    def __init__(self, d_model: int, d_hidden: int):
        super().__init__()
        self.hidden = nn.Linear(d_model, d_hidden)
        self.output = nn.Linear(d_hidden, d_model)

    def forward(self, x: Tensor) -> Tensor:
        """Transforma cada vector sin mirar a los demás."""
        return self.output(F.relu(self.hidden(x)))


class EncoderBlock(nn.Module):
    """Autoatención y red, cada una con su norma delante y su residuo."""

    def __init__(self, d_model: int, n_heads: int, d_hidden: int):
        super().__init__()
        self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_hidden)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Cada posición mira a todas las que no son relleno."""
        y = self.norm1(x)
        x = x + self.attention(y, y, mask)
        return x + self.feed_forward(self.norm2(x))


class DecoderBlock(nn.Module):
    """Mira lo escrito, mira lo leído y pasa por la red."""

    def __init__(self, d_model: int, n_heads: int, d_hidden: int):
        super().__init__()
        self.norm1, self.norm2, self.norm3 = (LayerNorm(d_model) for _ in range(3))
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_hidden)

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor, memory_mask: Tensor) -> Tensor:
        """Lo escrito no ve el futuro; lo leído, sin su relleno."""
        y = self.norm1(x)
        x = x + self.attention(y, y, mask)
        x = x + self.cross_attention(self.norm2(x), memory, memory_mask)
        return x + self.feed_forward(self.norm3(x))


class Transformer(nn.Module):
    """Lee un texto y predice, token a token, otro."""

    def __init__(self, n_tokens: int, d_model: int, n_heads: int, d_hidden: int, n_layers: int):
        super().__init__()
        sizes = (d_model, n_heads, d_hidden)
        self.embedding = nn.Embedding(n_tokens, d_model)
        self.encoder = nn.ModuleList(EncoderBlock(*sizes) for _ in range(n_layers))
        self.decoder = nn.ModuleList(DecoderBlock(*sizes) for _ in range(n_layers))
        self.encoder_norm, self.decoder_norm = LayerNorm(d_model), LayerNorm(d_model)

    def embed(self, tokens: Tensor) -> Tensor:
        """Cuál es cada token y dónde está."""
        x = self.embedding(tokens)
        return x * math.sqrt(x.shape[-1]) + positions(*x.shape[1:]).to(x)

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        """La memoria y su máscara."""
        mask, _ = masks(source, 1)
        x = self.embed(source)
        for block in self.encoder:
            x = block(x, mask)
        return self.encoder_norm(x), mask

    def decode(self, target: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
        """Los logits del token que sigue a cada posición."""
        _, past = masks(target, target.shape[1])
        x = self.embed(target)
        for block in self.decoder:
            x = block(x, memory, past, mask)
        return self.decoder_norm(x) @ self.embedding.weight.T

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Los logits, con la salida correcta delante."""
        return self.decode(target, *self.encode(source))


def rename(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Los pesos del curso, con los nombres de tu modelo."""
    found = {}
    for name, value in weights.items():
        last = "norm3" if name.startswith("decoder.") else "norm2"
        own = name.replace("source.table", "embedding").replace("around_attention.norm", "norm1")
        own = own.replace("around_cross_attention.norm", "norm2")
        found[own.replace("around_feed_forward.norm", last)] = value.float()
    return found


def smoothed_loss(logits: Tensor, target: Tensor, smoothing: float) -> Tensor:
    """Entropía cruzada con etiquetas suavizadas, sin contar el relleno."""
    return F.cross_entropy(
        logits.flatten(0, 1), target.flatten(), ignore_index=0, label_smoothing=smoothing
    )


def rate(step: int, d_model: int, warmup: int) -> float:
    """El ritmo de un paso."""
    return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)


@torch.no_grad()
def translate(
    model: nn.Module, source: Tensor, start: int, stop: int, max_length: int
) -> list[list[int]]:
    """Lo que el modelo escribe para cada fila."""
    memory, mask = model.encode(source)
    written = torch.full((len(source), 1), start, device=source.device)
    ended = torch.zeros(len(source), dtype=torch.bool, device=source.device)
    for _ in range(max_length):
        token = model.decode(written, memory, mask)[:, -1].argmax(-1)
        written, ended = torch.cat([written, token[:, None]], dim=1), ended | (token == stop)
        if ended.all():
            break
    rows = written[:, 1:].tolist()
    return [row[: row.index(stop)] if stop in row else row for row in rows]
