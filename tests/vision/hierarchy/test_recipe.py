"""La carrera de los lectores de cifras grandes: cada uno es lo que dice, y algo aprende."""

import pytest

from tfcourse.training.budget import CpuSeconds, Steps
from tfcourse.vision.hierarchy.recipe import READERS, Recipe, build, train


def test_readers_are_what_they_say():
    reader = train(READERS["Swin"], 0, Steps(2))
    assert 0 <= reader.score(0) <= 1 and reader.model.config.shifted
    assert not build(READERS["Swin, ventanas quietas"]).config.shifted
    assert build(READERS["ViT"]).config.grid == (8, 8)
    with pytest.raises(ValueError, match="no hay ninguna red 'CNN': usa ViT, Swin o ConvNeXt"):
        build(Recipe("CNN"))


def test_time_or_steps(fake_clock):
    assert train(READERS["Swin"], 0, CpuSeconds(2 * fake_clock.tick)).history.loss
    by_steps = train(READERS["ViT"], 0, Steps(3)).history
    assert len(by_steps.loss) == 3
    assert max(by_steps.learning_rate) > 2 * by_steps.learning_rate[-1]  # ha empezado a bajar
