"""Los archivos de SpeechBrain: la receta con sus etiquetas, las piezas y lo que está a medias."""

import pytest

from tfcourse.official.loading import load_official
from tfcourse.official.speechbrain import HYPERPARAMETERS, is_speechbrain, speechbrain_config
from workshop.rehearsal.separator import TINY, Separator

# Lo que hay alrededor en las recetas de entrenar: etiquetas sin valor, listas y nombres.
AROUND = """seed: 1234
__set_seed: !apply:torch.manual_seed [!ref <seed>]
data_folder: !PLACEHOLDER
width: 24
loss: !name:speechbrain.nnet.losses.get_si_snr_with_pitwrapper
"""


@pytest.fixture
def folder(tmp_path):
    Separator(TINY).save_pretrained(tmp_path)
    return tmp_path


def change(folder, old: str, new: str) -> None:
    path = folder / HYPERPARAMETERS
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_the_recipe_is_read_without_building_anything(folder):
    assert TINY.to_dict().items() <= speechbrain_config(folder).items()
    change(folder, "num_spks: 2\n", AROUND + "num_spks: 2\n")
    change(folder, "d_ffn: 24", "d_ffn: !ref <width>")
    assert TINY.to_dict().items() <= speechbrain_config(folder).items()


def test_another_recipe_is_told(folder):
    change(folder, "MaskNet: !new", "Otra: !new")
    with pytest.raises(ValueError, match="no es la receta de un SepFormer, o está a medias"):
        load_official(folder)


def test_a_variant_that_does_not_fit_is_told(folder):
    change(folder, "skip_around_intra: true", "skip_around_intra: false")
    with pytest.raises(ValueError, match="skip_around_intra=False"):
        load_official(folder)


def test_paths_of_different_sizes_are_told(folder):
    text = (folder / HYPERPARAMETERS).read_text(encoding="utf-8")
    first, rest = text.split("SBtfinter", 1)
    rest = rest.replace("nhead: 2", "nhead: 4")
    (folder / HYPERPARAMETERS).write_text(f"{first}SBtfinter{rest}")
    with pytest.raises(ValueError, match="los dos caminos tienen otros tamaños"):
        load_official(folder)


def test_a_missing_piece_is_told(folder):
    assert is_speechbrain(folder)
    (folder / "decoder.ckpt").unlink()
    with pytest.raises(FileNotFoundError):
        load_official(folder)


def test_half_a_piece_is_told(folder):
    path = folder / "masknet.ckpt"
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(ValueError, match="«masknet.ckpt» está a medias"):
        load_official(folder)
