"""Las recetas del sentimiento: los seis contestan, y lo mismo dos veces."""

import pytest
import torch

from tfcourse.datasets.reviews import review_split
from tfcourse.text.bert.fine_tuning import Labelled, most_likely_classes
from tfcourse.text.sentiment.recipe import (
    CONVOLUTION,
    MODELS,
    Recipe,
    build,
    forgetful_loss,
    run_model,
    train,
)
from tfcourse.text.sentiment.texts import encode_words, texts_and_labels, word_tokenizer

TINY = Recipe(d_model=16, d_hidden=16, epochs=1, min_steps=2)


@pytest.fixture(scope="module")
def data():
    return [texts_and_labels(reviews, True) for reviews in review_split(64, 40)]


@pytest.mark.parametrize("name", MODELS)
def test_the_six_answer_and_repeat_themselves(data, name):
    examples, (texts, labels) = data
    first, second = (run_model(name, examples, texts, 0, TINY) for _ in range(2))
    assert first.guesses.shape == labels.shape and int(first.guesses.max()) <= 2
    assert torch.equal(first.guesses, second.guesses)
    assert torch.equal(first.answer(texts[:5]), first.guesses[:5])


def test_unknown_model(data):
    examples, (texts, _) = data
    with pytest.raises(ValueError, match="no hay ningún modelo 'GPT': usa uno de léxico"):
        run_model("GPT", examples, texts)
    with pytest.raises(ValueError, match="no hay ningún lector 'léxico'"):
        build(TINY, "léxico", 10)


def test_rare_words_are_unknown():
    tokenizer = word_tokenizer(["muy bueno", "muy malo"])
    assert tokenizer.tokens[4:] == ["muy"]
    assert tokenizer.encode("bueno") == [tokenizer.unknown_id]


def test_some_words_are_hidden_when_training():
    seen = []

    class Spy(torch.nn.Module):
        def forward(self, tokens, lengths):
            seen.append(tokens)
            return torch.zeros(len(tokens), 3)

    batch = (torch.full((200, 10), 9), torch.full((200,), 10), torch.zeros(200, dtype=torch.long))
    torch.manual_seed(0)
    forgetful_loss(0.1, 3)(Spy(), batch)
    assert 0.05 < float((seen[0] == 3).float().mean()) < 0.15
    forgetful_loss(0.0, 3)(Spy(), batch)
    assert torch.equal(seen[1], batch[0])


@pytest.mark.parametrize(
    ("examples", "expected"), [(4800, (10, 1500)), (300, (17, 153)), (10, (150, 150))]
)
def test_few_examples_get_more_rounds(examples, expected):
    assert Recipe().rounds(examples) == expected


def test_a_reader_learns():
    """Con reseñas directas y sin ruido, la convolución acierta las que ya ha visto."""
    reviews, _ = review_split(300, 10, noise=0.0)
    texts, labels = texts_and_labels([r for r in reviews if r.phenomenon == "directa"], True)
    tokenizer = word_tokenizer(texts)
    inputs = encode_words(tokenizer, texts)
    recipe = Recipe(lr=4e-3, dropout=0.0)
    data = Labelled(*inputs, labels)
    model = train(recipe, 0, name=CONVOLUTION, data=data, n_tokens=len(tokenizer)).model
    assert float((most_likely_classes(model, *inputs) == labels).float().mean()) > 0.9
