"""Ejercicios de código: un paso de la LSTM y un paso de la GRU."""

import math

import torch

from tfcourse.exercises.data import random_case
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _sigmoid(value):
    return 1 / (1 + math.exp(-value))


def _row_by_columns(row, matrix):
    return [
        sum(a * b for a, b in zip(row, column, strict=True))
        for column in matrix.double().T.tolist()
    ]


def _lstm_by_numbers(x, h, c, W_x, W_h, b):
    """Ecuaciones de la LSTM, número a número."""
    new_h, new_c, d = torch.empty_like(h), torch.empty_like(c), h.shape[1]
    for i, (row_x, row_h) in enumerate(zip(x.double().tolist(), h.double().tolist(), strict=True)):
        parts = (_row_by_columns(row_x, W_x), _row_by_columns(row_h, W_h), b.double().tolist())
        total = [sum(three) for three in zip(*parts, strict=True)]
        for j in range(d):
            write, forget = _sigmoid(total[j]), _sigmoid(total[d + j])
            candidate, output = math.tanh(total[2 * d + j]), _sigmoid(total[3 * d + j])
            memory = forget * float(c[i, j]) + write * candidate
            new_c[i, j], new_h[i, j] = memory, output * math.tanh(memory)
    return new_h, new_c


def _lstm(order="IFCO", squash=torch.tanh, memory=None, shown=torch.tanh, both=True, swap=False):
    """La LSTM con alguna pieza cambiada: así se fabrican los errores típicos."""
    memory = memory or (lambda i, f, g, c: f * c + i * g)

    def step(x, h, c, W_x, W_h, b):
        total = x @ W_x + h @ W_h + b if both else x @ W_x + b
        parts = dict(zip(order, total.chunk(4, dim=-1), strict=True))
        i, f, o = (torch.sigmoid(parts[name]) for name in "IFO")
        new_c = memory(i, f, squash(parts["C"]), c)
        new_h = o * shown(new_c)
        return (new_c, new_h) if swap else (new_h, new_c)

    return step


def _lstm_case(batch, d_input, d, seed, dtype=torch.float32):
    shapes = ((batch, d_input), (batch, d), (batch, d), (d_input, 4 * d), (d, 4 * d), (4 * d,))
    return random_case(*shapes, seed=seed, dtype=dtype)


LSTM_STEP = Exercise(
    Card(
        id="paso-lstm",
        title="Un paso de la LSTM",
        kind="codigo",
        difficulty=2,
        minutes=20,
        points=3,
        objective="llevar a código las ecuaciones de la LSTM, con los cuatro bloques a la vez",
        hints=(
            "Haz primero los dos productos y suma el sesgo: sale un tensor (B, 4H). `chunk(4, "
            "dim=-1)` lo parte en cuatro trozos (B, H), en el orden del enunciado.",
            "Tres de los trozos pasan por la sigmoide, y la candidata, por la tangente.",
            "c_nueva = F * c + I * candidata, y h_nueva = O * torch.tanh(c_nueva).",
        ),
    ),
    Task(
        function="lstm_step",
        cases=(
            Case("un lote de 3 ejemplos", _lstm_case(3, 4, 5, seed=0)),
            Case("un solo ejemplo", _lstm_case(1, 3, 2, seed=1)),
            Case("una sola unidad", _lstm_case(4, 2, 1, seed=2)),
            Case("tantos ejemplos como unidades", _lstm_case(3, 3, 3, seed=3)),
            Case("números de 64 bits", _lstm_case(2, 3, 4, seed=4, dtype=torch.float64)),
        ),
        reference=_lstm_by_numbers,
        outputs=("h_nueva", "c_nueva"),
        mistakes=(
            Mistake(
                "salidas-intercambiadas",
                "has devuelto los dos resultados al revés: primero el estado, después la memoria",
                (_lstm(swap=True),),
            ),
            Mistake(
                "candidata-con-sigmoide",
                "has pasado la candidata por la sigmoide: es la única de las cuatro que lleva "
                "tangente, porque debe poder restar",
                (_lstm(squash=torch.sigmoid),),
            ),
            Mistake(
                "candidata-sin-tanh",
                "a la candidata le falta la tangente hiperbólica",
                (_lstm(squash=lambda value: value),),
            ),
            Mistake(
                "salida-sin-tanh",
                "el estado nuevo es O ⊙ tanh(c): te falta la tangente de la memoria",
                (_lstm(shown=lambda value: value),),
            ),
            Mistake(
                "bloques-en-otro-orden",
                "has partido los bloques en otro orden: en el enunciado son entrada, olvido, "
                "candidata y salida",
                tuple(_lstm(order) for order in ("FICO", "IFOC", "FIOC", "FCIO", "ICFO", "OIFC")),
            ),
            Mistake(
                "olvido-al-reves",
                "has multiplicado la memoria por 1 − F: la compuerta de olvido dice cuánto se "
                "conserva, así que F = 1 es no olvidar",
                (_lstm(memory=lambda i, f, g, c: (1 - f) * c + i * g),),
            ),
            Mistake(
                "entrada-atada",
                "has escrito con 1 − F: eso es una LSTM acoplada; la de siempre escribe con su "
                "propia compuerta de entrada",
                (_lstm(memory=lambda i, f, g, c: f * c + (1 - f) * g),),
            ),
            Mistake(
                "memoria-sin-olvido",
                "no usas la compuerta de olvido: la memoria anterior se multiplica por F",
                (_lstm(memory=lambda i, f, g, c: c + i * g),),
            ),
            Mistake(
                "sin-estado",
                "las compuertas no leen el estado anterior: falta `h @ W_h`",
                (_lstm(both=False),),
            ),
        ),
    ),
)


