"""Respuestas equivocadas de los ejercicios de espectrogramas."""

import torch

from tests.exercises.wrong_answers import Wrong


def sizes(casillas=201, instantes=301, hercios=40.0, milisegundos=25.0):
    found = {"casillas": casillas, "instantes": instantes}
    return lambda: found | {"hercios": hercios, "milisegundos": milisegundos}


SIZES = (
    Wrong("todas-las-casillas", "N/2 + 1", sizes(casillas=400)),
    Wrong("sin-centrar", "reflejados", sizes(instantes=298)),
    Wrong("salto-por-ventana", "la da la ventana", sizes(hercios=100.0, milisegundos=10.0)),
    Wrong("nyquist-entre-ventana", "f_s entre N", sizes(hercios=20.0)),
)


def sums(suma=2.0, cuadrados=1.5, mayor_salto=255):
    return lambda: {"suma": suma, "cuadrados": cuadrados, "mayor_salto": mayor_salto}


OVERLAP = (
    Wrong("sin-el-medio", "la mitad", sums(suma=4.0)),
    Wrong("el-cuadrado-de-la-suma", "se suman los cuadrados", sums(cuadrados=4.0)),
    Wrong("el-cuadrado-de-la-media", "lo que aporta el coseno", sums(cuadrados=1.0)),
    Wrong("solo-la-mitad", "que no se anule", sums(mayor_salto=128)),
    Wrong("sin-solapar", "no la cubre nadie", sums(mayor_salto=256)),
)


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


def gap(wanted, found, power=2, axes=(1, 2)):
    """La suma de lo que difieren, elevado a `power`, y la de lo pedido."""
    missed = (wanted - found).abs().pow(power).sum(dim=axes)
    return missed, wanted.pow(power).sum(dim=axes)


def quotient(pair):
    return pair[0] / pair[1]


def length(spectrogram):
    return spectrogram.square().sum(dim=(1, 2)).sqrt()


RULER = (
    Wrong("sin-raiz", "falta la raíz", lambda w, f: quotient(gap(w, f))),
    Wrong(
        "todos-juntos",
        "cada uno tiene su error",
        lambda w, f: torch.ones(len(w)) * quotient(gap(w, f, axes=(0, 1, 2))).sqrt(),
    ),
    Wrong("entre-lo-encontrado", "con lo pedido", lambda w, f: gap(w, f)[0].sqrt() / length(f)),
    Wrong("valores-absolutos", "los cuadrados", lambda w, f: quotient(gap(w, f, power=1))),
    Wrong("sin-dividir", "falta dividir", lambda w, f: gap(w, f)[0].sqrt()),
    Wrong("resta-de-normas", "casilla a", lambda w, f: (1 - length(f) / length(w)).abs()),
)

EXAMPLES = {
    "volver-sin-fases": (
        ([[[3.0, 0.0], [0.0, 4.0]]], [[[3.0, 0.0], [0.0, 1.0]]]),
        ([0.6],),
    ),
}

WRONG = {
    "volver-sin-fases": RULER,
    "cuanto-mide-un-espectrograma": SIZES,
    "solapar-y-sumar": OVERLAP,
    "nivel-en-decibelios": LEVEL,
    "triangulos-del-banco": TRIANGLES,
    "que-bandas-importan": SILENCED,
}
