"""Escenas: cajas ajustadas, máscaras de lo que se ve, clases parejas y lo que decide la semilla."""

import colorsys
from dataclasses import replace

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from tfcourse.datasets.scenes.scene_objects import (
    INK,
    SHAPES,
    digit_masks,
    digit_pictures,
    random_backgrounds,
    random_colors,
    shape_masks,
)
from tfcourse.datasets.scenes.scenes import (
    CLASSES,
    DIGIT_SCENES,
    SHAPE_SCENES,
    TEST_SEED,
    SceneConfig,
    Scenes,
    _occlude,
    boxes_from_masks,
    make_scenes,
    reserved_scenes,
    scene_batches,
    spread,
)
from tfcourse.geometry.boxes import iou, to_corners

TIERS = {"figuras": SHAPE_SCENES, "cifras": DIGIT_SCENES}


def scenes(config, seed=0, n=24):
    return make_scenes(n, torch.Generator().manual_seed(seed), config)


@pytest.mark.parametrize("config", TIERS.values(), ids=TIERS)
@given(seed=st.integers(0, 10_000))
@settings(max_examples=8, deadline=None)
def test_annotations_agree_with_each_other(config, seed):
    batch = scenes(config, seed, 8)
    assert batch.images.shape == (8, 3, 64, 64) and 0 <= batch.images.min() <= 1
    assert batch.images.max() <= 1
    # Un punto es de un solo objeto, y el relleno no tiene ninguno.
    assert batch.masks.sum(dim=1).max() <= 1
    assert torch.equal(batch.masks.any(-1).any(-1), batch.present)
    assert (batch.boxes[~batch.present] == 0).all() and (batch.classes[~batch.present] == 0).all()
    assert batch.counts.min() >= 1 and batch.counts.max() <= config.max_objects
    assert batch.classes.max() < len(config.classes)
    for image, count in enumerate(batch.counts.tolist()):
        painted = torch.zeros(64, 64, dtype=torch.long)
        for m in range(count):
            rows, columns = batch.masks[image, m].nonzero(as_tuple=True)
            tight = [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]
            cx, cy, w, h = (batch.boxes[image, m] * 64).tolist()
            edges = [cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2]
            assert edges == pytest.approx([float(x) for x in tight], abs=1e-4)
            painted[batch.masks[image, m]] = batch.classes[image, m] + 1
        assert torch.equal(painted, batch.semantic[image])


@pytest.mark.parametrize("config", TIERS.values(), ids=TIERS)
def test_seed_decides_the_scene(config):
    first, again, other = scenes(config, 3), scenes(config, 3), scenes(config, 4)
    assert all(torch.equal(a, b) for a, b in zip(first, again, strict=True))
    assert not torch.equal(first.images, other.images)
    stream = scene_batches(4, 0, config)
    assert not torch.equal(next(stream).images, next(stream).images)
    assert torch.equal(reserved_scenes(5, config).images, reserved_scenes(5, config).images)


@pytest.mark.parametrize("config", TIERS.values(), ids=TIERS)
def test_classes_and_counts_are_balanced(config):
    batch = scenes(config, n=600)
    parts = batch.classes[batch.present].bincount(minlength=len(config.classes)).double()
    assert (parts / parts.sum()).min() > 0.6 / len(config.classes)
    assert (batch.counts.bincount(minlength=5)[1:] > 40).all()
    sides = batch.boxes[batch.present][:, 2:] * 64
    assert sides.min() > 2 and sides.max() <= config.sides[1] + 1


def test_hidden_objects_are_not_painted():
    """Con todo a la vista no hay solape; si basta con la mitad, muchos objetos se tapan."""
    whole = scenes(replace(SHAPE_SCENES, min_visible=1.0, max_objects=6, min_objects=6), n=60)
    half = scenes(replace(SHAPE_SCENES, min_visible=0.5, max_objects=6, min_objects=6), n=60)
    assert half.counts.sum() > whole.counts.sum()
    squares = SHAPES.index("cuadrado")

    def full_part(batch):
        chosen = batch.present & (batch.classes == squares)
        box = batch.boxes[chosen][:, 2:].prod(1) * 64 * 64
        return batch.masks[chosen].sum((1, 2)) / box

    assert full_part(whole).min() == pytest.approx(1.0)
    assert 0.25 < full_part(half).min() < 0.9


def test_the_image_shows_what_the_masks_say():
    """Dentro de cada máscara el color es uno; fuera está el fondo, más oscuro."""
    batch = scenes(replace(SHAPE_SCENES, noise=0.0))
    for image, count in enumerate(batch.counts.tolist()):
        for m in range(count):
            inside = batch.images[image][:, batch.masks[image, m]]
            assert inside.std(dim=1).max() < 1e-5 and inside.max() > 0.7
        assert batch.images[image][:, batch.semantic[image] == 0].max() < 0.42


