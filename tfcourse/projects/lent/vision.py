"""Proyecto: ViT y detector desde cero: lo que presta el curso. Se escribe con «make ejercicios»."""

import math

import torch
import torch.nn.functional as F
from scipy.optimize import linear_sum_assignment
from torch import Tensor, nn


def split_patches(images: Tensor, size: int) -> Tensor:
    """Los parches de cada imagen, por filas; en cada uno, canal, fila y columna."""
    rows = images.unflatten(2, (-1, size)).unflatten(4, (-1, size))
    return rows.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)


class PatchInput(nn.Module):
    """De la imagen a los vectores que lee el codificador."""

    def __init__(self, channels: int, image_size: int, patch_size: int, d_model: int):
        super().__init__()
        self.patch_size = patch_size
        n_patches = (image_size // patch_size) ** 2
        self.projection = nn.Linear(channels * patch_size**2, d_model)
        self.class_token = nn.Parameter(torch.zeros(d_model))
        self.positions = nn.Parameter(0.02 * torch.randn(n_patches + 1, d_model))

    def forward(self, images: Tensor) -> Tensor:
        """El token de clase y los parches, con su posición."""
        patches = self.projection(split_patches(images, self.patch_size))
        first = self.class_token.expand(len(images), 1, -1)
        return torch.cat([first, patches], dim=1) + self.positions


class MultiHeadAttention(nn.Module):
    """Varias atenciones en paralelo; consultas, claves y valores llegan por separado."""

    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        self.n_heads = n_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (
            nn.Linear(d_model, d_model) for _ in range(4)
        )

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
        """Cada consulta mezcla los valores de las claves que se le parecen."""
        projected = (self.q_proj(queries), self.k_proj(keys), self.v_proj(values))
        q, k, v = (y.unflatten(-1, (self.n_heads, -1)).transpose(1, 2) for y in projected)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        return self.out_proj((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))


class EncoderBlock(nn.Module):
    """Autoatención y red con GELU, cada una con su norma delante y su residuo."""

    def __init__(self, d_model: int, n_heads: int, d_hidden: int):
        super().__init__()
        self.norm1, self.norm2 = (nn.LayerNorm(d_model, eps=1e-6) for _ in range(2))
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.hidden, self.output = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)

    def forward(self, x: Tensor) -> Tensor:
        """Cada parche mira a todos."""
        y = self.norm1(x)
        x = x + self.attention(y, y, y)
        return x + self.output(F.gelu(self.hidden(self.norm2(x))))


class ViT(nn.Module):
    """Lee una imagen por parches y dice de qué clase es."""

    def __init__(
        self, n_classes: int, channels: int, image_size: int, patch_size: int,
        d_model: int, n_heads: int, d_hidden: int, n_layers: int,
    ):  # fmt: skip
        super().__init__()
        self.input = PatchInput(channels, image_size, patch_size, d_model)
        self.blocks = nn.ModuleList(
            EncoderBlock(d_model, n_heads, d_hidden) for _ in range(n_layers)
        )
        self.norm = nn.LayerNorm(d_model, eps=1e-6)
        self.head = nn.Linear(d_model, n_classes)

    def encode(self, images: Tensor) -> Tensor:
        """Un vector por token, el de clase delante."""
        x = self.input(images)
        for block in self.blocks:
            x = block(x)
        return self.norm(x)

    def forward(self, images: Tensor) -> Tensor:
        """Los logits de cada clase."""
        return self.head(self.encode(images)[:, 0])


class ObjectBlock(nn.Module):
    """Las consultas se hablan, miran la imagen y pasan por la red."""

    def __init__(self, d_model: int, n_heads: int, d_hidden: int):
        super().__init__()
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.hidden, self.output = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)

    def forward(self, x: Tensor, memory: Tensor, places: Tensor, positions: Tensor) -> Tensor:
        """Las posiciones se suman a consultas y claves, y nunca a los valores."""
        y = self.norm1(x)
        x = x + self.attention(y + places, y + places, y)
        x = x + self.cross_attention(self.norm2(x) + places, memory + positions, memory)
        return x + self.output(F.relu(self.hidden(self.norm3(x))))


