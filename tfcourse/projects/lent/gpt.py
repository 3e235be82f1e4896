"""Proyecto: un GPT desde cero: lo que presta el curso. Se escribe con «make ejercicios»."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class RMSNorm(nn.Module):
    """Normaliza cada vector por su media cuadrática."""

    def __init__(self, d_model: int):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(d_model))

    def forward(self, x: Tensor) -> Tensor:
        """Cada vector por separado."""
        return self.gain * x * (x.square().mean(-1, keepdim=True) + 1e-6).rsqrt()


def rotate(x: Tensor, start: int = 0) -> Tensor:
    """Gira cada pareja el ángulo de su posición."""
    length, half = x.shape[-2], x.shape[-1] // 2
    places = torch.arange(start, start + length, device=x.device, dtype=torch.float32)
    rates = 10_000.0 ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
    angles = places[:, None] * rates
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)


class CausalAttention(nn.Module):
    """Autoatención multicabeza causal, con posiciones giradas."""

    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        self.n_heads = n_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (
            nn.Linear(d_model, d_model) for _ in range(4)
        )

    def heads(self, x: Tensor, start: int = 0) -> tuple[Tensor, Tensor, Tensor]:
        """Consultas y claves giradas, y valores."""
        projected = (self.q_proj(x), self.k_proj(x), self.v_proj(x))
        q, k, v = (y.unflatten(-1, (self.n_heads, -1)).transpose(1, 2) for y in projected)
        return rotate(q, start), rotate(k, start), v

    def mix(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        """Mezcla los valores sin mirar al futuro; las consultas son las últimas posiciones."""
        n_queries, n_keys = q.shape[2], k.shape[2]
        future = torch.ones(n_queries, n_keys, dtype=torch.bool, device=q.device)
        future = future.triu(n_keys - n_queries + 1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        weights = scores.masked_fill(future, -math.inf).softmax(-1)
        return self.out_proj((weights @ v).transpose(1, 2).flatten(2))

    def forward(self, x: Tensor) -> Tensor:
        """De un texto entero, leído desde el principio."""
        return self.mix(*self.heads(x))


class FeedForward(nn.Module):
    """La misma red de una capa oculta para cada vector."""

    def __init__(self, d_model: int, d_hidden: int):
        super().__init__()
        self.hidden = nn.Linear(d_model, d_hidden)
        self.output = nn.Linear(d_hidden, d_model)

    def forward(self, x: Tensor) -> Tensor:
        """Transforma cada vector sin mirar a los demás."""
        return self.output(F.gelu(self.hidden(x), approximate="tanh"))


class Block(nn.Module):
    """Atención y red, cada una con su norma delante y su residuo."""

    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        self.norm1, self.norm2 = RMSNorm(d_model), RMSNorm(d_model)
        self.attention = CausalAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, 4 * d_model)

    def forward(self, x: Tensor) -> Tensor:
        """Cada posición se mira a sí misma y a las anteriores."""
        x = x + self.attention(self.norm1(x))
        return x + self.feed_forward(self.norm2(x))


class GPT(nn.Module):
    """Predice el token que sigue a cada posición."""

    def __init__(self, n_tokens: int, d_model: int, n_heads: int, n_layers: int):
        super().__init__()
        self.embedding = nn.Embedding(n_tokens, d_model)
        self.blocks = nn.ModuleList(Block(d_model, n_heads) for _ in range(n_layers))
        self.closing_norm = RMSNorm(d_model)

    def states(self, tokens: Tensor) -> list[Tensor]:
        """Lo que sale de cada piso."""
        found = [self.embedding(tokens)]
        for block in self.blocks:
            found.append(block(found[-1]))
        return [*found, self.closing_norm(found[-1])]

    def forward(self, tokens: Tensor) -> Tensor:
        """Los logits."""
        return self.states(tokens)[-1] @ self.embedding.weight.T


def rename(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Los pesos del curso, con los nombres de tu modelo."""
    found = {}
    for name, value in weights.items():
        own = name.replace("around_attention.norm", "norm1")
        found[own.replace("around_feed_forward.norm", "norm2")] = value.float()
    return found


def next_token_loss(logits: Tensor, tokens: Tensor) -> Tensor:
    """Sorpresa media de cada token, dado lo anterior."""
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())


def train(model: nn.Module, batches: list[Tensor], lr: float, warmup: int) -> list[float]:
    """Da un paso por lote; devuelve las pérdidas."""
    groups = [
        {"params": [p for p in model.parameters() if p.ndim >= 2], "weight_decay": 0.1},
        {"params": [p for p in model.parameters() if p.ndim < 2], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=lr, betas=(0.9, 0.99))
    losses = []
    model.train()
    for t, tokens in enumerate(batches):
        progress = (t - warmup) / (len(batches) - warmup) if t >= warmup else 0.0
        cosine = 0.5 * (1 + math.cos(math.pi * progress))
        for group in optimizer.param_groups:
            group["lr"] = lr * ((t + 1) / warmup if t < warmup else cosine)
        optimizer.zero_grad()
        loss = next_token_loss(model(tokens), tokens)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    model.eval()
    return losses


def choose(
    logits: Tensor, temperature: float, top_p: float, generator: torch.Generator | None = None
) -> Tensor:
    """Sortea un token por fila."""
    if temperature == 0:
        return logits.argmax(-1)
    probabilities, order = (logits / temperature).softmax(-1).sort(-1, descending=True)
    before = probabilities.cumsum(-1) - probabilities
    kept = probabilities.masked_fill(before >= top_p, 0.0)
    place = torch.multinomial(kept, 1, generator=generator)
    return order.gather(-1, place)[:, 0]


class Writer:
    """Lee poco a poco, sin volver sobre lo leído."""

    def __init__(self, model: nn.Module):
        self.model = model
        self.past = [None] * len(model.blocks)
        self.length = 0

    def read(self, tokens: Tensor) -> Tensor:
        """Los logits de los tokens nuevos."""
        x = self.model.embedding(tokens)
        for depth, block in enumerate(self.model.blocks):
            q, k, v = block.attention.heads(block.norm1(x), self.length)
            if self.past[depth] is not None:
                keys, values = self.past[depth]
                k, v = torch.cat([keys, k], dim=2), torch.cat([values, v], dim=2)
            self.past[depth] = k, v
            x = x + block.attention.mix(q, k, v)
            x = x + block.feed_forward(block.norm2(x))
        self.length += tokens.shape[1]
        return self.model.closing_norm(x) @ self.model.embedding.weight.T


def beam_search(step, start: list[int], width: int, length: int) -> tuple[list[int], float]:
    """La mejor continuación que encuentra el haz, y su logaritmo."""
    kept = [(0.0, list(start))]
    for _ in range(length):
        grown = [
            (score + extra, [*tokens, token])
            for score, tokens in kept
            for token, extra in enumerate(step(tokens))
        ]
        kept = sorted(grown, key=lambda pair: pair[0], reverse=True)[:width]
    score, tokens = kept[0]
    return tokens[len(start) :], score
