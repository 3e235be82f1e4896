"""Pocas etiquetas: regresión logística sobre los vectores de un modelo que no se entrena."""

from collections.abc import Sequence

from jaxtyping import Float
from torch import Tensor

from tfcourse.datasets.text.article_topics import few_labels, topic_labels, topic_names
from tfcourse.datasets.text.articles import Article, spanish_articles, split_articles
from tfcourse.models.tfidf import LogisticRegression
from tfcourse.text.bert.few_labels import examined, share_right


def frozen_scores(
    vectors: Float[Tensor, "N D"], per_topic: int, seed: int, strength: float
) -> dict[str, float]:
    """Acierto por temas con `per_topic` etiquetas de cada uno; los vectores no se entrenan.

    `vectors` son los de toda la colección, en su orden. Se mide con los mismos artículos que
    `tfidf_scores`.
    """
    places = {article.text: number for number, article in enumerate(spanish_articles())}

    def of(articles: Sequence[Article]) -> Float[Tensor, "M D"]:
        return vectors[[places[article.text] for article in articles]]

    few = few_labels(split_articles()[0], per_topic, seed)
    model = LogisticRegression(strength).fit(of(few), topic_labels(few), len(topic_names()))
    return {
        part: share_right(model.logits(of(some)).argmax(-1), topic_labels(some))
        for part, some in examined().items()
    }
