"""Lectores de los enunciados de las anclas."""

from fractions import Fraction

from torch import nn

from tests.exercises.statement_readers import bullets, count, only, value


def corrected_by_hand(text):
    """Con fracciones exactas: la razón de la coordenada, multiplicada."""
    start = Fraction(str(value(only(r"Un ancla tiene \$c_x = ([\d{},]+)\$", text))))
    factors = [int(only(rf"\$\\Delta_{i} = \\ln (\d+)\$", text)) for i in (1, 2)]
    assert count(only(r"Contesta con (\w+) números", text)) == 3

    def moved(place, factor):
        odds = factor * place / (1 - place)
        return odds / (1 + odds)

    one = moved(start, factors[0])
    found = one, moved(one, factors[1]), moved(start, factors[1])
    return tuple(round(float(number), 4) for number in found)


def added_parameters(text):
    """Contando los de cada pieza de PyTorch."""
    d, queries, layers, heads = (int(only(rf"\${n} = (\d+)\$", text)) for n in "dNLH")

    def size(*modules):
        return sum(p.numel() for module in modules for p in module.parameters())

    network = nn.Linear(2 * d, d), nn.Linear(d, d)
    assert bullets(text) == ["anclas", "posiciones", "separada", "gaussiana"]
    return {
        "anclas": size(*network, nn.Embedding(queries, 4)) - size(nn.Embedding(queries, d)),
        "posiciones": layers * size(*(nn.Linear(d, d) for _ in range(4))),
        "separada": 0,
        "gaussiana": layers * (size(nn.Linear(d, 2 * heads)) + heads),
    }


READERS = {"corregir-a-mano": corrected_by_hand, "contar-los-anadidos": added_parameters}
