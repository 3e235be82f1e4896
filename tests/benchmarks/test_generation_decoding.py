"""Tokens por segundo al escribir: lo guardado cumple lo prometido, y la medida corre."""

from benchmarks import generation_decoding as table
from tfcourse.models.gpt import GPTConfig
from tfcourse.stored.results import load_results


def test_our_cache_is_not_slower_than_generate():
    rows = load_results(table.NAME, table.settings())
    assert table.ratio(rows) >= 1.0
    gains = [row["value"] for row in rows if row["kind"] == "ventaja"]
    assert gains == sorted(gains)


def test_the_measures_run(fake_clock):
    tiny = GPTConfig(200, d_model=32, n_heads=4, n_layers=2, max_length=64)
    rates = table.compare(tiny, written=8, repeats=1)
    assert set(rates) == {
        table.OURS,
        table.THEIRS,
        table.UNCACHED,
    }
    assert min(rates.values()) > 0
    assert set(table.speedups(tiny, lengths=(4, 8))) == {4, 8}
