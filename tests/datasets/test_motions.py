"""Clips: cada movimiento mueve lo que dice su frase, hacia su lado y a su velocidad."""

import math

import pytest
import torch

from tfcourse.datasets.scenes.motions import (
    FRAMES,
    MOTIONS,
    PAIRS,
    PHRASES,
    Motion,
    act,
    caption,
    make_clips,
    reserved_clips,
    split_pairs,
    training_clips,
)
from tfcourse.datasets.scenes.skeleton import JOINTS, joints_from_angles

PHASE = 2 * math.pi * torch.arange(FRAMES)[None] / FRAMES
ONE = torch.ones(1, 1)
MOVES = {
    "saludar": "muñeca",
    "patear": "tobillo",
    "inclinarse": "cabeza",
    "aletear": "muñeca",
    "agacharse": "rodilla",
}


def joint_path(verb, side, name):
    angles, _ = act([verb], [side], PHASE, ONE)
    return joints_from_angles(angles)[0, :, JOINTS.index(name)]


def travel(path):
    return float((path[1:] - path[:-1]).norm(dim=-1).sum())


@pytest.mark.parametrize("side", ["izquierda", "derecha"])
@pytest.mark.parametrize("verb", ["saludar", "patear"])
def test_the_limb_that_moves_is_the_one_of_the_caption(verb, side):
    other = "derecha" if side == "izquierda" else "izquierda"
    named = {s: f"{MOVES[verb]} {s}" for s in (side, other)}
    if verb == "patear":
        named = {s: f"tobillo {s[:-1]}o" for s in (side, other)}
    assert travel(joint_path(verb, side, named[side])) > 0.3
    assert travel(joint_path(verb, side, named[other])) < 1e-6


@pytest.mark.parametrize(("side", "sign"), [("izquierda", 1), ("derecha", -1)])
def test_left_is_the_figures_own_left(side, sign):
    """Está de frente: su izquierda cae a la derecha de la imagen."""
    head = joint_path("inclinarse", side, "cabeza")[:, 0]
    assert sign * float(head[FRAMES // 2] - head[0]) > 0.2
    still = joint_path("inclinarse", side, "tobillo izquierdo")
    assert float((still - still[:1]).abs().max()) < 0.08  # solo lo que gira la cadera
    _, shift = act(["caminar"], [side], PHASE, ONE)
    assert sign * float(shift[0, -1, 0] - shift[0, 0, 0]) > 0.2


def test_jump_goes_up_and_squat_goes_down_with_the_feet_almost_still():
    _, up = act(["saltar"], [""], PHASE, ONE)
    assert float(up[0, FRAMES // 2, 1]) < -0.15 and float(up[0, 0, 1]) == 0
    angles, down = act(["agacharse"], [""], PHASE, ONE)
    joints = joints_from_angles(angles)[0] + down[0][:, None]
    assert float(joints[FRAMES // 2, 0, 1] - joints[0, 0, 1]) > 0.1
    feet = joints[:, JOINTS.index("tobillo izquierdo"), 1]
    assert float((feet - feet[0]).abs().max()) < 0.1


def test_fast_is_twice_as_many_turns():
    """La muñeca cruza el centro de su recorrido el doble de veces."""
    pairs = [(Motion("aletear", "", speed), Motion("saltar", "", "despacio")) for speed in
             ("despacio", "deprisa")]  # fmt: skip
    generator = torch.Generator().manual_seed(0)
    from tfcourse.datasets.scenes.motions import _acted

    (angles, _), _ = _acted(pairs, generator)
    arm = angles[:, :, 2]
    rises = (
        (arm[:, 1:] - arm.mean(1, keepdim=True)) * (arm[:, :-1] - arm.mean(1, keepdim=True))
    ) < 0
    assert rises[1].sum() >= 2 * rises[0].sum() - 1 > 0


def test_captions_say_both_in_order():
    first, second = Motion("saludar", "derecha", "deprisa"), Motion("saltar", "", "despacio")
    words = "saluda deprisa con la mano derecha y después salta despacio"
    assert " ".join(caption(first, second)) == words
    assert len({" ".join(caption(*pair)) for pair in PAIRS}) == len(PAIRS)
    assert all(a.verb != b.verb for a, b in PAIRS) and {m.verb for m in MOTIONS} == set(PHRASES)


def test_reserved_pairs_are_never_trained():
    train, reserved = split_pairs()
    assert len(reserved) == 100 and not set(train) & set(reserved)
    assert set(train) | set(reserved) == set(PAIRS)
    assert set(training_clips(40, 3).pairs) <= set(train)
    assert reserved_clips(5).pairs == reserved[:5]
    assert split_pairs() == (train, reserved)


def test_the_seed_decides_everything_and_colours_change():
    pair = [PAIRS[0]] * 2
    first, again = (make_clips(pair, torch.Generator().manual_seed(1)) for _ in range(2))
    torch.testing.assert_close(first.videos, again.videos)
    assert first.videos.shape == (2, 2 * FRAMES, 3, 32, 32)
    assert first.videos.min() >= 0 and first.videos.max() <= 1
    assert float((first.videos[0] - first.videos[1]).abs().mean()) > 0.05
    moved = (first.videos[:, 1:] - first.videos[:, :-1]).abs().amax(dim=(2, 3, 4))
    assert (moved > 0.2).all()


def test_impossible_split_is_explained():
    with pytest.raises(ValueError, match="usa de 1 a 407 parejas"):
        split_pairs(0)
