"""El MaskFormer publicado con fotos de COCO: las clases seguidas y cada foto con su forma."""

import pytest
import torch

from tfcourse.datasets.folders.segmentation_folders import coco_segments
from tfcourse.models.maskformer_published import GroupedPixelDecoder, SwinPixelReader
from tfcourse.models.segmentation import MaskFormerConfig, Segments
from tfcourse.models.swin import SwinConfig
from tfcourse.vision.segmentation.photos import photo_mask_precision
from tfcourse.vision.segmentation.published import EvenPhotos, Published, say, thing_chances
from workshop.rehearsal.coco import make_coco


@pytest.fixture
def photos(tmp_path, monkeypatch):
    monkeypatch.setenv("TFCOURSE_LECTORES", "0")
    make_coco(tmp_path)
    return coco_segments(
        tmp_path / "val2017", tmp_path / "annotations" / "instances_val2017.json", 192
    )


def test_only_things_count_and_the_background_goes_first(photos):
    n_things = len(photos.source.kinds)
    logits = torch.zeros(1, 1, n_things + 4)  # detrás, el cielo, la hierba, la calle y nada
    logits[..., n_things + 1] = logits[..., -1] = 40.0
    assert thing_chances(logits, photos).shape == (1, 1, n_things + 1)
    assert thing_chances(logits, photos).max() < 1e-9
    logits[..., 1] = 90.0
    best = thing_chances(logits, photos).max(dim=-1)
    assert best.indices.item() == 2 and best.values.item() > 0.9


def test_photos_keep_almost_their_shape(photos):
    (image,) = EvenPhotos(photos.source, short=96, longest=999)[0]
    assert image.shape == (3, 96, 128) and 0 <= image.min() < image.max() <= 1
    (image,) = EvenPhotos(photos.source, short=96, longest=64)[0]
    assert image.shape == (3, 64, 64)  # de 48 × 64, al múltiplo más cercano


class Oracle(torch.nn.Module):
    """Contesta, por orden, lo anotado en cada foto, con las clases seguidas."""

    def __init__(self, photos):
        super().__init__()
        self.answers, self.row = [photos[row][1:] for row in range(len(photos))], 0

    def forward(self, images):
        masks, classes = (part[1:] for part in self.answers[self.row])  # sin el fondo
        self.row += 1
        logits = torch.full((1, len(classes), 134), -20.0)
        logits[0, torch.arange(len(classes)), classes - 1] = 20.0
        return [Segments(logits, 60 * masks[None].float() - 30)]


def test_who_answers_what_is_annotated_gets_it_all(photos):
    said = say(Oracle(photos), photos, Published(("uno",), 96, 128), prepare=lambda images: images)
    # Lo que falta se pierde al estirar las máscaras y donde dos se pisan.
    assert photo_mask_precision(said, photos)["AP"] > 0.8


def test_wrong_sizes_are_explained():
    with pytest.raises(ValueError, match="d_pixel=12 no se reparte en 32 grupos"):
        GroupedPixelDecoder((4, 8), 12, 8)
    config = MaskFormerConfig(3, d_model=8, n_heads=2)
    reader = SwinPixelReader(config, SwinConfig(1, channels=3, d_model=8, n_heads=(1, 2)), 32)
    with pytest.raises(ValueError, match="es de 4 × 4 casillas y sus ventanas, de 4"):
        reader(torch.zeros(1, 3, 32, 32))
