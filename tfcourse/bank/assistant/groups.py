"""Ejercicio de código: las ventajas de cada grupo y el objetivo recortado de GRPO."""

import math

import torch

from tfcourse.exercises.data import random_tensors, seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(log_new, log_old, rewards, clip):
    """Respuesta a respuesta, con números de Python."""
    rows, total = [], 0.0
    pairs = zip(log_new.tolist(), log_old.tolist(), rewards.tolist(), strict=True)
    for new, old, group in pairs:
        mean = sum(group) / len(group)
        spread = math.sqrt(sum((reward - mean) ** 2 for reward in group) / len(group))
        row = [(reward - mean) / spread if max(group) > min(group) else 0.0 for reward in group]
        for a, b, gain in zip(new, old, row, strict=True):
            ratio = math.exp(a - b)
            total += min(ratio * gain, min(max(ratio, 1 - clip), 1 + clip) * gain)
        rows.append(row)
    advantages = torch.tensor(rows, dtype=rewards.dtype)
    return advantages, torch.tensor(total / rewards.numel(), dtype=rewards.dtype)


def _smaller(free, bounded):
    return torch.minimum(free, bounded)


def _variant(dim=1, spread=True, sample=False, guard=True, extra=0.0, choose=_smaller,
             ratio=torch.exp):  # fmt: skip
    """El objetivo con alguna pieza cambiada."""

    def objective(log_new, log_old, rewards, clip):
        axes = (0, 1) if dim is None else dim
        centred = rewards - rewards.mean(dim=axes, keepdim=True)
        deviation = rewards.std(dim=axes, correction=int(sample), keepdim=True)
        advantages = centred / (deviation + extra) if spread else centred
        if guard:
            advantages = torch.where(centred == 0, torch.zeros_like(centred), advantages)
        moved = ratio(log_new - log_old)
        bounded = moved.clamp(1 - clip, 1 + clip)
        return advantages, choose(moved * advantages, bounded * advantages).mean()

    return objective


def _case(groups, answers, clip, seed, dtype=torch.float32):
    def make():
        new, old = random_tensors(*[(groups, answers)] * 2, seed=seed, dtype=dtype)
        generator = seeded(seed)
        rewards = torch.randint(0, 3, (groups, answers), generator=generator).to(dtype) / 2
        rewards[0, :2] = torch.tensor([0.0, 1.0])  # que al menos un grupo enseñe algo
        return new, old, rewards, clip

    return make


def _all_alike(seed):
    """Un grupo en el que aciertan todas, otro en el que ninguna y otro con de todo."""

    def make():
        new, old = random_tensors((3, 4), (3, 4), seed=seed)
        return new, old, torch.tensor([[1.0] * 4, [0.0] * 4, [0.0, 1.0, 1.0, 0.5]]), 0.2

    return make


GROUPS = Exercise(
    Card(
        id="grupos-y-recortes",
        title="Grupos y recortes",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=2,
        objective="calcular las ventajas de cada grupo y el objetivo recortado de GRPO",
        hints=(
            "La media y la desviación son de cada fila: `dim=1` y `keepdim=True`. La desviación "
            "que divide entre K es `std(..., correction=0)`.",
            "Si todas las recompensas de un grupo son iguales, sale 0/0. Cambia antes el divisor "
            "de esas filas por un 1: lo de arriba ya es 0.",
            "Calcula los dos productos, con la razón sin recortar y recortada, y quédate con el "
            "menor posición a posición: `torch.minimum`.",
        ),
    ),
    Task(
        function="grpo_objective",
        cases=(
            Case("3 grupos de 5", _case(3, 5, 0.2, 0)),
            Case("6 grupos de 4, con otro recorte", _case(6, 4, 0.1, 1)),
            Case("grupos en los que todas valen igual", _all_alike(2)),
            Case("un solo grupo, de 64 bits", _case(1, 8, 0.3, 3, dtype=torch.float64)),
            Case(
                "nadie se ha movido",
                lambda: (*torch.full((2, 2, 3), -4.0), torch.tensor([[1.0, 0, 0], [1, 1, 0]]), 0.2),
            ),
            example(
                torch.tensor([[0.6931, 0.0]]),
                torch.tensor([[0.0, 0.0]]),
                torch.tensor([[1.0, 0.0]]),
                0.2,
            ),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "grupo-igual",
                "en un grupo en el que todas valen igual sale 0/0: ahí las ventajas son cero",
                (_variant(guard=False),),
            ),
            Mistake(
                "sin-dividir",
                "las ventajas están centradas, pero falta dividir entre la desviación del grupo",
                (_variant(spread=False),),
            ),
            Mistake(
                "entre-menos-uno",
                "esa desviación divide entre K − 1: se pide la que divide entre K",
                (_variant(sample=True),),
            ),
            Mistake(
                "algo-mas-al-divisor",
                "has sumado algo al divisor para no dividir entre cero: aquí no se suma nada, y el "
                "grupo en el que todas valen igual se trata aparte",
                tuple(_variant(extra=extra) for extra in (1e-4, 1e-3, 1e-2, 1.0)),
            ),
            Mistake(
                "todo-el-lote",
                "has usado la media y la desviación del lote: son las de cada grupo, que responde "
                "a una sola instrucción",
                (_variant(dim=None),),
            ),
            Mistake(
                "por-columnas",
                "has normalizado por columnas: cada fila es un grupo",
                (_variant(dim=0),),
            ),
            Mistake(
                "sin-recortar",
                "las ventajas están bien, pero en el objetivo falta recortar la razón",
                (_variant(choose=lambda free, bounded: free),),
            ),
            Mistake(
                "siempre-recortado",
                "has usado siempre la razón recortada: se toma el menor de los dos productos",
                (_variant(choose=lambda free, bounded: bounded),),
            ),
            Mistake(
                "el-mayor",
                "has tomado el mayor de los dos productos: se toma el menor",
                (_variant(choose=torch.maximum),),
            ),
            Mistake(
                "sin-exponencial",
                "la razón de probabilidades es la exponencial de la resta de logaritmos",
                (_variant(ratio=lambda moved: moved),),
            ),
        ),
        outputs=("las ventajas", "el objetivo"),
        differentiable=False,
    ),
)
