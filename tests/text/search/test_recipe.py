"""El buscador del curso: los lotes, lo que se entrena y que aprende a juntar parejas."""

from dataclasses import replace

import pytest
import torch

from tfcourse.metrics.ranking import ranked, reciprocal_rank
from tfcourse.text.search import recipe as module
from tfcourse.text.search.recipe import (
    LIVE,
    OWN,
    Pairs,
    Recipe,
    at_rate,
    batches,
    build,
    encode,
    hardest,
    pair_loss,
    read_beginning,
    train,
    untrained,
)
from tfcourse.training.budget import Steps
from tfcourse.training.loop import seed_everything

TINY = Recipe(
    size={"d_model": 16, "n_heads": 2, "n_layers": 1, "d_hidden": 32, "max_length": 16},
    batch_size=8, steps=40, max_query=6, max_document=8,
)  # fmt: skip


class Forty:
    """Un vocabulario de cuarenta números, del que solo se mira cuántos son."""

    def __len__(self):
        return 40


@pytest.fixture(autouse=True)
def small_vocabulary(monkeypatch):
    monkeypatch.setattr(module, "shared_tokenizer", Forty)


def toy_pairs(n=24, hard=False):
    """El documento i y su consulta comparten el token i + 10; para dos consultas valen dos."""
    own = torch.arange(n)
    queries = torch.stack([own + 10, own % 7 + 1], dim=1)
    documents = torch.stack([own % 5 + 1, own + 10, own % 3 + 1], dim=1)
    right = torch.eye(n, dtype=torch.bool)
    right[0, 1] = right[1, 0] = True
    lengths = torch.full((n,), 2), torch.full((n,), 3)
    harder = own.roll(1) if hard else None
    return Pairs(queries, lengths[0], documents, lengths[1], own, harder, right)


def test_a_batch_pairs_each_query_with_its_document_and_adds_the_hard_ones():
    for hard in (False, True):
        data = toy_pairs(hard=hard)
        batch = next(batches(TINY, 0, data))
        assert len(batch.queries) == 8 and len(batch.documents) == 8 * (1 + hard)
        assert torch.equal(batch.queries[:, 0], batch.documents[:8, 1])
        assert batch.also_right[torch.arange(8), torch.arange(8)].all()
        if hard:
            assert torch.equal(batch.documents[8:, 1], (batch.queries[:, 0] - 11) % 24 + 10)


def test_padding_that_nobody_needs_is_cut():
    data = toy_pairs()
    wide = torch.cat([data.documents, torch.zeros(24, 5, dtype=torch.long)], dim=1)
    batch = next(batches(TINY, 0, replace(data, documents=wide)))
    assert batch.documents.shape == (8, 3)


def test_it_learns_to_find_the_document():
    data, model = toy_pairs(), train(TINY, 0, data=toy_pairs()).model
    assert not model.training
    found = (
        encode(model, data.queries, data.query_lengths)
        @ encode(model, data.documents, data.document_lengths, batch_size=5).T
    )
    assert reciprocal_rank(ranked(found, data.right)).mean() > 0.9
    seed_everything(0)
    fresh = build(TINY).eval()
    start = (
        encode(fresh, data.queries, data.query_lengths)
        @ encode(fresh, data.documents, data.document_lengths).T
    )
    assert reciprocal_rank(ranked(start, data.right)).mean() < 0.7


def test_encoding_by_batches_is_encoding_one_by_one():
    model, data = build(TINY).eval(), toy_pairs()
    lengths = data.document_lengths.clone()
    lengths[::2] = 2
    together = encode(model, data.documents, lengths, batch_size=7)
    alone = [
        model(row[None, :length], torch.tensor([length]))[0]
        for row, length in zip(data.documents, lengths.tolist(), strict=True)
    ]
    torch.testing.assert_close(together, torch.stack(alone), rtol=1e-4, atol=1e-5)
    assert torch.allclose(together.norm(dim=1), torch.ones(24))


def test_the_same_seed_gives_the_same_and_another_does_not():
    def weights(seed):
        model = train(TINY, seed, Steps(2), data=toy_pairs()).model
        return torch.cat([value.flatten() for value in model.state_dict().values()])

    assert weights(0).equal(weights(0)) and not weights(0).equal(weights(1))


def test_what_also_is_right_does_not_push():
    """Con la pareja 0-1 señalada, que se parezcan no cuesta."""
    model, data = build(TINY), toy_pairs()
    batch = next(batches(replace(TINY, batch_size=24), 0, data))
    blind = batch._replace(also_right=torch.eye(24, dtype=torch.bool))
    assert pair_loss(1.0, model, batch) < pair_loss(1.0, model, blind)


def test_the_hard_one_is_the_best_that_is_not_right(monkeypatch):
    texts = ("río de España", "río de España largo", "poeta de Soria", "mar")
    monkeypatch.setattr(module, "collection", lambda: texts)
    right = torch.tensor([[True, False, False, False], [False, False, True, False]])
    assert hardest(["río de España", "poeta de Soria"], right)[0] == 1
    assert hardest(["poeta de Soria"], right[1:])[0] in (0, 1)


def test_those_compared_change_one_thing():
    base = OWN["del curso"]
    assert OWN["del curso, τ = 1"] == replace(base, temperature=1.0)
    assert OWN["del curso, con difíciles"] == replace(base, hard=True)


def test_another_rate_changes_both_rates_and_nothing_else():
    slower = at_rate(LIVE, 0.25)
    assert (slower.muon_lr, slower.adam_lr) == (LIVE.muon_lr / 4, LIVE.adam_lr / 4)
    assert replace(slower, muon_lr=LIVE.muon_lr, adam_lr=LIVE.adam_lr) == LIVE


def test_before_training_the_seed_decides_even_the_first_time(monkeypatch):
    """Leer el tokenizador gasta azar la primera vez; no puede cambiar los pesos."""
    first = iter([torch.rand, lambda n: None, lambda n: None, lambda n: None])

    def costly():
        next(first)(5)
        return Forty()

    monkeypatch.setattr(module, "shared_tokenizer", costly)
    found = [untrained(TINY, 0).state_dict() for _ in range(2)]
    assert all(found[0][name].equal(found[1][name]) for name in found[0])


class Words:
    """Un token por palabra."""

    def encode(self, text):
        self.seen = text.split()
        return list(range(len(self.seen)))

    def decode(self, ids):
        return " ".join(self.seen[number] for number in ids)


def test_what_is_read_of_a_document_leaves_room_for_the_two_special_tokens(monkeypatch):
    words = Words()
    monkeypatch.setattr(module, "shared_tokenizer", lambda: words)
    assert read_beginning("Uno dos tres CUATRO cinco", max_length=6) == "uno dos tres cuatro"
    assert read_beginning("Uno dos", max_length=6) == "uno dos"
    assert len(read_beginning("a " * 400, max_length=999).split()) == module.BEGINNING // 2
