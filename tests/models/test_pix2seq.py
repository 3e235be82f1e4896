"""Pix2Seq: de una vez y palabra a palabra es lo mismo, no ve el futuro y aprende un lote."""

import math

import pytest
import torch
from torch import nn

from tfcourse.datasets.scenes.box_sequences import Writing, sequence_batches
from tfcourse.layers.image.patch_head import PatchHead, patch_labels, patch_loss
from tfcourse.layers.writing_block import WritingBlock
from tfcourse.models.pix2seq import Pix2Seq, Pix2SeqConfig, fine_waves
from tfcourse.vision.box_language.writing import WritingLoss, write_objects

SMALL = {"d_model": 32, "n_heads": 4, "d_hidden": 64}


@pytest.fixture
def model():
    torch.manual_seed(0)
    return Pix2Seq(Pix2SeqConfig(4, **SMALL)).double().eval()


PLAIN = Writing()


def batch(writing=PLAIN, size=3):
    images, *rest = next(sequence_batches(size, 0, Pix2SeqConfig(4).vocabulary, writing))
    return images.double(), *rest


def test_word_by_word_is_the_same_as_at_once(model):
    images, inputs, *_ = batch()
    whole = model(images, inputs)[:, 0]
    state, steps = model.start(images), []
    for place in range(inputs.shape[-1]):
        logits, state = model.step(inputs[:, 0, place : place + 1], state)
        steps.append(logits)
    torch.testing.assert_close(torch.stack(steps, 1), whole)


def test_copies_are_as_if_alone(model):
    images, inputs, *_ = batch(Writing(copies=3))
    together = model(images, inputs)
    for k in range(3):
        torch.testing.assert_close(together[:, k : k + 1], model(images, inputs[:, k : k + 1]))


def test_the_future_changes_nothing_before(model):
    images, inputs, *_ = batch()
    changed = inputs.clone()
    changed[..., 7:] = (changed[..., 7:] + 1) % len(model.vocabulary)
    before, after = model(images, inputs), model(images, changed)
    torch.testing.assert_close(before[..., :7, :], after[..., :7, :])
    assert not torch.allclose(before[..., 7:, :], after[..., 7:, :])


def test_the_writing_block_is_a_transformer_decoder_layer():
    torch.manual_seed(0)
    ours = WritingBlock(16, 2, 32).double()
    theirs = nn.TransformerDecoderLayer(
        16, 2, 32, dropout=0.0, batch_first=True, norm_first=True
    ).double()
    for name, target in (
        ("attention", theirs.self_attn),
        ("cross_attention", theirs.multihead_attn),
    ):
        source = getattr(ours, name)
        weights = [getattr(source, f"{part}_proj").weight for part in "qkv"]
        biases = [getattr(source, f"{part}_proj").bias for part in "qkv"]
        target.in_proj_weight.data = torch.cat(weights)
        target.in_proj_bias.data = torch.cat(biases)
        target.out_proj.load_state_dict(source.out_proj.state_dict())
    theirs.linear1.load_state_dict(ours.feed_forward.hidden.state_dict())
    theirs.linear2.load_state_dict(ours.feed_forward.output.state_dict())
    x, memory = torch.randn(2, 5, 16).double(), torch.randn(2, 7, 16).double()
    mask = nn.Transformer.generate_square_subsequent_mask(5, dtype=torch.float64)
    wanted = theirs(x, memory, tgt_mask=mask)
    torch.testing.assert_close(ours(x, memory), wanted)
    torch.testing.assert_close(ours.write(x, ours.read(memory)), wanted)


def test_the_maps_are_of_the_cells_that_are_mixed(model):
    images, inputs, *_ = batch()
    maps = model.attention_maps(images, inputs)
    assert [layer.shape for layer in maps.cross] == [(3, 4, 21, 64)] * 2
    memory, before = model.encode(images), model.embed(inputs[:, 0])
    for block, layer in zip(model.decoder, maps.cross, strict=True):
        x = block.around_attention(before, lambda y, block=block: block.attention(y, y, y))
        _, v = block.read(memory)
        mixed = layer @ v
        wanted = block.cross_attention.out_proj(mixed.transpose(1, 2).flatten(2))
        seen = block.look(block.around_cross_attention.seen(x), block.read(memory))
        torch.testing.assert_close(seen, wanted)
        before = block(before, memory)


