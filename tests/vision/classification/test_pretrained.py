"""Los pesos oficiales de un ViT: caben en nuestra clase, y los errores dicen qué hacer."""

import pytest
import torch

from tfcourse.vision.classification.pretrained import imagenet_vit, vit_state_from_torchvision


def test_bad_weights_are_explained():
    with pytest.raises(ValueError, match="pasa el state_dict.. de un ViT de torchvision"):
        vit_state_from_torchvision({"fc.weight": torch.zeros(1)})
    with pytest.raises(ValueError, match="no hay pesos de 'ViT-H/14'"):
        imagenet_vit("ViT-H/14")


def test_without_network_it_says_how_to_go_on(monkeypatch):
    library = pytest.importorskip("torchvision.models")

    def offline(self, **_):
        raise OSError("sin red")

    monkeypatch.setattr(library.ViT_B_16_Weights, "get_state_dict", offline)
    with pytest.raises(ConnectionError, match="TFCOURSE_PERFIL=rapido"):
        imagenet_vit()


def test_official_weights_fit(monkeypatch):
    library = pytest.importorskip("torchvision.models")
    state = library.vit_b_32().state_dict()
    monkeypatch.setattr(library.ViT_B_32_Weights, "get_state_dict", lambda self, **_: state)
    model, names, prepare = imagenet_vit("ViT-B/32")
    assert len(names) == 1000 and model.config.patch_size == 32
    assert prepare(torch.rand(3, 300, 280)).shape == (3, 224, 224)
