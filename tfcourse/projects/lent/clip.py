"""Proyecto: un CLIP desde cero: lo que presta el curso. Se escribe con «make ejercicios»."""

import math
import re

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class ConvStage(nn.Module):
    """Dos convoluciones de 3 × 3, cada una con su norma por lotes y su ReLU."""

    def __init__(self, d_in: int, d_out: int):
        super().__init__()
        self.conv1 = nn.Conv2d(d_in, d_out, 3, padding=1, bias=False)
        self.conv2 = nn.Conv2d(d_out, d_out, 3, padding=1, bias=False)
        self.norm1, self.norm2 = nn.BatchNorm2d(d_out), nn.BatchNorm2d(d_out)

    def forward(self, x: Tensor) -> Tensor:
        """De un mapa a otro del mismo tamaño."""
        x = F.relu(self.norm1(self.conv1(x)))
        return F.relu(self.norm2(self.conv2(x)))


class ImageTower(nn.Module):
    """De una imagen a un vector del espacio común."""

    def __init__(self, channels: int, widths: tuple[int, ...], d_shared: int):
        super().__init__()
        before = (channels, *widths[:-1])
        self.stages = nn.ModuleList(ConvStage(*ends) for ends in zip(before, widths, strict=True))
        self.head = nn.Linear(widths[-1], d_shared)

    def forward(self, images: Tensor) -> Tensor:
        """Etapas, y entre ellas, la mitad; al final, la media del mapa."""
        x = self.stages[0](images)
        for stage in self.stages[1:]:
            x = stage(F.max_pool2d(x, 2))
        return self.head(x.mean((2, 3)))


class SelfAttention(nn.Module):
    """Varias atenciones en paralelo, que no miran el relleno."""

    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        self.n_heads = n_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (
            nn.Linear(d_model, d_model) for _ in range(4)
        )

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Cada token mezcla los valores de los tokens de verdad."""
        projected = (self.q_proj(x), self.k_proj(x), self.v_proj(x))
        q, k, v = (y.unflatten(-1, (self.n_heads, -1)).transpose(1, 2) for y in projected)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask[:, None, None], -torch.inf)
        return self.out_proj((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))


class TextBlock(nn.Module):
    """Autoatención y red con GELU, cada una con su residuo y la norma detrás."""

    def __init__(self, d_model: int, n_heads: int, d_hidden: int):
        super().__init__()
        self.attention = SelfAttention(d_model, n_heads)
        self.hidden, self.output = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)
        self.norm1, self.norm2 = (nn.LayerNorm(d_model, eps=1e-12) for _ in range(2))

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Cada token mira a los de verdad."""
        x = self.norm1(x + self.attention(x, mask))
        return self.norm2(x + self.output(F.gelu(self.hidden(x))))


class TextTower(nn.Module):
    """De unos tokens a un solo vector por texto."""

    def __init__(
        self, n_tokens: int, max_length: int, d_model: int, n_heads: int, d_hidden: int,
        n_layers: int,
    ):  # fmt: skip
        super().__init__()
        self.embedding = nn.Embedding(n_tokens, d_model)
        self.positions = nn.Embedding(max_length, d_model)
        self.norm = nn.LayerNorm(d_model, eps=1e-12)
        self.blocks = nn.ModuleList(TextBlock(d_model, n_heads, d_hidden) for _ in range(n_layers))

    def states(self, tokens: Tensor, mask: Tensor) -> Tensor:
        """Un vector por token."""
        x = self.norm(self.embedding(tokens) + self.positions.weight[: tokens.shape[1]])
        for block in self.blocks:
            x = block(x, mask)
        return x

    def forward(self, tokens: Tensor, lengths: Tensor) -> Tensor:
        """La media de los tokens de verdad."""
        mask = torch.arange(tokens.shape[1], device=tokens.device) < lengths[:, None]
        kept = self.states(tokens, mask).masked_fill(~mask[..., None], 0.0)
        return kept.sum(1) / lengths[:, None]


