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


def sifted(wave, factor, reach, *, cut=0.5, laps=1.0, total=None, tapered=True):
    """Filtra con una convolución por trozos y se queda con una de cada `factor`."""
    n = torch.arange(-reach, reach + 1, dtype=wave.dtype)
    weights = torch.special.sinc(2 * cut * n / factor)
    if tapered:
        weights = weights * torch.cos(laps * math.pi * n / (2 * reach + 2)) ** 2
    weights = weights / (weights.sum() if total is None else total)
    padded = torch.nn.functional.pad(wave, (reach, reach))
    return (padded.unfold(-1, 2 * reach + 1, 1) @ weights)[..., ::factor]


def sifted_late(wave, factor, reach):
    """Quita muestras y después filtra, con los mismos pesos."""
    n = torch.arange(-reach, reach + 1, dtype=wave.dtype)
    weights = torch.sinc(n / factor) * torch.cos(math.pi * n / (2 * reach + 2)) ** 2
    padded = torch.nn.functional.pad(wave[..., ::factor], (reach, reach))
    return padded.unfold(-1, 2 * reach + 1, 1) @ (weights / weights.sum())


FILTERS = (
    Wrong("corte", "solo cabe la mitad", lambda w, f, m: sifted(w, f, m, cut=1.0)),
    Wrong("corte", "solo cabe la mitad", lambda w, f, m: sifted(w, f, m, cut=1.0, laps=2.0)),
    Wrong("corta-de-mas", "se podían guardar", lambda w, f, m: sifted(w, f, m, cut=0.25)),
    Wrong("ventana-repetida", "dos vueltas", lambda w, f, m: sifted(w, f, m, laps=2.0)),
    Wrong("sin-ventana", "de golpe", lambda w, f, m: sifted(w, f, m, tapered=False)),
    Wrong("sin-dividir", "no suman 1", lambda w, f, m: sifted(w, f, m, total=1.0)),
    Wrong("filtrar-despues", "ya estaban ahí", sifted_late),
    Wrong("sin-filtrar", "se dobla", lambda w, f, m: w[..., ::f] * 1.0),
)


def bins(casilla=75, espejo=325, modulo=600.0, cero=800, con_hann=300.0):
    found = {"casilla": casilla, "espejo": espejo, "modulo": modulo, "cero": cero}
    return lambda: found | {"con_hann": con_hann}


BINS = (
    Wrong("el-doble-de-hercios", "k f_s / N", bins(casilla=150, espejo=250)),
    Wrong("espejo-corrido", "N − k", bins(espejo=324)),
    Wrong("todo-en-una", "en su espejo", bins(modulo=1200.0, con_hann=600.0)),
    Wrong("entre-n", "la inversa", bins(modulo=1.5, cero=2, con_hann=0.75)),
    Wrong("la-constante-partida", "va entera", bins(cero=400)),
    Wrong("la-ventana-no-cuenta", "½ de media", bins(con_hann=600.0)),
    Wrong("una-vecina", "casilla vecina", bins(con_hann=150.0)),
)


def tops(power, edges=False):
    """Los máximos, uno a uno, del más alto al más bajo."""
    low = [-math.inf]
    row = [*low, *power.tolist(), *low] if edges else power.tolist()
    found = [p for p in range(1, len(row) - 1) if row[p] > max(row[p - 1], row[p + 1])]
    return [p - edges for p in sorted(found, key=row.__getitem__, reverse=True)]


PEAKS = (
    Wrong("los-dos-mas-altos", "del mismo pico", lambda p: sorted(p.topk(2).indices.tolist())),
    Wrong("por-altura", "por su altura", lambda p: tops(p)[:2]),
    Wrong("los-dos-primeros", "los dos primeros", lambda p: sorted(tops(p))[:2]),
    Wrong("bordes", "un vecino", lambda p: sorted(tops(p, edges=True)[:2])),
    Wrong("corridos", "corridas", lambda p: sorted(place - 1 for place in tops(p)[:2])),
)

WRONG = {
    "que-alias-se-oye": ALIASES,
    "dos-fallos-en-un-filtro": FILTERS,
    "donde-cae-un-coseno": BINS,
    "ver-dos-tonos": PEAKS,
    "una-casilla-de-fourier": COEFFICIENT,
    "cuantos-productos": PRODUCTS,
}
