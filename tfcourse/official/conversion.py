"""El motor de conversión: aplica una tabla de reglas a unos tensores con nombre."""

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import NamedTuple

import torch
from torch import Tensor, nn

from tfcourse.official.rules import Rule, Table

SHOWN = 3  # nombres que enseña un error


class Step(NamedTuple):
    """Una regla con sus números puestos: de qué nombres publicados a qué nombres nuestros."""

    ours: tuple[str, ...]
    theirs: tuple[str, ...]
    rule: Rule


@cache
def template(pattern: str) -> re.Pattern:
    """La expresión que reconoce un nombre: cada campo, como `{n}`, es un número."""
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>\\d+)", re.escape(pattern)))


def published_name(name: str, table: Table) -> str:
    """El nombre con que está publicado lo que una versión de la biblioteca llama de otro modo."""
    for pattern, replacement in table.renames:
        name = re.sub(pattern, replacement, name)
    return name


def plan(names: Iterable[str], table: Table) -> list[Step]:
    """Qué se hace con cada tensor. Errores: `ValueError` si de alguno no se sabe qué hacer."""
    real = {published_name(name, table): name for name in names}
    steps, used = [], set()
    for rule in table.rules:
        for name in real:
            if (found := template(rule.theirs[0]).fullmatch(name)) is None:
                continue
            sources = tuple(pattern.format(**found.groupdict()) for pattern in rule.theirs)
            if all(source in real for source in sources):
                ours = tuple(pattern.format(**found.groupdict()) for pattern in rule.ours)
                steps.append(Step(ours, tuple(real[source] for source in sources), rule))
                used.update(sources)
    unknown = [
        real[name]
        for name in real
        if name not in used and not any(re.fullmatch(left, name) for left in table.ignored)
    ]
    if unknown:
        raise ValueError(
            f"de {len(real)} tensores, no se sabe dónde van {listed_names(unknown)}: no son de "
            "esta arquitectura, o es una variante que nuestra clase no tiene"
        )
    return steps


def convert(state: Mapping[str, Tensor], table: Table) -> dict[str, Tensor]:
    """Los tensores publicados, con nuestros nombres y nuestras formas; los números no cambian.

    Cada tensor se lee cuando le toca. Errores: los de `plan`.
    """
    converted: dict[str, Tensor] = {}
    for ours, theirs, rule in plan(state, table):
        result = rule.change(*(state[name] for name in theirs))
        parts = [result] if isinstance(result, Tensor) else result
        converted |= dict(zip(ours, parts, strict=True))
    return converted


def expected_names(missing: Collection[str], table: Table) -> list[str]:
    """Con qué nombre tendría que haber venido publicado cada tensor nuestro que falta."""
    found: dict[str, None] = {}
    for name in missing:
        for rule in table.rules:
            for pattern in rule.ours:
                if match := template(pattern).fullmatch(name):
                    found |= {p.format(**match.groupdict()): None for p in rule.theirs}
    return list(found)


def fill(model: nn.Module, state: Mapping[str, Tensor], table: Table) -> nn.Module:
    """Pone en un modelo nuestro unos pesos publicados, con el tipo y en el dispositivo que traen.

    Errores: `ValueError` si faltan tensores, y cuáles; si sobran, o si no miden lo mismo.
    """
    converted, wanted = convert(state, table), model.state_dict()
    absent = [name for name in wanted if name not in converted]
    blank = {name for name in absent if any(re.fullmatch(b, name) for b in table.blank)}
    check_complete([name for name in absent if name not in blank], converted, wanted, table)
    example = next(iter(converted.values()))
    for name in blank:
        size = wanted[name].shape
        converted[name] = torch.zeros(size, dtype=example.dtype, device=example.device)
    model.load_state_dict(converted, assign=True)
    return model


def check_complete(
    absent: list[str], converted: Mapping[str, Tensor], wanted: Mapping[str, Tensor], table: Table
) -> None:
    """Error si no está todo o si algo mide otra cosa."""
    if absent:
        names = expected_names(absent, table) or absent
        raise ValueError(
            f"faltan {len(absent)} tensores; con sus nombres publicados, {listed_names(names)}: el "
            "archivo está incompleto o su configuración es de un modelo mayor"
        )
    for name, tensor in converted.items():
        if name not in wanted:
            raise ValueError(
                f"sobra «{name}»: la configuración es de un modelo con menos capas o sin esa pieza"
            )
        if tensor.shape != wanted[name].shape:
            raise ValueError(
                f"«{name}» mide {tuple(tensor.shape)} en el archivo y {tuple(wanted[name].shape)} "
                "según la configuración: los dos no son del mismo modelo"
            )


def listed_names(names: list[str]) -> str:
    """Los primeros nombres, entre comillas, y cuántos más hay."""
    shown = ", ".join(f"«{name}»" for name in names[:SHOWN])
    return shown if len(names) <= SHOWN else f"{shown} y {len(names) - SHOWN} más"
