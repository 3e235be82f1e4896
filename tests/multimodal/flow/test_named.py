"""El DiT al que se le dice un nombre: qué entra en la condición, qué se aprende y qué no."""

import pytest
import torch

from tfcourse.multimodal.flow.decoding import guided
from tfcourse.multimodal.flow.named import NameTable, build_named, train_named
from tfcourse.multimodal.flow.recipe import Recipe, draw

TINY = {
    "image_size": 8, "patch_size": 4, "channels": 3, "d_model": 16, "n_heads": 2, "n_layers": 1,
    "d_hidden": 16,
}  # fmt: skip
VECTORS = torch.randn(5, 6, generator=torch.Generator().manual_seed(0))


def test_a_name_is_its_vector_and_silence_is_zeros():
    torch.manual_seed(0)
    table = NameTable(VECTORS, 16)
    read = table(torch.tensor([3, 5]))
    given = torch.stack([VECTORS[3], torch.zeros(6)])
    hidden = given @ table.hidden.weight.T + table.hidden.bias
    expected = (hidden * hidden.sigmoid()) @ table.output.weight.T + table.output.bias
    torch.testing.assert_close(read, expected)
    assert {name for name, _ in table.named_parameters()} == {
        f"{layer}.{part}" for layer in ("hidden", "output") for part in ("weight", "bias")
    }
    assert "vectors" not in table.state_dict()


def test_without_guidance_the_name_does_not_matter_and_equal_vectors_are_the_same_name():
    torch.manual_seed(0)
    twins = VECTORS[[0, 1, 1]]
    model = build_named(Recipe(options=TINY), twins).eval()
    for value in model.parameters():  # recién hecho no mira nada
        torch.nn.init.normal_(value, std=0.3)
    x, times = torch.randn(2, 3, 8, 8), torch.tensor([0.3, 0.6])

    def velocity(names, guidance):
        return guided(model, torch.tensor(names), guidance)(x, times)

    torch.testing.assert_close(velocity([0, 1], 0.0), velocity([2, 0], 0.0))
    torch.testing.assert_close(velocity([0, 1], 3.0), velocity([0, 2], 3.0))
    assert not torch.allclose(velocity([0, 1], 3.0), velocity([1, 0], 3.0))


def test_names_without_a_picture_are_never_trained_and_can_be_drawn():
    images = torch.rand(4, 3, 8, 8, generator=torch.Generator().manual_seed(1))
    recipe = Recipe(steps=3, batch_size=4, options=TINY)
    one = train_named(recipe, 0, images=images, vectors=VECTORS)
    moved = VECTORS.clone()
    moved[4] += 1.0  # el que no tiene dibujo
    other = train_named(recipe, 0, images=images, vectors=moved)
    assert one.history.loss == other.history.loss
    drawn = draw(one.model, torch.tensor([4, 4]), n_steps=2)
    assert drawn.images.shape == (2, 3, 8, 8)


def test_more_pictures_than_names_is_told():
    with pytest.raises(ValueError, match="hay 6 imágenes y 5 nombres"):
        train_named(Recipe(options=TINY), 0, images=torch.rand(6, 3, 8, 8), vectors=VECTORS)


@pytest.mark.lento
def test_it_learns_to_draw_by_name():
    """Tres cuadros de un color, cada uno con su nombre: se dibuja el del nombre que se dice."""
    colors = torch.eye(3)[:, :, None, None].expand(3, 3, 8, 8)
    recipe = Recipe(steps=150, batch_size=3, options=TINY)
    model = train_named(recipe, 0, images=colors, vectors=VECTORS[:3]).model
    drawn = draw(model, torch.arange(3).repeat(5), guidance=1.0).images.mean((2, 3))
    assert (drawn.argmax(1) == torch.arange(3).repeat(5)).float().mean() > 0.85
