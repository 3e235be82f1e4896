"""Figuras articuladas: huesos que no se estiran, oclusión anotada y lo que decide la semilla."""

import math

import pytest
import torch

from tfcourse.datasets.scenes.figures import (
    CROWD,
    ONE_FIGURE,
    FigureConfig,
    figure_batches,
    figure_video,
    make_figures,
    random_staging,
    render,
    reserved_figures,
)
from tfcourse.datasets.scenes.skeleton import (
    BONES,
    FOREARM,
    JOINTS,
    N_ANGLES,
    NECK,
    SHIN,
    THIGH,
    TORSO,
    UPPER_ARM,
    draw_skeletons,
    joints_from_angles,
    neighbours,
    random_angles,
)


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def bone_lengths(joints):
    """Lo que mide cada hueso de `BONES`."""
    first, last = torch.tensor(BONES).T
    return (joints[..., first, :] - joints[..., last, :]).norm(dim=-1)


def test_bones_keep_their_length():
    """Muñeca, tobillo y demás giran, pero los huesos de brazos y piernas miden siempre lo mismo."""
    joints = joints_from_angles(random_angles((200,), generator(), 1.0))
    lengths = bone_lengths(joints)
    expected = {(1, 3): UPPER_ARM, (3, 5): FOREARM, (7, 9): THIGH, (9, 11): SHIN}
    for (first, last), length in expected.items():
        for some in ((first, last), (first + 1, last + 1)):
            torch.testing.assert_close(lengths[:, BONES.index(some)], torch.full((200,), length))
    assert lengths.shape == (200, len(BONES))


def test_standing_still():
    """Con todos los ángulos a cero, de pie y con los brazos caídos: se comprueba a mano."""
    joints = joints_from_angles(torch.zeros(N_ANGLES))
    assert joints[0].tolist() == pytest.approx([0, -TORSO - NECK])
    assert joints[11].tolist() == pytest.approx([0.07, THIGH + SHIN])
    assert joints[6].tolist() == pytest.approx([-0.11, -TORSO + UPPER_ARM + FOREARM])


def test_angles_add_along_the_arm():
    """El codo se mide desde el brazo: un brazo en cruz con el codo a 90° apunta hacia arriba."""
    angles = torch.zeros(N_ANGLES)
    angles[2], angles[4] = math.pi / 2, math.pi / 2
    joints = joints_from_angles(angles)
    shoulder, elbow, wrist = joints[[1, 3, 5]]
    torch.testing.assert_close(elbow - shoulder, torch.tensor([UPPER_ARM, 0.0]), atol=1e-6, rtol=0)
    torch.testing.assert_close(wrist - elbow, torch.tensor([0.0, -FOREARM]), atol=1e-6, rtol=0)


def test_left_is_on_the_right_of_the_image():
    joints = joints_from_angles(torch.zeros(N_ANGLES))
    left = [k for k, name in enumerate(JOINTS) if "izquierd" in name]
    assert len(left) == 6 and all(joints[k, 0] > 0 for k in left)
    assert all(joints[k + 1, 0] < 0 for k in left)


def test_legs_bend_to_their_own_side():
    """Cada muslo, hacia fuera, y la rodilla, de vuelta: una pierna es el espejo de la otra."""
    angles = torch.zeros(N_ANGLES)
    angles[6:8], angles[8:] = math.pi / 2, -math.pi / 2
    joints = joints_from_angles(angles)
    for side, sign in ((0, 1.0), (1, -1.0)):
        hip, knee, ankle = joints[[7 + side, 9 + side, 11 + side]]
        thigh, shin = torch.tensor([sign * THIGH, 0.0]), torch.tensor([0.0, SHIN])
        torch.testing.assert_close(knee - hip, thigh, atol=1e-6, rtol=0)
        torch.testing.assert_close(ankle - knee, shin, atol=1e-6, rtol=0)


def test_leaning_turns_the_whole_body():
    """Inclinar el tronco es girar la figura entera alrededor del centro de la cadera."""
    angles = random_angles((20,), generator(), 1.0)
    angles[:, 0] = 0
    upright = joints_from_angles(angles)
    angles[:, 0] = 0.4
    turn = torch.tensor([[math.cos(0.4), -math.sin(0.4)], [math.sin(0.4), math.cos(0.4)]])
    torch.testing.assert_close(joints_from_angles(angles), upright @ turn.T)


