"""BERT: paridad con transformers, dos lados, relleno, variantes y aprendizaje."""

import pytest
import torch
from torch import nn

from tests.layers.torch_blocks import copy_norm
from tfcourse.models.bert import Bert, BertConfig, MaskedLM

SMALL = {"d_model": 16, "n_heads": 4, "n_layers": 2, "d_hidden": 24, "max_length": 12}
TOKENS = torch.tensor([[4, 7, 9, 5, 8, 5], [4, 10, 6, 5, 0, 0]])
LENGTHS = torch.tensor([6, 4])
SEGMENTS = torch.tensor([[0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 0, 0]])


def masked_lm(**options):
    torch.manual_seed(0)
    return shaken(MaskedLM(BertConfig(11, **SMALL | options)).double().eval())


@torch.no_grad()
def shaken(model):
    """Mueve todos los pesos: con sesgos a cero y ganancias a uno, un fallo puede no notarse."""
    for parameter in model.parameters():
        parameter += 0.1 * torch.randn_like(parameter)
    return model


@torch.no_grad()
def copy_encoder(theirs, ours: Bert):
    """BertModel de transformers ← el nuestro."""
    tables, embedding = theirs.embeddings, ours.embedding
    tables.word_embeddings.weight.copy_(embedding.table.weight)
    tables.position_embeddings.weight.copy_(embedding.positions.table.weight)
    tables.token_type_embeddings.weight.copy_(embedding.segments.weight)
    copy_norm(tables.LayerNorm, embedding.norm)
    for layer, block in zip(theirs.encoder.layer, ours.blocks, strict=True):
        inner = layer.attention.self
        for name, projection in (("query", "q_proj"), ("key", "k_proj"), ("value", "v_proj")):
            getattr(inner, name).load_state_dict(getattr(block.attention, projection).state_dict())
        layer.attention.output.dense.load_state_dict(block.attention.out_proj.state_dict())
        layer.intermediate.dense.load_state_dict(block.feed_forward.hidden.state_dict())
        layer.output.dense.load_state_dict(block.feed_forward.output.state_dict())
        copy_norm(layer.attention.output.LayerNorm, block.around_attention.norm)
        copy_norm(layer.output.LayerNorm, block.around_feed_forward.norm)
    if theirs.pooler is not None:
        theirs.pooler.dense.load_state_dict(ours.pooler[0].state_dict())


def library_config(**options):
    transformers = pytest.importorskip("transformers")
    return transformers.BertConfig(
        vocab_size=11, hidden_size=16, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=24, max_position_embeddings=12, attn_implementation="eager",
        **options,
    )  # fmt: skip


def test_encoder_and_summary_equal_the_library():
    transformers = pytest.importorskip("transformers")
    ours = masked_lm().bert
    theirs = transformers.BertModel(library_config()).double().eval()
    copy_encoder(theirs, ours)
    kept = torch.arange(6) < LENGTHS[:, None]
    with torch.no_grad():
        expected = theirs(TOKENS, attention_mask=kept.long(), token_type_ids=SEGMENTS)
        states = ours(TOKENS, LENGTHS, SEGMENTS)
        torch.testing.assert_close(
            states[kept], expected.last_hidden_state[kept], atol=1e-10, rtol=0
        )
        torch.testing.assert_close(ours.summary(states), expected.pooler_output, atol=1e-10, rtol=0)


def test_masked_logits_equal_the_library():
    transformers = pytest.importorskip("transformers")
    ours = masked_lm()
    theirs = transformers.BertForMaskedLM(library_config()).double().eval()
    copy_encoder(theirs.bert, ours.bert)
    with torch.no_grad():
        predictions = theirs.cls.predictions
        predictions.transform.dense.load_state_dict(ours.head.transform.state_dict())
        copy_norm(predictions.transform.LayerNorm, ours.head.norm)
        predictions.decoder.bias.copy_(ours.head.output.bias)
        kept = torch.arange(6) < LENGTHS[:, None]
        expected = theirs(TOKENS, attention_mask=kept.long()).logits
        torch.testing.assert_close(ours(TOKENS, LENGTHS)[kept], expected[kept], atol=1e-10, rtol=0)