class Detector(nn.Module):
    """N consultas preguntan a la imagen, y cada una responde con una clase y una caja."""

    def __init__(
        self, n_classes: int, n_queries: int, d_model: int, n_heads: int, d_hidden: int,
        n_layers: int,
    ):  # fmt: skip
        super().__init__()
        self.queries = nn.Embedding(n_queries, d_model)
        self.blocks = nn.ModuleList(
            ObjectBlock(d_model, n_heads, d_hidden) for _ in range(n_layers)
        )
        self.norm = nn.LayerNorm(d_model)
        self.class_head = nn.Linear(d_model, n_classes + 1)
        self.box_head = nn.Sequential(
            nn.Linear(d_model, d_model), nn.ReLU(), nn.Linear(d_model, d_model), nn.ReLU(),
            nn.Linear(d_model, 4),
        )  # fmt: skip

    def forward(self, memory: Tensor, positions: Tensor) -> list[tuple[Tensor, Tensor]]:
        """Lo que responde cada bloque: los logits y las cajas."""
        x = torch.zeros_like(self.queries.weight).expand(len(memory), -1, -1)
        found = []
        for block in self.blocks:
            x = block(x, memory, self.queries.weight, positions)
            y = self.norm(x)
            found.append((self.class_head(y), self.box_head(y).sigmoid()))
        return found


def convert(boxes: Tensor, to: str) -> Tensor:
    """De una forma de caja a la otra; `to` es «esquinas» o «centro»."""
    first, second = boxes[..., :2], boxes[..., 2:]
    if to == "esquinas":
        return torch.cat([first - second / 2, first + second / 2], dim=-1)
    return torch.cat([(first + second) / 2, second - first], dim=-1)


def giou(first: Tensor, second: Tensor) -> tuple[Tensor, Tensor]:
    """IoU y GIoU de cada caja con cada otra, por sus esquinas."""
    a, b = first[..., :, None, :], second[..., None, :, :]
    low = torch.maximum(a[..., :2], b[..., :2])
    high = torch.minimum(a[..., 2:], b[..., 2:])
    common = (high - low).clamp(min=0).prod(-1)
    union = (a[..., 2:] - a[..., :2]).prod(-1) + (b[..., 2:] - b[..., :2]).prod(-1) - common
    low = torch.minimum(a[..., :2], b[..., :2])
    high = torch.maximum(a[..., 2:], b[..., 2:])
    hull = (high - low).prod(-1)
    iou = common / union.clamp(min=1e-9)
    return iou, iou - (hull - union) / hull.clamp(min=1e-9)


def costs(logits: Tensor, boxes: Tensor, true_classes: Tensor, true_boxes: Tensor) -> Tensor:
    """Lo que cuesta dar cada predicción a cada objeto."""
    asked = true_classes[:, None].expand(-1, boxes.shape[1], -1)
    likely = logits.softmax(-1).gather(2, asked)
    apart = (boxes[:, :, None] - true_boxes[:, None]).abs().sum(-1)
    _, alike = giou(convert(boxes, "esquinas"), convert(true_boxes, "esquinas"))
    return 5 * apart - likely - 2 * alike


def match(table: Tensor, counts: Tensor) -> Tensor:
    """La predicción que responde de cada objeto; −1 donde no hay objeto."""
    found = torch.full((len(table), table.shape[2]), -1, device=table.device)
    plain = table.detach().cpu().numpy()
    for image, count in enumerate(counts.tolist()):
        predictions, things = linear_sum_assignment(plain[image, :, :count])
        found[image, things] = torch.from_numpy(predictions).to(found)
    return found


def set_loss(
    logits: Tensor, boxes: Tensor, true_classes: Tensor, true_boxes: Tensor, counts: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Los tres términos: la clase, la distancia y la GIoU."""
    with torch.no_grad():
        matched = match(costs(logits, boxes, true_classes, true_boxes), counts)
    image, thing = (matched >= 0).nonzero(as_tuple=True)
    query = matched[image, thing]
    nothing = logits.shape[-1] - 1
    wanted = torch.full(logits.shape[:2], nothing, device=logits.device)
    wanted[image, query] = true_classes[image, thing]
    weight = torch.ones(nothing + 1, device=logits.device)
    weight[nothing] = 0.1
    surprise = F.cross_entropy(logits.flatten(0, 1), wanted.flatten(), weight)
    own, true = boxes[image, query], true_boxes[image, thing]
    n = max(1, len(thing))
    _, alike = giou(convert(own, "esquinas")[:, None], convert(true, "esquinas")[:, None])
    return surprise, (own - true).abs().sum() / n, (1 - alike).sum() / n
