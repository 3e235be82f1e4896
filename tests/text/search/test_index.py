"""El índice de celdas y la fusión por puestos."""

import pytest
import torch
import torch.nn.functional as F

from tfcourse.text.search.hybrid import fused_by_place, places
from tfcourse.text.search.index import CellIndex, spherical_kmeans


def directions(n, seed=0):
    return F.normalize(torch.randn(n, 6, generator=torch.Generator().manual_seed(seed)), dim=1)


def test_opening_every_cell_is_exact():
    vectors, queries = directions(200), directions(9, seed=1)
    index = CellIndex(vectors, 12)
    assert sorted(torch.cat(index.cells).tolist()) == list(range(200))
    for query in queries:
        found = index.search(query, 10, 12)
        exact = (vectors @ query).topk(10)
        assert found.documents.tolist() == exact.indices.tolist()
        torch.testing.assert_close(found.scores, exact.values)
        assert found.compared == 12 + 200


def test_opening_more_cells_never_finds_less():
    vectors, index = directions(300), CellIndex(directions(300), 20)
    for query in directions(5, seed=2):
        best = set((vectors @ query).topk(10).indices.tolist())
        kept = [len(best & set(index.search(query, 10, n).documents.tolist())) for n in (1, 4, 20)]
        assert kept == sorted(kept) and kept[-1] == 10
        near = index.search(query, 10, 1)
        assert near.compared < 20 + 300


def test_groups_far_apart_are_found():
    centres = torch.eye(6)[:3]
    vectors = F.normalize(centres.repeat_interleave(10, 0) + 0.05 * directions(30), dim=1)
    found = max(
        (spherical_kmeans(vectors, 3, seed=seed) for seed in range(5)),
        key=lambda own: float((vectors @ own.T).amax(1).mean()),
    )
    assert ((centres @ found.T).amax(1) > 0.99).all()
    assert torch.allclose(found.norm(dim=1), torch.ones(3))


def test_places_and_fusion_by_hand():
    scores = torch.tensor([[0.1, 9.0, 3.0], [5.0, 5.0, 7.0]])
    assert places(scores).tolist() == [[3, 1, 2], [3, 3, 1]]
    fused = fused_by_place([scores, -scores], k=1.0)
    first = [1 / 4 + 1 / 2, 1 / 2 + 1 / 4, 1 / 3 + 1 / 3]
    torch.testing.assert_close(fused[0], torch.tensor(first))


def test_those_that_share_no_word_do_not_change_the_order():
    """Un buscador que puntúa todo igual no cambia el orden del otro."""
    scores = directions(4, seed=5)
    fused = fused_by_place([torch.zeros_like(scores), scores])
    assert fused.argsort(dim=1).equal(scores.argsort(dim=1))


def test_the_scale_does_not_matter():
    scores, other = directions(4), directions(4, seed=3)
    one, two = fused_by_place([scores, other]), fused_by_place([1000 * scores + 5, other.exp()])
    torch.testing.assert_close(one, two)


def test_wrong_use_says_what_to_do():
    with pytest.raises(ValueError, match="n_cells=9 con 4"):
        spherical_kmeans(directions(4), 9)
    with pytest.raises(ValueError, match="n_probes=3: hay 2"):
        CellIndex(directions(4), 2).search(directions(1)[0], 1, 3)
    with pytest.raises(ValueError, match="no hay puntuaciones"):
        fused_by_place([])
