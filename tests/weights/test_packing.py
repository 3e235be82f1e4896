"""Los pesos de la página: ocupan la mitad, apenas se mueven y siempre se llaman igual."""

import pytest
import torch
from safetensors.torch import load

from tfcourse.datasets.text.articles import split_articles
from tfcourse.multimodal.dialogue.recipe import load as load_talker
from tfcourse.text.assistant.lora import merge_lora
from tfcourse.text.bert.recipe import load as load_bert
from tfcourse.weights.joining import joined_tensors, part_names
from tfcourse.weights.packing import (
    MIN_NUMBERS,
    ROW_SCALE,
    UNUSED,
    pack,
    packed_file,
    packed_tensors,
    packed_weights,
    unpack,
)
from tfcourse.weights.shipped import FOLDER

LIVE = (
    "gpt_espanol", "bert_espanol", "traductor", "t5_tareas", "detr_figuras", "anclas_figuras",
    "gato", "vit_cifras", "mask2former", "pose_simcc",
    "whisper_cifras", "sepformer_cifras", "pix2seq_figuras", "dialogo",
)  # fmt: skip
SITE_BYTES = 10_000_000


def test_a_packed_row_moves_less_than_half_a_step():
    matrix = torch.randn(70, 80, generator=torch.Generator().manual_seed(0)).half()
    matrix[3] = 0.0
    packed = pack({"w": matrix, "b": torch.ones(80).half(), "small": torch.ones(8, 8).half()})
    assert packed["w"].dtype == torch.int8 and packed["b"].dtype == torch.float16
    assert packed["small"].dtype == torch.float16 and MIN_NUMBERS > 64
    back = unpack(packed)
    assert back.keys() == {"w", "b", "small"} and back["w"].dtype == torch.float32
    step = matrix.float().abs().amax(dim=1, keepdim=True) / 127
    assert ((back["w"] - matrix.float()).abs() <= step / 2 + 1e-6).all()
    assert (back["w"][3] == 0).all() and packed["w"].abs().max() == 127


@pytest.mark.parametrize("name", LIVE)
def test_shipped_weights_are_halved_and_stay_close(name):
    shipped = joined_tensors(name)
    packed = load(packed_weights(name))
    assert packed.keys() == packed_tensors(name).keys()
    back = unpack(packed)
    skipped = UNUSED.get(name, ())
    assert {key for key in shipped if "num_batches" not in key and not key.startswith(skipped)} == (
        back.keys()
    )
    for key, value in back.items():
        error = (value - shipped[key].float()).norm() / shipped[key].float().norm().clamp(min=1e-9)
        assert error < 0.03, key
    stored = sum((FOLDER / f"{part}.safetensors").stat().st_size for part in part_names(name))
    assert len(packed_weights(name)) < 0.8 * stored


def test_weights_in_parts_travel_as_one_plain_model():
    """Lo mismo que cargar las tres partes y sumar LoRA a sus matrices, redondeado a 16 bits."""
    whole = merge_lora(load_talker("dialogo")).state_dict()
    joined = joined_tensors("dialogo")
    assert joined.keys() == whole.keys()
    for key, value in joined.items():
        assert value.dtype == torch.float16 and torch.equal(value, whole[key].half()), key
    assert part_names("dialogo") == ("torre_escenas", "lector_escenas", "dialogo")
    assert part_names("gato") == ("gato",)


def test_all_together_fit_in_the_site():
    assert sum(len(packed_weights(name)) for name in LIVE) < SITE_BYTES


def test_the_name_of_the_file_is_its_content(monkeypatch):
    name = packed_file("gato")
    assert name.startswith("gato-") and name.endswith(".safetensors")
    packed_file.cache_clear()
    packed_tensors.cache_clear()
    assert packed_file("gato") == name
    packed_file.cache_clear()
    changed = {**packed_tensors("gato")}
    changed["norm.gain"] = changed["norm.gain"] + 1
    monkeypatch.setattr("tfcourse.weights.packing.packed_tensors", lambda _: changed)
    assert packed_file("gato") != name
    packed_file.cache_clear()
    assert any(key.endswith(ROW_SCALE) for key in changed)


@torch.no_grad()
def test_bytes_hardly_change_what_bert_answers():
    model, tokenizer = load_bert("bert_espanol")
    rows = [tokenizer.encode(article.text.lower())[:48] for article in split_articles()[1][:24]]
    tokens = torch.tensor([row for row in rows if len(row) == 48])
    lengths = torch.full((len(tokens),), 48)
    before = model(tokens, lengths).log_softmax(-1)
    model.load_state_dict(unpack(packed_tensors("bert_espanol")), strict=False)
    after = model(tokens, lengths).log_softmax(-1)
    assert float((before.argmax(-1) == after.argmax(-1)).float().mean()) > 0.95
    changed = (before.exp() * (before - after)).sum(-1).mean()
    assert 0 < float(changed) < 0.01  # la divergencia, en nats
