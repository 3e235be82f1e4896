"""Medidas que sirven a varios temas."""

from tfcourse.metrics.sequences import (
    attended_mass,
    bits_per_character,
    exact_match,
    masked_accuracy,
    masked_perplexity,
    text_log_probabilities,
    window_bits,
)

__all__ = [
    "attended_mass",
    "bits_per_character",
    "exact_match",
    "masked_accuracy",
    "masked_perplexity",
    "text_log_probabilities",
    "window_bits",
]
