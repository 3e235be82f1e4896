"""Pérdidas que sirven a varios modelos."""

from tfcourse.losses.sequences import (
    CarriedStateLoss,
    masked_loss,
    next_token_loss,
    segmented_loss,
    sequence_loss,
    smoothed_loss,
    teacher_forcing_loss,
)

__all__ = [
    "CarriedStateLoss",
    "masked_loss",
    "next_token_loss",
    "segmented_loss",
    "sequence_loss",
    "smoothed_loss",
    "teacher_forcing_loss",
]
