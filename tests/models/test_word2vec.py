"""word2vec, FastText y GloVe: sus fórmulas, por otro camino, y que aprenden lo que hay."""

import math

import pytest
import torch

from tfcourse.datasets.text.contexts import cooccurrence_batches, skipgram_batches, word_corpus
from tfcourse.models.fasttext import SubwordSkipGram, word_ngrams
from tfcourse.models.glove import GloVe, glove_loss
from tfcourse.models.word2vec import SkipGram, negative_sampling_loss
from tfcourse.text.words.neighbours import WordVectors
from tfcourse.training import Steps, fit, seed_everything

CYCLES = ("uno dos tres cuatro", "lunes martes jueves viernes")


@pytest.fixture
def cyclic():
    """Un texto de dos mundos que no se mezclan: números y días."""
    return word_corpus("\n".join(" ".join([cycle] * 60) for cycle in CYCLES), min_count=5)


def random_model(n_words=6, d=5):
    torch.manual_seed(0)
    model = SkipGram(n_words, d).double()
    torch.nn.init.normal_(model.centre.weight)
    torch.nn.init.normal_(model.context.weight)
    return model


def test_loss_is_the_formula_of_the_paper_word_by_word():
    model = random_model()
    words, neighbours, negatives = torch.tensor([0, 3]), torch.tensor([1, 4]), torch.tensor([2, 5])
    loss = negative_sampling_loss(model, (words, neighbours, negatives), n_negatives=2)
    v, u = model.centre.weight.tolist(), model.context.weight.tolist()

    def log_sigmoid(sign, centre, other):
        return -math.log1p(
            math.exp(-sign * sum(a * b for a, b in zip(v[centre], u[other], strict=True)))
        )

    wanted = [
        log_sigmoid(1, w, n) + sum(log_sigmoid(-1, w, k) for k in (2, 5))
        for w, n in ((0, 1), (3, 4))
    ]
    assert loss.item() == pytest.approx(-sum(wanted) / 2)


def test_only_the_rows_that_are_used_receive_gradient():
    model = random_model()
    negative_sampling_loss(model, (torch.tensor([0, 3]), torch.tensor([1, 1]), torch.tensor([5])))
    batch = torch.tensor([0, 3]), torch.tensor([1, 1]), torch.tensor([5])
    negative_sampling_loss(model, batch).backward()
    assert model.centre.weight.grad.any(dim=1).nonzero().flatten().tolist() == [0, 3]
    assert model.context.weight.grad.any(dim=1).nonzero().flatten().tolist() == [1, 5]


def test_word_pieces():
    assert word_ngrams("sol") == ["<so", "sol", "ol>", "<sol", "sol>", "<sol>"]
    assert len(word_ngrams("de", 3, 3)) == 2


def test_subword_vector_is_the_mean_of_its_pieces():
    words = ["casa", "casas", "cosa"]
    model = SubwordSkipGram(words, 4).double()
    table = model.centre.weight
    for number, word in enumerate(words):
        shared = [p for p in word_ngrams(word) if sum(p in word_ngrams(w) for w in words) >= 2]
        rows = [table[1 + number], *(table[model.ngrams[piece]] for piece in shared)]
        torch.testing.assert_close(model.vectors()[number], torch.stack(rows).mean(0))
    batch = torch.tensor([2, 0, 2])
    torch.testing.assert_close(model.embed(batch), model.vectors()[batch])


def test_a_word_never_seen_has_a_vector_if_it_shares_pieces():
    model = SubwordSkipGram(["casa", "casas"], 4)
    pieces = [model.ngrams[p] for p in word_ngrams("casaza") if p in model.ngrams]
    assert set(pieces) == {model.ngrams[p] for p in ("<ca", "cas", "asa", "<cas", "casa", "<casa")}
    torch.testing.assert_close(model.vector_of("casaza"), model.centre.weight[pieces].mean(0))
    with pytest.raises(ValueError, match="'xyz' no comparte ningún trozo"):
        model.vector_of("xyz")


def test_glove_loss_is_the_formula_of_the_paper():
    torch.manual_seed(0)
    model = GloVe(3, 2).double()
    for table in (model.centre_bias, model.context_bias):  # empiezan en cero
        torch.nn.init.normal_(table.weight)
    rows, columns = torch.tensor([0, 2]), torch.tensor([1, 1])
    counts = torch.tensor([50.0, 200.0]).double()
    w, c = model.centre.weight, model.context.weight
    b, d = model.centre_bias.weight, model.context_bias.weight
    wanted = 0.0
    for i, j, x, f in ((0, 1, 50.0, 0.5**0.75), (2, 1, 200.0, 1.0)):
        wanted += f * ((w[i] @ c[j] + b[i] + d[j]).item() - math.log(x)) ** 2 / 2
    assert glove_loss(model, (rows, columns, counts)).item() == pytest.approx(wanted)


def trained(model, batches, loss, steps=300):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    fit(model, batches, loss, budget=Steps(steps), optimizer=optimizer)
    return model.vectors()


@pytest.mark.lento
@pytest.mark.parametrize("kind", ["skipgram", "fasttext", "glove"])
def test_words_that_go_together_end_up_together(cyclic, kind):
    seed_everything(0)
    if kind == "glove":
        model, loss = GloVe(len(cyclic), 8), glove_loss
        batches = cooccurrence_batches(cyclic, window=2, batch_size=64)
    else:
        model = SkipGram(8, 8) if kind == "skipgram" else SubwordSkipGram(cyclic.words, 8)
        loss = negative_sampling_loss
        # Con ocho palabras todas son frecuentes: sin submuestreo.
        batches = skipgram_batches(cyclic, window=2, batch_size=64, threshold=1.0)
    vectors = WordVectors(cyclic.words, trained(model, batches, loss))
    for cycle in CYCLES:
        assert vectors.category_precision(cycle.split(), k=3) >= 0.9


def test_two_trainings_with_one_seed_agree(cyclic):
    results = []
    for _ in range(2):
        seed_everything(3)
        batches = skipgram_batches(cyclic, window=2, batch_size=32, threshold=1.0, seed=3)
        results.append(trained(SkipGram(8, 4), batches, negative_sampling_loss, steps=20))
    assert torch.equal(*results)
