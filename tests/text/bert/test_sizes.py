"""La familia de BERT: los parámetros, contra los modelos, los artículos y transformers."""

import pytest
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from tfcourse.models.bert import VARIANTS, BertConfig, MaskedLM
from tfcourse.text.bert.sizes import (
    PUBLISHED,
    body_macs,
    count_parameters,
    family_table,
    head_macs,
    xlnet_parameters,
)


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


@pytest.mark.parametrize("changes", [{}, {"d_embedding": 6, "shared_layers": True}])
def test_multiplications_are_those_that_pytorch_counts(changes):
    config = BertConfig(
        50, d_model=24, n_heads=3, n_layers=4, d_hidden=40, max_length=16, **changes
    )
    model, length = MaskedLM(config).eval(), 10
    tokens = torch.randint(7, 50, (1, length))
    # El núcleo rápido de la CPU no se cuenta: con el de las fórmulas, sí.
    plain = sdpa_kernel(SDPBackend.MATH)
    with torch.no_grad(), plain, FlopCounterMode(display=False) as body:
        states = model.bert(tokens, torch.tensor([length]))
    with torch.no_grad(), FlopCounterMode(display=False) as head:
        model.head(states)
    assert 2 * length * body_macs(config, length) == body.get_total_flops()
    assert 2 * length * head_macs(config) == head.get_total_flops()


def test_the_head_of_a_real_bert_is_a_quarter_of_its_body():
    config = BertConfig(**VARIANTS["BERT-base"])
    assert head_macs(config) == 768 * (768 + 30_522)
    assert [round(body_macs(config, length) / 1e6, 1) for length in (128, 512)] == [87.3, 94.4]
