"""Lectores de los ejercicios de comprender sobre LSTM y GRU."""

import math

from torch import nn

from tests.exercises.statement_readers import bullets, count, enumerated, only, value

CELLS = {"simple": nn.RNN, "gru": nn.GRU, "lstm": nn.LSTM}


def cell_parameters(statement):
    """Los que tienen de verdad las celdas de PyTorch."""
    sizes = only(
        r"lee vectores de \$D = (\d+)\$ números y su estado mide \$H = (\d+)\$\. ¿Cuántos "
        "parámetros tiene en PyTorch si es una red simple, una GRU o una LSTM, de una sola capa y "
        r"una sola dirección, sin contar ninguna capa de salida\?",
        statement,
    )
    *example, listed = only(
        r"Por ejemplo, con \$D = (\d+)\$ y \$H = (\d+)\$ serían (.+)\.", statement
    )
    assert count(only(r"Devuelve los (\w+) números, enteros, en un", statement)) == len(CELLS)
    assert list(_parameters(*example).values()) == enumerated(listed)
    return _parameters(*sizes)


def _parameters(d, h):
    return {
        name: sum(weights.numel() for weights in cell(int(d), int(h), device="meta").parameters())
        for name, cell in CELLS.items()
    }


def half_life(statement):
    """Lo que queda, paso a paso; la apertura y el sesgo, buscados."""
    only("la memoria se multiplica por la apertura .F. de la compuerta de olvido", statement)
    assert count(only(r"Halla (\w+) números:$", statement)) == len(bullets(statement)) == 3
    steps, opening = only(
        r"`queda`: qué fracción de la memoria queda tras (\d+) pasos si \$F = (\S+)\$;", statement
    )
    half_at = only(
        r"`apertura`: qué apertura \$F\$ hace falta para que tras (\d+) pasos quede justo la "
        "mitad;",
        statement,
    )
    only(r"`sesgo`: qué sesgo \$b\$ da esa apertura, .+: \$\\sigma\(b\) = F\$\.", statement)
    _check_half_life_example(statement)
    answer = _memory(value(opening), int(steps), int(half_at))
    return dict(zip(bullets(statement), answer, strict=True))


def _check_half_life_example(statement):
    example = only(
        r"Por ejemplo, con \$F = (\S+)\$ y (\d+) pasos quedaría (\S+); y la apertura con la que "
        r"queda la mitad tras (\w+) solo paso es (\S+), con sesgo (\S+)\.",
        statement,
    )
    opening, steps, left, half_at, *rest = example
    computed = _memory(value(opening), int(steps), count(half_at))
    for number, said in zip(computed, (left, *rest), strict=True):
        assert math.isclose(number, value(said), abs_tol=1e-9)


def _memory(opening, steps, half_at):
    kept = _where(lambda opening: _left(opening, half_at), 0.5, 0, 1)
    return _left(opening, steps), kept, _where(lambda b: 1 / (1 + math.exp(-b)), kept, -20, 20)


def _left(opening, steps):
    memory = 1
    for _ in range(steps):
        memory *= opening
    return memory


def _where(growing, target, low, high):
    """Dónde llega a ese valor una función que crece, por bisección."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if growing(middle) < target else (low, middle)
    return middle


READERS = {"parametros-recurrentes": cell_parameters, "vida-media": half_life}
