"""Las recetas del sentimiento: los seis contestan, y lo mismo dos veces; la tabla es la suya."""

import pytest
import torch

from tfcourse import sentiment_recipes as recipes
from tfcourse import snippet_table
from tfcourse.datasets.reviews import review_split
from tfcourse.fine_tuning import Labelled
from tfcourse.results import load_results
from tfcourse.sentiment_recipes import MODELS, ReaderRecipe, run_model
from tfcourse.sentiment_tables import NAME, hits_by_slice, settings
from tfcourse.sentiment_texts import encode_words, texts_and_labels, word_tokenizer

TINY = ReaderRecipe(d_model=16, d_hidden=16, epochs=1, min_steps=2)


@pytest.fixture(scope="module")
def data():
    train, test = review_split(64, 40)
    return texts_and_labels(train, True), texts_and_labels(test, True), test


@pytest.mark.parametrize("name", MODELS)
def test_the_six_answer_and_repeat_themselves(data, name):
    train, (texts, labels), _ = data
    first, second = (run_model(name, train, texts, 0, TINY) for _ in range(2))
    assert first.guesses.shape == labels.shape and int(first.guesses.max()) <= 2
    assert torch.equal(first.guesses, second.guesses)
    assert torch.equal(first.answer(texts[:5]), first.guesses[:5])


def test_unknown_model(data):
    train, (texts, _), _ = data
    with pytest.raises(ValueError, match="no hay ningún modelo 'GPT': usa uno de léxico"):
        run_model("GPT", train, texts)
    with pytest.raises(ValueError, match="no hay ningún lector 'léxico'"):
        recipes.build_reader("léxico", 10, TINY)


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
    recipes.forgetful_loss(0.1, 3)(Spy(), batch)
    assert 0.05 < float((seen[0] == 3).float().mean()) < 0.15
    recipes.forgetful_loss(0.0, 3)(Spy(), batch)
    assert torch.equal(seen[1], batch[0])


@pytest.mark.parametrize(
    ("examples", "expected"), [(4800, (10, 1500)), (300, (17, 153)), (10, (150, 150))]
)
def test_few_examples_get_more_rounds(examples, expected):
    assert ReaderRecipe().rounds(examples) == expected


def test_a_reader_learns():
    """Con reseñas directas y sin ruido, la convolución acierta las que ya ha visto."""
    train, _ = review_split(300, 10, noise=0.0)
    texts, labels = texts_and_labels([r for r in train if r.phenomenon == "directa"], True)
    tokenizer = word_tokenizer(texts)
    inputs = encode_words(tokenizer, texts)
    recipe = ReaderRecipe(lr=4e-3, dropout=0.0)
    model = recipes.train_reader(
        recipes.CONVOLUTION, Labelled(*inputs, labels), len(tokenizer), recipe, 0
    )
    assert float((recipes.predict(model, *inputs) == labels).float().mean()) > 0.9


def test_slices_count_only_their_reviews(data):
    _, (_, labels), test = data
    found = hits_by_slice(test, labels)
    assert found["accuracy"] == 1.0
    wrong = labels.clone()
    for row, review in enumerate(test):
        if review.phenomenon == "contraste":
            wrong[row] = 1
    found = hits_by_slice(test, wrong)
    assert found["contraste"] == 0.0 and found["directa"] == 1.0


def test_stored_table_is_of_this_recipe():
    rows = load_results(NAME, settings())
    assert {row["model"] for row in rows} == set(MODELS)
    assert len(rows) == 3 * len(settings()["sizes"]) * 2 * len(MODELS)


def test_stored_english_table_is_of_this_recipe():
    recipe = snippet_table.settings()
    rows = load_results(snippet_table.NAME, recipe)
    assert len(rows) == 3 * (1 + len(recipe["sizes"]) * (1 + len(recipe["recipes"])))
