"""Carpetas de COCO Captions, diminutas: qué trozo de cada foto y qué frase, y lo que falta."""

import json

import pytest
import torch
from PIL import Image

from tfcourse.datasets.folders.captioned_photos import MAX_LENGTH, CaptionedPhotos


@pytest.fixture
def folder(tmp_path):
    """Tres fotos de un color, con una franja a cada lado; la tercera, sin describir."""
    (tmp_path / "val2017").mkdir()
    (tmp_path / "annotations").mkdir()
    for number, color in ((3, (255, 0, 0)), (5, (0, 0, 255)), (9, (0, 255, 0))):
        photo = Image.new("RGB", (60, 20))  # el centro es el cuadrado del medio
        photo.paste(color, (20, 0, 40, 20))
        photo.save(tmp_path / "val2017" / f"{number}.png")
    notes = {
        "images": [{"id": n, "file_name": f"{n}.png"} for n in (5, 3, 9)],
        "annotations": [
            {"id": 8, "image_id": 3, "caption": "another red square"},
            {"id": 2, "image_id": 5, "caption": " a blue square \n"},
            {"id": 1, "image_id": 3, "caption": "a red square"},
        ],
    }
    (tmp_path / "annotations" / "captions_val2017.json").write_text(json.dumps(notes))
    return tmp_path


def test_each_photo_keeps_its_centre_and_its_sentences(folder):
    photos = CaptionedPhotos("val", 8, folder=folder)
    assert photos.captions == [["a red square", "another red square"], ["a blue square"]]
    words = photos.tokenizer(100)
    photos.encoded(words)
    for row, color in enumerate(((255, 0, 0), (0, 0, 255))):
        image, tokens, length = photos[row]
        inside = image[:, :, 1:-1].long()  # sin el borde, que al reducir se mezcla
        assert torch.equal(inside, torch.tensor(color)[:, None, None].expand(3, 8, 6))
        assert tokens.shape == (MAX_LENGTH,) and not tokens[length:].any()
        text = words.decode(tokens[1 : length - 1].tolist())
        assert text.replace(" ", "") == photos.captions[row][0].replace(" ", "")


def test_at_random_any_sentence_and_any_excerpt(folder):
    photos = CaptionedPhotos("val", 8, vary=True, folder=folder)
    photos.encoded(photos.tokenizer(100))
    lengths, reds = set(), set()
    for seed in range(12):
        torch.manual_seed(seed)
        image, _, length = photos[0]
        lengths.add(int(length))
        reds.add(int(image[0].long().sum()))
    assert len(lengths) == 2 and len(reds) > 3


def test_what_is_missing_is_said(folder, monkeypatch):
    with pytest.raises(FileNotFoundError, match="no encuentro train2017 .* val2017 y annotations"):
        CaptionedPhotos("train", 8, folder=folder)
    photos = CaptionedPhotos("val", 8, folder=folder)
    photos.encoded(photos.tokenizer(100))
    whole = (folder / "val2017" / "3.png").read_bytes()
    (folder / "val2017" / "3.png").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match="3.png no está entera"):
        photos[0]
    (folder / "val2017" / "3.png").unlink()
    with pytest.raises(FileNotFoundError, match="falta la foto 3.png"):
        photos[0]
    notes = folder / "annotations" / "captions_val2017.json"
    notes.write_text(notes.read_text()[:40])
    with pytest.raises(ValueError, match="o está a medias"):
        CaptionedPhotos("val", 8, folder=folder)
    notes.write_text(json.dumps({"images": [], "annotations": []}))
    with pytest.raises(ValueError, match="ninguna foto con descripción"):
        CaptionedPhotos("val", 8, folder=folder)
    monkeypatch.delenv("TFCOURSE_COCO", raising=False)
    with pytest.raises(FileNotFoundError, match="falta COCO Captions 2017"):
        CaptionedPhotos("val", 8)
