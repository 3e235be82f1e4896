"""Respuestas equivocadas de los ejercicios del habla al texto."""

import torch

from tests.exercises.wrong_answers import Wrong


def lengths(columnas=3000, vectores=1500, milisegundos=20.0, pares=2_250_000):
    return lambda: {
        "columnas": columnas,
        "vectores": vectores,
        "milisegundos": milisegundos,
        "pares": pares,
    }


LENGTHS = (
    Wrong("sin-zancada", "zancada 2", lengths(vectores=3000, milisegundos=10.0, pares=9_000_000)),
    Wrong("dos-zancadas", "conserva la longitud", lengths(vectores=750, milisegundos=40.0,
                                                          pares=562_500)),
    Wrong("el-salto", "son dos columnas", lengths(milisegundos=10.0)),
    Wrong("sin-cuadrado", "cada uno mira a todos", lengths(pares=1500)),
    Wrong("la-ventana", "de salto en salto", lengths(columnas=1200, vectores=600,
                                                     milisegundos=50.0, pares=360_000)),
)  # fmt: skip


def errors(cambios=1, bajas=1, altas=1, wer=0.6):
    return lambda: {"cambios": cambios, "bajas": bajas, "altas": altas, "wer": wer}


ERRORS = (
    Wrong("posicion-a-posicion", "se desplaza", errors(4, 0, 0, 0.8)),
    Wrong("sin-altas", "la palabra de más", errors(altas=0, wer=0.4)),
    Wrong("bajas-por-altas", "se dijo y falta", errors(bajas=2, altas=0)),
    Wrong("acierto", "la de errores", errors(wer=0.4)),
    Wrong("porcentaje", "la fracción", errors(wer=60.0)),
)


def angles(length, channels, *, denominator=None, base=10_000.0, first=0):
    half = channels // 2
    power = torch.arange(half) / (half - 1 if denominator is None else denominator)
    return torch.arange(first, first + length)[:, None] / base**power


def stacked(x):
    return torch.hstack((x.sin(), x.cos()))


def woven(x):
    table = torch.empty(len(x), 2 * x.shape[1])
    table[:, 0::2], table[:, 1::2] = x.sin(), x.cos()
    return table


WAVES = (
    Wrong("entre-la-mitad", "D/2 − 1", lambda length, channels: stacked(
        angles(length, channels, denominator=channels // 2))),
    Wrong("intercaladas", "intercalado", lambda length, channels: woven(angles(length, channels))),
    Wrong("cosenos-primero", "delante", lambda length, channels: torch.hstack(
        (angles(length, channels).cos(), angles(length, channels).sin()))),
    Wrong("base", "10 000", lambda length, channels: stacked(
        angles(length, channels, base=1_000.0))),
    Wrong("desde-uno", "la 0", lambda length, channels: stacked(
        angles(length, channels, first=1))),
)  # fmt: skip


def limited(x, bottom):
    return (torch.max(x, bottom) + 4) / 4


CLIPPED = (
    Wrong("maximo-del-lote", "todo el lote", lambda x, dynamic_range: limited(
        x, x.max() - dynamic_range)),
    Wrong("maximo-por-banda", "cada banda", lambda x, dynamic_range: limited(
        x, x.max(-1, keepdim=True).values - dynamic_range)),
    Wrong("maximo-por-columna", "cada instante", lambda x, dynamic_range: limited(
        x, x.max(1, keepdim=True).values - dynamic_range)),
    Wrong("al-reves", "por arriba", lambda x, dynamic_range: (
        torch.min(x, x.amax((1, 2), True) - dynamic_range) + 4) / 4),
    Wrong("desde-el-minimo", "desde el mínimo", lambda x, dynamic_range: limited(
        x, x.amin((1, 2), True) + dynamic_range)),
    Wrong("sin-escalar", "dividir entre 4", lambda x, dynamic_range: torch.max(
        x, x.amax((1, 2), True) - dynamic_range)),
    Wrong("sin-desplazar", "sin sumar", lambda x, dynamic_range: torch.max(
        x, x.amax((1, 2), True) - dynamic_range) / 4),
)  # fmt: skip


def merged(path):
    return [s for i, s in enumerate(path) if i == 0 or s != path[i - 1]]


COLLAPSED = (
    Wrong("blancos-primero", "antes de juntar", lambda path, blank: merged(
        [s for s in path if s != blank])),
    Wrong("sin-juntar", "no has juntado", lambda path, blank: list(
        filter(lambda s: s != blank, path))),
    Wrong("con-blancos", "queda algún blanco", lambda path, blank: merged(path)),
    Wrong("sin-volver", "se dicen dos", lambda path, blank: [
        s for i, s in enumerate(path) if s != blank and s not in path[:i]]),
    Wrong("blanco-fijo", "el que llega", lambda path, blank: [s for s in merged(path) if s]),
)  # fmt: skip


def cut(loud, gap, *, end=0, skip_open=False):
    """Tramos que se cierran tras `gap` instantes callados."""
    found, start, quiet = [], None, 0
    for place, on in enumerate(loud):
        if on:
            start, quiet = (place if start is None else start), 0
        elif start is not None:
            quiet += 1
            if quiet == gap:
                found.append((start, place - gap + 1 + end))
                start = None
    if start is not None and not (skip_open and quiet == 0):
        found.append((start, len(loud) - quiet + end))
    return found


PIECES = (
    Wrong("cada-silencio", "menos de `gap`", lambda loud, gap: cut(loud, 1)),
    Wrong("incluido", "como en un range", lambda loud, gap: cut(loud, gap, end=-1)),
    Wrong("uno-de-mas", "uno más", lambda loud, gap: cut(loud, gap + 1)),
    Wrong("sin-el-ultimo", "hasta el final", lambda loud, gap: cut(loud, gap, skip_open=True)),
    Wrong("al-reves", "los silencios", lambda loud, gap: cut([not on for on in loud], 1)),
    Wrong("sin-partir", "entera", lambda loud, gap: [(0, len(loud))] if True in loud else []),
)

WRONG = {
    "cuanto-lee-el-codificador": LENGTHS,
    "errores-por-palabra": ERRORS,
    "senos-y-luego-cosenos": WAVES,
    "recortar-el-log-mel": CLIPPED,
    "de-instantes-a-palabras": COLLAPSED,
    "partir-por-los-silencios": PIECES,
}