def _gru_by_numbers(x, h, W_x, W_h, b_x, b_h):
    """Ecuaciones de la GRU como en PyTorch, número a número."""
    new_h, d = torch.empty_like(h), h.shape[1]
    for i, (row_x, row_h) in enumerate(zip(x.double().tolist(), h.double().tolist(), strict=True)):
        from_x = [a + s for a, s in zip(_row_by_columns(row_x, W_x), b_x.tolist(), strict=True)]
        from_h = [a + s for a, s in zip(_row_by_columns(row_h, W_h), b_h.tolist(), strict=True)]
        for j in range(d):
            reset = _sigmoid(from_x[j] + from_h[j])
            update = _sigmoid(from_x[d + j] + from_h[d + j])
            candidate = math.tanh(from_x[2 * d + j] + reset * from_h[2 * d + j])
            new_h[i, j] = update * row_h[j] + (1 - update) * candidate
    return new_h


def _gru(order="RZN", candidate=None, mix=None):
    candidate = candidate or (lambda r, from_x, from_h: torch.tanh(from_x + r * from_h))
    mix = mix or (lambda z, h, new: z * h + (1 - z) * new)

    def step(x, h, W_x, W_h, b_x, b_h):
        from_x = dict(zip(order, (x @ W_x + b_x).chunk(3, dim=-1), strict=True))
        from_h = dict(zip(order, (h @ W_h + b_h).chunk(3, dim=-1), strict=True))
        reset, update = (torch.sigmoid(from_x[name] + from_h[name]) for name in "RZ")
        return mix(update, h, candidate(reset, from_x["N"], from_h["N"]))

    return step


def _reset_before(x, h, W_x, W_h, b_x, b_h):
    d = h.shape[1]
    from_x, from_h = x @ W_x + b_x, h @ W_h + b_h
    reset, update = torch.sigmoid(from_x + from_h)[:, : 2 * d].chunk(2, dim=-1)
    new = torch.tanh(from_x[:, 2 * d :] + (reset * h) @ W_h[:, 2 * d :] + b_h[2 * d :])
    return update * h + (1 - update) * new


