"""Recetas de BERT, temas de los artículos y ajuste fino."""

import copy

import pytest
import torch
from torch import nn

from tfcourse.bert_recipes import (
    BertRecipe,
    Corpus,
    Phase,
    encode_corpus,
    held_out_masks,
    phase_batches,
    pretrain,
    shipped_bert,
    spanish_corpus,
)
from tfcourse.datasets.article_topics import (
    encode_articles,
    few_labels,
    plain_text,
    topic_labels,
    topic_names,
)
from tfcourse.datasets.articles import split_articles
from tfcourse.datasets.masking import BERT_TOKENS
from tfcourse.fine_tuning import (
    Labelled,
    TuningRecipe,
    classifier_accuracy,
    fine_tune,
    majority_accuracy,
)
from tfcourse.losses import masked_loss
from tfcourse.metrics import masked_accuracy
from tfcourse.models.bert import Bert, BertConfig
from tfcourse.tokenizers.wordpiece import WordPieceTokenizer

SIZE = {"d_model": 16, "n_heads": 2, "n_layers": 1, "d_hidden": 32, "max_length": 24}
TEXTS = ["la casa roja es grande y la casa azul es pequeña"] * 12


def tiny_corpus() -> Corpus:
    tokenizer = WordPieceTokenizer.train(TEXTS, 60, special_tokens=BERT_TOKENS)
    return encode_corpus(tokenizer, TEXTS, TEXTS)


def recipe(**changes) -> BertRecipe:
    phases = (Phase(8, 4, 3), Phase(16, 2, 2))
    return BertRecipe(**{"size": SIZE, "phases": phases} | changes)


def test_phases_follow_each_other():
    shapes = [tuple(read.shape) for read, _, _ in phase_batches(tiny_corpus(), recipe(), 0)]
    assert shapes == [(4, 8)] * 3 + [(2, 16)] * 2 and recipe().steps == 5


def test_two_runs_with_one_seed_agree_and_learn():
    corpus, longer = tiny_corpus(), recipe(phases=(Phase(8, 8, 60),))
    first, second = (pretrain(corpus, longer, seed=3)[1].loss for _ in range(2))
    assert first == second and first[-1] < first[0] / 2
    assert pretrain(corpus, longer, seed=4)[1].loss != first


class Knows(nn.Module):
    """Un modelo que acierta siempre, o nunca."""

    def __init__(self, answers, right):
        super().__init__()
        self.answers, self.right = answers, right
        self.weight = nn.Parameter(torch.zeros(1))

    def forward(self, tokens, lengths, chosen):
        picked = self.answers[: len(tokens)][chosen]
        return nn.functional.one_hot(picked if self.right else (picked + 1) % 50, 50) * 9.0


def test_loss_and_accuracy_look_only_at_the_chosen():
    answers = torch.randint(7, 49, (5, 6))
    chosen = torch.zeros(5, 6, dtype=torch.bool)
    chosen[:, 2] = True
    masks = (torch.full_like(answers, 6), answers, chosen)
    assert masked_accuracy(Knows(answers, True), masks) == 1.0
    assert masked_accuracy(Knows(answers, False), masks) == 0.0
    assert float(masked_loss(Knows(answers, True), masks)) < 0.02
    assert float(masked_loss(Knows(answers, False), masks)) > 8
    with pytest.raises(ValueError, match="no hay ningún hueco"):
        masked_accuracy(Knows(answers, True), (answers, answers, ~chosen & chosen))


def test_held_out_masks_are_always_the_same():
    corpus = tiny_corpus()
    first, second = held_out_masks(corpus, 8), held_out_masks(corpus, 8)
    assert all(torch.equal(a, b) for a, b in zip(first, second, strict=True))


def test_plain_text_keeps_accents():
    assert plain_text("El pingüino PÚBLICO (孫逸仙)  publicó") == "el pingüino público ( ) publicó"
    assert plain_text("Sūn Yìxiān") == "sun yixian"


def test_few_labels_are_balanced_and_repeatable():
    train, _ = split_articles()
    few = few_labels(train, 3, seed=1)
    assert topic_labels(few).bincount().tolist() == [3] * len(topic_names())
    assert few == few_labels(train, 3, seed=1) != few_labels(train, 3, seed=2)
    with pytest.raises(ValueError, match="se piden 5000: pide menos"):
        few_labels(train, 5000)


def test_articles_are_cut_and_closed():
    tokenizer = tiny_corpus().tokenizer
    tokens, lengths = encode_articles(split_articles()[1][:4], tokenizer, 10)
    assert tokens.shape == (4, 10) and (tokens[:, 0] == 4).all()
    assert (tokens[torch.arange(4), lengths - 1] == 5).all()
    with pytest.raises(ValueError, match="usa tres o más"):
        encode_articles(split_articles()[1][:1], tokenizer, 2)


def labelled_toy(n=32) -> Labelled:
    torch.manual_seed(0)
    tokens = torch.randint(7, 12, (n, 6))
    labels = torch.arange(n) % 2
    tokens[:, 2] = 12 + labels
    return Labelled(tokens, torch.full((n,), 6), labels)


def test_fine_tuning_learns_and_leaves_the_original_alone():
    torch.manual_seed(0)
    encoder = Bert(BertConfig(20, **SIZE))
    before = copy.deepcopy(encoder.state_dict())
    data = labelled_toy()
    model = fine_tune(encoder, data, 2, TuningRecipe(steps=60, lr=1e-2), seed=0)
    assert classifier_accuracy(model, data) == 1.0 and majority_accuracy(data.labels) == 0.5
    assert all(torch.equal(before[name], value) for name, value in encoder.state_dict().items())
    moved = model.encoder.state_dict()
    assert not torch.equal(moved["embedding.table.weight"], before["embedding.table.weight"])
    still = fine_tune(encoder, data, 2, TuningRecipe(steps=3, lr=0.0), seed=0)
    assert torch.equal(still.encoder.embedding.table.weight, encoder.embedding.table.weight)
    assert float(still.output.bias.detach().abs().max()) > 0
    again = fine_tune(encoder, data, 2, TuningRecipe(steps=60, lr=1e-2), seed=0)
    torch.testing.assert_close(again.output.weight, model.output.weight)


def test_the_shipped_tokenizer_is_the_one_learned_from_the_articles():
    assert shipped_bert()[1].tokens == spanish_corpus().tokenizer.tokens


def test_shipped_weights_know_spanish():
    model, tokenizer = shipped_bert()
    ids = [tokenizer.encode(word) for word in ("la", "segunda", "mundial", "terminó", ".")]
    mask = tokenizer.token_id("[MASK]")
    row = [4, *ids[0], *ids[1], mask, *ids[2], *ids[3], *ids[4], 5]
    with torch.no_grad():
        logits = model(torch.tensor([row]), torch.tensor([len(row)]))[0, row.index(mask)]
    assert tokenizer.readable(int(logits.argmax())) == "guerra"
