"""Los pesos de un Swin de torchvision: los que no lo son se explican."""

import pytest
import torch

from tfcourse.vision.hierarchy.pretrained import swin_block_state, swin_state_from_torchvision


@pytest.mark.parametrize("rename", [swin_block_state, swin_state_from_torchvision])
def test_bad_weights_are_explained(rename):
    with pytest.raises(ValueError, match=r"pasa el state_dict\(\)"):
        rename({"weight": torch.zeros(1)})
