"""Lectores de los ejercicios de comprender sobre el Transformer completo."""

from torch import nn

from tests.exercises.statement_readers import bullets, count, integers, named_integers, only

PARTS = {
    "atencion": ("self_attn",),
    "red": ("linear1", "linear2"),
    "normas": ("norm1", "norm2"),
}


def block_parameters(statement):
    width, heads, hidden = only(
        r"^Un bloque del codificador.* tiene \$d = (\d+)\$, \$H = (\d+)\$ cabezas y una red por "
        r"posición con capa oculta de (\d+)\. Todas las capas lineales llevan sesgo\.",
        statement,
    )
    *example, listed = only(r"con \$d = (\d+)\$ y capa oculta de (\d+) serían (.+)\.$", statement)
    assert bullets(statement) == list(PARTS)
    assert _parameters(1, *map(int, example)) == integers(listed)
    return named_integers(statement, _parameters(int(heads), int(width), int(hidden)))


def _parameters(heads, width, hidden):
    """Los de cada pieza del bloque de PyTorch, que no llega a ocupar memoria."""
    block = nn.TransformerEncoderLayer(width, heads, hidden, device="meta")
    counted = dict.fromkeys(PARTS, 0)
    for name, parameter in block.named_parameters():
        (part,) = (part for part, modules in PARTS.items() if name.startswith(modules))
        counted[part] += parameter.numel()
    return list(counted.values())


def shifted(statement):
    """Una pareja por símbolo que se lee: él y el que viene después."""
    words = only(r"^Se entrena con la frase «(.+)» \(sin el punto\) y forzado", statement).split()
    numbers = _numbers(statement, words)
    first, *example = only(r"para la frase «(\w+)» sola serían `\[(.+)\], \[(.+)\]`\.$", statement)
    assert first == words[0]
    assert _pairs([numbers[first]], numbers) == tuple(map(integers, example))
    assert count(only(r"^Devuelve (\w+) listas de la misma longitud: ", statement)) == len(example)
    return _pairs([numbers[word] for word in words], numbers)


def _numbers(statement, words):
    """El número de cada símbolo de la tabla: los dos de los extremos y las palabras, en orden."""
    symbols = only(r"^\| símbolo \| (.+) \|$", statement).split(" | ")
    assert symbols == ["`<inicio>`", "`<fin>`", *words]
    row = integers(only(r"^\| número \| (\d+(?: \| \d+)+) \|$", statement))
    assert len(set(row)) == len(row) and len(set(words)) == len(words)
    return dict(zip(symbols, row, strict=True))


def _pairs(sentence, numbers):
    read, guessed = [], []
    last = numbers["`<inicio>`"]
    for symbol in (*sentence, numbers["`<fin>`"]):
        read.append(last)
        guessed.append(symbol)
        last = symbol
    return read, guessed


READERS = {"parametros-del-bloque": block_parameters, "desplazar-la-salida": shifted}
