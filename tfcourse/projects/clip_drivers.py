"""Cómo se hace trabajar a las piezas de CLIP, y el juguete con el que se prueba a una de ellas."""

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from tfcourse.projects.driving import NORMS, drive, located, needed


def _text_tower(module: nn.Module, tokens: Tensor, lengths: Tensor) -> dict[str, Tensor]:
    """Los estados de los tokens de verdad, y el resumen: lo que salga en el relleno da igual."""
    mask = torch.arange(tokens.shape[1]) < lengths[:, None]
    states = needed(module, "states")(tokens, mask)
    if isinstance(states, Tensor) and states.ndim == 3 and states.shape[:2] == mask.shape:
        states = states.masked_fill(~mask[..., None], 0.0)
    return {"estados": states, "resumen": module(tokens, lengths)}


def _clip(module: nn.Module, images: Tensor, tokens: Tensor, lengths: Tensor) -> dict:
    """Los vectores de los dos lados, la escala y los logits."""
    return {
        "dibujos": needed(module, "see")(images),
        "textos": needed(module, "read")(tokens, lengths),
        "escala": needed(module, "scale")(),
        "logits": module(images, tokens, lengths),
    }


class ToyClip(nn.Module):
    """Un CLIP de juguete, con el que se prueba a quien aprende por trozos.

    Apunta cuántos lee con gradiente cada vez.
    """

    def __init__(self, weights: dict[str, Tensor]):
        super().__init__()
        for name, value in weights.items():
            setattr(self, name, nn.Parameter(value.clone()))
        self.read_with_gradient: list[int] = []

    def _note(self, given: Tensor) -> None:
        if torch.is_grad_enabled():
            self.read_with_gradient.append(len(given))

    def scale(self) -> Tensor:
        """Por cuánto se multiplican los cosenos."""
        return self.log_scale.exp()

    def see(self, images: Tensor) -> Tensor:
        """Los vectores de unos dibujos, de longitud 1."""
        self._note(images)
        return F.normalize(images @ self.image.T, dim=-1)

    def read(self, tokens: Tensor, lengths: Tensor) -> Tensor:
        """Los vectores de unos textos, de longitud 1."""
        self._note(tokens)
        mask = torch.arange(tokens.shape[1]) < lengths[:, None]
        summary = (self.tokens[tokens] * mask[..., None]).sum(1) / lengths[:, None]
        return F.normalize(summary @ self.text.T, dim=-1)

    def forward(self, images: Tensor, tokens: Tensor, lengths: Tensor) -> Tensor:
        """La tabla de logits."""
        return self.scale() * self.see(images) @ self.read(tokens, lengths).T


def _loss(logits: Tensor) -> Tensor:
    pairs = torch.arange(len(logits))
    return (F.cross_entropy(logits, pairs) + F.cross_entropy(logits.T, pairs)) / 2


def _chunks(answer: object) -> Callable:
    """Quien aprende por trozos, con el juguete: pérdida, gradientes y cuánto lee a la vez."""

    def work(weights: dict, images: Tensor, tokens: Tensor, lengths: Tensor, size: int) -> object:
        model = ToyClip(weights)
        found = answer(model, images, tokens, lengths, _loss, size)
        if isinstance(found, Tensor) and found.numel() == 1:
            found = found.item()
        if not isinstance(found, float):
            return found
        grads = {
            f"gradiente de {name}": torch.zeros_like(value) if value.grad is None else value.grad
            for name, value in model.named_parameters()
        }
        widest = max(model.read_with_gradient, default=min(size, len(images)))
        return {
            "pérdida": found, "los que se leen con gradiente a la vez, como mucho": widest, **grads
        }  # fmt: skip

    return located(work, answer)


CLIP_DRIVERS: dict[str, Callable[[object], Callable]] = {
    "torre-de-texto": drive(_text_tower, NORMS),
    "clip": drive(_clip, NORMS, starts={"log_scale": (-math.log(0.07), 0.0)}),
    "por-trozos": _chunks,
}
