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


def _stage(module: nn.Module, x: Tensor) -> dict[str, Tensor]:
    """La etapa al usarla y mientras aprende, y la media que guarda entonces su primera norma."""
    used = module(x)
    learning = module.train()(x)
    return {
        "al usar el modelo": used, "mientras aprende": learning,
        "media que guarda norm1": module.norm1.running_mean.clone(),
    }  # fmt: skip


def _clip(module: nn.Module, images: Tensor, tokens: Tensor, lengths: Tensor) -> dict:
    """Los vectores de los dos lados, la escala y los logits.

    La escala va sin gradiente: a `log_scale` le ha de llegar por los logits.
    """
    scale = needed(module, "scale")()
    return {
        "dibujos": needed(module, "see")(images),
        "textos": needed(module, "read")(tokens, lengths),
        "escala": scale.detach() if isinstance(scale, Tensor) else scale,
        "logits": module(images, tokens, lengths),
    }


class ToyClip(nn.Module):
    """Un CLIP de juguete, con el que se prueba a quien aprende por trozos.

    Apunta cuántos lee cada vez con gradiente, y cuántos de cada lado sin él.
    """

    def __init__(self, weights: dict[str, Tensor]):
        super().__init__()
        for name, value in weights.items():
            setattr(self, name, nn.Parameter(value.clone()))
        self.read_with_gradient: list[int] = []
        self.read_without = {"dibujos": 0, "textos": 0}

    def _note(self, side: str, given: Tensor) -> None:
        if torch.is_grad_enabled():
            self.read_with_gradient.append(len(given))
        else:
            self.read_without[side] += len(given)

    def scale(self) -> Tensor:
        """Por cuánto se multiplican los cosenos."""
        return self.log_scale.exp()

    def see(self, images: Tensor) -> Tensor:
        """Los vectores de unos dibujos, de longitud 1."""
        self._note("dibujos", images)
        return F.normalize(images @ self.image.T, dim=-1)

    def read(self, tokens: Tensor, lengths: Tensor) -> Tensor:
        """Los vectores de unos textos, de longitud 1."""
        self._note("textos", tokens)
        mask = torch.arange(tokens.shape[1]) < lengths[:, None]
        summary = (self.tokens[tokens] * mask[..., None]).sum(1) / lengths[:, None]
        return F.normalize(summary @ self.text.T, dim=-1)

    def forward(self, images: Tensor, tokens: Tensor, lengths: Tensor) -> Tensor:
        """La tabla de logits."""
        return self.scale() * self.see(images) @ self.read(tokens, lengths).T


def _loss(logits: Tensor) -> Tensor:
    """Por filas pesa más que por columnas: así se nota una tabla traspuesta."""
    pairs = torch.arange(len(logits))
    return 0.7 * F.cross_entropy(logits, pairs) + 0.3 * F.cross_entropy(logits.T, pairs)


def _chunks(answer: object) -> Callable:
    """Quien aprende por trozos, con el juguete: pérdida, gradientes y cuánto lee a la vez."""

    def work(weights: dict, images: Tensor, tokens: Tensor, lengths: Tensor, size: int) -> object:
        model = ToyClip(weights)
        found = answer(model, images, tokens, lengths, _loss, size)
        alive = isinstance(found, Tensor) and found.requires_grad
        if isinstance(found, Tensor) and found.numel() == 1:
            found = found.item()
        if not isinstance(found, float):
            return found
        grads = {
            f"gradiente de {name}": torch.zeros_like(value) if value.grad is None else value.grad
            for name, value in model.named_parameters()
        }
        fits = min(size, len(images))  # trozos menores también valen
        return {
            "pérdida": found,
            "los que se leen con gradiente a la vez, como mucho":
                max([fits, *model.read_with_gradient]),
            "parejas leídas antes sin gradiente":
                min(len(images), *model.read_without.values()),
            "la pérdida vuelve con gradiente": int(alive), **grads,
        }  # fmt: skip

    return located(work, answer)


CLIP_DRIVERS: dict[str, Callable[[object], Callable]] = {
    "torre-de-texto": drive(_text_tower, NORMS),
    "etapa": drive(_stage),
    "clip": drive(_clip, NORMS, starts={"log_scale": (math.log(1 / 0.07), 0.0)}),
    "por-trozos": _chunks,
}
