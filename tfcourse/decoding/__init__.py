"""Decodificar: de las probabilidades de cada paso a una secuencia."""

from tfcourse.decoding.steps import (
    Step,
    continue_tokens,
    greedy,
    greedy_decode,
    keep_min_p,
    keep_top_k,
    keep_top_p,
    rereading_step,
    sample_decode,
    sampler,
    temperature_sampler,
    translate,
    writing_layout,
)

__all__ = [
    "continue_tokens",
    "greedy",
    "greedy_decode",
    "keep_min_p",
    "keep_top_k",
    "keep_top_p",
    "rereading_step",
    "sample_decode",
    "sampler",
    "Step",
    "temperature_sampler",
    "translate",
    "writing_layout",
]
