"""Las medidas largas: lo guardado cumple lo prometido, y la página dice lo guardado."""

import sys

import pytest

from benchmarks import decodificacion, gpt_corpus, page
from tfcourse.gpt_recipes import Corpus, spanish_corpus
from tfcourse.models.gpt import GPTConfig


def test_the_page_says_what_is_stored():
    assert page.PAGE.read_text(encoding="utf-8") == page.build()


def test_the_page_is_written_and_a_stale_one_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(page, "PAGE", tmp_path / "medidas.md")
    monkeypatch.setattr(sys, "argv", ["page", "--escribir"])
    page.main()
    monkeypatch.setattr(sys, "argv", ["page"])
    page.main()
    page.PAGE.write_text("otra cosa", encoding="utf-8")
    with pytest.raises(SystemExit, match="benchmarks.page --escribir"):
        page.main()


def test_our_recipe_beats_the_baseline_at_equal_time():
    rows = gpt_corpus.stored()
    assert gpt_corpus.ratio(rows) <= 0.80
    assert set(gpt_corpus.averages(rows)) == {*gpt_corpus.RECIPES, gpt_corpus.RECURRENT}
    assert len({row["seed"] for row in rows}) >= 2
    assert all(abs(row["seconds"] - gpt_corpus.SECONDS) < 3 for row in rows)


def test_our_cache_is_not_slower_than_generate():
    rows = decodificacion.stored()
    assert decodificacion.ratio(rows) >= 1.0
    gains = [row["value"] for row in rows if row["kind"] == "ventaja"]
    assert gains == sorted(gains)


def test_the_measures_run(monkeypatch):
    tiny = GPTConfig(200, d_model=32, n_heads=4, n_layers=2, max_length=64)
    rates = decodificacion.compare(tiny, written=8, repeats=1)
    assert set(rates) == {decodificacion.OURS, decodificacion.THEIRS, decodificacion.UNCACHED}
    assert min(rates.values()) > 0
    assert set(decodificacion.speedups(tiny, lengths=(4, 8))) == {4, 8}
    corpus = Corpus(spanish_corpus().train[:20_000], spanish_corpus(3_000).test)
    rows = [
        gpt_corpus.run_recipe(gpt_corpus.BASELINE, corpus, 0.5, seed=0),
        gpt_corpus.run_recipe("sin BPE", corpus, 0.5, seed=0),
        gpt_corpus.run_recurrent(corpus, 0.5, seed=0),
    ]
    assert all(2 < row["bits"] < 8 and row["steps"] > 0 for row in rows)
    assert [set(row) for row in rows] == [set(rows[0])] * 3
