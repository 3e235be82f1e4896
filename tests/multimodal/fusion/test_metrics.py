"""Medir una fusión: a quién se cree, qué se acierta con lo que llega y a qué se mira."""

import pytest
import torch

from tfcourse.datasets.sounds.digit_pairs import DigitPairs, reserved_pairs
from tfcourse.models.fusion import FusionClassifier, FusionConfig
from tfcourse.multimodal.fusion.metrics import (
    NO_SOUND,
    believed,
    image_share,
    pair_accuracy,
    pair_logits,
)


def test_believed_counts_each_case():
    pairs = DigitPairs(
        torch.zeros(4, 1, 8, 8), torch.zeros(4, 10),
        torch.tensor([0, 1, 2, 3]), torch.tensor([1, 2, 3, 0]),
    )  # fmt: skip
    logits = torch.eye(5)[torch.tensor([0, 1, 3, 4])]
    assert believed(logits, pairs) == {"la imagen": 0.5, "la voz": 0.25, "a ninguna": 0.25}


def test_accuracy_with_what_arrives():
    torch.manual_seed(0)
    model, pairs = FusionClassifier(FusionConfig("varios a uno")), reserved_pairs(12)
    flags = torch.tensor([NO_SOUND]).expand(12, 2)
    with torch.no_grad():
        by_hand = model(pairs.images, pairs.waves, flags)
    torch.testing.assert_close(pair_logits(model, pairs, NO_SOUND), by_hand)
    right = (by_hand.argmax(1) == pairs.seen).float().mean()
    assert pair_accuracy(model, pairs, NO_SOUND) == pytest.approx(float(right))


def test_image_share_is_a_part_of_one():
    torch.manual_seed(0)
    pairs = reserved_pairs(3)
    model = FusionClassifier(FusionConfig("concatenación temprana"))
    share = image_share(model, pairs)
    assert share.shape == (3,) and ((share > 0) & (share < 1)).all()
    with pytest.raises(ValueError, match="'suma temprana' no tiene tokens de las dos"):
        image_share(FusionClassifier(FusionConfig("suma temprana")), pairs)


def test_image_share_counts_the_tokens_of_the_image(monkeypatch):
    """Todos miran a la imagen: la mitad es lo mirado y la otra mitad, cada token consigo mismo."""
    model = FusionClassifier(FusionConfig("concatenación temprana"))
    n_image, n_sound = model.config.lengths
    looks = torch.zeros(1, 1, n_image + n_sound, n_image + n_sound)
    looks[..., :n_image] = 1 / n_image
    monkeypatch.setattr(model, "attention_maps", lambda *_: [looks])
    expected = 0.5 + 0.5 * n_image / (n_image + n_sound)
    assert image_share(model, reserved_pairs(1)).tolist() == pytest.approx([expected])
