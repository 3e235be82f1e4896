"""Ejercicio para comprender: cuánto ve un vector de un wav2vec."""

import math
from dataclasses import dataclass
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant


@dataclass(frozen=True)
class _Net:
    """La red del enunciado, con sus convoluciones de la onda hacia arriba, y el clip que lee."""

    kernels: tuple[int, ...]
    strides: tuple[int, ...]
    tables: int
    entries: int
    samples: int

    @property
    def hop(self) -> int:
        return math.prod(self.strides)

    @property
    def reach(self) -> int:
        below = [math.prod(self.strides[:layer]) for layer in range(len(self.strides))]
        return 1 + sum((k - 1) * hop for k, hop in zip(self.kernels, below, strict=True))

    def vectors(self, hop: int | None = None, reach: int | None = None) -> int:
        return (self.samples - (reach or self.reach)) // (hop or self.hop) + 1

    def answer(self, **wrong):
        """Los cinco números: los correctos, salvo los que se digan."""
        right = {
            "salto": self.hop,
            "campo": self.reach,
            "vectores": self.vectors(),
            "codigos": self.entries**self.tables,
            "entradas": self.entries * self.tables,
        }
        return lambda: right | wrong


PUBLISHED = _Net(kernels=(10, 8, 4), strides=(5, 4, 2), tables=2, entries=8, samples=8_000)


def _card(net: _Net) -> Card:
    kernel, stride = net.kernels[-1], net.strides[-1]
    return Card(
        id="cuanto-ve-un-vector",
        title="Cuánto ve un vector",
        kind="comprender",
        difficulty=2,
        minutes=12,
        points=1,
        objective="deducir el salto, el campo y los códigos de un wav2vec",
        hints=(
            "Las zancadas se multiplican.",
            f"El campo se cuenta desde arriba: 1; después (1 − 1) · {stride} + {kernel} = "
            f"{kernel}; y así hasta la onda.",
            "El primer vector gasta el campo entero, y cada salto que quepa detrás da otro.",
        ),
    )


def _mistakes(net: _Net) -> tuple[Mistake, ...]:
    added, product = sum(net.strides), math.prod(net.kernels)
    jumps = net.samples // net.hop
    summed, multiplied = net.tables * net.entries, net.entries**net.tables
    return (
        Mistake(
            "suma-de-zancadas",
            "has sumado las zancadas: se multiplican, porque cada una salta sobre la anterior",
            (net.answer(salto=added), net.answer(salto=added, vectores=net.vectors(hop=added))),
        ),
        Mistake(
            "producto-de-nucleos",
            "el campo no es el producto de los tamaños ni su suma: cada convolución lo agranda "
            "según las zancadas que tiene debajo",
            (
                net.answer(campo=product),
                net.answer(campo=sum(net.kernels)),
                net.answer(campo=product, vectores=net.vectors(reach=product)),
            ),
        ),
        Mistake(
            "sin-borde",
            "has dividido las muestras entre el salto: el primer vector gasta el campo entero",
            (net.answer(vectores=jumps), net.answer(vectores=jumps - 1)),
        ),
        Mistake(
            "suma-de-codigos",
            "has confundido códigos y entradas: se elige una de cada tabla, así que los "
            "códigos se multiplican y las entradas se suman",
            (
                net.answer(codigos=summed),
                net.answer(codigos=summed, entradas=multiplied),
                net.answer(entradas=multiplied),
            ),
        ),
    )


def _task(net: _Net) -> Task:
    return Task(
        function="wave_sizes",
        cases=(Case("la red del enunciado", lambda: ()),),
        reference=net.answer(),
        mistakes=_mistakes(net),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otras zancadas, otro cuantizador y otro clip.

    Con núcleos del doble de la zancada y un clip de saltos enteros, el campo ocupa siempre más de
    dos saltos y no pasa de tres: quien olvida el borde nunca acierta por casualidad.
    """
    strides = tuple(random.sample((2, 3, 4, 5), 3))
    tables, entries = random.choice(((2, 4), (2, 5), (2, 6), (2, 9), (2, 10), (3, 4), (3, 5)))
    net = _Net(
        kernels=tuple(2 * stride for stride in strides),
        strides=strides,
        tables=tables,
        entries=entries,
        samples=math.prod(strides) * random.randrange(100, 301, 10),
    )
    both = {2: "las dos", 3: "las tres"}[tables]
    changes = (
        (_convolutions(PUBLISHED), _convolutions(net)),
        ("**2 tablas de 8 entradas**", f"**{tables} tablas de {entries} entradas**"),
        ("**8000** muestras", f"**{net.samples}** muestras"),
        ("entre las dos tablas", f"entre {both} tablas"),
        (_example(PUBLISHED), _example(net)),
    )
    return Variant(Exercise(_card(net), _task(net)), changes)


def _convolutions(net: _Net) -> str:
    return f"tamaños `{net.kernels}` y zancadas `{net.strides}`"


def _example(net: _Net) -> str:
    """Los números del ejemplo del enunciado, que lee el mismo clip."""
    small = _Net(kernels=(10,), strides=(5,), tables=2, entries=3, samples=net.samples)
    *first, last = small.answer()().values()
    return f"serían {', '.join(map(str, first))} y {last}"


SIZES = Exercise(_card(PUBLISHED), _task(PUBLISHED), _draw)