class Clip(nn.Module):
    """Dos torres que no se hablan, y un coseno al final."""

    def __init__(
        self, channels: int, widths: tuple[int, ...], d_shared: int, n_tokens: int,
        max_length: int, d_model: int, n_heads: int, d_hidden: int, n_layers: int,
    ):  # fmt: skip
        super().__init__()
        self.image_tower = ImageTower(channels, widths, d_shared)
        self.text_tower = TextTower(n_tokens, max_length, d_model, n_heads, d_hidden, n_layers)
        self.text_projection = nn.Linear(d_model, d_shared, bias=False)
        self.log_scale = nn.Parameter(torch.tensor(math.log(1 / 0.07)))

    def see(self, images: Tensor) -> Tensor:
        """Los vectores de unos dibujos, de longitud 1."""
        return F.normalize(self.image_tower(images), dim=-1)

    def read(self, tokens: Tensor, lengths: Tensor) -> Tensor:
        """Los vectores de unos textos, de longitud 1."""
        return F.normalize(self.text_projection(self.text_tower(tokens, lengths)), dim=-1)

    def scale(self) -> Tensor:
        """El inverso de la temperatura."""
        return self.log_scale.exp().clamp(max=100)

    def forward(self, images: Tensor, tokens: Tensor, lengths: Tensor) -> Tensor:
        """Los logits: una fila por dibujo y una columna por texto."""
        return self.scale() * self.see(images) @ self.read(tokens, lengths).T


def rename(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """De los nombres del curso a los de estas clases, en `float32`."""
    pieces = {0: "conv1", 1: "norm1", 3: "conv2", 4: "norm2"}
    changes = {
        "embedding.table": "embedding",
        "embedding.positions.table": "positions",
        "embedding.norm": "norm",
        "around_attention.norm": "norm1",
        "around_feed_forward.norm": "norm2",
        "feed_forward.": "",
        "gain": "weight",
    }
    found = {}
    for name, value in weights.items():
        numbered = re.fullmatch(r"image_tower\.layers\.(\d+)\.(.+)", name)
        if numbered:
            stage, place = divmod(int(numbered[1]), 7)
            name = f"image_tower.stages.{stage}.{pieces[place]}.{numbered[2]}"
        for before, after in changes.items():
            name = name.replace(before, after)
        found[name] = value.float()
    first, _ = found.pop("text_tower.embedding.segments.weight")
    places = "text_tower.positions.weight"
    return found | {places: found[places] + first}


def recall(scores: Tensor, k: int) -> tuple[float, float]:
    """Qué parte de las parejas está entre las `k` primeras, por filas y por columnas."""
    own = scores.diagonal()
    by_row, by_column = (scores >= own[:, None]).sum(1), (scores >= own).sum(0)
    return (by_row <= k).float().mean().item(), (by_column <= k).float().mean().item()


def class_vectors(vectors: Tensor, owners: Tensor, n_classes: int) -> Tensor:
    """De cada clase, la dirección media de sus frases."""
    unit = F.normalize(vectors, dim=-1)
    means = [unit[owners == kind].mean(0) for kind in range(n_classes)]
    return F.normalize(torch.stack(means), dim=-1)


def symmetric_loss(logits: Tensor) -> Tensor:
    """La pareja de cada fila, y la de cada columna, está en la diagonal."""
    pairs = torch.arange(len(logits), device=logits.device)
    return (F.cross_entropy(logits, pairs) + F.cross_entropy(logits.T, pairs)) / 2


def symmetric_gradient(logits: Tensor) -> Tensor:
    """Cuánto sube la pérdida al subir cada logit."""
    own = torch.eye(len(logits), dtype=logits.dtype, device=logits.device)
    return (logits.softmax(1) + logits.softmax(0) - 2 * own) / (2 * len(logits))


def sigmoid_loss(cosines: Tensor, scale: Tensor, bias: Tensor) -> Tensor:
    """En cada casilla, ¿van juntos? Solo en la diagonal es que sí."""
    signs = 2 * torch.eye(len(cosines), dtype=cosines.dtype, device=cosines.device) - 1
    return -F.logsigmoid(signs * (scale * cosines + bias)).sum() / len(cosines)


def backward_in_chunks(
    model: nn.Module, images: Tensor, tokens: Tensor, lengths: Tensor, loss, size: int
) -> Tensor:
    """La pérdida de un lote y sus gradientes, leyéndolo de `size` en `size`."""
    chunks = [slice(start, start + size) for start in range(0, len(images), size)]
    with torch.no_grad():
        seen = torch.cat([model.see(images[own]) for own in chunks])
        said = torch.cat([model.read(tokens[own], lengths[own]) for own in chunks])
    seen.requires_grad_()
    said.requires_grad_()
    whole = loss(model.scale() * seen @ said.T)
    whole.backward()
    for own in chunks:
        model.see(images[own]).backward(seen.grad[own])
        model.read(tokens[own], lengths[own]).backward(said.grad[own])
    return whole.detach()
