"""Ejercicio de código: hasta dónde ve cada posición de un decodificador."""

from tfcourse.exercises.data import chance, random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _changed(decoder, x, position):
    """Posiciones de la salida que cambian al tocar una de la entrada."""
    touched = x.clone()
    touched[:, position] += 1.0
    different = (decoder(touched) - decoder(x)).abs().amax(dim=(0, 2)) > 1e-6
    return different.tolist()


def _table(decoder, x):
    return [_changed(decoder, x, position) for position in range(x.shape[1])]


def _furthest(decoder, x):
    table = _table(decoder, x)
    outputs = range(x.shape[1])
    return [max([i for i, row in enumerate(table) if row[o]], default=-1) for o in outputs]


def _nearest(decoder, x):
    table = _table(decoder, x)
    outputs = range(x.shape[1])
    return [min([i for i, row in enumerate(table) if row[o]], default=-1) for o in outputs]


def _by_inputs(decoder, x):
    rows = _table(decoder, x)
    return [max([o for o, hit in enumerate(row) if hit], default=-1) for row in rows]


def _counted(decoder, x):
    table = _table(decoder, x)
    return [sum(row[o] for row in table) - 1 for o in range(x.shape[1])]


def _not_undone(decoder, x):
    """Toca una posición tras otra sin devolver las anteriores a su sitio."""
    touched, before, last = x.clone(), decoder(x), [-1] * x.shape[1]
    for position in range(x.shape[1]):
        touched[:, position] += 1.0
        different = (decoder(touched) - before).abs().amax(dim=(0, 2)) > 1e-6
        last = [position if hit else old for hit, old in zip(different, last, strict=True)]
    return last


def _only_next(decoder, x):
    """Mira si se cuela la siguiente y nada más."""
    table = _table(decoder, x)
    last = x.shape[1] - 1
    return [o + 1 if o < last and table[o + 1][o] else o for o in range(last + 1)]


def _mixer(seen):
    """Decodificador que suma, en cada posición, lo que dice su fila de `seen`."""

    def decoder(x):
        weights = x.new_tensor(seen)
        return (weights @ (0.5 * x).tanh()) / weights.sum(dim=1, keepdim=True).clamp(min=1)

    return decoder


def _causal(length):
    return [[float(i <= o) for i in range(length)] for o in range(length)]


def _case(make_rows, length, seed):
    def make():
        (x,) = random_tensors((2, length, 3), seed=seed)
        return _mixer(make_rows(chance(seed), length)), x

    return make


def _narrow(length, seed):
    """Solo lo nota un número de una de las dos secuencias."""

    def make():
        (x,) = random_tensors((2, length, 3), seed=seed)
        decoder = _mixer(_one_leak(chance(seed), length))
        heard = x.new_zeros(2, 1, 3)
        heard[seed % 2, 0, 1] = 1.0
        return lambda x: heard * decoder(x), x

    return make


def _one_leak(random, length):
    rows = _causal(length)
    output = random.randint(0, length - 3)
    rows[output][random.randint(output + 2, length - 1)] = 1.0
    return rows


def _delayed(random, length):
    return [[float(i < o) for i in range(length)] for o in range(length)]


def _averaged(random, length):
    rows = _causal(length)
    for output in range(random.randint(1, length - 2), length):
        rows[output] = [1.0] * length
    return rows


def _scattered(random, length):
    rows = [[float(random.random() < 0.4) for _ in range(length)] for _ in range(length)]
    rows[random.randrange(length)] = [0.0] * length
    return rows


FUTURE = Exercise(
    Card(
        id="hasta-donde-ve",
        title="Hasta dónde ve cada posición",
        kind="codigo",
        difficulty=2,
        minutes=18,
        points=2,
        objective="escribir la prueba que descubre un decodificador que mira al futuro",
        hints=(
            "Si la salida de una posición depende de una entrada, al tocar esa entrada la salida "
            "cambia.",
            "Toca las entradas de una en una, cada vez a partir de una copia de la original, y "
            "apunta qué salidas cambian.",
            "Para cada salida, quédate con la mayor de las entradas que la cambian; si no la "
            "cambia ninguna, −1.",
        ),
    ),
    Task(
        function="furthest_seen",
        cases=(
            Case("una máscara causal", _case(lambda _, n: _causal(n), 5, seed=0)),
            Case("un hueco en la máscara", _case(_one_leak, 6, seed=1)),
            Case("solo lo anterior, sin su propia posición", _case(_delayed, 4, seed=2)),
            Case("las últimas lo ven todo", _case(_averaged, 6, seed=3)),
            Case("una máscara al azar", _case(_scattered, 7, seed=4)),
            Case("otra máscara al azar", _case(_scattered, 8, seed=5)),
            Case("solo lo nota un número de una secuencia", _narrow(5, seed=7)),
            Case("una sola posición", _case(lambda _, n: _causal(n), 1, seed=6)),
        ),
        reference=_furthest,
        mistakes=(
            Mistake(
                "al-reves",
                "has contestado a otra pregunta: hasta qué salida llega cada entrada, y no hasta "
                "qué entrada ve cada salida",
                (_by_inputs,),
            ),
            Mistake(
                "la-primera",
                "has devuelto la primera posición de las que ve, y se pide la última",
                (_nearest,),
            ),
            Mistake(
                "cuantas-ve",
                "has contado cuántas posiciones ve: con un hueco en medio no es lo mismo que hasta "
                "dónde ve",
                (_counted,),
            ),
            Mistake(
                "sin-deshacer",
                "tocas una posición sin haber devuelto a su valor la anterior: parte siempre de "
                "una copia de la entrada original",
                (_not_undone,),
            ),
            Mistake(
                "solo-la-siguiente",
                "solo compruebas si se cuela la posición siguiente: hay que tocarlas todas",
                (_only_next,),
            ),
        ),
        differentiable=False,
    ),
)
