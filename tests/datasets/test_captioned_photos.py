"""Carpetas de COCO Captions, diminutas y hechas aquí: cada foto, con su primera descripción."""

import json

import pytest
import torch
from PIL import Image

from tfcourse.datasets.captioned_photos import captioned_photos, encode_photos


def write_coco(folder):
    """Tres fotos de un color, con una franja a cada lado; la tercera, sin describir."""
    (folder / "fotos").mkdir()
    for number, color in ((3, (255, 0, 0)), (5, (0, 0, 255)), (9, (0, 255, 0))):
        photo = Image.new("RGB", (60, 20))  # el centro es el cuadrado del medio
        photo.paste(color, (20, 0, 40, 20))
        photo.save(folder / "fotos" / f"{number}.png")
    notes = {
        "images": [{"id": n, "file_name": f"{n}.png"} for n in (3, 5, 9)],
        "annotations": [
            {"id": 8, "image_id": 3, "caption": "another red square"},
            {"id": 2, "image_id": 5, "caption": " a blue square \n"},
            {"id": 1, "image_id": 3, "caption": "a red square"},
        ],
    }
    (folder / "frases.json").write_text(json.dumps(notes))
    return folder / "fotos", folder / "frases.json"


def test_each_photo_keeps_its_centre_and_its_first_sentence(tmp_path):
    paths = write_coco(tmp_path)
    images, captions = captioned_photos(*paths, 8)
    assert captions == ["a red square", "a blue square"]
    for image, color in zip(images, ((1.0, 0, 0), (0, 0, 1.0)), strict=True):
        inside = image[:, :, 1:-1]  # sin el borde, que al reducir se mezcla
        torch.testing.assert_close(inside, torch.tensor(color)[:, None, None].expand(3, 8, 6))
    assert len(captioned_photos(*paths, 8, n_photos=1)[1]) == 1


def test_pairs_are_ready_for_two_towers(tmp_path):
    images, captions = captioned_photos(*write_coco(tmp_path), 8)
    pairs, tokenizer = encode_photos(images, captions)
    assert len(pairs) == 2 and pairs.images.shape == (2, 3, 8, 8)
    for row, length, caption in zip(pairs.tokens, pairs.lengths, captions, strict=True):
        inside = row[1 : length - 1].tolist()
        assert tokenizer.decode(inside).replace(" ", "") == caption.replace(" ", "")
    again, same = encode_photos(images, captions, tokenizer)
    assert same is tokenizer and again.tokens.equal(pairs.tokens)


def test_what_is_missing_is_said(tmp_path):
    photos, notes = write_coco(tmp_path)
    with pytest.raises(FileNotFoundError, match="no encuentro otras.json"):
        captioned_photos(photos, notes.parent / "otras.json", 8)
    notes.write_text(json.dumps({"images": [], "annotations": []}))
    with pytest.raises(ValueError, match="ninguna foto con descripción"):
        captioned_photos(photos, notes, 8)
