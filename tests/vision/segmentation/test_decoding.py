"""Las tres respuestas, con máscaras que se pueden seguir a mano."""

import torch

from tfcourse.datasets.scenes.scenes import CROWDED_SCENES, make_scenes
from tfcourse.datasets.scenes.segments import panoptic_map, touches_its_kind
from tfcourse.models.segmentation import Segments
from tfcourse.vision.segmentation.decoding import (
    as_instances,
    connected_parts,
    enlarge,
    instance_answer,
    panoptic_answer,
    semantic_answer,
)


def scene():
    """Dos consultas de la clase 1 que se tocan, una de la 2 insegura y el fondo; 4 × 6 puntos."""
    masks = torch.full((1, 4, 4, 6), 0.05)
    masks[0, 0, :2, :3], masks[0, 1, :2, 3:] = 0.9, 0.9
    masks[0, 2, 2:, :2] = 0.9
    masks[0, 3, 2:] = 0.8
    chances = torch.full((1, 4, 3), 0.02)
    chances[0, 0, 1], chances[0, 1, 1], chances[0, 2, 2], chances[0, 3, 0] = 0.9, 0.8, 0.25, 0.95
    return chances, masks


def test_semantic_joins_and_panoptic_separates():
    chances, masks = scene()
    kinds = semantic_answer(chances, masks)[0]
    assert kinds[:2].eq(1).all() and kinds[2:].eq(0).all()
    answer = panoptic_answer(chances, masks)[0]
    assert torch.equal(answer[..., 0], kinds)
    assert answer[:2, :3, 1].eq(1).all() and answer[:2, 3:, 1].eq(2).all()
    assert answer[2:, :, 1].eq(0).all()


def test_semantic_votes_by_hand():
    chances, masks = torch.rand(2, 5, 3), torch.rand(2, 5, 4, 4)
    votes = torch.zeros(2, 3, 4, 4)
    for query in range(5):
        for kind in range(3):
            votes[:, kind] += chances[:, query, kind, None, None] * masks[:, query]
    assert torch.equal(semantic_answer(chances, masks), votes.argmax(1))


def test_the_unsure_are_not_heard():
    chances, masks = scene()
    assert not panoptic_answer(chances, masks)[..., 0].eq(2).any()
    # Si se la escucha, en su rincón la clase 2 sigue perdiendo con el fondo, que está más seguro.
    assert not panoptic_answer(chances, masks, threshold=0.2)[..., 0].eq(2).any()
    chances[0, 3, 0] = 0.2
    assert panoptic_answer(chances, masks, threshold=0.2)[0, 2:, :2, 0].eq(2).all()


def test_what_is_left_of_a_covered_segment_goes_away():
    """La segunda consulta repite la primera y algo más: le queda menos de la mitad."""
    masks = torch.full((1, 2, 4, 4), 0.05)
    masks[0, 0, :3], masks[0, 1, :] = 0.9, 0.8
    chances = torch.tensor([[[0.0, 0.9], [0.0, 0.6]]])
    answer = panoptic_answer(chances, masks)[0]
    assert answer[:3, :, 1].eq(1).all() and answer[3].eq(0).all()
    assert panoptic_answer(chances, masks, kept=0.1)[0, 3, :, 1].eq(2).all()


def test_instances_may_share_points():
    masks = torch.full((1, 2, 4, 4), 0.05)
    masks[0, 0, :3], masks[0, 1, 1:] = 0.9, 0.8
    chances = torch.tensor([[[0.1, 0.9, 0.2], [0.7, 0.1, 0.5]]])
    found = instance_answer(chances, masks)
    assert (found.masks[0, 0] & found.masks[0, 1]).sum() == 8
    assert found.classes.tolist() == [[1, 2]]  # la segunda prefiere el fondo, que aquí no cuenta
    torch.testing.assert_close(found.scores, torch.tensor([[0.9 * 0.9, 0.5 * 0.8]]))


def test_a_query_without_a_mask_has_no_score():
    found = instance_answer(torch.ones(1, 1, 2), torch.zeros(1, 1, 4, 4))
    assert found.scores.item() == 0 and not found.masks.any()


def flood(kinds):
    """Manchas por inundación, punto a punto."""
    kinds = kinds.tolist()
    rows, columns = len(kinds), len(kinds[0])
    parts = {}
    for start in ((y, x) for y in range(rows) for x in range(columns)):
        if kinds[start[0]][start[1]] == 0 or start in parts:
            continue
        pending = [start]
        while pending:
            y, x = pending.pop()
            if (y, x) in parts:
                continue
            parts[y, x] = start
            for v, u in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
                if 0 <= v < rows and 0 <= u < columns and kinds[v][u] == kinds[y][x]:
                    pending.append((v, u))
    return parts


