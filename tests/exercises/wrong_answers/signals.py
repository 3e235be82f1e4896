"""Respuestas equivocadas de los ejercicios de señales y Fourier."""

import math

import torch

from tests.exercises.wrong_answers import Wrong


def three(a, b, c):
    return lambda: {"a": a, "b": b, "c": c}


ALIASES = (
    Wrong("sin-doblar", "se dobla", three(2500.0, 8500.0, 20000.0)),
    Wrong("modulo", "el resto", three(2500.0, 8500.0, 0.0)),
    Wrong("todo-se-dobla", "tal cual", three(7500.0, 1500.0, 0.0)),
    Wrong("lo-que-pasa-de-nyquist", "igual de lejos", three(2500.0, 3500.0, 0.0)),
)


def one_bin(signal, k, *, sign=-1.0, circle=2 * math.pi, first=0):
    """Una casilla con números complejos, con la equivocación que se pida."""
    n = torch.arange(first, first + signal.shape[-1])
    wheel = torch.exp(1j * sign * circle * k * n / signal.shape[-1])
    total = (signal * wheel).sum(dim=-1)
    return torch.view_as_real(total)


COEFFICIENT = (
    Wrong("signo", "el signo", lambda s, k: one_bin(s, k, sign=1.0)),
    Wrong("media-vuelta", "la mitad", lambda s, k: one_bin(s, k, circle=math.pi)),
    Wrong("entre-n", "en la inversa", lambda s, k: one_bin(s, k) / s.shape[-1]),
    Wrong("cambiadas", "antes que la real", lambda s, k: one_bin(s, k).flip(-1)),
    Wrong("desde-uno", "la primera muestra", lambda s, k: one_bin(s, k, first=1)),
    Wrong("modulo", "la fase", lambda s, k: one_bin(s, k).norm(dim=-1, keepdim=True).expand(
        *s.shape[:-1], 2)),
)  # fmt: skip


def counts(rapida=5120, ahorro=204.8, a_medias=560):
    return lambda: {"rapida": rapida, "ahorro": ahorro, "a_medias": a_medias}


PRODUCTS = (
    Wrong("n-por-nivel", "son N/2", counts(rapida=10_240, ahorro=102.4)),
    Wrong("la-matriz", "productos de la matriz", counts(rapida=1_048_576)),
    Wrong("se-parte-hasta-uno", "un impar no se parte", counts(a_medias=160)),
    Wrong("sin-giros", "faltan los giros", counts(a_medias=400)),
    Wrong("una-sola-matriz", "cada uno paga su matriz", counts(a_medias=185)),
)

WRONG = {
    "que-alias-se-oye": ALIASES,
    "una-casilla-de-fourier": COEFFICIENT,
    "cuantos-productos": PRODUCTS,
}
