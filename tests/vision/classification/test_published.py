"""Los clasificadores publicados y la foto del capítulo: lo mismo que contesta su biblioteca."""

import pytest
import torch

from tfcourse.datasets.pictures.photos import sample_photo
from tfcourse.official.loading import load_official
from tfcourse.vision.classification.published import class_name, look_at_photo
from workshop.rehearsal.published_senses import MAKERS

NAME = "google/vit-base-patch16-224"


@pytest.fixture
def found(tmp_path):
    MAKERS[NAME](tmp_path)
    return load_official(tmp_path / NAME)


@torch.no_grad()
def test_it_sees_what_the_library_sees(found):
    import transformers

    theirs = transformers.ViTForImageClassification.from_pretrained(found.folder).eval()
    photo = torch.nn.functional.interpolate(
        sample_photo(384)[None], (32, 32), mode="bicubic", antialias=True
    ).clamp(0, 1)
    prepare = transformers.ViTImageProcessor.from_pretrained(found.folder)
    mean, std = (
        torch.tensor(one)[:, None, None] for one in (prepare.image_mean, prepare.image_std)
    )
    wanted = theirs((photo - mean) / std).logits[0].softmax(-1)
    torch.testing.assert_close(look_at_photo(found, 384), wanted, atol=1e-4, rtol=0)


def test_a_class_is_called_by_its_first_name(found):
    names = found.config | {"id2label": {"7": "tench, Tinca tinca"}}
    assert class_name(found._replace(config=names), 7) == "tench"
