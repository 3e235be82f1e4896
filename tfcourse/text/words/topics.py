"""De qué tema trata un artículo, con la media de los embeddings de sus palabras."""

import re
from collections.abc import Sequence

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.datasets.text.articles import Article, spanish_articles
from tfcourse.text.words.neighbours import WordVectors
from tfcourse.text.words.recipe import corpus
from tfcourse.training import Steps, default_device, fit, seed_everything

LONGEST = 150  # palabras que se leen de cada artículo
PADDING = 0
WORD = re.compile(r"[^\W\d_]+")
Bags = tuple[Tensor, Tensor]  # las palabras de cada artículo, (N, L), y su tema, (N,)


class BagOfEmbeddings(nn.Module):
    """La media de los embeddings de un texto y una capa lineal; la fila 0 es el relleno.

    Con `learn`, la tabla también se aprende; sin él, solo la capa.
    """

    def __init__(self, table: Float[Tensor, "V D"], n_topics: int, learn: bool):
        super().__init__()
        self.table = nn.EmbeddingBag.from_pretrained(
            table.clone(), freeze=not learn, mode="mean", padding_idx=PADDING
        )
        self.output = nn.Linear(table.shape[1], n_topics)

    def forward(self, bags: Int[Tensor, "B L"]) -> Float[Tensor, "B C"]:
        """Puntaje de cada tema."""
        return self.output(self.table(bags))


def topic_names() -> list[str]:
    """Los temas, por orden alfabético."""
    return sorted({article.topic for article in spanish_articles()})


def as_bags(articles: Sequence[Article]) -> Bags:
    """Los números de las palabras de cada artículo, con relleno, y su tema."""
    rows_of = {word: number + 1 for number, word in enumerate(corpus().words)}
    topics, rows = topic_names(), []
    for article in articles:
        found = [rows_of[word] for word in WORD.findall(article.text.lower()) if word in rows_of]
        rows.append(torch.tensor(found[:LONGEST] or [PADDING]))
    labels = torch.tensor([topics.index(article.topic) for article in articles])
    return nn.utils.rnn.pad_sequence(rows, batch_first=True), labels


def random_table(width: int, seed: int = 0) -> WordVectors:
    """Una tabla que no sabe nada: cada palabra, un vector al azar."""
    words = corpus().words
    return WordVectors(words, np.random.default_rng(seed).normal(size=(len(words), width)))


def topic_accuracy(
    vectors: WordVectors,
    learn: bool,
    n_labels: int,
    train: Bags,
    test: Bags,
    *,
    seed: int = 0,
    steps: int = 200,
) -> float:
    """Acierto en los temas con una tabla y `n_labels` artículos etiquetados.

    La semilla sortea qué artículos se etiquetan, en qué orden se ven y la capa lineal.
    """
    seed_everything(seed)
    rows = torch.as_tensor(vectors.matrix, dtype=torch.float32)
    table = torch.cat([torch.zeros(1, rows.shape[1]), rows])
    model = BagOfEmbeddings(table, len(topic_names()), learn).to(default_device())
    chosen = torch.randperm(len(train[0]))[:n_labels]
    drawn = chosen[torch.randint(len(chosen), (steps, 64))]
    learned = [p for p in model.parameters() if p.requires_grad]
    fit(
        model,
        ((train[0][rows], train[1][rows]) for rows in drawn),
        lambda model, batch: F.cross_entropy(model(batch[0]), batch[1]),
        budget=Steps(steps),
        optimizer=torch.optim.Adam(learned, lr=0.02, fused=True),
        clip_norm=10.0,
    )
    with torch.no_grad():
        guesses = model(test[0].to(default_device())).argmax(-1).cpu()
    return float((guesses == test[1]).float().mean())
