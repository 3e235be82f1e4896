"""Lectores de los ejercicios de comprender de «De modelo a asistente»."""

from tests.exercises.statement_readers import (
    bullets,
    count,
    enumerated,
    integers,
    named_integers,
    only,
)


def counted_places(statement):
    rows = [
        integers(only(rf"^\| {name} \| (\d+ \| \d+) \|$", statement))
        for name in ("primera", "segunda", "tercera")
    ]
    assert bullets(statement) == ["casillas", "relleno", "respuesta", "todo"]
    asked, told, listed = only(
        r"Por ejemplo, con instrucciones de (.+?) tokens y respuestas de (.+?), serían (.+)\.$",
        statement,
    )
    assert _counted([*zip(enumerated(asked), enumerated(told), strict=True)]) == integers(listed)
    return named_integers(statement, _counted(rows))


def _counted(rows):
    """Token a token: de quién es cada uno, y después el relleno."""
    written = [
        ["<usuario>", *["pide"] * int(asked), "<asistente>", *["dice"] * int(told), "<fin>"]
        for asked, told in rows
    ]
    longest = max(map(len, written))
    padded = [["<relleno>"] * (longest - len(row)) for row in written]
    answers = [token for row in written for token in row if token in ("dice", "<fin>")]
    predicted = [token for row in written for token in row[1:]]
    return [len(written) * longest, sum(map(len, padded)), len(answers), len(predicted)]


def lora_cost(statement):
    millions, blocks = map(
        int,
        only(r"Un modelo de \*\*(\d+)\*\* millones de parámetros tiene (\d+) bloques", statement),
    )
    many, *square, few, high, wide = only(
        r"(\w+) matrices de (\d+) × (\d+) y (\w+) de (\d+) × (\d+)\. Es", statement
    )
    rank = int(only(r"LoRA de rango (\d+)", statement))
    assert [only(r"guarda \*\*(\w+)\*\* promedios", statement), count(many), count(few)] == [
        "dos",
        4,
        2,
    ]
    assert int(only(r"los (\d+) millones se dejan quietos", statement)) == millions
    assert bullets(statement) == ["lora", "entero", "con_lora", "fundido"]
    shapes = [tuple(map(int, square))] * 4 + [(int(high), int(wide))] * 2
    _check_the_example(statement)
    return named_integers(statement, _stored(millions * 10**6, blocks, shapes, rank))


def _check_the_example(statement):
    example, listed = only(r"Por ejemplo, con (.+), serían (.+)\.$", statement)
    millions, blocks, a, b, c, d, rank = integers(example)
    found = _stored(millions * 10**6, blocks, [(a, b)] * 4 + [(c, d)] * 2, rank)
    assert found == integers(listed)


def _stored(whole, blocks, shapes, rank):
    """Tensor a tensor: el peso, el gradiente y dos promedios, a 4 bytes por número."""
    beside = [rank * side for shape in shapes for side in shape]
    trained = sum(sum(beside) for _ in range(blocks))
    tuned = sum(4 * whole for _ in ("peso", "gradiente", "media", "media de cuadrados"))
    quiet = 4 * whole + sum(4 * trained for _ in range(4))
    return [trained, tuned, quiet, 4 * whole]


READERS = {"lo-que-cuenta-en-la-respuesta": counted_places, "lo-que-ocupa-lora": lora_cost}
