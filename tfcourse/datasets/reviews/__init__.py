"""Reseñas inventadas en español, con su clase y con lo que las hace difíciles."""

from tfcourse.datasets.reviews.generator import (
    LABELS,
    PHENOMENA,
    Review,
    make_reviews,
    review_split,
)

__all__ = ["LABELS", "PHENOMENA", "Review", "make_reviews", "review_split"]
