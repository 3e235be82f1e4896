"""Lectores de los ejercicios de comprender sobre modelos de texto a texto."""

import ast
import re

from tests.exercises.statement_readers import enumerated, only, value


def hide_by_hand(statement):
    """Cada tramo tapado, buscado en la frase palabra a palabra."""
    words = only("La frase «(.+?)» tiene estos números", statement).split()
    assert words == _row("palabra", statement)
    numbers = [int(number) for number in _row("número", statement)]
    marks = [int(mark) for mark in only("Los centinelas son (.+)…", statement).split(", ")]
    assert marks == list(range(marks[0], marks[0] + 3)) and not set(marks) & set(numbers)
    only("un texto con dos tramos tapados", statement)
    only("Devuelve dos listas: lo que se .+, sin inicio ni fin", statement)
    spans = re.findall("«(.+?)»", only(r"se tapan dos tramos: (.+)\.$", statement))
    assert len(spans) == 2
    text = dict(zip(words, numbers, strict=True))
    example, lists = only(r"Por ejemplo, si solo se tapara «(.+)» serían `(.+)`", statement)
    assert ast.literal_eval(lists) == _hide(text, [example], marks)
    return _hide(text, spans, marks)


def _row(name, statement):
    return only(rf"^\| {name} \| (.+) \|$", statement).split(" | ")


def _hide(text, spans, marks):
    """Lo que se lee y lo que se escribe, si `text` da el número de cada palabra."""
    words, read, written = list(text), [], []
    for mark, span in zip(marks, map(str.split, spans), strict=False):
        start = words.index(span[0])
        assert words[start : start + len(span)] == span
        assert start > 0 or not read  # los tramos van en orden y con algo visible entre ellos
        read += [*map(text.get, words[:start]), mark]
        written += [mark, *map(text.get, span)]
        words = words[start + len(span) :]
    return [*read, *map(text.get, words)], [*written, marks[len(spans)]]


def mixing_shares(statement):
    """Lo que cuenta cada tarea, entre lo que cuentan todas."""
    sizes, names, limit, temperature = only(
        r"^Tres tareas tienen (.+) ejemplos: (.+)\. Se mezclan con límite \$K = (.+)\$ y "
        r"temperatura \$T = (\d+)\$\.",
        statement,
    )
    only(r"Contesta con un diccionario de tres números que sumen 1; las claves son", statement)
    names = re.findall(r"`(\w+)`", names)
    shares = _shares(enumerated(sizes), value(limit), int(temperature))
    assert len(names) == len(shares) == 3
    sizes, temperature, listed = only(
        r"con dos tareas de (.+) ejemplos, sin límite y con \$T = (\d+)\$, serían (.+)\.$",
        statement,
    )
    example = _shares(enumerated(sizes), float("inf"), int(temperature))
    assert enumerated(listed) == [round(share, 3) for share in example] and len(example) == 2
    return dict(zip(names, shares, strict=True))


def _shares(sizes, limit, temperature):
    """La parte i es 1 / Σ_j (n_j / n_i)^(1/T), con los tamaños ya recortados."""
    capped = [min(size, limit) for size in sizes]
    return [1 / sum((other / one) ** (1 / temperature) for other in capped) for one in capped]


READERS = {"tapar-a-mano": hide_by_hand, "cuanto-a-cada-una": mixing_shares}
