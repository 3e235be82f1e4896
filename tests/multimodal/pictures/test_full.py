"""CLIP con fotos: lo que se acierta al azar y en qué orden se comparan las frases y las fotos."""

import pytest
import torch

from tfcourse.datasets.folders.captioned_photos import CaptionedPhotos
from tfcourse.multimodal.pictures.full import REHEARSAL, build
from tfcourse.multimodal.pictures.photo_search import caption_table, chance, recalls
from workshop.rehearsal.pairs import make_coco_captions


@pytest.fixture
def photos(tmp_path, monkeypatch):
    """Cuatro fotos con cinco frases cada una, ya en números."""
    monkeypatch.setenv("TFCOURSE_LECTORES", "0")
    make_coco_captions(tmp_path)
    found = CaptionedPhotos("val", REHEARSAL.side, folder=tmp_path)
    return found.encoded(found.tokenizer(REHEARSAL.n_tokens))


def test_chance_is_that_of_drawing_the_order(photos):
    found = chance(photos, (1, 2))
    assert found["frase → foto, 1"] == pytest.approx(1 / 4)
    # Alguna de sus cinco entre las dos primeras de veinte: 1 − (15 · 14) / (20 · 19).
    assert found["foto → frase, 2"] == pytest.approx(1 - 15 * 14 / (20 * 19))


def test_the_table_has_a_row_per_sentence_and_a_column_per_photo(photos):
    torch.manual_seed(0)
    model = build("ViT", REHEARSAL, 60)
    scores, owners = caption_table(model, photos, batch_size=3)
    assert scores.shape == (20, 4) and owners.tolist() == sum(([i] * 5 for i in range(4)), [])
    image, _, _ = photos[2]
    with torch.no_grad():
        seen = model.see(image[None].float() / 255)
        read = model.read(photos.tokens[1][3:4].long(), photos.lengths[1][3:4])
    torch.testing.assert_close(scores[8, 2], (read @ seen.T)[0, 0])
    perfect = torch.eye(4)[owners]
    assert set(recalls(perfect, owners, (1,)).values()) == {1.0}
    with pytest.raises(ValueError, match="no hay ninguna torre 'otra'"):
        build("otra", REHEARSAL, 60)
