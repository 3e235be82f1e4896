"""Un plan de curso por semanas: objetivos, requisitos y ejercicios, sacados de los datos."""

from dataclasses import dataclass
from pathlib import Path

import nbformat

from tfcourse.bank.registry import EXERCISES
from tfcourse.exercises.engine import Card
from tfcourse.exercises.masters import masters

GRADED = 3  # ejercicios de código por capítulo que se mandan para entregar


@dataclass(frozen=True)
class Chapter:
    """Lo que un plan necesita saber de un capítulo."""

    goals: tuple[str, ...]
    cards: tuple[Card, ...]

    @property
    def in_class(self) -> list[Card]:
        """Los de comprender: se hacen en clase, sin nota."""
        return [card for card in self.cards if card.kind == "comprender"]

    @property
    def to_hand_in(self) -> list[Card]:
        """Los de código más exigentes, en el orden del cuaderno."""
        code = [card for card in self.cards if card.kind == "codigo"]
        best = sorted(code, key=lambda card: (-card.difficulty, -card.points))[:GRADED]
        return [card for card in code if card in best]

    @property
    def project(self) -> list[Card]:
        """El abierto: se corrige con la rúbrica."""
        return [card for card in self.cards if card.kind == "abierto"]


def read_chapters(root: Path) -> dict[str, Chapter]:
    """Los capítulos que tienen ejercicios, por el nombre de su cuaderno."""
    return {path.stem.removesuffix("_ejercicios"): _read(path) for path in masters(root)}


def _read(master: Path) -> Chapter:
    cells = nbformat.read(master, as_version=4).cells
    lines = cells[0].source.split("\n")
    goals = tuple(line[2:].rstrip(";. ") for line in lines if line.startswith("- "))
    names = [c.id.removesuffix("-enunciado") for c in cells if c.id.endswith("-enunciado")]
    return Chapter(goals, tuple(EXERCISES[name].card for name in names))


def weekly_cards(chapters: list[Chapter]) -> list[Card]:
    """Lo que se entrega una semana; el abierto, solo si la semana tiene un capítulo."""
    cards = [card for chapter in chapters for card in chapter.to_hand_in]
    if len(chapters) == 1:
        cards += chapters[0].project
    return cards


def command(week: int, cards: list[Card]) -> str:
    """La orden que prepara la tarea de una semana."""
    names = ",".join(card.id for card in cards)
    return f"python -m tfcourse docente crear semana-{week} --ejercicios {names}"