def test_the_memory_says_where_each_cell_is():
    """Ondas de ocho vueltas por imagen, cada vez más lentas: la x delante y la y detrás."""
    torch.manual_seed(0)
    model, images = Pix2Seq(Pix2SeqConfig(4, **SMALL)).double().eval(), batch()[0]
    added = model.encode(images) - model.encoder(images)[0]
    row, column, each = 2, 5, SMALL["d_model"] // 2
    wanted = []
    for place in ((column + 0.5) / 8, (row + 0.5) / 8):
        for i in range(0, each, 2):
            angle = 2 * math.pi * 8 * place / 16 ** (i / each)
            wanted += [0.5 * math.sin(angle), 0.5 * math.cos(angle)]
    assert added[0, 8 * row + column].tolist() == pytest.approx(wanted, abs=1e-5)


def test_the_content_of_a_flat_image_knows_its_place():
    """El codificador es el de DETR con la posición sumada también a la entrada."""
    torch.manual_seed(0)
    encoder = Pix2SeqConfig(4, n_encoder=0, **SMALL).encoder().eval()
    memory, _ = encoder(torch.full((1, 3, 128, 128), 0.5))
    middle = memory.view(16, 16, 32)[6:10, 6:10].flatten(0, 1)
    assert torch.cdist(middle, middle).max() > 0.1


def test_a_word_changes_with_its_place(model):
    said = model.embed(torch.full((1, 6), 3))[0]
    torch.testing.assert_close(said - said[:1], model.places.weight[:6] - model.places.weight[:1])
    assert (torch.cdist(said, said) + torch.eye(6)).min() > 0.1
    torch.testing.assert_close(model.embed(torch.full((1, 2), 3), 4)[0], said[4:])


def test_neighbouring_coordinates_start_alike():
    torch.manual_seed(0)
    table = Pix2Seq(Pix2SeqConfig(4)).words.weight[:65]
    near = (table[1:] - table[:-1]).norm(dim=1).mean()
    far = (table[20:] - table[:-20]).norm(dim=1).mean()
    assert near < 0.5 * far
    waves = fine_waves(torch.linspace(0, 1, 65)[:, None], 96)
    gaps = torch.cdist(waves, waves) + 99 * torch.eye(65)
    assert gaps.min() > 0.5  # ninguna marca se confunde con otra


@pytest.mark.lento
def test_it_learns_a_batch_by_heart():
    torch.manual_seed(0)
    model = Pix2Seq(Pix2SeqConfig(4, d_model=48, n_heads=4, d_hidden=96))
    data = next(sequence_batches(4, 0, model.vocabulary, Writing("sitio")))
    loss_fn = WritingLoss(model.vocabulary, 0.0)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for _ in range(150):
        loss = loss_fn(model, data)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert float(loss.detach()) < 0.1
    model.eval()
    reading = write_objects(model, model.start(data[0]), 4, 4)
    first = data[2][:, 0, :5]
    assert (reading.words[:, 0] == first).float().mean() > 0.9


def test_each_copy_looks_as_if_alone(model):
    """Las secuencias de una imagen van seguidas: la k de la imagen b es la fila 3b + k."""
    images, inputs, *_ = batch(Writing(copies=3))
    together = model.attention_maps(images, inputs)
    for k in range(3):
        alone = model.attention_maps(images, inputs[:, k : k + 1])
        torch.testing.assert_close([layer[k::3] for layer in together.cross], alone.cross)
        torch.testing.assert_close([layer[k::3] for layer in together.decoder], alone.decoder)


def test_the_patch_labels_are_the_points_of_each_cell():
    semantic = torch.randint(5, (2, 64, 64))
    labels = patch_labels(semantic, 8)
    for cell, point in ((0, 0), (13, 6), (63, 15)):
        row = 8 * (cell // 8) + 2 * (point // 4)
        column = 8 * (cell % 8) + 2 * (point % 4)
        assert (labels[:, cell, point] == semantic[:, row, column]).all()


def test_the_patch_loss_is_zero_when_all_is_right():
    semantic = torch.randint(5, (2, 64, 64))
    right = nn.functional.one_hot(patch_labels(semantic, 8), 5).float() * 50
    assert patch_loss(right, semantic) < 1e-6
    assert PatchHead(16, 4)(torch.rand(2, 64, 16)).shape == (2, 64, 16, 5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Pix2SeqConfig(4, max_objects=0), "algún objeto"),
        (lambda: patch_labels(torch.zeros(1, 60, 60).long(), 8), "no se reparte"),
    ],
)
def test_misuse_is_explained(call, message):
    with pytest.raises(ValueError, match=message):
        call()
