"""Los tokenizadores publicados: lo guardado, lo que dice la página y cómo se leen."""

import pytest

from benchmarks import tokens
from benchmarks.tokens import EXAMPLES, LANGUAGES, NAME, PUBLISHED, languages, measure, settings
from benchmarks.tokens_published import FOLDER, archive, merges_of, messages
from tfcourse.stored.results import load_results
from tfcourse.tokenizers.bpe import BPETokenizer

ROWS = load_results(NAME, settings())


def ratios(name, language):
    (row,) = (
        r for r in ROWS
        if (r["tokenizer"], r["what"], r.get("language")) == (name, "mensajes", language)
    )  # fmt: skip
    return row["low"], row["ratio"], row["high"]


def test_the_table_is_whole():
    per_tokenizer = 1 + (1 + len(LANGUAGES)) + 2 * len(EXAMPLES)
    assert len(ROWS) == len(PUBLISHED) * per_tokenizer
    assert {row["messages"] for row in ROWS if row["what"] == "mensajes"} == {164}


def test_what_the_page_says():
    assert all(ratios(name, "español")[0] > 1.1 for name in PUBLISHED)
    assert ratios("GPT-2", "español")[0] > ratios("GPT-4", "español")[2]
    assert ratios("GPT-4", "español")[0] > ratios("GPT-4o", "español")[2]
    for dearer in ("catalán", "euskera", "francés"):
        assert ratios("GPT-4o", dearer)[0] > ratios("GPT-4o", "español")[2]
    assert ratios("GPT-2", "árabe")[0] > 4 and ratios("GPT-4o", "árabe")[2] < 1.5
    spread = {n: max(ratios(n, lang)[1] for lang in LANGUAGES) for n in PUBLISHED}
    assert min(spread, key=spread.get) == "XLM-R"


def test_merges_are_recovered_from_the_tokens_alone():
    learned = BPETokenizer.train("la casa de las casas altas y la otra casa " * 9, 300)
    own = learned.tokens[len(learned.special_tokens) :]
    assert merges_of(own) == learned.merges


def test_a_row_of_a_language_says_how_much_more_than_english(monkeypatch):
    monkeypatch.setattr(tokens, "N_RESAMPLES", 20)
    parallel = {"inglés": ["ab", "abcd"], "otra": ["abab", "abcdabcd"]}
    rows = list(languages("letras", list, parallel, 0))
    assert [row["ratio"] for row in rows] == [1.0, 2.0]
    assert rows[1]["low"] == rows[1]["high"] == 2.0 and rows[1]["tokens"] == 12


def test_a_missing_archive_is_told(monkeypatch, tmp_path):
    monkeypatch.setenv(FOLDER, str(tmp_path))
    with pytest.raises(FileNotFoundError, match="falta Django-5.2"):
        messages("es")
    (tmp_path / "Django-5.2-py3-none-any.whl").write_bytes(b"otra cosa")
    with pytest.raises(ValueError, match="su huella es otra"):
        archive("Django-5.2-py3-none-any.whl")


def test_measuring_without_the_archives_is_told(monkeypatch):
    monkeypatch.delenv(FOLDER, raising=False)
    with pytest.raises(FileNotFoundError):
        next(measure([0]))
