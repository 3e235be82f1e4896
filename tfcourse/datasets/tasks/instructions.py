"""Instrucciones en español con una sola respuesta, que se puede comprobar.

Siete clases: copia, lista, plural, artículo, cuentas, lectura y «no consta», en la que la frase no
dice lo que se pregunta y hay que responder «No lo sé». Lo que se reserva es el contenido (las
palabras, las parejas de números) y, además, una manera de pedir cada cosa.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tfcourse.datasets.tasks.instruction_wordings import DEEDS, TIMES, WORDINGS
from tfcourse.datasets.tasks.instruction_words import PARTS, gendered, shared_words
from tfcourse.datasets.tasks.numbers import spell_number
from tfcourse.datasets.tasks.plurals import pluralize

UNKNOWN = "No lo sé"

KINDS = (*WORDINGS, "no consta")
# Cuántas veces sale cada una al entrenar: copiar es lo que más cuesta aprender.
FREQUENCIES = {"copia": 3, "lista": 3, "plural": 2, "artículo": 1, "cuentas": 1, "lectura": 2,
               "no consta": 1}  # fmt: skip


@dataclass(frozen=True)
class Instruction:
    """Una instrucción: de qué clase es, lo que se pide y la única respuesta que vale."""

    kind: str
    prompt: str
    answer: str


def is_right(example: Instruction, written: str) -> bool:
    """El verificador: si lo escrito es la respuesta, sin mirar mayúsculas ni el punto final."""
    return tidy(written) == tidy(example.answer)


def tidy(text: str) -> str:
    """Un texto sin espacios de más, sin punto final y en minúsculas."""
    return " ".join(text.split()).rstrip(".").strip().lower()


def draw(kind: str, part: str, rng: random.Random, *, reserved: bool = False) -> Instruction:
    """Sortea una instrucción de una clase con las palabras de una parte.

    Con `reserved`, se pide de la manera que no se entrena.
    Errores: `ValueError` si la clase o la parte no existen.
    """
    if kind not in KINDS or part not in PARTS:
        raise ValueError(
            f"kind={kind!r}, part={part!r}: usa una clase de {', '.join(KINDS)} y una parte de "
            f"{', '.join(PARTS)}"
        )
    wordings = WORDINGS["lectura" if kind == "no consta" else kind]
    wording = wordings[-1] if reserved else rng.choice(wordings[:-1])
    filling, answer = _MAKERS[kind](shared_words()[part], rng)
    return Instruction(kind, wording.format(*filling), answer)


def instructions(
    part: str, n_per_kind: int, seed: int = 0, *, reserved: bool = False
) -> list[Instruction]:
    """Tantas instrucciones distintas de cada clase, si las hay: las mismas con la misma semilla.

    De una clase con pocas combinaciones salen las que haya. Errores: los de `draw`.
    """
    found = []
    for kind in KINDS:
        rng = random.Random(f"{part} {kind} {seed} {reserved}")
        own: dict[str, Instruction] = {}
        for _ in range(20 * n_per_kind):
            example = draw(kind, part, rng, reserved=reserved)
            own.setdefault(example.prompt, example)
            if len(own) == n_per_kind:
                break
        found.extend(own.values())
    return found


def endless(
    seed: int, part: str = "entrenar", kinds: Sequence[str] = KINDS
) -> Iterator[Instruction]:
    """Instrucciones sin fin, de las clases que se digan, según sus `FREQUENCIES`.

    Errores: los de `draw`.
    """
    rng = random.Random(seed)
    weights = [FREQUENCIES[kind] for kind in kinds]
    while True:
        yield draw(rng.choices(kinds, weights)[0], part, rng)


def _copy(words, rng):
    text = " ".join(rng.sample(words["words"], rng.randint(1, 3)))
    return (text,), text


def _plural(words, rng):
    noun = rng.choice(words["nouns"])
    return (noun,), pluralize(noun)


def _article(words, rng):
    noun = rng.choice(words["nouns"])
    return (noun,), gendered()[noun]


def _list(words, rng):
    chosen = rng.sample(words["words"], rng.randint(2, 4))
    name, place = rng.choice((("primera", 0), ("última", -1)))
    return (", ".join(chosen), name), chosen[place]


def _sum(words, rng):
    big, small = rng.choice(words["pairs"])
    if rng.random() < 0.5:
        return (f"{spell_number(big)} menos {spell_number(small)}",), spell_number(big - small)
    left, right = rng.sample((big, small), 2)
    return (f"{spell_number(left)} más {spell_number(right)}",), spell_number(big + small)


def _reading(words, rng):
    scene = _scene(words, rng)
    asked = rng.choice([name for name in ("who", "what", "where", "when") if scene[name]])
    return _told(scene, asked, scene["who"]), scene[asked]


def _not_said(words, rng):
    scene = _scene(words, rng)
    missing = [name for name in ("where", "when") if not scene[name]]
    if missing and rng.random() < 0.5:
        return _told(scene, rng.choice(missing), scene["who"]), UNKNOWN
    other = rng.choice([name for name in words["names"] if name != scene["who"]])
    asked = rng.choice([name for name in ("what", "where", "when") if scene[name]])
    return _told(scene, asked, other), UNKNOWN


def _scene(words, rng) -> dict[str, str]:
    """Quién hizo qué y, a veces, dónde y cuándo."""
    noun = rng.choice(words["nouns"])
    some = rng.choice(((1, 1), (1, 0), (0, 1), (0, 0)))
    return {
        "who": rng.choice(words["names"]),
        "did": rng.choice(DEEDS),
        "what": f"{ {'el': 'un', 'la': 'una'}[gendered()[noun]] } {noun}",
        "where": f"en {rng.choice(words['places'])}" if some[0] else "",
        "when": rng.choice(TIMES) if some[1] else "",
    }


def _told(scene: dict[str, str], asked: str, about: str) -> tuple[str, str]:
    """La frase que lo cuenta y la pregunta."""
    pieces = (scene["who"], scene["did"], scene["what"], scene["where"], scene["when"])
    did, what = scene["did"], scene["what"]
    questions = {
        "who": f"¿Quién {did} {what}?",
        "what": f"¿Qué {did} {about}?",
        "where": f"¿Dónde {did} {about} {what}?",
        "when": f"¿Cuándo {did} {about} {what}?",
    }
    return " ".join(piece for piece in pieces if piece) + ".", questions[asked]


_MAKERS = {
    "copia": _copy,
    "plural": _plural,
    "artículo": _article,
    "lista": _list,
    "cuentas": _sum,
    "lectura": _reading,
    "no consta": _not_said,
}
