"""El ajuste fino aprende de pocas etiquetas y no toca el codificador del que parte."""

import copy

import torch

from tfcourse.models.bert import Bert, BertConfig
from tfcourse.text.bert.fine_tuning import (
    Labelled,
    TuningRecipe,
    classifier_accuracy,
    fine_tune,
    most_common_share,
    most_likely_classes,
)
from tfcourse.training.checkpoints import Checkpoint

SIZE = {"d_model": 16, "n_heads": 2, "n_layers": 1, "d_hidden": 32, "max_length": 24}


def labelled_toy(n=32) -> Labelled:
    torch.manual_seed(0)
    tokens = torch.randint(7, 12, (n, 6))
    labels = torch.arange(n) % 2
    tokens[:, 2] = 12 + labels
    return Labelled(tokens, torch.full((n,), 6), labels)


def test_fine_tuning_learns_and_leaves_the_original_alone():
    torch.manual_seed(0)
    encoder = Bert(BertConfig(20, **SIZE))
    before = copy.deepcopy(encoder.state_dict())
    data = labelled_toy()
    model = fine_tune(encoder, data, 2, TuningRecipe(steps=60, lr=1e-2), seed=0)
    assert classifier_accuracy(model, data) == 1.0 and most_common_share(data.labels) == 0.5
    assert all(torch.equal(before[name], value) for name, value in encoder.state_dict().items())
    moved = model.encoder.state_dict()
    assert not torch.equal(moved["embedding.table.weight"], before["embedding.table.weight"])
    still = fine_tune(encoder, data, 2, TuningRecipe(steps=3, lr=0.0), seed=0)
    assert torch.equal(still.encoder.embedding.table.weight, encoder.embedding.table.weight)
    assert float(still.output.bias.detach().abs().max()) > 0
    again = fine_tune(encoder, data, 2, TuningRecipe(steps=60, lr=1e-2), seed=0)
    torch.testing.assert_close(again.output.weight, model.output.weight)


def test_the_most_likely_class_does_not_depend_on_the_batch():
    torch.manual_seed(0)
    encoder = Bert(BertConfig(20, **SIZE))
    data = labelled_toy(10)
    lengths = torch.tensor([6, 3] * 5)  # en un lote de uno, los cortos no llevan relleno
    model = fine_tune(encoder, data, 3, TuningRecipe(steps=5, lr=1e-2), seed=0)
    at_once = most_likely_classes(model, data.tokens, lengths)
    assert torch.equal(at_once, most_likely_classes(model, data.tokens, lengths, batch_size=1))
    with torch.no_grad():
        expected = model(data.tokens, lengths).argmax(dim=-1)
    assert torch.equal(at_once, expected)


def test_what_is_already_fine_tuned_is_loaded(tmp_path):
    torch.manual_seed(0)
    encoder, data = Bert(BertConfig(20, **SIZE)), labelled_toy()
    point = Checkpoint(tmp_path / "ajuste.safetensors", every=2)
    recipe = TuningRecipe(steps=4, lr=1e-2)
    first = fine_tune(encoder, data, 2, recipe, checkpoint=point)
    written = point.path.stat().st_mtime_ns
    again = fine_tune(encoder, data, 2, recipe, checkpoint=point)
    assert point.path.stat().st_mtime_ns == written
    assert torch.equal(again.output.weight, first.output.weight)