def test_only_the_chosen_positions_pay_for_the_head():
    model, chosen = masked_lm(), torch.zeros_like(TOKENS, dtype=torch.bool)
    chosen[0, 2] = chosen[1, 1] = True
    everything = model(TOKENS, LENGTHS)
    torch.testing.assert_close(model(TOKENS, LENGTHS, chosen), everything[chosen])


def test_reads_both_sides_and_never_the_padding():
    model = masked_lm().bert
    states = model(TOKENS, LENGTHS)
    for position in (1, 4):
        changed = TOKENS.clone()
        changed[0, position] = 10
        moved = (model(changed, LENGTHS) - states)[0].abs().amax(dim=-1)
        assert (moved > 1e-4).all(), "un token no llega a alguna posición"
    noisy = TOKENS.clone()
    noisy[1, 4:] = 9
    torch.testing.assert_close(model(noisy, LENGTHS)[1, :4], states[1, :4])
    torch.testing.assert_close(model(TOKENS[1:, :4], LENGTHS[1:])[0], states[1, :4])


def test_segments_and_order_matter():
    model = masked_lm().bert
    states = model(TOKENS, LENGTHS)
    torch.testing.assert_close(model(TOKENS, LENGTHS, torch.zeros_like(TOKENS)), states)
    assert (model(TOKENS, LENGTHS, SEGMENTS) - states).abs().max() > 1e-3
    turned = TOKENS[:1].flip(1)
    assert (model(turned, LENGTHS[:1]).flip(1) - states[:1]).abs().max() > 1e-3


def test_shared_layers_are_one_block_many_times():
    model = masked_lm(shared_layers=True, n_layers=3, d_embedding=6).bert
    assert len(model.blocks) == 1 and len(model.layers()) == 3
    x = model.embedding(TOKENS[:1])
    assert x.shape[-1] == 16 and model.embedding.table.weight.shape == (11, 6)
    for _ in range(3):
        x = model.blocks[0](x)
    torch.testing.assert_close(model(TOKENS[:1], LENGTHS[:1]), x)


def test_maps_are_those_of_each_layer_and_sum_to_one():
    maps = masked_lm().bert.attention_maps(TOKENS, LENGTHS)
    assert [tuple(m.shape) for m in maps] == [(len(TOKENS), 4, 6, 6)] * 2
    torch.testing.assert_close(maps[1].sum(-1), torch.ones(len(TOKENS), 4, 6, dtype=torch.double))
    for length, weights in zip(LENGTHS, maps[1], strict=True):
        assert torch.all(weights[..., length:] == 0)
    assert (maps[0] - maps[1]).abs().max() > 1e-3


def test_starts_as_in_the_paper():
    torch.manual_seed(0)
    model = MaskedLM(BertConfig(500, d_model=64, n_heads=4, n_layers=2, d_hidden=256))
    for layer in model.modules():
        if isinstance(layer, nn.Linear | nn.Embedding) and layer.weight.numel() > 1000:
            assert abs(float(layer.weight.detach().std()) - 0.02) < 0.002
    assert float(model.head.output.bias.detach().abs().max()) == 0.0
    assert model.head.output.weight is model.bert.embedding.table.weight


@pytest.mark.lento
def test_memorizes_a_batch():
    torch.manual_seed(0)
    model = MaskedLM(BertConfig(30, d_model=32, n_heads=4, n_layers=2, d_hidden=64)).train()
    tokens = torch.randint(7, 30, (8, 10))
    read, chosen = tokens.clone(), torch.rand(8, 10) < 0.3
    read[chosen] = 6
    lengths = torch.full((8,), 10)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for _ in range(150):
        loss = nn.functional.cross_entropy(model(read, lengths, chosen), tokens[chosen])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert float(loss.detach()) < 0.05


def test_wrong_use_says_what_to_do():
    with pytest.raises(ValueError, match="n_layers=0: tiene que ser al menos 1"):
        BertConfig(11, n_layers=0)
    with pytest.raises(ValueError, match="usa 0 .sin segmentos., 1 o 2"):
        BertConfig(11, n_segments=-1)
    with pytest.raises(ValueError, match="pooler=True"):
        model = masked_lm(pooler=False).bert
        model.summary(model(TOKENS, LENGTHS))
    with pytest.raises(ValueError, match="solo tiene 12 posiciones"):
        masked_lm()(torch.full((1, 13), 7), torch.tensor([13]))
