"""Lo que a escala real mide GPT: bits por carácter, con artículos que no se han leído."""

from dataclasses import replace

import pytest
import torch

from tfcourse.models.gpt import GPT, GPTConfig
from tfcourse.text.generation import full
from tfcourse.text.generation.full import REHEARSAL, read_corpus
from tfcourse.text.generation.recipe import NANOGPT, TrainedGPT
from tfcourse.text.generation.scale import held_out_bits
from tfcourse.tokenizers.bpe import BPETokenizer
from tfcourse.training import History


def test_the_bits_are_those_of_a_trained_model():
    text = "una línea\nla otra línea\ny una más, que ya es la última de todas\n" * 3
    tokenizer = BPETokenizer.train(text, 280)
    torch.manual_seed(0)
    model = GPT(GPTConfig(len(tokenizer), d_model=16, n_heads=2, n_layers=1, max_length=8)).eval()
    with torch.no_grad():
        expected = TrainedGPT(model, NANOGPT, History(), tokenizer).bits(text)
    assert held_out_bits(model, tokenizer, text) == pytest.approx(expected)
    assert held_out_bits(model, tokenizer, text, length=99) == pytest.approx(expected)
    shorter = held_out_bits(model, tokenizer, text, length=4)
    assert shorter != pytest.approx(expected, rel=1e-4)


def test_each_article_is_a_line_and_the_reserved_text_is_cut(monkeypatch):
    known, reserved = ["Uno.\nDos.", "Trēs."], ["Reservado."]
    monkeypatch.setattr(full, "wikipedia_split", lambda n: (known, reserved))
    corpus = read_corpus(replace(REHEARSAL, test_characters=6))
    assert (corpus.train, corpus.test) == ("Uno. Dos.\nTres.", "Reserv")
