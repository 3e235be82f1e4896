"""Los temas de los artículos: texto llano, pocas etiquetas y el principio de cada uno."""

import pytest
import torch

from tfcourse.datasets.text.article_topics import (
    encode_articles,
    few_labels,
    plain_text,
    topic_labels,
    topic_names,
)
from tfcourse.datasets.text.articles import split_articles
from tfcourse.datasets.text.masking import BERT_TOKENS
from tfcourse.tokenizers.wordpiece import WordPieceTokenizer


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
    tokenizer = WordPieceTokenizer.train(["la casa"], 20, special_tokens=BERT_TOKENS)
    tokens, lengths = encode_articles(split_articles()[1][:4], tokenizer, 10)
    assert tokens.shape == (4, 10) and (tokens[:, 0] == 4).all()
    assert (tokens[torch.arange(4), lengths - 1] == 5).all()
    with pytest.raises(ValueError, match="usa tres o más"):
        encode_articles(split_articles()[1][:1], tokenizer, 2)
