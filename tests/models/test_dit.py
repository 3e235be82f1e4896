"""DiT: sus formas, lo que dice al empezar, de qué depende y que aprende."""

from dataclasses import replace

import pytest
import torch

from tfcourse.models.dit import DiT, DiTConfig

SMALL = DiTConfig(3, image_size=4, patch_size=2, d_model=16, n_heads=2, n_layers=2, d_hidden=24)


def model(config=SMALL, *, moved=True):
    torch.manual_seed(0)
    made = DiT(config).double()
    if moved:
        for value in made.parameters():
            torch.nn.init.normal_(value, std=0.3)
    return made


def inputs(config=SMALL, n=4):
    generator = torch.Generator().manual_seed(2)
    side = config.image_size
    images = torch.randn(n, config.channels, side, side, generator=generator, dtype=torch.double)
    times = torch.rand(n, generator=generator, dtype=torch.double)
    return images, times, torch.arange(n) % (config.n_classes + 1)


def test_it_answers_an_image_and_starts_saying_zero():
    for config in (SMALL, replace(SMALL, channels=3, patch_size=1)):
        images, times, classes = inputs(config)
        said = model(config, moved=False)(images, times, classes)
        assert said.shape == images.shape and not said.any()


def test_time_and_class_change_the_answer_of_their_example_only():
    net, (images, times, classes) = model(), inputs()
    before = net(images, times, classes)
    later, other = times.clone(), classes.clone()
    later[0] += 0.1
    other[1] = SMALL.no_class
    after = net(images, later, other)
    changed = (after - before).abs().amax((1, 2, 3))
    assert changed[0] > 1e-4 and changed[1] > 1e-4 and changed[2] == changed[3] == 0


def test_every_patch_looks_at_every_other_and_knows_its_place():
    net, (images, times, classes) = model(), inputs()
    corner = images.clone()
    corner[:, :, 0, 0] += 1
    assert ((net(corner, times, classes) - net(images, times, classes)).abs() > 1e-9).all()
    swapped = images.roll(2, dims=-1)
    assert not torch.allclose(net(swapped, times, classes), net(images, times, classes).roll(2, -1))
    (first, second) = net.attention_maps(images, times, classes)
    x, condition = net.tokens(images), net.condition(times, classes)
    torch.testing.assert_close(first, net.blocks[0].attention_maps(x, condition))
    x = net.blocks[0](x, condition)
    torch.testing.assert_close(second, net.blocks[1].attention_maps(x, condition))


@pytest.mark.lento
def test_it_memorises_a_batch():
    net = model(moved=False).float()
    images, times, classes = (value.float() if value.is_floating_point() else value
                              for value in inputs())  # fmt: skip
    wanted = images.flip(-1)
    optimizer = torch.optim.Adam(net.parameters(), 1e-2)
    for _ in range(150):
        loss = (net(images, times, classes) - wanted).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss < 0.02


def test_other_sizes_are_explained():
    net, (_, times, classes) = model(), inputs()
    with pytest.raises(ValueError, match=r"forma \(1, 8, 8\) y el modelo espera \(1, 4, 4\)"):
        net(torch.zeros(4, 1, 8, 8).double(), times, classes)
    with pytest.raises(ValueError, match="no se reparte en parches de 3 × 3"):
        replace(SMALL, patch_size=3)
