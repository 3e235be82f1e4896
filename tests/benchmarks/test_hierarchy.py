"""La carrera de un ViT, dos Swin y un ConvNeXt: la tabla está entera y se mide fila a fila."""

from benchmarks import hierarchy
from benchmarks.hierarchy import NAME, RIVALS, measure, settings
from tfcourse.stored.results import load_results


def test_the_stored_comparison_is_whole():
    rows = load_results(NAME, settings())
    assert len(rows) == 3 * len(RIVALS)


def test_it_is_measured_reader_by_reader(monkeypatch, fake_clock):
    monkeypatch.setattr(hierarchy, "SECONDS", 0.1)
    rows = list(measure([3]))
    assert [row["reader"] for row in rows] == list(RIVALS)
    assert all(row["seed"] == 3 and row["steps"] > 0 for row in rows)
