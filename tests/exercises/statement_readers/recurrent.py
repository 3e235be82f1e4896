"""Lectores de los ejercicios de comprender sobre redes recurrentes."""

import math
import re

from tests.exercises.statement_readers import count, integers, only, value


def network_parameters(statement):
    """Las matrices y los sesgos, uno por uno; la longitud no interviene."""
    rows = re.findall(
        r"^\| ([A-Z]) \| (\d+) \| (\d+)( \(cada una\))? \| (\d+) \| (\d+) \| (\w+)(.*) \|$",
        statement,
        re.MULTILINE,
    )
    networks, lengths = {}, {}
    for name, x, h, each, o, length, directions, note in rows:
        networks[name] = (int(x), int(h), int(o), count(directions))
        lengths[name] = int(length)
        assert bool(each) == bool(note) == (count(directions) == 2)
        assert note in ("", ": la salida recibe los dos estados")
    _check_three_networks(statement, networks, lengths)
    _check_parameters_example(statement)
    return {name: sum(_parameters(*sizes)) for name, sizes in networks.items()}


def _check_three_networks(statement, networks, lengths):
    """La B es la A con una secuencia cien veces más larga; la C, la A en dos direcciones."""
    assert list(networks) == ["A", "B", "C"]
    assert count(only(r"Cuenta los parámetros de estas (\w+) redes", statement)) == len(networks)
    assert count(only(r"Devuelve los (\w+) números, enteros, en un", statement)) == len(networks)
    *sizes, _ = networks["A"]
    assert networks == {"A": (*sizes, 1), "B": (*sizes, 1), "C": (*sizes, 2)}
    assert lengths == {"A": lengths["A"], "B": 100 * lengths["A"], "C": lengths["A"]}


def _check_parameters_example(statement):
    directions, *sizes, total, cell, output = only(
        r"una red de (\w+) dirección con \$D_x = (\d+)\$, \$D_h = (\d+)\$ y \$D_o = (\d+)\$ tiene "
        r"(\d+) parámetros: (\d+) en la celda y (\d+) en la salida\. Aquí cada ecuación lleva un "
        "solo sesgo",
        statement,
    )
    counted = _parameters(*map(int, sizes), count(directions))
    assert counted == (int(cell), int(output)) and sum(counted) == int(total)


def _parameters(x, h, o, directions):
    """Los de las celdas y los de la salida."""
    cells = [(x, h), (h, h), (1, h)] * directions
    output = [(directions * h, o), (1, o)]
    return sum(map(math.prod, cells)), sum(map(math.prod, output))


def three_steps(statement):
    """La recurrencia, paso a paso; se redondea solo al final, como se pide."""
    only(
        re.escape(r"h_t = \tanh(x_t\, w_x + h_{t-1}\, w_h), \qquad o = h_3\, w_{out} + b_{out}"),
        statement,
    )
    network = [
        value(only(rf"\${re.escape(name)} = (\S+?)\$", statement))
        for name in ("w_x", "w_h", "w_{out}", "b_{out}", "h_0")
    ]
    sequence = integers(only(r"Lee la secuencia \$x = \((.+)\)\$\.", statement))
    states, decimals = only(
        r"halla los (\w+) estados y la salida, y devuélvelos redondeados a (\w+) decimales",
        statement,
    )
    steps = only(r"^## (\w+) pasos a mano", statement)
    assert len(sequence) == count(states) == count(steps) == 3  # la salida sale de h_3
    read, *answer = only(
        r"si leyera \$\((.+)\)\$, la respuesta sería `\[(.+)\], (\S+)`\.", statement
    )
    assert len(integers(read)) == len(sequence)
    assert _run(integers(read), *network, count(decimals)) == (
        integers(answer[0]),
        value(answer[1]),
    )
    return _run(sequence, *network, count(decimals))


def _run(sequence, w_x, w_h, w_out, b_out, state, decimals):
    states = []
    for x in sequence:
        state = math.tanh(x * w_x + state * w_h)
        states.append(state)
    return [round(h, decimals) for h in states], round(state * w_out + b_out, decimals)


def fading(statement):
    """Se multiplica por el peso, paso a paso, hasta que queda menos de lo que se dice."""
    only(r"\\tanh\(w_h\\, h_\{t-1\}\)", statement)
    rows = re.findall(r"^\| ([A-Z]) \| (\S+) \|$", statement, re.MULTILINE)
    part = int(only(r"queda \*\*menos de 1/(\d+)\*\*", statement))
    answer = {}
    for name, weight in rows:
        left, answer[name] = 1.0, 0
        while left >= 1 / part:
            left, answer[name] = left * value(weight), answer[name] + 1
    assert list(answer) == ["A", "B", "C"]
    weight, faded, steps = only(r"con \$w_h = (\S+)\$ y 1/(\d+) serían (\d+) pasos", statement)
    assert value(weight) ** int(steps) < 1 / int(faded) <= value(weight) ** (int(steps) - 1)
    return answer


READERS = {
    "parametros": network_parameters,
    "estados-a-mano": three_steps,
    "cuanto-dura-el-rastro": fading,
}
