"""El GPT de clase: se entrena y se mide; el que viene con el curso mide lo que dice su ficha."""

from dataclasses import asdict

import pytest
import torch

from tfcourse.datasets.text.articles import spanish_corpus
from tfcourse.decoding import continue_tokens
from tfcourse.text.generation import recipe as generation
from tfcourse.text.generation.recipe import (
    ABLATIONS,
    NANOGPT,
    OURS,
    WEIGHTS,
    WORKSHOP,
    Recipe,
    TrainedGPT,
    build,
    build_optimizer,
    load,
    ngram_bits,
    train,
)
from tfcourse.tokenizers.characters import CharacterTokenizer
from tfcourse.training import History
from tfcourse.training.budget import CpuSeconds, Steps
from tfcourse.training.muon import Muon
from tfcourse.weights.shipped import weights_card


def test_each_ablation_removes_one_thing():
    assert Recipe() == NANOGPT and NANOGPT.batch_size == 12 and NANOGPT.adam_lr == 1e-3
    for name, recipe in ABLATIONS.items():
        changed = {key for key, value in vars(recipe).items() if value != vars(OURS)[key]}
        # Al quitar Muon, AdamW lleva el ritmo que mejor le va.
        assert len(changed) == (2 if name == "sin Muon" else 1), name


def test_the_recipe_is_built_trained_and_measured(monkeypatch, fake_clock):
    monkeypatch.setattr(generation, "BPE_CHARACTERS", 3_000)
    corpus = spanish_corpus(2_000)
    assert len(corpus.test) == 2_000 and corpus.test[:200] not in corpus.train
    for recipe in (NANOGPT, Recipe(200, "rotatorias", "cuadratica", 0.02, 5e-3, 4, 16)):
        trained = train(recipe, 0, CpuSeconds(15 * fake_clock.tick), text=corpus.train[:6_000])
        assert trained.tokenizer.decode(trained.encode("la casa")) == "la casa"
        assert 2.0 < trained.bits(corpus.test) < 7.5
        assert isinstance(build_optimizer(trained.model, recipe), Muon) == (
            recipe.muon_lr is not None
        )
    by_steps = train(NANOGPT, 0, Steps(3), text=corpus.train[:6_000])
    assert len(by_steps.history.loss) == 3
    assert by_steps.history.learning_rate[-1] < NANOGPT.adam_lr  # la bajada se completa
    with pytest.raises(ValueError, match="hace falta algo de tiempo"):
        train(OURS, 0, CpuSeconds(1e-6), text=corpus.train[:6_000])
    with pytest.raises(ValueError, match="deben ser positivos"):
        Recipe(adam_lr=0)


def test_the_card_is_that_of_the_recipe(monkeypatch):
    card, making = weights_card("gpt_espanol"), WEIGHTS["gpt_espanol"]
    model = build(WORKSHOP, WORKSHOP.n_tokens)
    history = History(loss=[0.0] * card.recipe["steps"])
    letters = CharacterTokenizer("abc")
    assert making.config(model) == asdict(model.config) == card.config
    assert making.recipe(TrainedGPT(model, WORKSHOP, history, letters)) == card.recipe
    monkeypatch.setattr(TrainedGPT, "bits", lambda trained, text: 1.0)
    monkeypatch.setattr(generation, "ngram_bits", lambda corpus: 2.0)
    monkeypatch.setattr(generation, "_tokenizer", lambda: letters)
    assert making.score(model) | making.blind() == dict.fromkeys(card.quality, 1.0) | {
        "bits_por_caracter_6_grama": 2.0
    }
    assert (making.data, making.seed) == (card.data, card.seed)


@pytest.fixture(scope="module")
def shipped():
    return load("gpt_espanol")


@pytest.mark.lento
def test_it_measures_what_its_card_says(shipped):
    card = weights_card("gpt_espanol")
    corpus = spanish_corpus(test_characters=30_000)
    bits = shipped.bits(corpus.test)
    assert bits == pytest.approx(card.quality["bits_por_caracter"], abs=0.1)
    assert bits < ngram_bits(corpus)
    assert card.recipe["muon_lr"] == WORKSHOP.muon_lr and card.cpu_seconds < 15 * 60


@pytest.mark.lento
def test_it_reads_and_writes_with_its_tokenizer(shipped):
    assert len(shipped.tokenizer) == shipped.model.config.n_tokens
    prompt = shipped.encode("La ciudad de ")[None]
    written = [
        continue_tokens(shipped.model, prompt, max_length=40, cached=c) for c in (True, False)
    ]
    assert torch.equal(*written) and len(shipped.tokenizer.decode(written[0][0])) > 60
