"""La familia de BERT: los parámetros, contra los modelos, los artículos y transformers."""

import pytest
import torch

from tfcourse.models.bert import VARIANTS, BertConfig, MaskedLM
from tfcourse.text.bert.sizes import PUBLISHED, count_parameters, family_table, xlnet_parameters


@pytest.mark.parametrize("name", VARIANTS)
def test_count_equals_the_model(name):
    config = BertConfig(**{"n_tokens": 100} | VARIANTS[name])
    with torch.device("meta"):
        model = MaskedLM(config)
    count = count_parameters(config)
    assert count.total == sum(p.numel() for p in model.parameters())
    assert count.body == sum(p.numel() for p in model.bert.parameters())


@pytest.mark.parametrize("name", PUBLISHED)
def test_counts_are_within_two_per_cent_of_the_papers(name):
    row = next(row for row in family_table() if row["name"] == name)
    assert abs(row["error"]) < 0.02
    assert row["megabytes"] == row["total"] * 4 / 1e6


def test_counts_equal_the_library():
    t = pytest.importorskip("transformers")
    large = {
        "hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16,
        "intermediate_size": 4096,
    }  # fmt: skip
    models = {
        "BERT-base": (t.BertModel, t.BertConfig()),
        "BERT-large": (t.BertModel, t.BertConfig(**large)),
        "RoBERTa-large": (t.RobertaModel, t.RobertaConfig(
            vocab_size=50_265, max_position_embeddings=514, type_vocab_size=1, **large)),
        "DistilBERT": (t.DistilBertModel, t.DistilBertConfig()),
        "ALBERT-large": (t.AlbertModel, t.AlbertConfig(**large)),
    }  # fmt: skip
    for name, (kind, config) in models.items():
        with torch.device("meta"):
            expected = sum(p.numel() for p in kind(config).parameters())
        assert count_parameters(BertConfig(**VARIANTS[name])).body == expected, name
    with torch.device("meta"):
        xlnet = t.XLNetLMHeadModel(t.XLNetConfig())
    config = BertConfig(**VARIANTS["BERT-large"] | {"n_tokens": 32_000})
    assert xlnet_parameters(config).total == sum(p.numel() for p in xlnet.parameters())
