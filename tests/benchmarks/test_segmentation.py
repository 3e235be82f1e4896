"""La tabla de las piezas de Mask2Former: entera, y cada fila de la suya."""

from benchmarks import segmentation
from benchmarks.segmentation import LADDER, NAME, measure, settings
from tfcourse.stored.results import load_results, load_settings


def test_the_stored_table_is_whole():
    rows = load_results(NAME, settings())
    assert {row["model"] for row in rows} == set(LADDER)
    assert len(rows) == len(LADDER) * len({row["seed"] for row in rows})
    # El capítulo lee de aquí el orden de las filas.
    assert ["MaskFormer", *load_settings(NAME)["pieces"]] == list(LADDER)


def test_the_table_goes_piece_by_piece(monkeypatch, fake_clock):
    monkeypatch.setattr(segmentation, "SECONDS", 0.05)
    monkeypatch.setattr(
        "tfcourse.vision.segmentation.recipe.Segmenter.score", lambda self: {"PQ": 0.0}
    )
    rows = list(measure([3]))
    assert [row["model"] for row in rows] == list(LADDER)
    assert all(row["seed"] == 3 and row["updates"] > 0 for row in rows)
