"""Ejercicio de código: deducir hacia dónde tira la GIoU y cuánto."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example
from tfcourse.watch import Rules


def _by_autograd(first, second):
    """La derivada de la GIoU de toda la vida, con intersección, unión y hueco, en 64 bits."""
    with torch.enable_grad():
        shift = torch.zeros(len(first), dtype=torch.float64, requires_grad=True)
        a, b = first.detach().double() + shift[:, None], second.detach().double()
        common = (torch.minimum(a[:, 1], b[:, 1]) - torch.maximum(a[:, 0], b[:, 0])).clamp_min(0)
        union = (a[:, 1] - a[:, 0]) + (b[:, 1] - b[:, 0]) - common
        hull = torch.maximum(a[:, 1], b[:, 1]) - torch.minimum(a[:, 0], b[:, 0])
        value = common / union - (hull - union) / hull
        return torch.autograd.grad(value.sum(), shift)[0].to(first.dtype)


def _turn(first, second):
    """Cuánto crece el solape al mover el primero a la derecha: 1, −1 o 0."""
    grows = (first[:, 1] < second[:, 1]).to(first.dtype)
    return grows - (first[:, 0] > second[:, 0]).to(first.dtype)


def _pull(turn=_turn, length=None, power=2, sign=1, iou=False, union=False):
    """La pendiente con alguna pieza cambiada: así se fabrican los errores típicos."""

    def giou_pull(first, second):
        widths = first[:, 1] - first[:, 0], second[:, 1] - second[:, 0]
        overlap = torch.minimum(first[:, 1], second[:, 1])
        overlap = overlap - torch.maximum(first[:, 0], second[:, 0])
        total = widths[0] + widths[1]
        hull = total - overlap
        if union:
            hull = total - overlap.clamp_min(0)
        top = length(*widths, overlap) if length else total
        slope = sign * turn(first, second) * top / hull**power
        return torch.where(overlap > 0, slope, 0.0) if iou else slope

    return giou_pull


def _by_centres(first, second):
    return torch.sign(second.mean(-1) - first.mean(-1))


def _case(n, seed, gap=0.0, inside=False, dtype=torch.float32):
    """Segmentos; con `gap`, separados al menos eso; con `inside`, uno dentro del otro."""

    def make():
        generator = seeded(seed)
        draw = torch.rand(n, 4, generator=generator, dtype=dtype)
        first = torch.stack([draw[:, 0], draw[:, 0] + 0.2 + draw[:, 1]], dim=1)
        second = torch.stack([draw[:, 2], draw[:, 2] + 0.2 + draw[:, 3]], dim=1)
        if gap:
            side = torch.tensor([1.0, -1.0], dtype=dtype).repeat(n)[:n]
            second = second + ((gap + 2.4) * side)[:, None]
        if inside:
            second = first + torch.stack([0.01 + 0.09 * draw[:, 2], -0.01 - 0.09 * draw[:, 3]], 1)
            second[1::2], first[1::2] = first[1::2].clone(), second[1::2].clone()
        return first, second

    return make


PULL = Exercise(
    Card(
        id="hacia-donde-tira-la-giou",
        title="Hacia dónde tira la GIoU, y cuánto",
        kind="codigo",
        difficulty=2,
        minutes=20,
        points=3,
        objective="deducir la pendiente de la GIoU donde la IoU no tiene ninguna",
        hints=(
            "Llama o al solape con signo, min(finales) − max(principios), que es negativo si hay "
            "un hueco, y C a lo que abarcan los dos. Escribe la GIoU en los tres casos: ¿en qué "
            "se convierte?",
            "En los tres es o / C. Y o + C = w₁ + w₂: al mover uno, lo que crece o lo pierde C.",
            "La derivada de o / C es o' (w₁ + w₂) / C². Al mover el primero a la derecha, o' es 1 "
            "si acaba antes que el segundo, menos 1 si empieza después; dentro del otro, 0.",
        ),
    ),
    Task(
        function="giou_pull",
        cases=(
            Case("segmentos cualesquiera", _case(8, 0)),
            Case("separados", _case(6, 1, gap=0.1)),
            Case("muy lejos", _case(4, 2, gap=50.0, dtype=torch.float64)),
            Case("uno dentro del otro", _case(6, 3, inside=True)),
            Case("una sola pareja", _case(1, 4)),
            Case("sin autograd", _case(5, 5), Rules(banned=("autograd",))),
            example(
                torch.tensor([[0.0, 2.0], [0.0, 2.0], [0.0, 2.0]]),
                torch.tensor([[4.0, 6.0], [-1.0, 1.0], [0.5, 1.5]]),
            ),
        ),
        reference=_by_autograd,
        mistakes=(
            Mistake(
                "la-de-la-iou",
                "esa es la pendiente de la IoU: si no se tocan vale cero, y la GIoU sigue tirando",
                (_pull(iou=True),),
            ),
            Mistake(
                "signo",
                "el signo está al revés: es positiva si al mover el primero a la derecha la GIoU "
                "sube",
                (_pull(sign=-1),),
            ),
            Mistake(
                "siempre-hacia-el-centro",
                "has supuesto que siempre tira hacia el centro del otro: dentro de él, moverse no "
                "cambia nada",
                (_pull(turn=_by_centres),),
            ),
            Mistake(
                "entre-la-union",
                "has dividido entre el cuadrado de la unión: es el de lo que abarcan los dos, "
                "hueco incluido",
                (_pull(union=True),),
            ),
            Mistake(
                "sin-el-cuadrado",
                "falta un cuadrado: al derivar un cociente se divide entre el cuadrado del "
                "denominador",
                (_pull(power=1),),
            ),
            Mistake(
                "sin-derivar-lo-de-abajo",
                "has derivado solo lo de arriba: al moverse también cambia lo que abarcan los dos",
                (_pull(length=lambda a, b, o: a + b - o),),
            ),
            Mistake(
                "un-solo-ancho",
                "arriba va la suma de los dos anchos, y has puesto uno o el solape",
                (
                    _pull(length=lambda a, b, o: a),
                    _pull(length=lambda a, b, o: b),
                    _pull(length=lambda a, b, o: o),
                ),
            ),
        ),
        differentiable=False,
    ),
)
