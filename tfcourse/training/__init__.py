"""Entrenar: el bucle, los optimizadores, los ritmos y los puntos de control."""

from tfcourse.training.budget import Budget, CpuSeconds, Steps
from tfcourse.training.loop import (
    READ_LOSS_EVERY,
    Evaluation,
    History,
    default_accelerator,
    default_device,
    fit,
    seed_everything,
)
from tfcourse.training.schedules import one_cycle

__all__ = [
    "Budget",
    "CpuSeconds",
    "default_accelerator",
    "default_device",
    "Evaluation",
    "fit",
    "History",
    "one_cycle",
    "READ_LOSS_EVERY",
    "seed_everything",
    "Steps",
]
