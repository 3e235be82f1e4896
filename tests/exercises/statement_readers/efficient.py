"""Lectores de los ejercicios de comprender sobre la atención eficiente."""

import torch

from tests.exercises.statement_readers import bullets, integers, named_integers, only


def keys_seen(statement):
    length = int(only(r"^Una secuencia mide \$L = (\d+)\$\.", statement))
    window = int(
        only(r"una ventana de \$w = (\d+)\$ a cada lado, para una posición del centro;$", statement)
    )
    stride, last = only(
        r"el patrón a saltos causal con \$s = (\d+)\$, para la última posición, la (\d+) contando "
        "desde 0;$",
        statement,
    )
    summary = int(only(r"Linformer con \$k = (\d+)\$\.$", statement))
    assert range(length)[-1] == int(last)
    assert bullets(statement) == ["completa", "ventana", "saltos", "resumen"]
    _check_keys_example(statement)
    return named_integers(statement, _keys(length, window, int(stride), summary))


def _check_keys_example(statement):
    *sizes, shown, last, seen = only(
        r"con \$L = (\d+)\$, \$w = (\d+)\$, \$s = (\d+)\$ y \$k = (\d+)\$ serían (.+): desde la "
        r"posición (\d+), el patrón a saltos ve la (.+)\.$",
        statement,
    )
    length, window, stride, summary = map(int, sizes)
    assert _keys(length, window, stride, summary) == integers(shown)
    assert range(length)[-1] == int(last)
    assert sorted(_strided(int(last), stride), reverse=True) == integers(seen)


def _keys(length, window, stride, summary):
    """Las claves, una por una."""
    center = length // 2
    near = [key for key in range(length) if abs(key - center) <= window]
    assert len(near) < length and summary < length  # si no, no ahorrarían nada
    return [length, len(near), len(_strided(length - 1, stride)), summary]


def _strided(query, stride):
    close = {query - back for back in range(stride + 1)}
    return close | {key for key in range(query + 1) if (query - key) % stride == 0}


def layers_needed(statement):
    distance = int(only(r"^Dos posiciones están a \*\*(\d+)\*\* de distancia\.", statement))
    reach = only(r"^- `ventana`: ventana de (\d+) a cada lado;$", statement)
    same, dilation = only(
        r"^- `dilatada`: ventana de (\d+) pasos a cada lado, con dilatación (\d+);$", statement
    )
    stride = only(r"^- `saltos`: patrón a saltos con \$s = (\d+)\$;$", statement)
    again = only(
        r"^- `longformer`: ventana de (\d+) y una posición global, que no es ninguna de las dos\.$",
        statement,
    )
    assert reach == same == again
    assert bullets(statement) == ["ventana", "dilatada", "saltos", "longformer"]
    kernels = int(reach), int(dilation), int(stride)
    example, listed = only(r"a (\d+) de distancia serían (.+)\.$", statement)
    assert int(example) != distance
    assert _all_layers(int(example), *kernels) == integers(listed)
    return named_integers(statement, _all_layers(distance, *kernels))


def _all_layers(distance, reach, dilation, stride):
    """Quién ve a quién con cada núcleo, de la primera posición a la segunda."""
    places = torch.arange(distance + 1)
    apart = (places[:, None] - places).abs()
    window = apart <= reach
    dilated = (apart % dilation == 0) & (apart <= reach * dilation)
    strided = (apart <= stride) | (apart % stride == 0)
    # La global es una más, al final: todas la ven y ve a todas.
    shared = torch.nn.functional.pad(window, (0, 1, 0, 1), value=True)
    return [_layers(sees, distance) for sees in (window, dilated, strided, shared)]


def _layers(sees, target):
    """Cuenta capas hasta que se entera; en cada una se entera quien ve a alguien enterado."""
    told = torch.zeros(len(sees))
    told[0] = 1
    for layers in range(1, len(sees)):
        told = (sees.float() @ told > 0).float()
        if told[target]:
            return layers
    raise AssertionError(f"no se llega nunca a la posición {target}")


READERS = {"claves-que-se-miran": keys_seen, "capas-para-llegar": layers_needed}