def test_no_objects_at_all():
    empty = scenes(replace(SHAPE_SCENES, min_objects=0), n=200)
    none = empty.counts == 0
    assert 20 < none.sum() < 80
    assert not empty.masks[none].any() and (empty.semantic[none] == 0).all()


def test_shapes_fill_what_geometry_says():
    """Áreas conocidas: π/4, 1, 1/2 y 1 − 0,66² de su caja."""
    classes = torch.arange(4)[None]
    center, side = torch.full((1, 4, 2), 128.0), torch.full((1, 4, 2), 200.0)
    parts = shape_masks(classes, center, side, 256).sum((2, 3))[0] / 200**2
    wanted = [0.7854, 1.0, 0.5, 1 - 0.66**2]
    assert parts.tolist() == pytest.approx(wanted, abs=0.01)


def test_the_triangle_stands_on_its_base():
    triangle = torch.tensor([[SHAPES.index("triángulo")]])
    center, side = torch.full((1, 1, 2), 32.0), torch.full((1, 1, 2), 40.0)
    wide = shape_masks(triangle, center, side, 64)[0, 0].sum(1)[12:52]
    assert (wide[1:] >= wide[:-1]).all() and wide[0] <= 2 and wide[-1] >= 38


def test_objects_are_stretched():
    """Hasta 1,2/0,8 veces más largos que anchos; se mide en los cuadrados, que llenan su caja."""
    batch = scenes(SHAPE_SCENES, n=200)
    squares = batch.present & (batch.classes == SHAPES.index("cuadrado"))
    width, height = (64 * batch.boxes[squares][:, 2:]).unbind(-1)
    longer = torch.maximum(width / height, height / width)
    assert longer.max() > 1.25 and longer.max() < (1.2 / 0.8) * 1.1


def test_hidden_objects_hide_nobody():
    """El segundo se ve poco y no se pinta; al tercero ya no lo tapa nadie y el cuarto, justo."""
    spans = torch.zeros(1, 5, 1, 10, dtype=torch.bool)
    for m, (first, last) in enumerate([(0, 4), (2, 5), (4, 6), (5, 7), (8, 9)]):
        spans[0, m, 0, first:last] = True
    wanted = torch.tensor([[True, True, True, True, False]])
    visible, kept = _occlude(spans, wanted, 0.5)
    assert kept.tolist() == [[True, False, True, True, False]]
    seen = [row.nonzero()[:, 0].tolist() for row in visible[0, :, 0]]
    assert seen == [[0, 1, 2, 3], [], [4, 5], [6], []]


def test_colors_are_bright_and_of_every_hue():
    colors = random_colors((600,), torch.Generator().manual_seed(0)).double()
    hue, saturation, value = zip(*(colorsys.rgb_to_hsv(*c) for c in colors.tolist()), strict=True)
    assert min(saturation) > 0.3 - 1e-5 and max(saturation) > 0.95
    assert min(value) > 0.75 - 1e-5 and max(value) <= 1
    sixths = torch.tensor(hue).mul(6).long().clamp(max=5).bincount(minlength=6)
    assert sixths.min() > 60  # de cien esperados


def test_only_digits_have_an_uneven_background():
    generator = torch.Generator().manual_seed(0)
    plain = random_backgrounds(8, 32, generator, uneven=False)
    blurred = random_backgrounds(8, 32, generator, uneven=True)
    assert plain.std((2, 3)).max() < 1e-6 and blurred.std((2, 3)).min() > 0.01
    for background in (plain, blurred):
        assert background.min() >= 0.05 and background.max() <= 0.4
    # De un punto al de al lado cambia poco: son manchas, no ruido.
    assert blurred.diff(dim=-1).abs().max() < 0.4 / 6


def test_the_noise_is_as_loud_as_asked():
    """La misma semilla con ruido y sin él: en el fondo, la diferencia tiene esa desviación."""
    quiet, loud = (scenes(replace(SHAPE_SCENES, noise=noise)) for noise in (0.0, 0.03))
    assert torch.equal(quiet.masks, loud.masks)
    away = (loud.images - quiet.images).transpose(0, 1)[:, quiet.semantic == 0]
    assert float(away.std()) == pytest.approx(0.03, rel=0.05)


def test_test_digits_are_never_seen_in_training():
    train, test = digit_pictures(False)[0], digit_pictures(True)[0]
    assert len(train) + len(test) == 1797
    assert not {p.numpy().tobytes() for p in train} & {p.numpy().tobytes() for p in test}
    for reserved in (False, True):
        _, first, count = digit_pictures(reserved)
        assert first[0] == 0 and (count > 40).all()
        assert torch.equal(first[1:], (first + count)[:-1])


