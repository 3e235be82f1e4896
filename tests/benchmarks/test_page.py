"""La página de medidas dice lo guardado."""

import sys

import pytest

from benchmarks import page


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
