"""Contar y leer: la m se elige sin mirar la evaluación, y la red lee sin perder el hilo."""

import math

import pytest
import torch
from torch import nn

from tfcourse.datasets.text.streams import OTHER
from tfcourse.text.recurrent import full
from tfcourse.text.recurrent.full import CHARACTERS, REHEARSAL, bits_of_network, count, read_ids
from workshop.rehearsal.texts import make_wikipedia


class Uniform(nn.Module):
    """No sabe nada: la misma probabilidad a cada carácter."""

    def __init__(self):
        super().__init__()
        self.anything = nn.Parameter(torch.zeros(()))

    def forward(self, tokens, state):
        return self.anything.expand(*tokens.shape, len(CHARACTERS)), None


def test_who_knows_nothing_pays_the_whole_alphabet():
    expected = math.log2(len(CHARACTERS))
    ids = torch.randint(len(CHARACTERS), (500,), generator=torch.Generator().manual_seed(0))
    assert bits_of_network(Uniform(), ids) == pytest.approx(expected)
    assert bits_of_network(Uniform(), ids[:7]) == pytest.approx(expected), "con un texto diminuto"


def test_the_strength_is_chosen_with_what_was_kept(monkeypatch):
    """Al final, el texto cambia: cuanto más pesan las cuentas, peor va en el trozo apartado."""
    monkeypatch.setattr(full, "KEPT", 2)
    surprise = torch.cat([torch.full((400,), 5), torch.arange(10, 50).repeat(10)])
    steady = torch.full((800,), 5)
    assert count(surprise, 1).strength == max(full.STRENGTHS)
    assert count(steady, 1).strength == min(full.STRENGTHS)


def test_articles_are_read_in_the_alphabet_of_the_course(monkeypatch, tmp_path):
    make_wikipedia(tmp_path)
    monkeypatch.setenv("TFCOURSE_WIKIPEDIA", str(tmp_path))
    known, test = read_ids(REHEARSAL)
    assert len(known) == REHEARSAL.train_characters and len(test) == REHEARSAL.test_characters
    written = "".join(CHARACTERS.tokens[i] for i in test.tolist())
    assert OTHER not in written and "Historia" not in written and "río" in written
    monkeypatch.setattr(full, "wikipedia_split", lambda n: (["Sūn\n\nYat.", "Otro."], ["a\nb"]))
    known, test = read_ids(REHEARSAL)
    assert "".join(CHARACTERS.tokens[i] for i in known) == "Sun Yat.\nOtro."
    assert "".join(CHARACTERS.tokens[i] for i in test) == "a b"
