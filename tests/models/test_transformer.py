"""Transformer: paridad con nn.Transformer, máscaras, decodificación y aprendizaje."""

import pytest
import torch
from torch import nn

from tests.layers.torch_blocks import copy_block
from tfcourse.decoding import greedy_decode
from tfcourse.losses import teacher_forcing_loss
from tfcourse.models.transformer import VARIANTS, Transformer, TransformerConfig

SMALL = {"d_model": 16, "n_heads": 4, "n_layers": 2, "d_hidden": 24, "max_length": 20}


def model(n_source=11, n_target=13, **options):
    torch.manual_seed(0)
    return Transformer(TransformerConfig(n_source, n_target, **SMALL | options)).double().eval()


def batch():
    source = torch.tensor([[3, 4, 5, 6], [7, 8, 0, 0]])
    return source, torch.tensor([4, 2]), torch.tensor([[1, 5, 6], [1, 9, 2]])


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
@pytest.mark.parametrize("norm_first", [False, True])
def test_equals_torch_with_weights_copied(norm_first):
    ours = model(norm_first=norm_first)
    theirs = nn.Transformer(
        16, 4, 2, 2, 24, dropout=0.0, batch_first=True, norm_first=norm_first, dtype=torch.double
    )
    if not norm_first:  # PyTorch normaliza una vez más al final; en Post-LN el artículo no lo hace
        theirs.encoder.norm = theirs.decoder.norm = None
    source, lengths, target = batch()
    with torch.no_grad():
        for name in ("encoder", "decoder"):
            for their_block, our_block in zip(
                getattr(theirs, name).layers, getattr(ours, name), strict=True
            ):
                copy_block(their_block, our_block)
        padding = source == 0
        future = ~torch.ones(3, 3, dtype=torch.bool).tril()
        states = theirs(
            ours.source(source), ours.target(target), tgt_mask=future,
            src_key_padding_mask=padding, memory_key_padding_mask=padding,
        )  # fmt: skip
        expected = states @ ours.target.table.weight.T
        torch.testing.assert_close(ours(source, lengths, target), expected, atol=1e-6, rtol=0)


def test_padding_never_matters():
    ours, (source, lengths, target) = model(), batch()
    noisy = source.clone()
    noisy[1, 2:] = 10
    torch.testing.assert_close(ours(source, lengths, target), ours(noisy, lengths, target))
    alone = ours(source[1:, :2], lengths[1:], target[1:])
    torch.testing.assert_close(ours(source, lengths, target)[1:], alone)


def test_future_never_alters_the_past():
    ours, (source, lengths, target) = model(), batch()
    changed = target.clone()
    changed[:, 2] = 12
    before, after = ours(source, lengths, target), ours(source, lengths, changed)
    torch.testing.assert_close(before[:, :2], after[:, :2])
    assert (before[:, 2] - after[:, 2]).abs().max() > 1e-3


def test_order_of_the_source_matters():
    ours, (source, lengths, target) = model(), batch()
    turned = source.clone()
    turned[0] = source[0].flip(0)
    assert (ours(source, lengths, target)[0] - ours(turned, lengths, target)[0]).abs().max() > 1e-3


def test_step_by_step_equals_all_at_once():
    ours, (source, lengths, target) = model(), batch()
    state, logits = ours.start(source, lengths), []
    for position in range(target.shape[1]):
        step, state = ours.step(target[:, position : position + 1], state)
        logits.append(step)
    torch.testing.assert_close(torch.stack(logits, dim=1), ours(source, lengths, target))


def test_output_shares_its_matrix_with_the_embeddings():
    ours = model()
    names = [name for name, parameter in ours.named_parameters() if 13 in parameter.shape]
    assert names == ["target.table.weight"]


def test_size_of_the_base_model():
    """65 millones en la tabla 3 del artículo, con un vocabulario compartido de unos 37 000."""
    with torch.device("meta"):
        base = Transformer(TransformerConfig(37_000, 37_000, **VARIANTS["base"]))
    shared = base.source.table.weight.numel()
    millions = (sum(p.numel() for p in base.parameters()) - shared) / 1e6
    assert millions == pytest.approx(65, rel=0.05)


@pytest.mark.lento
def test_one_batch_is_learned_and_written_back():
    torch.manual_seed(0)
    ours = Transformer(TransformerConfig(11, 13, **SMALL))
    source, lengths, _ = batch()
    target = torch.tensor([[1, 5, 6, 2], [1, 9, 2, 0]])
    optimizer = torch.optim.Adam(ours.parameters(), lr=5e-3)
    for _ in range(150):
        loss = teacher_forcing_loss(ours, (source, lengths, target))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss.item() < 0.02
    state = ours.start(source, lengths)
    written = greedy_decode(ours.step, state, target[:, 0], stop_id=2, max_length=5)
    assert written.tolist() == [[5, 6, 2], [9, 2, 2]]


def test_unknown_positions_are_explained():
    with pytest.raises(ValueError, match="'rotatorias'; usa sinusoidales o aprendidas"):
        TransformerConfig(5, 5, positions="rotatorias")


def test_too_long_a_source_is_explained():
    with pytest.raises(ValueError, match="mide 21 y el modelo solo tiene 20"):
        model().encode(torch.full((1, 21), 3), torch.tensor([21]))


def test_embeddings_are_scaled_before_adding_the_position():
    embedding, tokens = model().source, torch.tensor([[3, 3]])
    scaled = embedding.table.weight[3] * 4  # √16
    positions = embedding.positions.table[:2].double()
    torch.testing.assert_close(embedding(tokens)[0], scaled + positions)


def test_selected_rows_go_on_writing_the_same():
    ours, (source, lengths, target) = model(), batch()
    _, state = ours.step(target[:, :1], ours.start(source, lengths))
    rows = torch.tensor([1, 0, 1])
    chosen, _ = ours.step(target[rows, 1:2], ours.select(state, rows))
    everything, _ = ours.step(target[:, 1:2], state)
    torch.testing.assert_close(chosen, everything[rows])


@pytest.mark.parametrize("norm_first", [False, True])
def test_attention_maps_rebuild_the_output(norm_first):
    """Con los mapas de una cabeza en lugar de la atención se obtiene la misma salida."""
    ours, (source, lengths, target) = model(norm_first=norm_first), batch()
    maps = ours.attention_maps(source, lengths, target)
    first = ours.decoder[0]
    seen = first.around_attention.seen(ours.target(target))
    values = first.attention.split(first.attention.v_proj(seen))
    mixed = (maps.decoder[0] @ values).transpose(1, 2).flatten(2)
    expected = first.attention(seen, seen, seen, mask=torch.ones(3, 3).tril().bool())
    torch.testing.assert_close(first.attention.out_proj(mixed), expected)
