"""Entrenar a escala: cuentas de operaciones, rendimiento, y parar y seguir."""

from dataclasses import replace

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from tfcourse.losses import next_token_loss
from tfcourse.models.gpt import GPT, GPTConfig
from tfcourse.text.generation import scale
from tfcourse.text.generation.recipe import NANOGPT
from tfcourse.text.generation.scale import (
    ScaleSettings,
    encode_by_lines,
    flops_per_token,
    throughput,
    train_at_scale,
)
from tfcourse.tokenizers.bpe import BPETokenizer

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


def test_long_texts_are_encoded_line_by_line():
    text = "una línea\n\notra, más larga\ny la última"
    tokenizer = BPETokenizer.train(text, 280)
    ids = encode_by_lines(tokenizer, text)
    assert ids.tolist() == tokenizer.encode(text) and ids.dtype == torch.int32


def test_a_batch_read_in_parts_is_the_same_batch():
    ids = torch.randint(50, (400,), generator=torch.Generator().manual_seed(0)).int()
    whole, parts = (
        ScaleSettings(batch_size=4, steps=3),
        ScaleSettings(batch_size=4, steps=3, parts=2),
    )
    (_, at_once, _), (_, halves, _) = (train_at_scale(s, ids, 50) for s in (whole, parts))
    assert halves == pytest.approx(at_once, abs=1e-4)


def test_the_recipe_says_positions_and_optimizer():
    ids = torch.randint(50, (400,), generator=torch.Generator().manual_seed(0))
    settings = ScaleSettings(batch_size=4, steps=1)
    learned, _, _ = train_at_scale(settings, ids, 50, recipe=NANOGPT)
    rotary, _, _ = train_at_scale(settings, ids, 50)
    assert (learned.config.positions, learned.config.norm) == ("aprendidas", "capa")
    assert (rotary.config.positions, rotary.config.norm) == ("rotatorias", "cuadratica")
