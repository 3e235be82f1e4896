"""MAE: qué se tapa, qué puede ver, que pinta lo que `transformers` y que aprende."""

from dataclasses import replace

import pytest
import torch
import transformers as library

from tests.official.reference_models import TEXT, noise, shaken
from tfcourse.models.masked_autoencoder import (
    MAEConfig,
    MaskedAutoencoder,
    random_masking,
    taken,
)
from tfcourse.official.conversion import convert
from tfcourse.official.family import set_eps
from tfcourse.official.vit_encoders import MAE
from tfcourse.vision.self_supervision.losses import patch_targets, reconstruction_loss

SMALL = MAEConfig(
    image_size=8, d_model=16, n_heads=2, n_layers=2, d_hidden=24,
    decoder_width=12, decoder_heads=2, decoder_layers=2, decoder_hidden=20,
)  # fmt: skip


def model(config=SMALL):
    torch.manual_seed(0)
    return MaskedAutoencoder(config).double().eval()


def masked(n=3, share=0.5, seed=0):
    generator = torch.Generator().manual_seed(seed)
    images = torch.rand(n, 1, 8, 8, generator=generator, dtype=torch.double)
    return images, *random_masking(torch.rand(n, 16, generator=generator), share)


@pytest.mark.parametrize("share", [0.0, 0.25, 0.6, 0.75, 0.93])
def test_as_many_as_asked_and_each_one_once(share):
    kept, hidden = random_masking(torch.rand(40, 16), share)
    assert kept.shape == (40, int(16 * (1 - share)))
    for row, covered in zip(kept, hidden, strict=True):
        assert len(set(row.tolist())) == len(row)
        assert sorted([*row.tolist(), *covered.nonzero().flatten().tolist()]) == list(range(16))


def test_every_patch_is_hidden_as_often():
    _, hidden = random_masking(
        torch.rand(4_000, 16, generator=torch.Generator().manual_seed(0)), 0.75
    )
    assert (hidden.double().mean(0) - 0.75).abs().max() < 0.03


def test_impossible_shares_are_explained():
    for share in (1.0, 0.97, -0.1):
        with pytest.raises(ValueError, match="quedar alguno a la vista"):
            random_masking(torch.rand(2, 16), share)
    with pytest.raises(ValueError, match="decoder_layers=0: tiene que ser al menos 1"):
        MAEConfig(decoder_layers=0)
    with pytest.raises(ValueError, match="no se reparte en parches"):
        MAEConfig(patch_size=3)


def test_taken_takes_the_tokens_of_each_image():
    tokens, kept = torch.arange(24.0).view(2, 4, 3), torch.tensor([[3, 0], [1, 2]])
    wanted = torch.stack([tokens[0, [3, 0]], tokens[1, [1, 2]]])
    assert taken(tokens, kept).equal(wanted)


def test_what_is_hidden_is_not_seen():
    net, (images, kept, hidden) = model(), masked()
    changed = images.clone()
    patches = patch_targets(images, 2, normed=False)
    patches[hidden] += 1.0
    changed = net.drawn(patches)
    assert not changed.equal(images)
    torch.testing.assert_close(net(changed, kept), net(images, kept))
    patches[~hidden] += 1.0
    assert not torch.allclose(net(net.drawn(patches), kept), net(images, kept))


def test_the_order_of_what_is_seen_does_not_matter():
    net, (images, kept, _) = model(), masked()
    torch.testing.assert_close(net(images, kept.flip(1)), net(images, kept))


def test_nothing_hidden_is_the_plain_encoder():
    net, (images, kept, _) = model(), masked(share=0.0)
    assert kept.shape == (3, 16)
    torch.testing.assert_close(net.read(images, kept.sort(1).values), net.encoder(images))


def library_mae():
    """El de la biblioteca, diminuto, y el nuestro con sus números."""
    theirs = shaken(library.ViTMAEForPreTraining(library.ViTMAEConfig(
        image_size=32, patch_size=8, mask_ratio=0.75, norm_pix_loss=True,
        decoder_hidden_size=12, decoder_num_hidden_layers=2, decoder_num_attention_heads=2,
        decoder_intermediate_size=20, **TEXT,
    )))  # fmt: skip
    config = MAEConfig(
        32, 8, 3, 16, 2, 2, 24, decoder_width=12, decoder_heads=2, decoder_layers=2,
        decoder_hidden=20,
    )  # fmt: skip
    ours = MaskedAutoencoder(config).double().eval()
    names = theirs.state_dict()
    encoder = {f"encoder.{name}": value for name, value in convert(names, MAE.table).items()}
    ours.load_state_dict(encoder | decoder_state(theirs.decoder))
    set_eps(ours, theirs.config.layer_norm_eps)
    return theirs, ours


def decoder_state(decoder):
    """Los números de su decodificador, con nuestros nombres y en el orden de nuestros parches."""
    order = torch.arange(192).view(8, 8, 3).permute(2, 0, 1).flatten()  # (p, q, c) → (c, p, q)
    found = {
        "mask_token": decoder.mask_token.flatten(),
        "positions.table.weight": decoder.decoder_pos_embed[0],
        "head.weight": decoder.decoder_pred.weight[order],
        "head.bias": decoder.decoder_pred.bias[order],
    }
    pairs = [("narrow", decoder.decoder_embed), ("norm", decoder.decoder_norm)]
    for place, layer in enumerate(decoder.decoder_layers):
        attention, block = layer.attention, f"blocks.{place}"
        pairs += [
            (f"{block}.attention.q_proj", attention.q_proj),
            (f"{block}.attention.k_proj", attention.k_proj),
            (f"{block}.attention.v_proj", attention.v_proj),
            (f"{block}.attention.out_proj", attention.o_proj),
            (f"{block}.around_attention.norm", layer.layernorm_before),
            (f"{block}.around_feed_forward.norm", layer.layernorm_after),
            (f"{block}.feed_forward.hidden", layer.mlp.fc1),
            (f"{block}.feed_forward.output", layer.mlp.fc2),
        ]
    for name, piece in pairs:
        gain = "gain" if name.endswith("norm") else "weight"
        found |= {f"{name}.{gain}": piece.weight, f"{name}.bias": piece.bias}
    return found


def test_it_paints_and_loses_what_the_library_does():
    theirs, ours = library_mae()
    images, chance = noise(2, 3, 32, 32), torch.rand(2, 16, dtype=torch.double)
    with torch.no_grad():
        wanted = theirs(images, noise=chance)
        kept, hidden = random_masking(chance, 0.75)
        painted = ours(images, kept)
    assert hidden.equal(wanted.mask.bool())
    order = torch.arange(192).view(8, 8, 3).permute(2, 0, 1).flatten()
    torch.testing.assert_close(painted, wanted.logits[..., order], atol=1e-9, rtol=0)
    loss = reconstruction_loss(painted, patch_targets(images, 8), hidden)
    torch.testing.assert_close(loss, wanted.loss, atol=1e-9, rtol=0)


@pytest.mark.lento
def test_it_memorises_a_batch():
    net = model(replace(SMALL, d_model=32, d_hidden=64)).float().train()
    images, kept, hidden = masked()
    images = images.float()
    optimizer = torch.optim.Adam(net.parameters(), 1e-2)
    for _ in range(200):
        loss = reconstruction_loss(
            net(images, kept), patch_targets(images, 2, normed=False), hidden
        )
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss < 0.01
