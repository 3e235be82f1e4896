"""Híbrido: los tokens son las casillas de la red convolucional, y congelada no aprende."""

import pytest
import torch

from tfcourse.datasets.digits import few_per_class, split_digits
from tfcourse.hybrid_recipes import LEARNERS, NAME, NEW, PooledFeatures, learner, only, settings
from tfcourse.models.cnn import CnnConfig, SmallCnn
from tfcourse.models.hybrid import FeatureTokens, Hybrid
from tfcourse.models.vit import ViT, ViTConfig
from tfcourse.results import load_results
from tfcourse.vision_recipes import ImageRecipe, train_classifier

SMALL = {"d_model": 16, "n_heads": 4, "n_layers": 1, "d_hidden": 24}


def backbone():
    torch.manual_seed(0)
    return SmallCnn(CnnConfig(5, widths=(8, 16))).eval()


def test_a_token_is_a_cell_of_the_map():
    net = backbone()
    tokens = FeatureTokens(net, 12)
    images = torch.rand(2, 1, 8, 12)
    found, cells = tokens(images), net.features(images)
    assert found.shape == (2, 4 * 6, 12)
    torch.testing.assert_close(found[:, 7], tokens.projection(cells[:, :, 1, 1]))


@pytest.mark.parametrize("frozen", [True, False])
def test_a_frozen_network_does_not_learn(frozen):
    train, _ = split_digits()
    model = Hybrid(ViTConfig(10, **SMALL), backbone(), frozen=frozen)
    before = {name: value.clone() for name, value in model.embedding.backbone.state_dict().items()}
    train_classifier(model, few_per_class(train, 2), ImageRecipe(steps=3, batch_size=8), 0)
    same = [
        torch.equal(value, before[name])
        for name, value in model.embedding.backbone.layers.state_dict(prefix="layers.").items()
    ]
    assert all(same) if frozen else not any(same)


def test_learners_are_what_they_say():
    kinds = {name: type(learner(name, backbone())) for name in LEARNERS}
    assert kinds["ViT desde cero"] is ViT and kinds["media y capa lineal"] is PooledFeatures
    net = SmallCnn(CnnConfig(5, widths=(16, 32)))
    assert learner("híbrido congelado", net).frozen and not learner("híbrido ajustado", net).frozen
    assert learner("híbrido ajustado", net).embedding.backbone is net
    assert learner("híbrido desde cero", net).embedding.backbone is not net
    with pytest.raises(ValueError, match="no hay ninguna red 'RNN': usa ViT desde cero"):
        learner("RNN", net)


def test_classes_are_numbered_again():
    _, test = split_digits()
    new = only(test, NEW)
    assert len(new) == int((test.labels >= 5).sum())
    assert new.labels.unique().tolist() == [0, 1, 2, 3, 4]
    assert torch.equal(new.labels + 5, test.labels[test.labels >= 5])


def test_a_patch_of_another_size_is_refused():
    with pytest.raises(ValueError, match="mide 2 píxeles y patch_size=4: usa patch_size=2"):
        Hybrid(ViTConfig(10, patch_size=4, **SMALL), backbone())


def test_the_stored_comparison_is_whole():
    rows = load_results(NAME, settings())
    assert len(rows) == 7 * len(LEARNERS)
    mean = {n: sum(r["accuracy"] for r in rows if r["learner"] == n) / 7 for n in LEARNERS}
    assert mean["híbrido ajustado"] > mean["ViT desde cero"] + 0.01