def test_reach_scales_every_range():
    """Sin recorrido, siempre la postura del centro; con el doble, se aleja de ella el doble."""
    none, some, twice = (random_angles((50,), generator(), reach) for reach in (0.0, 1.0, 2.0))
    centers = [0, 0, 65, 65, 25, 25, 18, 18, -15, -15]
    torch.testing.assert_close(none, torch.deg2rad(torch.tensor(centers)).expand(50, -1))
    torch.testing.assert_close(twice - none, 2 * (some - none))


def test_each_part_has_its_colour():
    """Piel en la cabeza y de los codos abajo; camiseta en los hombros; y pantalones."""
    angles = torch.zeros(N_ANGLES)
    angles[2:4] = math.pi / 3  # los brazos, lejos del cuerpo
    joints = 32 + 50 * joints_from_angles(angles)
    palette = torch.tensor([[[0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0.7, 0.8, 0.9]]])
    colors = draw_skeletons(joints[None], torch.tensor([50.0]), palette, 64).colors[0]
    skin, shirt, trousers = range(3)
    for k, name in enumerate(JOINTS):
        kind = skin if name.startswith(("cabeza", "codo", "muñeca")) else trousers
        kind = shirt if name.startswith("hombro") else kind
        x, y = joints[k].long().tolist()
        assert torch.equal(colors[:, y, x], palette[0, kind]), name


def test_neighbours_are_a_symmetric_skeleton():
    joined = neighbours()
    assert torch.equal(joined, joined.T) and not joined.diagonal().any()
    assert joined.sum() == 2 * len(BONES) and joined.any(dim=1).all()


@pytest.mark.parametrize("config", [ONE_FIGURE, CROWD], ids=["una", "varias"])
def test_everything_fits(config):
    batch = make_figures(40, generator(1), config)
    assert batch.images.min() >= 0 and batch.images.max() <= 1
    points = batch.keypoints[batch.present]
    assert (points > 0).all() and (points < 1).all()
    cx, cy, w, h = batch.boxes[batch.present].unbind(-1)
    for center, length, axis in ((cx, w, 0), (cy, h, 1)):
        assert (points[..., axis] >= (center - length / 2)[:, None] - 1e-5).all()
        assert (points[..., axis] <= (center + length / 2)[:, None] + 1e-5).all()
    sides = torch.maximum(w, h) * config.size
    assert sides.min() >= config.sides[0] - 1e-3 and sides.max() <= config.sides[1] + 1e-3
    missing = ~batch.present
    assert not batch.keypoints[missing].any() and not batch.visible[missing].any()
    assert batch.counts.min() >= config.min_figures and batch.counts.max() <= config.max_figures


def test_the_silhouette_is_the_set_of_points_near_a_bone():
    """Contra la distancia a cada segmento, calculada punto a punto."""
    joints = 32 + 40 * joints_from_angles(random_angles((2,), generator(3), 1.0))
    drawn = draw_skeletons(joints, torch.full((2,), 40.0), torch.rand(2, 3, 3), 64)
    from tfcourse.datasets.scenes.skeleton import _PARTS

    for figure in range(2):
        places = [*joints[figure], joints[figure, 1:3].mean(0), joints[figure, 7:9].mean(0)]
        for y, x in [(a, b) for a in range(1, 64, 5) for b in range(1, 64, 5)]:
            here = torch.tensor([x + 0.5, y + 0.5])
            inside = False
            for start, end, radius, _ in _PARTS:
                a, b = places[start], places[end]
                t = ((here - a) @ (b - a) / ((b - a) @ (b - a)).clamp(min=1e-6)).clamp(0, 1)
                inside |= bool((here - a - t * (b - a)).norm() <= max(1.0, radius * 40))
            assert bool(drawn.inside[figure, y, x]) == inside


def test_nothing_in_front_nothing_hidden():
    clear = FigureConfig(max_blocks=0)
    assert make_figures(30, generator(), clear).visible.all()


def test_blocks_hide_what_they_cover():
    """Con un rectángulo enorme encima, se tapan muchas; y el sitio anotado no cambia."""
    big = FigureConfig(max_blocks=1, block_sides=(60.0, 62.0))
    batch = make_figures(60, generator(), big)
    hidden = (~batch.visible[:, 0]).float().mean(dim=1)
    assert ((hidden > 0.2) | (hidden == 0)).float().mean() > 0.9  # sin rectángulo, o casi todas
    clear = make_figures(60, generator(), FigureConfig(max_blocks=1, block_sides=(1e-3, 2e-3)))
    torch.testing.assert_close(batch.keypoints, clear.keypoints)


