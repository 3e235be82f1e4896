"""Lectores de los ejercicios de comprender sobre cómo se entrena un Transformer."""

import math
import re
from ast import literal_eval

import torch

from tests.exercises.statement_readers import bullets, count, only, value

MATRICES = {
    "valores": "la matriz de valores de una atención",
    "salida": "la matriz de salida de una atención",
    "consultas": "la matriz de consultas de una atención",
    "claves": "la matriz de claves de una atención",
    "red": "una matriz de la red por posición",
    "embeddings": "la tabla de embeddings de la entrada",
}
UNTOUCHED = ("consultas", "claves")


def first_step(statement):
    """Con el Adam de PyTorch."""
    how_many, starts, gradients = only(
        r"^(\w+) parámetros valen \$\((.+?)\)\$ y sus primeros gradientes son \$\((.+?)\)\$\. "
        r"¿Cuánto valen después del \*\*primer paso\*\* de Adam,",
        statement,
    )
    starts = [value(start) for start in starts.split(", ")]
    gradients = [value(gradient) for gradient in gradients.split(r";\ ")]
    rate = value(only(r"con ritmo ([\d,]+)\?", statement))
    betas = only(r"\$\\beta_1 = ([\d{},]+)\$, \$\\beta_2 = ([\d{},]+)\$ y una", statement)
    *words, nought, shown = only(
        r"una lista de (\w+) números\.\n\n.* si los (\w+) gradientes fueran (\d+), la respuesta "
        r"sería `(.+)`\.$",
        statement,
    )
    assert {count(word) for word in (how_many, *words)} == {len(starts)} == {len(gradients)}
    assert 0 in gradients and min(gradients) < 0 < max(gradients)  # los tres casos
    step = [rate, tuple(map(value, betas))]
    assert literal_eval(shown) == _after(starts, [float(nought)] * len(starts), *step)
    return _after(starts, gradients, *step)


def _after(starts, gradients, rate, betas):
    parameters = torch.tensor(starts, dtype=torch.float64, requires_grad=True)
    parameters.grad = torch.tensor(gradients, dtype=torch.float64)
    torch.optim.Adam([parameters], lr=rate, betas=betas, eps=1e-12).step()
    return parameters.tolist()


def scales(statement):
    encoder, decoder = only(
        r"^Un Transformer tiene (\d+) bloques de codificador y (\d+) de decodificador\.", statement
    )
    assert encoder == decoder
    names = bullets(statement)
    assert len(names) == count(only(r"un diccionario de (\w+) números:$", statement))
    for name in names:
        _check_described(name, statement)
    blocks, listed = only(r"con (\w+) solo bloque en cada pila serían (.+)\.$", statement)
    example = [round(_factor(name, count(blocks)), 3) for name in names]
    assert example == [value(number) for number in re.split("; | y ", listed)]
    return {name: _factor(name, int(encoder)) for name in names}


def _check_described(name, statement):
    """Lo que se dice de una matriz es lo que dice su nombre."""
    matrix, _, stack = name.partition("_")
    described = MATRICES[matrix] + (f" del {stack}" if stack else "")
    assert only(rf"^- `{name}`: (.+)[;.]$", statement) == described


def _factor(name, blocks):
    """Uno para lo que no se toca; de los embeddings y las pilas, una raíz cuarta."""
    matrix, _, stack = name.partition("_")
    if matrix in UNTOUCHED:
        return 1.0
    above, times = (0.67, 1) if stack == "codificador" else (1, 9)
    return above / math.sqrt(math.sqrt(times * blocks))


READERS = {"primer-paso-de-adam": first_step, "reparto-de-t-fixup": scales}
