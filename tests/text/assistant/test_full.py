"""Lo que a escala real mide el asistente: nada reservado se entrena, y cada cuenta por separado."""

import math
from dataclasses import replace

import pytest
import torch

from tfcourse.datasets.folders.conversations import FirstTurn, first_turns, split_turns
from tfcourse.models.modern import ModernConfig, ModernLM
from tfcourse.text.assistant.chat import ChatTemplate
from tfcourse.text.assistant.full import (
    REHEARSAL,
    SETTINGS,
    as_pairs,
    longest_row,
    per_token,
    ranked_pairs,
    reply_bits,
)
from tfcourse.tokenizers.published_files import load_tokenizer
from workshop.rehearsal.conversations import make_conversations
from workshop.rehearsal.published import DIGITS_CUT, write_byte_bpe

TURNS = [
    FirstTurn("a", "¿Uno?", ("corta", "esta es más larga"), True),
    FirstTurn("b", "¿Dos?", ("esta es la larga", "no"), True),
    FirstTurn("c", "¿Tres?", ("sin orden", "ninguno"), False),
    FirstTurn("d", "¿Cuatro?", ("no cabe " * 30, "sí"), True),
]


@pytest.fixture(scope="module")
def form(tmp_path_factory):
    path = tmp_path_factory.mktemp("tokenizador") / "tokenizer.json"
    write_byte_bpe(path, DIGITS_CUT)
    return ChatTemplate(load_tokenizer(path.parent), system="")


@pytest.fixture(scope="module")
def model(form):
    torch.manual_seed(0)
    size = ModernConfig(len(form.tokenizer), d_model=16, n_heads=2, n_layers=1, max_length=64)
    return ModernLM(size).eval()


def test_only_what_fits_is_used_and_the_best_reply_is_learnt(form):
    pairs = as_pairs(form, TURNS, 64)
    assert [form.read(told) for _, told in pairs] == ["corta", "esta es la larga", "sin orden"]
    with pytest.raises(ValueError, match="length=3: no cabe ninguna de las 4"):
        as_pairs(form, TURNS, 3)


def test_the_longest_is_preferred_half_of_the_times(form):
    best, worst = ranked_pairs(form, TURNS, REHEARSAL)
    assert [form.read(told) for _, told in best] == ["corta", "esta es la larga"]
    assert [form.read(told) for _, told in worst] == ["esta es más larga", "no"]
    row = longest_row(form, TURNS, REHEARSAL, {"modelo": 0, "prefiere la mejor": 0, "bits": 0})
    assert row == {"modelo": "la más larga", "prefiere la mejor": 0.5, "bits": ""}


@torch.no_grad()
def test_bits_and_preferences_are_those_of_the_formula(form, model):
    pairs = as_pairs(form, TURNS, 64)
    nats = []
    for asked, told in pairs:
        logits = model(torch.tensor([asked + told]))[0, len(asked) - 1 : -1]
        nats.append(-logits.log_softmax(-1)[range(len(told)), told].sum().item())
    characters = sum(len(text) + 1 for text in ("corta", "esta es la larga", "sin orden"))
    bits = reply_bits(model, form, TURNS, replace(REHEARSAL, batch_size=2))
    assert bits == pytest.approx(sum(nats) / math.log(2) / characters, rel=1e-4)
    wanted = [-one / len(told) for one, (_, told) in zip(nats, pairs, strict=True)]
    assert per_token(model, form, pairs, 2).tolist() == pytest.approx(wanted, rel=1e-4)


def test_nothing_reserved_is_trained(tmp_path, monkeypatch):
    monkeypatch.setenv("TFCOURSE_ENSAYO", "1")
    make_conversations(tmp_path)
    train, reserved = split_turns(first_turns(folder=tmp_path), REHEARSAL.one_in)
    assert not {turn.tree for turn in train} & {turn.tree for turn in reserved}
    assert {rank for rank, _ in SETTINGS.ways.values()} == {None, 16}
