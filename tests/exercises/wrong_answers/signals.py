"""Respuestas equivocadas de los ejercicios de señales, Fourier y espectrogramas."""

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


def sizes(casillas=201, instantes=301, hercios=40.0, milisegundos=25.0):
    found = {"casillas": casillas, "instantes": instantes}
    return lambda: found | {"hercios": hercios, "milisegundos": milisegundos}


SIZES = (
    Wrong("todas-las-casillas", "N/2 + 1", sizes(casillas=400)),
    Wrong("sin-centrar", "reflejados", sizes(instantes=298)),
    Wrong("salto-por-ventana", "la da la ventana", sizes(hercios=100.0, milisegundos=10.0)),
    Wrong("nyquist-entre-ventana", "f_s entre N", sizes(hercios=20.0)),
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


def decibels(ratio, floor, factor=10.0):
    return torch.maximum(factor * torch.log10(ratio + 1e-30), torch.tensor(float(floor)))


def energy(wave):
    return (wave * wave).mean(dim=-1)


LEVEL = (
    Wrong("veinte", "para amplitudes", lambda w, r, f: decibels(energy(w) / r**2, f, 20.0)),
    Wrong("sin-cuadrado", "los cuadrados", lambda w, r, f: decibels(w.abs().mean(-1) / r**2, f)),
    Wrong("referencia-sin-cuadrado", "al cuadrado", lambda w, r, f: decibels(energy(w) / r, f)),
    Wrong("suma", "la duración", lambda w, r, f: decibels((w**2).sum(-1) / r**2, f)),
    Wrong(
        "logaritmo-natural",
        "logaritmo natural",
        lambda w, r, f: (10 * torch.log(energy(w) / r**2 + 1e-30)).clamp_min(f),
    ),
    Wrong("sin-suelo", "el suelo", lambda w, r, f: decibels(energy(w) / r**2, -1e9)),
    Wrong("pico", "el pico", lambda w, r, f: decibels((w**2).max(-1).values / r**2, f)),
)


def lines(corners, bins):
    rows = [
        ((bins - a) / (b - a), (c - bins) / (c - b))
        for a, b, c in zip(corners[:-2], corners[1:-1], corners[2:], strict=True)
    ]
    return torch.stack([up for up, _ in rows]), torch.stack([down for _, down in rows])


def hats(corners, bins):
    up, down = lines(corners, bins)
    return torch.min(up, down).relu()


def widths(corners):
    return (corners[2:] - corners[:-2]).unsqueeze(1)


TRIANGLES = (
    Wrong("negativos", "negativos", lambda c, b: torch.min(*lines(c, b))),
    Wrong("maximo", "el mínimo", lambda c, b: torch.max(*lines(c, b)).relu()),
    Wrong("cajas", "cajas", lambda c, b: hats(c, b).gt(0).float()),
    Wrong("misma-area", "altura 1", lambda c, b: 2 * hats(c, b) / widths(c)),
    Wrong(
        "solo-sube",
        "la bajada",
        lambda c, b: torch.where(b <= c[1:-1, None], lines(c, b)[0], 0.0).relu(),
    ),
    Wrong("ejes-cambiados", "una fila por filtro", lambda c, b: hats(c, b).mT),
)


def covered(spectrogram, first, last, fill, *, invert=False, axis=1):
    result = spectrogram.clone()
    size = spectrogram.shape[axis]
    chosen = [p for p in range(size) if (first <= p < last) != invert]
    for clip, value in zip(result, fill, strict=True):
        for place in chosen:
            if axis == 1:
                clip[place] = value
            else:
                clip[:, place] = value
    return result


def lowest(spectrogram):
    return [clip.min() for clip in spectrogram]


SILENCED = (
    Wrong("ceros", "0 no es silencio", lambda s, a, b: covered(s, a, b, [0.0] * len(s))),
    Wrong(
        "tapa-las-demas",
        "había que dejar",
        lambda s, a, b: covered(s, a, b, lowest(s), invert=True),
    ),
    Wrong("instantes", "instantes", lambda s, a, b: covered(s, a, b, lowest(s), axis=2)),
    Wrong("una-de-mas", "como en un range", lambda s, a, b: covered(s, a, b + 1, lowest(s))),
    Wrong(
        "minimo-de-todos",
        "cada clip tiene el suyo",
        lambda s, a, b: covered(s, a, b, [s.min()] * len(s)),
    ),
    Wrong("media", "la media", lambda s, a, b: covered(s, a, b, [c.mean() for c in s])),
    Wrong("sin-tapar", "tal como llegó", lambda s, a, b: s * 1.0),
)

WRONG = {
    "que-alias-se-oye": ALIASES,
    "cuanto-mide-un-espectrograma": SIZES,
    "una-casilla-de-fourier": COEFFICIENT,
    "nivel-en-decibelios": LEVEL,
    "triangulos-del-banco": TRIANGLES,
    "que-bandas-importan": SILENCED,
}
