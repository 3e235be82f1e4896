"""Cómo se preparan las fotos: los colores que dice el archivo publicado, y el error si no están."""

import pytest
import torch

from tfcourse.official.pictures import PREPROCESSOR, published_colors


def test_each_color_has_its_mean_and_its_deviation(tmp_path):
    (tmp_path / PREPROCESSOR).write_text('{"image_mean": [0.5, 0, 1], "image_std": [0.5, 2, 1]}')
    prepare = published_colors(tmp_path)
    found = prepare(torch.full((2, 3, 4, 5), 1.0, dtype=torch.float64))
    assert found.dtype == torch.float64 and found.shape == (2, 3, 4, 5)
    assert found[1, :, 2, 3].tolist() == [1.0, 0.5, 0.0]


def test_a_file_without_colors_is_told(tmp_path):
    with pytest.raises(FileNotFoundError, match=f"falta {PREPROCESSOR}"):
        published_colors(tmp_path)
    (tmp_path / PREPROCESSOR).write_text('{"image_mean": [0.5, 0.5, 0.5]}')
    with pytest.raises(ValueError, match="faltan image_mean e image_std"):
        published_colors(tmp_path)
