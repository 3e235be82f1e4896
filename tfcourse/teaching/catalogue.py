"""El banco por capítulo, tipo y dificultad: buscar ejercicios y sortear unos cuantos."""

import random
from dataclasses import dataclass
from pathlib import Path

from tfcourse.exercises.engine import KINDS, MAX_DIFFICULTY, Card
from tfcourse.teaching.bank import load_bank
from tfcourse.teaching.plans import read_chapters


@dataclass(frozen=True)
class Entry:
    """Un ejercicio y de qué capítulo es; los de un banco privado, de ninguno."""

    chapter: str
    card: Card

    def __str__(self) -> str:
        card = self.card
        total = card.points + card.manual_points
        where = f"{self.chapter}, " if self.chapter else ""
        return (
            f"{card.id}: {card.title} ({where}{KINDS[card.kind]}, dificultad {card.difficulty}, "
            f"{total} punto{'' if total == 1 else 's'}, {card.minutes} min)"
        )


def search(
    root: Path, chapters: list[str], kinds: list[str], difficulty: str, bank: str = ""
) -> list[Entry]:
    """Los ejercicios que cumplen lo pedido; lo que se deja vacío no filtra.

    `difficulty` es `2` o `1-2`. Errores: `ValueError`, con lo que hay.
    """
    known = read_chapters(root)
    for given, names, what in ((chapters, known, "capítulo"), (kinds, KINDS, "tipo")):
        if unknown := [name for name in given if name not in names]:
            raise ValueError(f"no hay ningún {what} «{unknown[0]}»; hay: {', '.join(names)}")
    low, high = _range(difficulty)
    entries = [Entry(name, card) for name, own in known.items() for card in own.cards]
    if bank:
        entries += [Entry("", exercise.card) for exercise in load_bank(bank).exercises.values()]
    return [
        entry
        for entry in entries
        if (not chapters or entry.chapter in chapters or not entry.chapter)
        and (not kinds or entry.card.kind in kinds)
        and low <= entry.card.difficulty <= high
    ]


def _range(text: str) -> tuple[int, int]:
    low, _, high = text.partition("-")
    if not text:
        return 1, MAX_DIFFICULTY
    if not low.isdigit() or (high and not high.isdigit()):
        raise ValueError(f"la dificultad «{text}» no vale: p. ej. 2 o 1-2, de 1 a {MAX_DIFFICULTY}")
    return int(low), int(high or low)


def draw(entries: list[Entry], count: int, seed: str) -> list[Entry]:
    """Unos cuantos al azar, siempre los mismos con la misma semilla, y de capítulos repartidos.

    Errores: `ValueError` si no hay bastantes.
    """
    if count > len(entries):
        raise ValueError(f"solo hay {len(entries)} ejercicios así y pides {count}")
    shuffled = sorted(entries, key=lambda entry: entry.card.id)
    random.Random(f"sorteo/{seed}").shuffle(shuffled)
    chosen: list[Entry] = []
    while len(chosen) < count:  # uno de cada capítulo por vuelta
        seen = set()
        for entry in [entry for entry in shuffled if entry not in chosen]:
            if len(chosen) < count and entry.chapter not in seen:
                seen.add(entry.chapter)
                chosen.append(entry)
    return [entry for entry in entries if entry in chosen]
