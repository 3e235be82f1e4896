"""El GPT que viene con el curso: se carga, mide lo que dice su ficha y gana a contar."""

import pytest
import torch

from tfcourse.decoding import continue_tokens
from tfcourse.gpt_recipes import WORKSHOP, load_workshop, ngram_bits, spanish_corpus
from tfcourse.shipped import weights_card

pytestmark = pytest.mark.lento


@pytest.fixture(scope="module")
def shipped():
    return load_workshop()


def test_it_measures_what_its_card_says(shipped):
    card = weights_card("gpt_espanol")
    corpus = spanish_corpus(test_characters=30_000)
    bits = shipped.bits(corpus.test)
    assert bits == pytest.approx(card.quality["bits_por_caracter"], abs=0.1)
    assert bits < ngram_bits(corpus)
    assert card.recipe["muon_lr"] == WORKSHOP.muon_lr and card.cpu_seconds < 15 * 60


def test_it_reads_and_writes_with_its_tokenizer(shipped):
    assert len(shipped.tokenizer) == shipped.model.config.n_tokens
    prompt = shipped.encode("La ciudad de ")[None]
    written = [
        continue_tokens(shipped.model, prompt, max_length=40, cached=c) for c in (True, False)
    ]
    assert torch.equal(*written) and len(shipped.tokenizer.decode(written[0][0])) > 60