@pytest.mark.parametrize("reserved", [False, True])
def test_the_digit_drawn_is_one_of_its_class_and_part(reserved):
    """Contra el conjunto de scikit-learn, ampliado: dos tercios para entrenar, en orden."""
    from sklearn.datasets import load_digits

    data = load_digits()
    cut = len(data.target) * 2 // 3
    part = slice(cut, None) if reserved else slice(cut)
    pictures = torch.tensor(data.images[part], dtype=torch.float32) / 16
    known = F.interpolate(pictures[:, None], 64, mode="bilinear")[:, 0, 4:-4, 4:-4] > INK
    center, side = torch.full((1, 10, 2), 32.0), torch.full((1, 10, 2), 64.0)
    for seed in range(3):
        generator = torch.Generator().manual_seed(seed)
        ink = digit_masks(torch.arange(10)[None], center, side, 64, generator, reserved=reserved)
        drawn = ink[0, :, 4:-4, 4:-4]
        assert (drawn[drawn > 0] > 0.5).all()  # un punto es del dígito o no lo es
        for digit in range(10):
            same = (known == (drawn[digit] > 0.5)).float().mean((1, 2)) > 0.999
            assert digit in data.target[part][same.numpy()]


def test_reserved_scenes_are_of_another_seed_and_other_digits():
    test = reserved_scenes(5, DIGIT_SCENES)
    seeded = [
        make_scenes(5, torch.Generator().manual_seed(TEST_SEED), DIGIT_SCENES, reserved=reserved)
        for reserved in (False, True)
    ]
    assert not torch.equal(test.masks, seeded[0].masks)
    assert torch.equal(test.masks, seeded[1].masks)
    for seed in range(20):  # las de entrenar
        assert not torch.equal(next(scene_batches(5, seed)).masks, reserved_scenes(5).masks)


def test_box_of_an_empty_mask_is_zero():
    masks = torch.zeros(2, 8, 8, dtype=torch.bool)
    masks[1, 2:5, 7] = True
    assert boxes_from_masks(masks).tolist() == [[0.0] * 4, [7.5 / 8, 3.5 / 8, 1 / 8, 3 / 8]]


def test_a_batch_is_a_tuple():
    """Así la entiende el bucle de entrenamiento, que reparte tuplas de tensores."""
    batch = scenes(SHAPE_SCENES, n=4)
    assert Scenes(*batch) is not batch and len(batch) == 6
    assert SHAPE_SCENES.classes == CLASSES["figuras"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tier": "letras"}, "nivel desconocido: 'letras'; usa figuras o cifras"),
        ({"min_objects": 5}, "min_objects=5 y max_objects=4"),
        ({"max_objects": 0, "min_objects": 0}, "el segundo es al menos 1"),
        ({"sides": (10, 70)}, "los lados van de 4 píxeles a menos que la imagen"),
        ({"tries": 0}, "tries=0: hace falta al menos un sitio para cada objeto"),
    ],
)
def test_bad_settings_are_explained(changes, message):
    with pytest.raises(ValueError, match=message):
        SceneConfig(**changes)


def test_more_tries_keep_the_objects_apart():
    """Con cuatro objetos siempre, y sin exigir que se vean: la parte que les queda tapada."""
    crowded = replace(SHAPE_SCENES, min_objects=4, min_visible=0.0)
    hidden = {}
    for tries in (1, 16):
        batch = scenes(replace(crowded, tries=tries), n=64)
        overlap = box_iou_matrix(batch.boxes)
        hidden[tries] = float(overlap.triu(1).sum() / len(overlap))
    assert hidden[16] < hidden[1] / 4


def box_iou_matrix(boxes):
    corners = to_corners(boxes)
    return torch.stack([iou(some, some) for some in corners])


@pytest.mark.parametrize("seed", range(3))
def test_the_chosen_place_is_the_least_trodden(seed):
    """Contra la cuenta a mano, objeto a objeto y sitio a sitio, de lo que pisa cada uno."""
    generator = torch.Generator().manual_seed(seed)
    sides = 5 + 10 * torch.rand(3, 4, 2, generator=generator)
    corners = 40 * torch.rand(3, 4, 6, 2, generator=generator)
    chosen = spread(sides, corners)
    for image in range(3):
        placed = [corners[image, 0, 0]]
        for m in range(1, 4):
            trodden = []
            for place in corners[image, m]:
                total = 0.0
                for n, other in enumerate(placed):
                    low = torch.maximum(place, other)
                    high = torch.minimum(place + sides[image, m], other + sides[image, n])
                    total += float((high - low).clamp(min=0).prod())
                trodden.append(total)
            placed.append(corners[image, m, trodden.index(min(trodden))])
        torch.testing.assert_close(chosen[image], torch.stack(placed))


def test_empty_batch_is_explained():
    with pytest.raises(ValueError, match="hace falta al menos una escena"):
        scenes(SHAPE_SCENES, n=0)