def test_parts_are_those_of_a_flood():
    kinds = torch.randint(3, (1, 9, 9), generator=torch.Generator().manual_seed(0))
    answer, parts = connected_parts(kinds, min_area=1)[0], flood(kinds[0])
    assert torch.equal(answer[..., 0], kinds[0])
    names = {}
    for (y, x), start in parts.items():
        assert names.setdefault(start, int(answer[y, x, 1])) == int(answer[y, x, 1])
    assert len(set(names.values())) == len(names) and 0 not in names.values()


def test_small_parts_are_noise():
    kinds = torch.zeros(1, 8, 8, dtype=torch.long)
    kinds[0, :4, :4], kinds[0, 6, 6] = 1, 2
    answer = connected_parts(kinds)
    assert answer[..., 0].unique().tolist() == [0, 1]


def test_parts_join_what_touches():
    """Con el mapa de clases exacto, lo que toca a otro de su clase se une; lo demás se separa."""
    scenes = make_scenes(20, torch.Generator().manual_seed(0), CROWDED_SCENES)
    answer = connected_parts(scenes.semantic)
    touching = touches_its_kind(scenes)
    real = panoptic_map(scenes)
    alone = joined = 0
    for image, count in enumerate(scenes.counts.tolist()):
        for thing in range(count):
            own = real[image, ..., 1] == thing + 1
            number = answer[image, own, 1].mode().values
            same = torch.equal(answer[image, ..., 1] == number, own)
            joined += int(bool(touching[image, thing]) and not same)
            alone += int(not touching[image, thing] and same)
    assert joined > 0.7 * touching.sum() and alone > 0.7 * (scenes.present & ~touching).sum()


def test_instances_of_a_panoptic_answer():
    kinds = torch.zeros(1, 6, 6, 2, dtype=torch.long)
    kinds[0, :2, :, :], kinds[0, 3:, :, :] = torch.tensor([2, 1]), torch.tensor([1, 2])
    sure = torch.full((1, 6, 6), 0.5)
    sure[0, :2] = 0.9
    found = as_instances(kinds, sure)
    assert found.classes.tolist() == [[2, 1]]
    assert found.masks.sum((2, 3)).tolist() == [[12, 18]]
    torch.testing.assert_close(found.scores, torch.tensor([[0.9, 0.5]]))


def test_enlarging_gives_probabilities_of_the_right_size():
    found = Segments(torch.zeros(1, 1, 2), torch.full((1, 1, 4, 4), 2.0))
    chances = enlarge(found, (8, 8))
    torch.testing.assert_close(chances, torch.full((1, 1, 8, 8), torch.tensor(2.0).sigmoid()))


def test_what_nobody_is_sure_of_is_background():
    """La consulta está segura de su clase, pero no de los puntos de abajo."""
    masks = torch.full((1, 1, 2, 4), 0.3)
    masks[0, 0, 0] = 0.9
    answer = panoptic_answer(torch.tensor([[[0.0, 0.9]]]), masks)[0]
    assert answer[0, :, 0].eq(1).all() and answer[1].eq(0).all()


def test_the_unsure_take_nothing_from_others():
    """Aunque reclame el punto con más fuerza, una consulta a la que no se escucha no lo quita."""
    masks = torch.tensor([0.6, 0.9]).view(1, 2, 1, 1).expand(1, 2, 3, 3)
    chances = torch.tensor([[[0.0, 0.35, 0.0], [0.0, 0.0, 0.25]]])
    assert 0.35 * 0.6 < 0.25 * 0.9
    assert panoptic_answer(chances, masks).flatten(0, 2).unique(dim=0).tolist() == [[1, 1]]


def test_enlarging_goes_between_logits_and_not_between_probabilities():
    found = Segments(torch.zeros(1, 1, 2), torch.tensor([[[[-8.0, 8.0]]]]))
    chances = enlarge(found, (1, 4))[0, 0, 0]
    torch.testing.assert_close(chances, torch.tensor([-8.0, -4.0, 4.0, 8.0]).sigmoid())


def test_each_image_of_a_batch_is_answered_apart():
    """Con tantas imágenes como consultas, un eje no se puede confundir con el otro."""
    chances, masks = scene()
    other = masks.flip(1), chances.flip(1)
    pairs = [(chances, masks), (other[1], other[0]), (chances, masks.flip(3)), (chances, masks)]
    together = panoptic_answer(*(torch.cat(part) for part in zip(*pairs, strict=True)))
    for answer, pair in zip(together, pairs, strict=True):
        assert torch.equal(answer, panoptic_answer(*pair)[0])