def test_each_block_hides_its_own_figure():
    """Un rectángulo sobre el centro de cada figura tapa lo que cae dentro, y nada más."""
    pair = FigureConfig(96, 2, 2, sides=(30.0, 32.0), max_blocks=2)
    staging = random_staging(6, generator(1), pair)
    corners = torch.tensor([[0.0, 0.0], [1.0, 1.0]]).expand(6, -1, -1)
    blocks = torch.tensor([0.5, 0.5, 9.0, 20.0]).expand(6, 2, -1)
    batch = render(staging._replace(corners=corners, blocks=blocks), generator(), pair)
    points, centers = 96 * batch.keypoints, 96 * batch.boxes[..., None, :2]
    away = (points.floor() + 0.5 - centers).abs()
    hidden = (away[..., 0] <= 4.5) & (away[..., 1] <= 10)
    assert torch.equal(batch.visible, ~hidden) and hidden.any(-1).all()


def test_the_area_is_that_of_the_whole_silhouette():
    """Los puntos que cambian al dibujarla; y no depende de cuál está delante."""
    pair = FigureConfig(96, 2, 2, sides=(38.0, 62.0), max_blocks=0, noise=0.0)
    staging = random_staging(8, generator(5), pair)
    alone = render(staging._replace(counts=torch.ones(8).long()), generator(), pair)
    drawn = (alone.images != staging.backgrounds).any(1).float().mean((1, 2))
    torch.testing.assert_close(alone.areas, torch.stack([drawn, torch.zeros(8)], dim=1))
    both = render(staging, generator(), pair)
    swapped = {name: getattr(staging, name).flip(1) for name in ("angles", "sides", "corners")}
    other = render(staging._replace(**swapped), generator(), pair)
    torch.testing.assert_close(other.areas, both.areas.flip(1))


def test_noise_is_as_strong_as_asked():
    """Donde no se recorta, lo que separa una imagen con ruido de la limpia tiene esa desviación."""
    clean, noisy = (FigureConfig(noise=noise) for noise in (0.0, 0.05))
    staging = random_staging(8, generator(), clean)
    before, after = (render(staging, generator(), config).images for config in (clean, noisy))
    middle = (before > 0.25) & (before < 0.75)
    assert float((after - before)[middle].std()) == pytest.approx(0.05, rel=0.05)


def test_the_first_figure_is_in_front():
    crowd = FigureConfig(96, 3, 3, sides=(38.0, 62.0), max_blocks=0)
    batch = make_figures(60, generator(2), crowd)
    assert batch.visible[:, 0].all()
    first, second, third = (float(batch.visible[:, m].float().mean()) for m in range(3))
    assert first > second > third


def test_what_is_in_front_is_painted_last():
    """Donde está la primera figura se ve lo mismo con otra detrás que sin ella."""
    pair = FigureConfig(96, 2, 2, sides=(38.0, 62.0), max_blocks=0, noise=0.0)
    staging = random_staging(20, generator(5), pair)
    both = render(staging, generator(), pair).images
    alone = render(staging._replace(counts=torch.ones(20).long()), generator(), pair).images
    front = (alone != staging.backgrounds).any(dim=1, keepdim=True).expand_as(alone)
    assert torch.equal(both[front], alone[front]) and not torch.equal(both, alone)


def test_same_seed_same_figures():
    first, again = next(figure_batches(4, 7)), next(figure_batches(4, 7))
    assert all(torch.equal(a, b) for a, b in zip(first, again, strict=True))
    assert not torch.equal(first.images, next(figure_batches(4, 8)).images)
    assert torch.equal(reserved_figures(3).images, reserved_figures(3).images)


def test_a_video_moves_little_by_little():
    video = figure_video(40, generator(), ONE_FIGURE)
    moves = (video.keypoints[1:, 0] - video.keypoints[:-1, 0]).norm(dim=-1)
    everything = (video.keypoints[20, 0] - video.keypoints[0, 0]).norm(dim=-1)
    twice = figure_video(40, generator(), ONE_FIGURE, turns=2.0)
    torch.testing.assert_close(twice.keypoints[:20], twice.keypoints[20:], atol=1e-4, rtol=0)
    assert moves.max() < 0.1 and everything.max() > 2 * moves.max()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_figures": 3, "max_figures": 2}, "min_figures=3 y max_figures=2"),
        ({"sides": (50.0, 70.0)}, "las figuras miden de 8 píxeles a menos que la imagen, 64"),
        ({"max_blocks": -1}, "max_blocks=-1"),
    ],
)
def test_impossible_figures_are_explained(options, message):
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        FigureConfig(**options)


def test_empty_batch_is_explained():
    with pytest.raises(ValueError, match="hace falta al menos una imagen"):
        make_figures(0, generator())
