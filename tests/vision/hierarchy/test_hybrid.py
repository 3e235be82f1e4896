"""Aprender cifras nuevas con lo que se sabe de otras: cada aprendiz es lo que dice."""

import pytest
import torch

from tfcourse.datasets.pictures.digits import few_per_class, split_digits
from tfcourse.models.cnn import CnnConfig, SmallCnn
from tfcourse.models.hybrid import Hybrid
from tfcourse.models.vit import ViT, ViTConfig
from tfcourse.training.budget import Steps
from tfcourse.vision.classification.recipe import Recipe, fit_classifier
from tfcourse.vision.hierarchy.hybrid import LEARNERS, NEW, PooledFeatures, build, only, train

SMALL = {"d_model": 16, "n_heads": 4, "n_layers": 1, "d_hidden": 24}


def backbone():
    torch.manual_seed(0)
    return SmallCnn(CnnConfig(5, widths=(8, 16))).eval()


@pytest.mark.parametrize("frozen", [True, False])
def test_a_frozen_network_does_not_learn(frozen):
    data, _ = split_digits()
    model = Hybrid(ViTConfig(10, **SMALL), backbone(), frozen=frozen)
    before = {name: value.clone() for name, value in model.embedding.backbone.state_dict().items()}
    fit_classifier(model, Recipe(steps=3, batch_size=8), 0, few_per_class(data, 2))
    same = [
        torch.equal(value, before[name])
        for name, value in model.embedding.backbone.layers.state_dict(prefix="layers.").items()
    ]
    assert all(same) if frozen else not any(same)


def test_learners_are_what_they_say():
    kinds = {name: type(build(recipe, backbone())) for name, recipe in LEARNERS.items()}
    assert kinds["ViT desde cero"] is ViT and kinds["media y capa lineal"] is PooledFeatures
    net = SmallCnn(CnnConfig(5, widths=(16, 32)))
    assert (
        build(LEARNERS["híbrido congelado"], net).frozen
        and not build(LEARNERS["híbrido ajustado"], net).frozen
    )
    assert build(LEARNERS["híbrido ajustado"], net).embedding.backbone is net
    assert build(LEARNERS["híbrido desde cero"], net).embedding.backbone is not net
    with pytest.raises(ValueError, match="no hay ninguna red 'RNN': usa ViT desde cero"):
        build(Recipe(network="RNN"), net)


def test_classes_are_numbered_again():
    _, test = split_digits()
    new = only(test, NEW)
    assert len(new) == int((test.labels >= 5).sum())
    assert new.labels.unique().tolist() == [0, 1, 2, 3, 4]
    assert torch.equal(new.labels + 5, test.labels[test.labels >= 5])


def test_a_learner_works_on_a_copy_of_the_network():
    data, _ = split_digits()
    net, few = backbone(), few_per_class(only(data, NEW), 2)
    before = [p.clone() for p in net.parameters()]
    done = train(LEARNERS["híbrido ajustado"], 0, Steps(2), backbone=net, data=few)
    assert len(done.history.loss) == 2 and not done.model.training
    assert all(torch.equal(a, b) for a, b in zip(before, net.parameters(), strict=True))
