"""Lectores de los ejercicios de comprender sobre aprender del habla sin transcribir."""

import re
from itertools import product

from tests.exercises.statement_readers import count, enumerated, integers, only, tabled

BLANK = "–"


def wave_sizes(statement):
    """Los bordes de cada vector, llevados capa a capa hasta la onda."""
    convolutions, kernels, strides, tables, entries = only(
        r"a 8000 Hz con (\w+) convoluciones, de la onda hacia arriba: tamaños `\((.+?)\)` y "
        r"zancadas `\((.+?)\)`\. Encima, un cuantizador de \*\*(\d+) tablas de (\d+) "
        r"entradas\*\*\.",
        statement,
    )
    samples = int(only(r"cuántos salen de un clip de \*\*(\d+)\*\* muestras \|$", statement))
    layers = list(zip(integers(kernels), integers(strides), strict=True))
    assert len(layers) == count(convolutions)
    both = only(r"cuántas entradas se guardan entre las (\w+) tablas", statement)
    assert count(both) == int(tables)
    assert "Devuelve un diccionario con enteros:" in statement
    *example, listed = only(
        r"con una sola convolución de tamaño (\d+) y zancada (\d+), (\d+) tablas de (\d+) "
        r"entradas y el mismo clip, serían (.+)\.",
        statement,
    )
    kernel, stride, *small = map(int, example)
    assert enumerated(listed) == _sizes([(kernel, stride)], samples, *small)
    answer = _sizes(layers, samples, int(tables), int(entries))
    return dict(zip(tabled(statement), answer, strict=True))


def _sizes(layers, samples, tables, entries):
    """Salto, campo, vectores, códigos y entradas."""
    (start, end), (second, _) = (_seen(vector, layers) for vector in (0, 1))
    vectors = samples
    for kernel, stride in layers:
        vectors = len(range(0, vectors - kernel + 1, stride))
    codes = len(list(product(range(entries), repeat=tables)))
    return [second - start, end - start + 1, vectors, codes, tables * entries]


def _seen(vector, layers):
    """La primera y la última muestra que ve un vector."""
    first = last = vector
    for kernel, stride in reversed(layers):
        first, last = first * stride, last * stride + kernel - 1
    return first, last


def ctc_paths(statement):
    """Los caminos, escritos todos."""
    length, different, *letters, again = only(
        r"Hay \*\*(\w+) vectores\*\*, (\w+) letras, «(.)» y «(.)», y el blanco\. ¿Cuántos caminos "
        "de (\\w+) símbolos escriben cada texto, al juntar los repetidos y quitar los blancos",
        statement,
    )
    assert length == again and len(set(letters)) == count(different)
    three, asked = only(r"Devuelve un diccionario con (\w+) enteros: (.+)\.$", statement)
    texts = dict(re.findall(r"`(\w+)`, los que escriben «(\w+)»", asked))
    assert len(texts) == asked.count("«") == count(three)
    assert texts["uno"] == letters[0] and set(texts["dos"]) == set(letters)
    repeated = texts["repetido"]
    assert _written(repeated) != repeated and set(repeated) <= set(letters)
    _check_paths(statement, letters)
    written = [_written(path) for path in _paths(letters, count(length))]
    return {key: written.count(text) for key, text in texts.items()}


def _check_paths(statement, letters):
    """Los caminos del ejemplo son todos los que hay, y del primer texto que se pide."""
    length, text, ways, listed = only(
        r"Por ejemplo, con (\w+) vectores, «(\w)» la escriben (\w+): (.+)\.$", statement
    )
    shown = re.findall("«(.+?)»", listed)
    paths = {path for path in _paths(letters, count(length)) if _written(path) == text}
    assert text == letters[0] and set(shown) == paths and len(shown) == count(ways)


def _paths(letters, length):
    return ["".join(path) for path in product([BLANK, *letters], repeat=length)]


def _written(path):
    """El texto de un camino: cada símbolo que no repite el anterior, salvo los blancos."""
    before = BLANK + path[:-1]
    return "".join(new for old, new in zip(before, path, strict=True) if new not in (old, BLANK))


READERS = {"cuanto-ve-un-vector": wave_sizes, "cuantos-caminos": ctc_paths}
