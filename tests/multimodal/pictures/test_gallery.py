"""El buscador de dibujos de la página: cada miniatura en su sitio y cada nombre una vez."""

import io

import torch

from tfcourse.datasets.pictures.openmoji import split_pictures
from tfcourse.multimodal.pictures.clip import Recipe, build, reader
from tfcourse.multimodal.pictures.gallery import picture_search, sprite
from tfcourse.text.bert.recipe import load as load_bert


def test_sprite_puts_each_picture_in_its_square():
    from PIL import Image

    colours = torch.tensor([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0], [1, 1, 0]])
    sheet = Image.open(io.BytesIO(sprite(colours[:, :, None, None].expand(-1, 3, 4, 4), 3)))
    pixels = sheet.convert("RGB")
    assert pixels.size == (12, 8)
    for i, colour in enumerate(colours.tolist()):
        place = (i % 3 * 4 + 2, i // 3 * 4 + 2)
        assert pixels.getpixel(place) == tuple(round(255 * x) for x in colour)
    assert pixels.getpixel((10, 6)) == (255, 255, 255)


def test_the_gallery_has_every_name_once():
    _, tokenizer = load_bert("bert_espanol")
    model = build(Recipe()).eval()
    pictures = split_pictures(200)[1].take(torch.arange(30))
    widget = picture_search(
        model, reader(model, tokenizer), pictures, ("cara", pictures.names[0]), ("cara",)
    )
    assert widget.state["names"] == list(pictures.names)
    assert sorted(widget.state["texts"]) == sorted({"cara", *pictures.names})
    assert widget.state["examples"] == ["cara"]
