"""Escenas preguntadas: hasta cuatro figuras, y preguntas en español con una sola respuesta.

Cinco clases de pregunta: qué hay en un sitio, de qué color es una figura, cuántas hay, dónde está
una y si hay una. Se reservan escenas y, además, dos parejas de figura y color que nunca se pintan
ni se nombran al entrenar.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from tfcourse.datasets.scenes.scene_objects import SHAPES, random_backgrounds, shape_masks
from tfcourse.datasets.scenes.told_scenes import (
    COLOURS,
    NOISE,
    QUARTERS,
    SHIFT,
    SIDES,
    SIZE,
    ToldScene,
    named,
)

KINDS = ("qué", "color", "cuántas", "dónde", "sí o no")
RESERVED = (("cruz", "azul"), ("círculo", "amarillo"))
PAIRS = tuple((shape, colour) for shape in SHAPES for colour in COLOURS)
SEEN = tuple(pair for pair in PAIRS if pair not in RESERVED)
COUNTS = ("una", "dos", "tres", "cuatro")
NOTHING, YES, NO = "nada", "sí", "no"
EMPTY_PART = 0.25  # de las preguntas por un sitio, las que señalan uno vacío, si lo hay
TRAP_PART = 0.75  # de los noes, los de figura y color que están por separado, si los hay
MOST_QUESTIONS = 8  # que cualquier escena tiene, sin repetir ninguna
ROUNDS = 30  # vueltas que se dan a las clases buscando preguntas que no se hayan hecho
TEST_SEED = 3_000_000  # las semillas de entrenar van muy por debajo


@dataclass(frozen=True)
class Question:
    """Una pregunta: de qué clase es, sus palabras, las de su respuesta y si lo preguntado está.

    `absent` es cierto si se pregunta por algo que no hay; `trap`, si además la figura y el color
    están en la escena, cada uno por su lado.
    """

    kind: str
    words: tuple[str, ...]
    answer: tuple[str, ...]
    absent: bool = False
    trap: bool = False

    @property
    def text(self) -> str:
        """La pregunta como la escribe una persona."""
        inside = " ".join(self.words[1:-1])
        return f"¿{inside[0].upper()}{inside[1:]}?"


def place(quarter: int) -> tuple[str, ...]:
    """El nombre de un cuadrante, «arriba a la izquierda», que es una sola palabra del vocabulario.

    >>> " ".join(place(3))
    'abajo a la derecha'
    """
    row, column = QUARTERS[quarter]
    return (f"{row} a la {column}",)


def description(scene: ToldScene) -> list[str]:
    """La escena, dicha entera en palabras: cada figura, su color y su sitio, y cuántas son."""
    words = ["hay", COUNTS[len(scene.things) - 1], ":"]
    for quarter, shape, colour in scene.things:
        words += [*named(shape, colour), *place(quarter), ","]
    return words[:-1] + ["."]


def asked_scenes(n: int, generator: torch.Generator, *, reserved: bool = False) -> list[ToldScene]:
    """Escenas de una a cuatro figuras, cada una en un cuadrante; se pintan todas a la vez.

    Con `reserved`, la primera figura de cada una es de una pareja reservada; sin él, ninguna lo es.
    Errores: `ValueError` si no se pide ninguna.
    """
    if n < 1:
        raise ValueError(f"n={n}: pide al menos una escena")
    pairs = torch.randint(len(SEEN), (n, 4), generator=generator)
    special = torch.randint(len(RESERVED), (n,), generator=generator)
    quarters = torch.rand(n, 4, generator=generator).argsort(dim=1)
    counts = torch.randint(1, 5, (n,), generator=generator)
    chosen = [[SEEN[i] for i in row] for row in pairs.tolist()]
    if reserved:
        for row, index in zip(chosen, special.tolist(), strict=True):
            row[0] = RESERVED[index]
    images = _painted(chosen, quarters, counts, generator)
    return [
        ToldScene(
            image,
            tuple(sorted((quarter, *pair) for quarter, pair in
                         zip(own[:count], row[:count], strict=True))),
        )
        for image, own, row, count in zip(
            images, quarters.tolist(), chosen, counts.tolist(), strict=True
        )
    ]  # fmt: skip


def _painted(chosen: list, quarters, counts, generator: torch.Generator):
    """Las imágenes: fondo, figuras con el color un poco movido y ruido."""
    n = len(chosen)
    shapes = torch.tensor([[SHAPES.index(shape) for shape, _ in row] for row in chosen])
    palette = torch.tensor([[COLOURS[colour] for _, colour in row] for row in chosen])
    corner = torch.stack([quarters % 2, quarters // 2], dim=-1) * (SIZE / 2) + SIZE / 4
    centers = corner + SHIFT * (2 * torch.rand(n, 4, 2, generator=generator) - 1)
    sides = SIDES[0] + (SIDES[1] - SIDES[0]) * torch.rand(n, 4, 1, generator=generator)
    masks = shape_masks(shapes, centers, sides.expand(-1, -1, 2), SIZE)
    masks = masks * (torch.arange(4) < counts[:, None])[..., None, None]
    paint = (palette + 0.08 * torch.randn(n, 4, 3, generator=generator)).clamp(0, 1)
    images = random_backgrounds(n, SIZE, generator, uneven=False)
    for k in range(4):
        images = torch.where(masks[:, k, None] > 0.5, paint[:, k, :, None, None], images)
    return (images + NOISE * torch.randn(images.shape, generator=generator)).clamp(0, 1)


def ask_about(
    scene: ToldScene, kind: str, rng: random.Random, *, reserved: bool = False
) -> Question | None:
    """Sortea una pregunta de una clase sobre una escena, o `None` si no hay ninguna que hacer.

    Con `reserved`, se pregunta por la figura reservada, que está, o si hay la otra, que no; sin él,
    nunca se las nombra.
    Errores: `ValueError` si la clase no existe.
    """
    if kind not in KINDS:
        raise ValueError(f"kind={kind!r}: usa una de {', '.join(KINDS)}")
    targets = [thing for thing in scene.things if (thing[1:] in RESERVED) == reserved]
    return _MAKERS[kind](scene, targets, rng, reserved)


def _what(scene: ToldScene, targets: list, rng: random.Random, reserved: bool) -> Question | None:
    taken = {quarter for quarter, _, _ in scene.things}
    empty = [quarter for quarter in range(4) if quarter not in taken]
    absent = bool(empty) and not reserved and rng.random() < EMPTY_PART
    if not targets and not absent:
        return None
    quarter, answer = (rng.choice(empty), NOTHING) if absent else rng.choice(targets)[:2]
    return Question("qué", ("¿", "qué", "hay", *place(quarter), "?"), (answer,), absent)


def _colour(scene: ToldScene, targets: list, rng: random.Random, _: bool) -> Question | None:
    shapes = [shape for _, shape, _ in scene.things]
    alone = [(shape, colour) for _, shape, colour in targets if shapes.count(shape) == 1]
    if not alone:
        return None
    shape, colour = rng.choice(alone)
    article = "la" if shape == "cruz" else "el"
    words = ("¿", "de", "qué", "color", "es", article, shape, "?")
    return Question("color", words, (colour,))


def _count(scene: ToldScene, *_) -> Question:
    return Question(
        "cuántas", ("¿", "cuántas", "figuras", "hay", "?"), (COUNTS[len(scene.things) - 1],)
    )


def _where(scene: ToldScene, targets: list, rng: random.Random, _: bool) -> Question | None:
    pairs = [thing[1:] for thing in scene.things]
    alone = [thing for thing in targets if pairs.count(thing[1:]) == 1]
    if not alone:
        return None
    quarter, shape, colour = rng.choice(alone)
    article = "la" if shape == "cruz" else "el"
    words = ("¿", "dónde", "está", article, *named(shape, colour)[1:], "?")
    return Question("dónde", words, place(quarter))


def _whether(scene: ToldScene, targets: list, rng: random.Random, reserved: bool):
    """Sí o no, por mitades; casi todos los noes, si se puede, con figura y color que sí están."""
    present = {thing[1:] for thing in scene.things}
    if targets and rng.random() < 0.5:
        return _there_is(rng.choice(targets)[1:], YES)
    shapes, colours = ({pair[side] for pair in present} for side in (0, 1))
    away = [pair for pair in (RESERVED if reserved else SEEN) if pair not in present]
    traps = [(shape, colour) for shape, colour in away if shape in shapes and colour in colours]
    plain = [pair for pair in away if pair not in traps]
    trap = bool(traps) and (not plain or rng.random() < TRAP_PART)
    return _there_is(rng.choice(traps if trap else plain), NO, trap)


def _there_is(pair: tuple[str, str], answer: str, trap: bool = False) -> Question:
    return Question(
        "sí o no", ("¿", "hay", *named(*pair), "?"), (answer,), absent=answer == NO, trap=trap
    )


_MAKERS = {"qué": _what, "color": _colour, "cuántas": _count, "dónde": _where, "sí o no": _whether}


def endless(
    seed: int, n_questions: int = 1, n_at_once: int = 64, *, kinds: Sequence[str] = KINDS
) -> Iterator[tuple[ToldScene, list[Question]]]:
    """Escenas de entrenar, sin fin, cada una con unas preguntas de clases sorteadas entre `kinds`.

    De una escena nunca se pregunta dos veces lo mismo: en una conversación, la segunda respuesta
    se copiaría de la primera sin mirar. Las escenas de las que no hay tanto que preguntar se
    saltan. Errores: `ValueError` si se piden más de `MOST_QUESTIONS`, y los de `ask_about`.
    """
    if n_questions > MOST_QUESTIONS:
        raise ValueError(f"n_questions={n_questions}: pide {MOST_QUESTIONS} como mucho")
    rng, generator = random.Random(seed), torch.Generator().manual_seed(seed)
    while True:
        for scene in asked_scenes(n_at_once, generator):
            asked = _different(scene, n_questions, kinds, rng)
            if len(asked) == n_questions:
                yield scene, asked


def _different(
    scene: ToldScene, n: int, kinds: Sequence[str], rng: random.Random
) -> list[Question]:
    """Preguntas que no se repiten, hasta `n`; de cada clase, una antes de volver a empezar."""
    asked: dict[tuple[str, ...], Question] = {}
    for kind in (kind for _ in range(ROUNDS) for kind in rng.sample(kinds, len(kinds))):
        if len(asked) == n:
            break
        question = ask_about(scene, kind, rng)
        if question is not None:
            asked.setdefault(question.words, question)
    return list(asked.values())


def held_out(
    n_per_kind: int, *, reserved: bool = False, kinds: Sequence[str] = KINDS
) -> list[tuple[ToldScene, Question]]:
    """Las preguntas de evaluar, siempre las mismas: tantas de cada clase, en escenas no vistas.

    De cada clase, todas las respuestas salen las mismas veces (una más, si no da justo), para que
    repetir la más común no acierte más que echarlo a suertes. Con `reserved`, sobre figuras de
    color y forma que nunca se vieron juntos. Errores: los de `asked_scenes` y `ask_about`.
    """
    rng = random.Random(TEST_SEED + reserved)
    generator = torch.Generator().manual_seed(TEST_SEED + reserved)
    found: list[tuple[ToldScene, Question]] = []
    for kind in kinds:
        own: list[tuple[ToldScene, Question]] = []
        left = Counter(dict.fromkeys(_answers(kind, reserved), 0))
        left.update({answer: -(-n_per_kind // len(left)) for answer in left})
        while len(own) < n_per_kind:
            for scene in asked_scenes(n_per_kind, generator, reserved=reserved):
                question = ask_about(scene, kind, rng, reserved=reserved)
                if question is None or not left[question.answer] or len(own) == n_per_kind:
                    continue
                left[question.answer] -= 1
                own.append((scene, question))
        found += own
    return found


def _answers(kind: str, reserved: bool) -> list[tuple[str, ...]]:
    """Las respuestas que puede tener una clase de pregunta."""
    shapes, colours = zip(*RESERVED, strict=True) if reserved else ((*SHAPES, NOTHING), COLOURS)
    places = [place(quarter) for quarter in range(4)]
    words = {"qué": shapes, "color": colours, "cuántas": COUNTS, "sí o no": (YES, NO)}
    return places if kind == "dónde" else [(word,) for word in words[kind]]


def dialogue_words() -> set[str]:
    """Todas las palabras que pueden salir en una descripción, una pregunta o una respuesta."""
    every = {word for pair in PAIRS for word in named(*pair)}
    fixed = [
        "¿",
        "?",
        ":",
        ",",
        ".",
        "qué",
        "hay",
        "de",
        "color",
        "es",
        "el",
        "la",
        "cuántas",
        "figuras",
        "dónde",
        "está",
    ]
    words = {*every, *fixed, *COLOURS, *COUNTS, NOTHING, YES, NO}
    return words.union(*(place(quarter) for quarter in range(4)))
