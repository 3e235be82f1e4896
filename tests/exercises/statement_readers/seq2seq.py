"""Lectores de los ejercicios de comprender sobre el codificador, el decodificador y la atención."""

import math
import re

from tests.exercises.statement_readers import (
    asked_in_table,
    count,
    enumerated,
    integers,
    only,
    value,
)

DIRECTIONS = {"unidireccional": 1, "bidireccional": 2}


def memory(statement):
    """Los vectores que recibe el decodificador, uno por uno."""
    only("produce un vector por palabra", statement)
    only(r"Con \*\*contexto fijo\*\*, el decodificador recibe un solo vector", statement)
    only(r"Con \*\*atención\*\*, recibe todos los", statement)
    rows = re.findall(r"^\| ([A-Z]) \| (\d+) \| (\d+) \| (\w+) \|$", statement, re.MULTILINE)
    sentences = {name: (int(words), int(h), encoder) for name, words, h, encoder in rows}
    answer = {}
    for name, sentence in sentences.items():
        answer[f"fijo_{name}"], answer[f"atencion_{name}"] = _numbers(*sentence)
    assert count(only(r"Devuelve los (\w+) números, enteros, en un", statement)) == len(answer)
    _check_three_sentences(sentences)
    words, encoder, h, *numbers = only(
        r"una frase de (\d+) palabras y un codificador (\w+) con \$H = (\d+)\$ serían (\d+) con "
        r"contexto fijo y (\d+) con atención\.",
        statement,
    )
    assert _numbers(int(words), int(h), encoder) == tuple(map(int, numbers))
    return answer


def _check_three_sentences(sentences):
    """De la A a la B cambia el codificador; de la B a la C, la longitud."""
    assert list(sentences) == ["A", "B", "C"]
    words, h, _ = sentences["A"]
    assert sentences["A"] == (words, h, "unidireccional")
    assert sentences["B"] == (words, h, "bidireccional")
    assert sentences["C"][0] > words and sentences["C"][1:] == (h, "bidireccional")


def _numbers(words, h, encoder):
    """Cuántos son con contexto fijo y cuántos con atención."""
    vectors = [[0] * h * DIRECTIONS[encoder] for _ in range(words)]
    return len(vectors[-1]), sum(map(len, vectors))


def attention_by_hand(statement):
    """Los pesos y el contexto; se redondea solo al final, como se pide."""
    scores = integers(only(r"^e = \((.+?)\), ", statement))
    states = re.findall(r"h_(\d) = \((.+?)\)", statement)
    assert [int(place) for place, _ in states] == list(range(1, len(scores) + 1))
    counted = re.findall(r"frase de (\w+) palabras|los (\w+) pesos y el vector", statement)
    assert [count(one or other) for one, other in counted] == [len(scores)] * 2
    assert re.findall(r"\\sum_\{\w=1\}\^\{(\d)\}", statement) == [str(len(scores))] * 2
    decimals = only(r"como dos listas, redondeadas a (\w+) decimales", statement)
    _check_attention_example(statement)
    return _attend(scores, [integers(state) for _, state in states], count(decimals))


def _check_attention_example(statement):
    words, scores, one, other, weights, context = only(
        r"con (\w+) palabras de puntajes \$\((.+?)\)\$ y estados \$\((.+?)\)\$ y \$\((.+?)\)\$, la "
        r"respuesta sería `\[(.+?)\], \[(.+?)\]`\.",
        statement,
    )
    assert len(integers(scores)) == count(words)
    answer = _attend(integers(scores), [integers(one), integers(other)], decimals=3)
    assert answer == (enumerated(weights), enumerated(context))


def _attend(scores, states, decimals):
    total = sum(map(math.exp, scores))
    weights = [math.exp(score) / total for score in scores]
    context = [
        sum(weight * number for weight, number in zip(weights, axis, strict=True))
        for axis in zip(*states, strict=True)
    ]
    return tuple([round(number, decimals) for number in numbers] for numbers in (weights, context))


def prediction(statement):
    """El modelo, símbolo a símbolo: la voraz por un lado y las cuatro salidas por otro."""
    rows = re.findall(r"^\| (nada|a|b) \| (\S+) \| (\S+) \|$", statement, re.MULTILINE)
    after = {read: {"a": value(p), "b": value(q)} for read, p, q in rows}
    assert all(math.isclose(sum(row.values()), 1) for row in after.values()) and len(after) == 3
    right = only(r"La salida correcta es «(\w\w)»", statement)

    def winner(read):
        return max(after[read], key=after[read].get)

    chances = {x + y: after["nada"][x] * after[x][y] for x in "ab" for y in "ab"}
    greedy = winner("nada") + winner(winner("nada"))
    forced = winner("nada") + winner(right[0])
    hits = [sum(map(str.__eq__, text, right)) for text in (forced, greedy)]
    asked = asked_in_table(statement)
    answer = (chances[greedy], max(chances.values()), *hits)
    return dict(zip(asked, answer, strict=True))


READERS = {"memoria": memory, "a-mano": attention_by_hand, "voraz-o-mejor": prediction}
