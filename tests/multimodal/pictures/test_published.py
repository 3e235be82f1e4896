"""El CLIP publicado con fotos y frases: la misma tabla que da su biblioteca."""

import torch

from tfcourse.datasets.folders.captioned_photos import CaptionedPhotos
from tfcourse.multimodal.pictures.photo_search import caption_table
from tfcourse.multimodal.pictures.published import write_captions
from tfcourse.official.loading import load_official
from tfcourse.official.pictures import published_colors
from workshop.rehearsal.pairs import make_coco_captions
from workshop.rehearsal.published_senses import make_clip


@torch.no_grad()
def test_the_table_is_that_of_the_library(tmp_path, monkeypatch):
    import transformers

    monkeypatch.setenv("TFCOURSE_LECTORES", "0")
    make_coco_captions(tmp_path)
    make_clip(tmp_path, "clip")
    folder = tmp_path / "clip"
    photos = CaptionedPhotos("val", 32, folder=tmp_path)
    write_captions(photos, folder, 40)
    ours = load_official(folder).model
    table, owners = caption_table(ours, photos, prepare=published_colors(folder))

    theirs = transformers.CLIPModel.from_pretrained(folder).eval()
    read = transformers.CLIPTokenizer.from_pretrained(folder)
    texts = [text for some in photos.captions for text in some]
    tokens = read(texts, padding=True, return_tensors="pt")
    pixels = torch.stack([photos[row][0] for row in range(len(photos))]).float() / 255
    settings = transformers.CLIPImageProcessor.from_pretrained(folder)
    mean, std = (
        torch.tensor(one)[:, None, None] for one in (settings.image_mean, settings.image_std)
    )
    wanted = theirs(**tokens, pixel_values=(pixels - mean) / std).logits_per_text
    torch.testing.assert_close(table, wanted / theirs.logit_scale.exp(), atol=1e-5, rtol=0)
    assert owners.tolist() == sum(([row] * 5 for row in range(len(photos))), [])
