"""Juegos de cartas: tareas diminutas en las que se sabe a qué carta hay que mirar."""

from dataclasses import dataclass, fields

import torch
from torch import Tensor

N_LETTERS, N_DIGITS, N_COLORS, N_SHAPES = 12, 10, 5, 5


class _Batch:
    """Lote de partidas: todos los campos tienen una partida por fila."""

    def tensors(self) -> tuple[Tensor, ...]:
        """Todos los campos, en orden, para repartirlos en lotes."""
        return tuple(getattr(self, field.name) for field in fields(self))


@dataclass(frozen=True)
class SearchGame(_Batch):
    """Búsqueda: cartas con letra y cifra, y una letra por la que se pregunta.

    `letters` y `digits` (N, C), `asked` (N,), `answer` (N,), `place` (N,), dónde está la respuesta.
    """

    letters: Tensor
    digits: Tensor
    asked: Tensor
    answer: Tensor
    place: Tensor


def search_game(n_games: int, n_cards: int = 6, seed: int = 0) -> SearchGame:
    """Partidas de búsqueda: las letras de una partida son distintas.

    Errores: `ValueError` si se piden más cartas que letras hay.
    """
    _check_cards(n_cards, N_LETTERS)
    generator = torch.Generator().manual_seed(seed)
    letters = torch.rand(n_games, N_LETTERS, generator=generator).argsort(dim=-1)[:, :n_cards]
    digits = torch.randint(N_DIGITS, (n_games, n_cards), generator=generator)
    place = torch.randint(n_cards, (n_games,), generator=generator)
    rows = torch.arange(n_games)
    return SearchGame(letters, digits, letters[rows, place], digits[rows, place], place)


@dataclass(frozen=True)
class MatchGame(_Batch):
    """Pareja: dos mesas de cartas con letra y cifra; una sola letra está en las dos.

    `letters_a`, `digits_a`, `letters_b` y `digits_b` (N, C); `answer_a` y `answer_b` (N,) son las
    cifras de la letra repetida en cada mesa, y `place_a` y `place_b` (N,), dónde están.
    """

    letters_a: Tensor
    digits_a: Tensor
    letters_b: Tensor
    digits_b: Tensor
    answer_a: Tensor
    answer_b: Tensor
    place_a: Tensor
    place_b: Tensor


def match_game(n_games: int, n_cards: int = 5, seed: int = 0) -> MatchGame:
    """Partidas de pareja. Mirando una sola mesa no se puede saber qué carta importa.

    Errores: `ValueError` si las dos mesas necesitan más letras de las que hay.
    """
    _check_cards(2 * n_cards, N_LETTERS)
    generator = torch.Generator().manual_seed(seed)
    order = torch.rand(n_games, N_LETTERS, generator=generator).argsort(dim=-1)
    letters_a, letters_b = order[:, :n_cards].clone(), order[:, n_cards : 2 * n_cards].clone()
    digits_a, digits_b = torch.randint(N_DIGITS, (2, n_games, n_cards), generator=generator)
    place_a, place_b = torch.randint(n_cards, (2, n_games), generator=generator)
    rows = torch.arange(n_games)
    letters_b[rows, place_b] = letters_a[rows, place_a]
    answers = digits_a[rows, place_a], digits_b[rows, place_b]
    return MatchGame(letters_a, digits_a, letters_b, digits_b, *answers, place_a, place_b)


@dataclass(frozen=True)
class MarkedGame(_Batch):
    """Marcas: de una carta se pide el color y de otra, la forma.

    `colors`, `shapes` y `marks` (N, C): la marca 1 señala la carta del color; la 2, la de la forma;
    0, ninguna. `color` y `shape` (N,) son la respuesta.
    """

    colors: Tensor
    shapes: Tensor
    marks: Tensor
    color: Tensor
    shape: Tensor


def marked_game(n_games: int, n_cards: int = 6, seed: int = 0) -> MarkedGame:
    """Partidas de marcas: las dos cartas señaladas son distintas.

    Errores: `ValueError` si hay menos de dos cartas.
    """
    if n_cards < 2:
        raise ValueError(f"n_cards={n_cards}: hacen falta al menos dos cartas para señalar dos")
    generator = torch.Generator().manual_seed(seed)
    colors = torch.randint(N_COLORS, (n_games, n_cards), generator=generator)
    shapes = torch.randint(N_SHAPES, (n_games, n_cards), generator=generator)
    first, second = torch.rand(n_games, n_cards, generator=generator).argsort(dim=-1)[:, :2].T
    rows = torch.arange(n_games)
    marks = torch.zeros(n_games, n_cards, dtype=torch.long)
    marks[rows, first], marks[rows, second] = 1, 2
    return MarkedGame(colors, shapes, marks, colors[rows, first], shapes[rows, second])


def _check_cards(n_letters: int, available: int) -> None:
    if not 0 < n_letters <= available:
        raise ValueError(
            f"hacen falta {n_letters} letras distintas y hay {available}: pide menos cartas"
        )
