"""Ejercicio para comprender: cuánto trabajo repite quien relee todo lo que lleva escrito."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant


@dataclass(frozen=True)
class _Counted:
    """Qué se multiplica en un bloque: matrices de d × d, capas y parejas."""

    matrices: int = 4
    layers: int = 2
    products: int = 2
    pairs: Callable[[int], int] = lambda n: n * n


RIGHT = _Counted()


@dataclass(frozen=True)
class _Block:
    """El bloque por el que se pregunta, y cuántos símbolos escribe."""

    width: int
    heads: int
    hidden: int
    length: int

    def reading(self, n: int, counted: _Counted = RIGHT) -> int:
        """Multiplicaciones de leer n posiciones a la vez."""
        each = counted.matrices * self.width**2 + counted.layers * self.width * self.hidden
        return n * each + counted.products * self.width * counted.pairs(n)

    def tie(self, counted: _Counted = RIGHT) -> int:
        """Con cuántas posiciones cuestan las parejas lo mismo que lo demás."""
        each = counted.matrices * self.width + counted.layers * self.hidden
        return each // counted.products

    def answer(self, counted: _Counted = RIGHT, **wrong):
        """Lo que se pide; `counted` y los que se den, equivocados."""
        values = {
            "leer": self.reading(self.length, counted),
            "empate": self.tie(counted),
            "releer": sum(self.reading(n, counted) for n in range(1, self.length + 1)),
            "limite": 1 / 3,
        } | wrong
        return lambda: dict(values)

    def described(self) -> tuple[str, ...]:
        """Los trozos del enunciado que lo dicen."""
        return (
            f"tiene $d = {self.width}$, $H = {self.heads}$ cabezas y una capa oculta de "
            f"{self.hidden} en la red",
            f"las de leer {self.length} posiciones a la vez",
            f"las de escribir {self.length} símbolos, releyendo",
        )

    def hints(self) -> tuple[str, ...]:
        return (
            "Un producto de (n, a) por (a, b) son n · a · b multiplicaciones. Hay cuatro matrices "
            "de d × d y dos capas; y, en la atención, las puntuaciones y la mezcla. Con H cabezas, "
            "cada una de d/H, el total es el mismo.",
            "Leer n posiciones son n · (4d² + 2dh) + 2d · n². El empate sale de igualar los dos "
            "sumandos.",
            f"Releer es la suma de eso con n = 1, 2, …, {self.length}: la de n es L(L + 1)/2 y la "
            "de n², L(L + 1)(2L + 1)/6. Con L muy grande solo importan las parejas.",
        )


BLOCK = _Block(width=512, heads=8, hidden=2048, length=100)

REREADING_CARD = Card(
    id="lo-que-cuesta-releer",
    title="Lo que cuesta releer",
    kind="comprender",
    difficulty=2,
    minutes=15,
    points=2,
    objective="deducir qué crece con la longitud y qué con su cuadrado, y cuánto se repite",
    hints=BLOCK.hints(),
)


def _mistakes(block: _Block) -> tuple[Mistake, ...]:
    once = block.reading(block.length)
    all_but_last = sum(block.reading(n) for n in range(block.length))
    return (
        Mistake(
            "sin-salida",
            "la atención tiene cuatro matrices: consulta, clave, valor y la de salida",
            (block.answer(replace(RIGHT, matrices=3)),),
        ),
        Mistake(
            "red-de-ida",
            "la red por posición sube a la capa oculta y vuelve: son dos productos",
            (block.answer(replace(RIGHT, layers=1)),),
        ),
        Mistake(
            "sin-mezclar",
            "las parejas se multiplican dos veces: para puntuarlas y para mezclar los valores",
            (block.answer(replace(RIGHT, products=1)),),
        ),
        Mistake(
            "por-cabezas",
            "cada cabeza trabaja con d/H números: entre todas suman d, y no H · d",
            (block.answer(replace(RIGHT, products=2 * block.heads)),),
        ),
        Mistake(
            "sin-las-tapadas",
            "has contado solo lo que la máscara deja ver: lo que se tapa también se multiplica",
            (block.answer(replace(RIGHT, pairs=lambda n: n * (n + 1) // 2)),),
        ),
        Mistake(
            "siempre-todo",
            "para el primer símbolo solo se lee una posición: no se lee todo cada vez",
            (
                block.answer(releer=block.length * once, limite=1),
                block.answer(releer=block.length * once),
            ),
        ),
        Mistake(
            "una-lectura-menos",
            "para el último símbolo también se lee: has sumado una lectura de menos",
            (block.answer(releer=all_but_last),),
        ),
        Mistake(
            "limite-de-las-cortas",
            "un medio es lo que sale si manda lo que crece con n; con L muy grande mandan las "
            "parejas, y la suma de los cuadrados es un tercio del cubo",
            (block.answer(limite=1 / 2),),
        ),
        Mistake(
            "parejas-y-total",
            "se pregunta cuándo cuestan las parejas lo mismo que **todo** lo demás: la red y las "
            "cuatro matrices",
            (block.answer(empate=block.hidden), block.answer(empate=2 * block.width)),
        ),
    )


def _task(block: _Block) -> Task:
    return Task(
        function="rereading",
        cases=(Case("el bloque del enunciado", lambda: ()),),
        reference=block.answer(),
        mistakes=_mistakes(block),
        tolerance=0.0005,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otro bloque y otra longitud; el del artículo no sale."""
    width = random.choice((64, 96, 128, 160, 192, 256, 320, 384, 448, 640, 768))
    block = _Block(
        width,
        heads=random.choice((4, 8, 16)),
        hidden=width * random.choice((3, 4, 5, 6)),
        length=random.choice((40, 50, 60, 80, 120, 150, 200)),
    )
    card = replace(REREADING_CARD, hints=block.hints())
    changes = tuple(zip(BLOCK.described(), block.described(), strict=True))
    return Variant(Exercise(card, _task(block)), changes)


REREADING = Exercise(REREADING_CARD, _task(BLOCK), _draw)
