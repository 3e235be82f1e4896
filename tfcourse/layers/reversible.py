"""Capas reversibles: la entrada de cada capa se rehace desde su salida, y no se guarda."""

from collections.abc import Callable, Sequence

import torch
from jaxtyping import Float
from torch import Tensor, nn

Stream = Float[Tensor, "B L D"]


class ReversibleBlock(nn.Module):
    """Bloque reversible: y₁ = x₁ + F(x₂), y₂ = x₂ + G(y₁). Deshacerlo es restar.

    Fuente: Gomez et al. (2017), ec. 6 y 7; en Reformer F es la atención y G la red por posición
    (Kitaev et al., 2020, ec. 9). F y G no pueden tener dropout: al rehacerlas saldría otra cosa.
    """

    def __init__(self, f: nn.Module, g: nn.Module):
        super().__init__()
        self.f, self.g = f, g

    def forward(self, x1: Stream, x2: Stream) -> tuple[Stream, Stream]:
        """De la entrada a la salida."""
        y1 = x1 + self.f(x2)
        return y1, x2 + self.g(y1)

    def inverse(self, y1: Stream, y2: Stream) -> tuple[Stream, Stream]:
        """De la salida a la entrada."""
        x2 = y2 - self.g(y1)
        return y1 - self.f(x2), x2


class ReversibleSequence(nn.Module):
    """Pila de bloques reversibles que solo guarda la última salida, sea cual sea la profundidad.

    A la vuelta, cada bloque reconstruye su entrada rehaciendo su ida: una tercera parte más de
    cálculo. Fuente: Gomez et al. (2017), algoritmo 1. Errores: `ValueError` si no hay bloques.
    """

    def __init__(self, blocks: Sequence[ReversibleBlock]):
        super().__init__()
        if not blocks:
            raise ValueError("no hay bloques: una pila reversible necesita al menos uno")
        self.blocks = nn.ModuleList(blocks)

    def forward(self, x: Stream) -> Stream:
        """Duplica la entrada en los dos ramales y devuelve la media de los de salida."""
        y1, y2 = _Rebuild.apply(x, x, self.blocks, *self.parameters())
        return (y1 + y2) / 2

    def plain(self, x: Stream) -> Stream:
        """La misma cuenta, con la retropropagación de siempre: guarda todo."""
        y1, y2 = x, x
        for block in self.blocks:
            y1, y2 = block(y1, y2)
        return (y1 + y2) / 2


class _Rebuild(torch.autograd.Function):
    """Ida sin guardar nada y vuelta que reconstruye cada entrada."""

    @staticmethod
    def forward(ctx, x1: Tensor, x2: Tensor, blocks: nn.ModuleList, *parameters: Tensor):
        for block in blocks:  # aquí dentro PyTorch no apunta nada
            x1, x2 = block(x1, x2)
        ctx.blocks, ctx.parameters = blocks, parameters
        ctx.save_for_backward(x1, x2)
        return x1, x2

    @staticmethod
    def backward(ctx, d1: Tensor, d2: Tensor):
        y1, y2 = ctx.saved_tensors
        gradients: dict[Tensor, Tensor] = {}
        for block in reversed(ctx.blocks):
            y1, y2, d1, d2 = _undo(block, (y1, y2), (d1, d2), gradients)
        return d1, d2, None, *(gradients.get(p) for p in ctx.parameters)


def _undo(block: ReversibleBlock, outputs, d_outputs, gradients: dict):
    """Un bloque hacia atrás: cada rama se rehace una vez, y sirve para restar y para derivar."""
    (y1, y2), (d1, d2) = outputs, d_outputs
    redone, through = _redo(block.g, y1, d2, gradients)
    x2, d1 = y2 - redone, d1 + through
    redone, through = _redo(block.f, x2, d1, gradients)
    return y1 - redone, x2, d1, d2 + through


def _redo(branch: nn.Module, x: Tensor, d_result: Tensor, gradients: dict):
    """Rehace una rama y la deriva: su resultado y el gradiente de su entrada."""
    with torch.enable_grad():
        x = x.detach().requires_grad_()
        result = branch(x)
    learned = [p for p in branch.parameters() if p.requires_grad]
    d_x, *found = torch.autograd.grad(result, [x, *learned], d_result, allow_unused=True)
    for parameter, gradient in zip(learned, found, strict=True):
        if gradient is not None:
            gradients[parameter] = gradients.get(parameter, 0) + gradient
    return result.detach(), d_x


class Sublayer(nn.Module):
    """Una rama de un bloque reversible: normaliza y aplica una capa; con atención, a sí misma."""

    def __init__(self, norm: nn.Module, layer: Callable[..., Tensor], *, attends: bool = False):
        super().__init__()
        self.norm, self.layer, self.attends = norm, layer, attends

    def forward(self, x: Stream) -> Stream:
        """Lo que la rama suma a la otra."""
        y = self.norm(x)
        return self.layer(y, y, y) if self.attends else self.layer(y)