def _reset_without_bias(x, h, W_x, W_h, b_x, b_h):
    d = h.shape[1]
    from_x, from_h = x @ W_x + b_x, h @ W_h + b_h
    reset, update = torch.sigmoid(from_x + from_h)[:, : 2 * d].chunk(2, dim=-1)
    new = torch.tanh(from_x[:, 2 * d :] + reset * (h @ W_h[:, 2 * d :]) + b_h[2 * d :])
    return update * h + (1 - update) * new


def _gru_case(batch, d_input, d, seed, dtype=torch.float32):
    shapes = ((batch, d_input), (batch, d), (d_input, 3 * d), (d, 3 * d), (3 * d,), (3 * d,))
    return random_case(*shapes, seed=seed, dtype=dtype)


GRU_STEP = Exercise(
    Card(
        id="paso-gru",
        title="Un paso de la GRU de PyTorch",
        kind="codigo",
        difficulty=3,
        minutes=20,
        points=3,
        objective="escribir la GRU en la convención de PyTorch y no confundirla con las otras",
        hints=(
            "Calcula por separado lo que viene de la entrada, x @ W_x + b_x, y lo que viene del "
            "estado, h @ W_h + b_h: los dos miden (B, 3H). Parte cada uno en tres.",
            "En R y en Z se suman los dos trozos antes de la sigmoide. En la candidata, R "
            "multiplica solo al trozo del estado, con su sesgo incluido.",
            "candidata = torch.tanh(x_n + R * h_n), y el resultado, Z * h + (1 - Z) * candidata.",
        ),
    ),
    Task(
        function="gru_step",
        cases=(
            Case("un lote de 3 ejemplos", _gru_case(3, 4, 5, seed=0)),
            Case("un solo ejemplo", _gru_case(1, 3, 2, seed=1)),
            Case("una sola unidad", _gru_case(4, 2, 1, seed=2)),
            Case("tantos ejemplos como unidades", _gru_case(3, 3, 3, seed=3)),
            Case("números de 64 bits", _gru_case(2, 3, 4, seed=4, dtype=torch.float64)),
        ),
        reference=_gru_by_numbers,
        mistakes=(
            Mistake(
                "z-al-reves",
                "has usado la otra convención de Z: en Cho y en PyTorch, Z multiplica al estado "
                "viejo, y 1 − Z, a la candidata",
                (_gru(mix=lambda z, h, new: (1 - z) * h + z * new),),
            ),
            Mistake(
                "reinicio-antes",
                "has aplicado el reinicio antes de proyectar, (R ⊙ h) W, como en el artículo "
                "publicado; en PyTorch va después: R ⊙ (h W + b)",
                (_reset_before,),
            ),
            Mistake(
                "sesgo-fuera-del-reinicio",
                "el reinicio multiplica a todo lo que viene del estado, también a su sesgo: R ⊙ "
                "(h W + b_h)",
                (_reset_without_bias,),
            ),
            Mistake(
                "sin-reinicio",
                "no usas R en la candidata: multiplica a lo que viene del estado",
                (_gru(candidate=lambda r, from_x, from_h: torch.tanh(from_x + from_h)),),
            ),
            Mistake(
                "reinicio-a-todo",
                "R multiplica también a lo que viene de la entrada, y solo debe multiplicar a lo "
                "que viene del estado",
                (
                    _gru(candidate=lambda r, from_x, from_h: torch.tanh(r * (from_x + from_h))),
                    _gru(candidate=lambda r, from_x, from_h: r * torch.tanh(from_x + from_h)),
                ),
            ),
            Mistake(
                "r-y-z-intercambiadas",
                "has intercambiado los dos primeros bloques: en el enunciado son reinicio, "
                "actualización y candidata",
                (_gru("ZRN"),),
            ),
            Mistake(
                "candidata-con-sigmoide",
                "has pasado la candidata por la sigmoide: lleva tangente hiperbólica",
                (_gru(candidate=lambda r, from_x, from_h: torch.sigmoid(from_x + r * from_h)),),
            ),
            Mistake(
                "solo-candidata",
                "devuelves la candidata sin mezclarla con el estado anterior: falta Z",
                (_gru(mix=lambda z, h, new: new),),
            ),
        ),
    ),
)
