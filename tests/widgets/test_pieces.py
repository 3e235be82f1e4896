"""Figura de trozos: el navegador corta igual que Python, y se puede escribir en ella."""

import re

import pytest

from tests.site.static_page import open_page, overflow, widget_state, write_page
from tfcourse.datasets.text.articles import join_texts, split_articles
from tfcourse.tokenizers.bpe import BPETokenizer
from tfcourse.tokenizers.characters import CharacterTokenizer
from tfcourse.tokenizers.unigram import UnigramTokenizer
from tfcourse.tokenizers.wordpiece import WordPieceTokenizer
from tfcourse.tokenizers.words import WordTokenizer
from tfcourse.widgets import PiecesWidget

TRAIN, TEST = (join_texts(part) for part in split_articles())
TEXT = TRAIN[:60_000]
TOKENIZERS = {
    "Caracteres": CharacterTokenizer.train(TEXT),
    "Palabras": WordTokenizer.train(TEXT, 800),
    "BPE": BPETokenizer.train(TEXT, 800),
    "WordPiece": WordPieceTokenizer.train(TEXT, 800),
    "Unigram": UnigramTokenizer.train(TEXT, 800),
}
EXAMPLES = ["La niña comió ñoquis 👍.", "Dos  espacios y ⊕"]


@pytest.fixture
def page(browser, tmp_path):
    models = {"m": widget_state(PiecesWidget(TOKENIZERS, EXAMPLES))}
    opened = open_page(browser, write_page(tmp_path, models=models, views=models), width=360)
    opened.wait_for_selector(".tfc-piece")
    yield opened
    assert opened.problems == []
    opened.close()


def shown(page, name):
    pieces = page.get_by_role("list", name=name).locator("[role=listitem]")
    return pieces.evaluate_all("es => es.map(e => e.firstChild.textContent)")


def wanted(tokenizer, text):
    pieces = []
    for word in tokenizer.split(text):
        ids = tokenizer.encode_word(word)
        texts = [tokenizer.readable(number) for number in ids]
        if tokenizer.unknown_id in ids:
            letters = isinstance(tokenizer, UnigramTokenizer)
            lost = [c for c in word if c not in tokenizer.tokens] if letters else [word]
            texts = [lost.pop(0) if t == "<desconocido>" else t for t in texts]
        pieces += texts
    return [piece.replace(" ", "␣").replace("\n", "⏎") for piece in pieces]


@pytest.mark.parametrize("name", TOKENIZERS)
def test_browser_cuts_like_python(page, name):
    sentences = [*EXAMPLES, *(s.strip()[:280] for s in TEST[:6_000].split(". ")[:20])]
    for sentence in sentences:
        page.get_by_label("Escribe aquí").fill(sentence)
        assert shown(page, name) == wanted(TOKENIZERS[name], sentence), sentence


def test_what_is_unknown_is_said_with_words(page):
    page.get_by_label("O elige un ejemplo").select_option("1")
    assert page.get_by_label("Escribe aquí").input_value() == EXAMPLES[1]
    lost = page.get_by_role("list", name="Caracteres").locator(".tfc-unknown")
    assert lost.all_inner_texts()[0].split() == ["⊕", "⊕,", "desconocido", "?"]
    assert "Caracteres: 17 trozos, 1 desconocido." in page.get_by_role("status").inner_text()
    assert re.search(r"BPE: \d+ trozos\.", page.get_by_role("status").inner_text())


def test_it_fits_a_phone_and_an_empty_text(page):
    assert overflow(page) <= 0
    page.get_by_label("Escribe aquí").fill("")
    assert "BPE: 0 trozos" in page.get_by_role("status").inner_text()


def test_bad_arguments_are_explained():
    with pytest.raises(ValueError, match="hacen falta un diccionario de tokenizadores"):
        PiecesWidget({}, EXAMPLES)
    with pytest.raises(ValueError, match="el BPE «letras» no es de bytes"):
        PiecesWidget({"letras": BPETokenizer.train("a b", 20, byte_level=False)}, EXAMPLES)
    assert repr(PiecesWidget(TOKENIZERS, EXAMPLES)) == "PiecesWidget(5 tokenizadores, 2 frases)"
