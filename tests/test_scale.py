"""Entrenar a escala: cuentas de operaciones, rendimiento, parar y seguir, y Wikipedia."""

import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from tfcourse import scale
from tfcourse.datasets import wikipedia
from tfcourse.losses import next_token_loss
from tfcourse.models.gpt import GPT, GPTConfig
from tfcourse.scale import ScaleSettings, flops_per_token, throughput, train_at_scale

TINY = {"d_model": 32, "n_heads": 4, "n_layers": 2, "max_length": 16}


@pytest.fixture(autouse=True)
def tiny(monkeypatch):
    monkeypatch.setitem(scale.VARIANTS, "aula", TINY)
    monkeypatch.setattr(scale, "measured_flops", lambda *_, **__: 1e9)


def test_the_operations_are_those_that_torch_counts():
    model = GPT(GPTConfig(100, **TINY))
    with FlopCounterMode(display=False) as counter:
        next_token_loss(model, (torch.randint(100, (3, 17)),)).backward()
    # PyTorch no cuenta la atención en procesador ni las tablas, que no se multiplican.
    matrices = 6 * (sum(p.numel() for p in model.parameters() if p.ndim == 2) - 16 * 32)
    assert counter.get_total_flops() >= matrices * 48 * 0.999
    attention = 12 * 2 * 32 * 16
    vectors = 6 * (sum(p.numel() for p in model.parameters() if p.ndim == 1) + 16 * 32)
    assert flops_per_token(model, 16) == matrices + vectors + attention


def test_throughput_counts_every_machine(monkeypatch):
    model = GPT(GPTConfig(100, **TINY))
    alone = throughput(model, ScaleSettings(batch_size=4), steps=10, seconds=2.0)
    assert alone.tokens_per_second == 10 * 4 * 16 / 2
    expected = alone.tokens_per_second * flops_per_token(model, 16) / 1e9
    assert alone.utilisation == pytest.approx(expected)
    monkeypatch.setenv("WORLD_SIZE", "4")
    shared = throughput(model, ScaleSettings(batch_size=4), steps=10, seconds=2.0)
    assert shared.utilisation == pytest.approx(expected / 4)


def test_it_can_stop_and_go_on(tmp_path):
    ids = torch.randint(50, (400,), generator=torch.Generator().manual_seed(0))
    settings = ScaleSettings(batch_size=4, steps=12)
    _, whole, _ = train_at_scale(settings, ids, 50)
    path = tmp_path / "punto.safetensors"
    interrupted = []

    def stop(model, batch):
        interrupted.append(1)
        if len(interrupted) > 7:
            raise KeyboardInterrupt
        return next_token_loss(model, batch)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scale, "next_token_loss", stop)
        with pytest.raises(KeyboardInterrupt):
            train_at_scale(settings, ids, 50, path)
    _, resumed, _ = train_at_scale(settings, ids, 50, path)
    assert resumed == pytest.approx(whole, abs=1e-6) and len(resumed) == 12


def test_the_command_prints_its_throughput(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("TFCOURSE_PUNTO", str(tmp_path / "punto.safetensors"))
    monkeypatch.setattr(
        scale, "default_settings", lambda: replace(ScaleSettings(), n_tokens=300, steps=2)
    )
    scale.main()
    printed = capsys.readouterr().out
    assert "en 2 pasos" in printed and "tokens por segundo" in printed and "MFU: " in printed


def test_wikipedia_is_read_until_there_is_enough(monkeypatch):
    articles = [{"text": f"Artículo {n}.\n\nTexto  ā."} for n in range(50)]
    fake = SimpleNamespace(load_dataset=lambda name, version, split, streaming: iter(articles))
    monkeypatch.setitem(sys.modules, "datasets", fake)
    text = wikipedia.wikipedia_text(40)
    assert text == "Artículo 0. Texto a.\nArtículo 1. Texto a"

    def broken(*_, **__):
        raise OSError("sin red")

    fake.load_dataset = broken
    with pytest.raises(ConnectionError, match=r"\(sin red\).*TFCOURSE_PERFIL=rapido"):
        wikipedia.wikipedia_text(40)
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(ModuleNotFoundError, match="pip install datasets"):
        wikipedia.wikipedia_text(40)
    with pytest.raises(ValueError, match="max_characters=0"):
        wikipedia.wikipedia_text(0)
