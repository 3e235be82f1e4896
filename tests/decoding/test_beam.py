"""Búsqueda en haz y muestreo, contra la enumeración de todas las frases."""

import itertools

import pytest
import torch

from tfcourse.decoding import greedy_decode, sample_decode, temperature_sampler
from tfcourse.decoding.beam import beam_search

START, STOP, N = 3, 0, 4


def toy_model(seed):
    """Cadena de Márkov: el estado no importa, solo el último token."""
    table = 2 * torch.randn(N, N, generator=torch.Generator().manual_seed(seed))
    return table, lambda tokens, state: (table[tokens[:, 0]], state)


def log_probability(table, sentence):
    path = [START, *sentence, STOP]
    steps = table.log_softmax(-1)
    return sum(steps[a, b].item() for a, b in itertools.pairwise(path)) / (len(path) - 1)


def search(step, **options):
    settings = {"first": START, "stop_id": STOP, "max_length": 4} | options
    return beam_search(step, None, lambda state, rows: state, **settings)


@pytest.mark.parametrize("seed", range(8))
def test_wide_beam_finds_the_best_sentence(seed):
    table, step = toy_model(seed)
    tokens = [token for token in range(N) if token != STOP]
    sentences = [s for n in range(4) for s in itertools.product(tokens, repeat=n)]
    best = max(log_probability(table, sentence) for sentence in sentences)
    written, score = search(step, beam_size=200)
    assert score == pytest.approx(log_probability(table, written), abs=1e-5)
    assert score == pytest.approx(best, abs=1e-5)


@pytest.mark.parametrize("seed", range(8))
def test_beam_of_one_is_greedy(seed):
    _, step = toy_model(seed)
    greedy = greedy_decode(step, None, torch.tensor([START]), stop_id=STOP, max_length=4)[0]
    expected = [token for token in greedy.tolist() if token != STOP]
    assert search(step, beam_size=1)[0][: len(expected)] == expected


def test_what_is_left_unfinished_also_counts_per_token():
    """Con el fin casi imposible, nada acaba: el mejor token de cada paso, en media de los dos."""
    table = torch.tensor([0.0, 1.0, 2.0, -50.0]).log_softmax(dim=-1)

    def step(last, state):
        return table.expand(len(last), -1), state

    written, score = beam_search(
        step, None, lambda state, rows: state, first=0, stop_id=3, max_length=2, beam_size=1
    )
    assert written == [2, 2]
    assert score == pytest.approx(float(table[2]), abs=1e-5)


@pytest.mark.parametrize("options", [{"beam_size": 0}, {"max_length": 0}])
def test_sizes_must_be_positive(options):
    with pytest.raises(ValueError, match="deben ser positivos"):
        search(toy_model(0)[1], **options)


def test_sampling_follows_the_probabilities():
    logits = torch.tensor([[0.0, 1.0, 2.0]]).expand(20_000, 3)
    for temperature in (0.5, 1.0, 3.0):
        generator = torch.Generator().manual_seed(0)
        chosen = temperature_sampler(temperature, generator)(logits)
        shares = torch.bincount(chosen, minlength=3) / len(chosen)
        expected = logits[0].softmax(0) ** (1 / temperature)
        torch.testing.assert_close(shares, expected / expected.sum(), atol=0.015, rtol=0)


def test_sampled_sentences_stop():
    _, step = toy_model(0)
    choose = temperature_sampler(1.0, torch.Generator().manual_seed(0))
    first = torch.full((50,), START)
    options = {"stop_id": STOP, "max_length": 6, "choose": choose}
    written = sample_decode(step, None, first, **options)
    assert len({tuple(row) for row in written.tolist()}) > 5
    for row in written.tolist():
        ended = row.index(STOP) if STOP in row else len(row)
        assert all(token == STOP for token in row[ended:])


@pytest.mark.parametrize("temperature", [0, -1.0])
def test_temperature_must_be_positive(temperature):
    with pytest.raises(ValueError, match=f"temperature={temperature}.*voraz"):
        temperature_sampler(temperature)
