"""Recetas de fusión: la tardía es la de Bayes, a quién se cree y qué trae la tabla guardada."""

import pytest
import torch

from tfcourse.datasets.digit_pairs import DigitPairs, reserved_pairs
from tfcourse.fusion_recipes import (
    NO_SOUND,
    FusionRecipe,
    believed,
    class_prior,
    image_share,
    late_fusion,
    pair_accuracy,
    pair_logits,
    trained,
)
from tfcourse.fusion_table import CURED, LATE, NAME, measure, runs, settings
from tfcourse.models.fusion import UNIMODAL, VARIANTS, FusionClassifier, FusionConfig
from tfcourse.results import load_results

QUICK = FusionRecipe(steps=2, batch_size=4, modality_dropout=0.5)


def test_same_seed_same_model():
    (first, history), (again, _) = trained("cruzada", 0, QUICK), trained("cruzada", 0, QUICK)
    assert len(history.loss) == 2 and not first.training
    assert torch.equal(first.head.weight, again.head.weight)
    other, _ = trained("cruzada", 1, QUICK)
    assert not torch.equal(first.head.weight, other.head.weight)


def test_late_fusion_is_exact_when_the_modalities_are_independent_given_the_class():
    """Una tabla de probabilidades cualquiera: la regla de Bayes, sumando casilla a casilla."""
    torch.manual_seed(0)
    prior = torch.rand(3, dtype=torch.float64).softmax(0)
    image = torch.rand(3, 4, dtype=torch.float64).softmax(1)  # p(imagen | clase)
    sound = torch.rand(3, 5, dtype=torch.float64).softmax(1)
    for i in range(4):
        for j in range(5):
            joint = prior * image[:, i] * sound[:, j]
            alone = [prior * image[:, i], prior * sound[:, j]]
            found = late_fusion(alone[0].log()[None], alone[1].log()[None], prior)
            torch.testing.assert_close(found[0].exp(), joint / joint.sum())


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
    monkeypatch.setattr(model, "maps", lambda *_: [looks])
    expected = 0.5 + 0.5 * n_image / (n_image + n_sound)
    assert image_share(model, reserved_pairs(1)).tolist() == pytest.approx([expected])


def test_class_prior():
    assert class_prior(torch.tensor([0, 0, 2]), 3).tolist() == pytest.approx([3 / 6, 1 / 6, 2 / 6])


def test_the_table_goes_model_by_model(monkeypatch):
    from tfcourse import fusion_table

    monkeypatch.setattr(fusion_table, "STEPS", 1)
    monkeypatch.setattr(fusion_table, "N_TEST", 10)
    rows = list(measure([3]))
    models = [*UNIMODAL, LATE, *(name for name, _ in runs())]
    assert [row["model"] for row in rows] == models
    assert all(row["seed"] == 3 and 0 <= row["both"] <= 1 for row in rows)
    looking = {row["model"] for row in rows if "image_share" in row}
    assert looking == set(VARIANTS) - {"suma temprana"}


def test_the_stored_table_is_whole():
    rows = load_results(NAME, settings())
    seeds = {row["seed"] for row in rows}
    assert len(seeds) >= 5
    assert len(rows) == len(seeds) * (len(UNIMODAL) + 1 + len(VARIANTS) + len(CURED))
