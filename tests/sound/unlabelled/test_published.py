"""El wav2vec 2.0 publicado con palabras sueltas: cómo se lee y cómo se cuenta."""

import pytest
import torch

from tfcourse.sound.unlabelled.published import letters, readings, scores

WORDS = ("no", "on", "yes")


def test_the_three_measures():
    found = scores(["yes", "yess", "o"], ["yes", "yes", "no"], WORDS)
    assert found["CER"] == pytest.approx(2 / 8)
    assert found["tal cual"] == pytest.approx(1 / 3)
    # «o» está igual de cerca de «no» y de «on»: vale la primera.
    assert found["la más parecida"] == 1


class Spells(torch.nn.Module):
    """Escribe «N, N, blanco, |, blanco, O» en todos los clips."""

    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.ones(()))

    def forward(self, waves):
        path = torch.tensor([2, 2, 0, 1, 0, 3]).expand(len(waves), -1)
        return self.scale * torch.nn.functional.one_hot(path, 4).float()


def test_the_best_path_is_read_in_lower_case_with_its_spaces(tmp_path, monkeypatch):
    monkeypatch.setenv("TFCOURSE_LECTORES", "0")
    (tmp_path / "vocab.json").write_text('{"<pad>": 0, "|": 1, "N": 2, "O": 3}')
    clips = [(torch.zeros(10), torch.tensor(0))] * 3
    with torch.no_grad():
        assert readings(Spells(), letters(tmp_path), clips, batch_size=2) == ["n o"] * 3
