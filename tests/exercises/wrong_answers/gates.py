"""Respuestas equivocadas de los ejercicios de LSTM, GRU y el gradiente a través del tiempo."""

import torch
import torch.nn.functional as F

from tests.exercises.wrong_answers import Wrong

EXAMPLES = {
    "metodo-potencia": ([[[3.0, 0.0], [4.0, 0.0]], [2.0, 0.0], 1], [5.0]),
    "recorte": ([[[3.0, 0.0]], [4.0], 1.0], [[[0.6, 0.0]], [0.8]]),
    "lstm-con-fallos": (
        [
            [[1.0]],
            [[0.5]],
            [[2.0]],
            [[2.0, 0.0, 0.5, 1.0]],
            [[0.0, 2.0, 1.0, -2.0]],
            [-1.0, 1.0, 0.0, 0.0],
        ],
        [[[0.4904]], [[2.3184]]],
    ),
    "varios-pasos-en-uno": ([[[0.5], [2.0], [0.5]], [[4.0], [1.0], [3.0]]], [[0.5], [7.5]]),
    "lstm-acoplada": (
        [[[1.0]], [[0.5]], [[2.0]], [[0.0, 0.5, 1.0]], [[2.0, 1.0, -2.0]], [1.0, 0.0, 0.0]],
        [[[0.476]], [[1.8524]]],
    ),
}


def parameters(simple, gru, lstm):
    return lambda: {"simple": simple, "gru": gru, "lstm": lstm}


PARAMETERS = (
    Wrong("un-solo-sesgo", "PyTorch suma dos", parameters(620, 1860, 2480)),
    Wrong("sin-sesgos", "faltan los sesgos", parameters(600, 1800, 2400)),
    Wrong("sin-recurrencia", "matriz del estado", parameters(240, 720, 960)),
    Wrong("sin-candidata", "otro bloque", parameters(640, 1280, 1920)),
    Wrong("gru-y-lstm-intercambiadas", "intercambiado", parameters(640, 2560, 1920)),
    Wrong("valores", "no es el correcto", parameters(640, 1920, 2561)),
    Wrong("claves", "cópialas", lambda: {"rnn": 640}),
)


def memory(left=0.122, opening=0.993, bias=4.968):
    return lambda: {"queda": left, "apertura": opening, "sesgo": bias}


HALF_LIFE = (
    Wrong("olvido-lineal", "elevar", memory(left=18.0)),
    Wrong("olvido-lineal", "elevado a 20", memory(left=-1.0)),
    Wrong("lo-olvidado", "se conserva", memory(left=0.878)),
    Wrong("mitad-repartida", "se multiplica", memory(opening=0.995)),
    Wrong("mitad-repartida", "se multiplica", memory(opening=0.99)),
    Wrong("sesgo-es-la-apertura", "dentro de la sigmoide", memory(bias=0.993)),
    Wrong("sesgo-con-la-sigmoide", "deshacerla", memory(bias=0.730)),
    Wrong("sesgo-con-logaritmo", "la inversa de la sigmoide", memory(bias=-0.007)),
    Wrong("sesgo-con-el-signo-cambiado", "signo", memory(bias=-4.968)),
    Wrong("valores", "no es el correcto", memory(bias=4.6)),
)


def rate_unnormalised(W, v, steps):
    for _ in range(steps):
        last, v = v, torch.mv(W, v)
    return torch.linalg.vector_norm(v) / torch.linalg.vector_norm(last)


def rate_total(W, v, steps):
    for _ in range(steps):
        v = torch.mv(W, v)
    return torch.linalg.vector_norm(v)


def rate_once(W, v, steps):
    v = F.normalize(v, dim=0)
    return torch.linalg.vector_norm(W @ v)


def rate_unnormalised_start(W, v, steps):
    for _ in range(steps):
        v = W @ v
        size = torch.linalg.vector_norm(v)
        v = v / size
    return size


POWER = (
    Wrong("sin-normalizar", "en cada vuelta", rate_unnormalised),
    Wrong("estiron-total", "se pide el ritmo", rate_total),
    Wrong("sin-iterar", "una vez", rate_once),
    Wrong("norma-de-la-matriz", "norma de la matriz", lambda W, v, n: torch.linalg.svdvals(W)[0]),
    Wrong("partida-sin-normalizar", "vector de partida", rate_unnormalised_start),
    Wrong("sin-return", "olvidado `return`", lambda W, v, steps: None),
    Wrong("forma", "la forma no es la pedida", lambda W, v, steps: W @ v),
    Wrong("valores", "no coinciden", lambda W, v, steps: 5.0),  # un número vale como respuesta
    Wrong("tipo-equivocado", "un tensor", lambda W, v, steps: "cinco"),
)


def whole(w, b):
    return torch.cat([w.flatten(), b.flatten()]).norm()


def clip_each(grad_w, grad_b, max_norm):
    clipped = []
    for g in (grad_w, grad_b):
        clipped.append(g * max_norm / g.norm() if g.norm() > max_norm else g)
    return tuple(clipped)


def clip_squared(w, b, limit):
    squares = (w * w).sum() + (b * b).sum()
    factor = torch.clamp(limit / squares, max=1.0)
    return w * factor, b * factor


def clip_in_place(w, b, limit):
    factor = min(1.0, limit / float(whole(w, b)))
    w *= factor
    b *= factor
    return w, b


def clip_to_one(w, b, limit):
    size = whole(w, b)
    return (w / size, b / size) if size > limit else (w, b)


CLIPPING = (
    Wrong("cada-uno-por-su-lado", "los dos juntos", clip_each),
    Wrong(
        "numero-a-numero",
        "por el mismo factor",
        lambda w, b, limit: (torch.clip(w, -limit, limit), torch.clip(b, -limit, limit)),
    ),
    Wrong(
        "siempre",
        "se deja como está",
        lambda w, b, limit: (limit * w / whole(w, b), limit * b / whole(w, b)),
    ),
    Wrong(
        "nunca-agrandar-al-reves",
        "el factor mayor",
        lambda w, b, t: tuple(g * torch.clamp(t / whole(w, b), min=1.0) for g in (w, b)),
    ),
    Wrong("sin-raiz", "falta la raíz", clip_squared),
    Wrong("normaliza-a-uno", "mida `max_norm`", clip_to_one),
    Wrong("sin-recortar", "tal como llegaron", lambda w, b, limit: (w.clone(), b.clone())),
    Wrong("modifica-entradas", "modifica `grad_w`", clip_in_place),
    Wrong("numero-de-salidas", "se esperaban 2 resultados", lambda w, b, limit: w),
)


def nothing(value):
    return value


def lstm(squash=torch.tanh, kept=nothing, end=torch.tanh, flip=False):
    def step(x, h, c, W_x, W_h, b):
        total = torch.matmul(x, W_x) + torch.matmul(h, W_h) + b
        i, f, g, o = total.split(h.shape[1], dim=1)
        new = torch.addcmul(kept(f.sigmoid()) * c, i.sigmoid(), squash(g))
        result = (o.sigmoid() * end(new), new)
        return result[::-1] if flip else result

    return step


def opposite(gate):
    return torch.ones_like(gate) - gate


LSTM = (
    Wrong("queda-candidata", "debe poder restar", lstm(squash=torch.sigmoid)),
    Wrong("queda-olvido", "cuánto se conserva", lstm(kept=opposite)),
    Wrong("queda-salida", "la tangente de la memoria", lstm(end=nothing)),
    Wrong("queda-candidata-olvido", "quedan dos", lstm(squash=torch.sigmoid, kept=opposite)),
    Wrong("queda-candidata-salida", "quedan dos", lstm(squash=torch.sigmoid, end=nothing)),
    Wrong("queda-olvido-salida", "quedan dos", lstm(kept=opposite, end=nothing)),
    Wrong(
        "queda-candidata-olvido-salida",
        "siguen ahí",
        lstm(squash=torch.sigmoid, kept=opposite, end=nothing),
    ),
    Wrong("salidas-intercambiadas", "al revés", lstm(flip=True)),
    Wrong("numero-de-salidas", "h_nueva, c_nueva", lambda x, h, c, W_x, W_h, b: h),
    Wrong("formas", "Tu función recibió", lambda x, h, c, W_x, W_h, b: (W_x @ x + W_h @ h, c)),
)


def chained(pair):
    def summary(a, b):
        whole, loose = torch.ones_like(a[0]), torch.zeros_like(b[0])
        for a_t, b_t in zip(a, b, strict=True):
            whole, loose = pair(a_t, b_t, whole, loose)
        return whole, loose

    return summary


def divided(a, b):
    so_far = torch.cumprod(a, dim=0)
    return so_far[-1], torch.einsum("td,td->d", so_far[-1] / so_far, b)


def first_ones_grow(a, b):
    whole, loose = torch.ones_like(a[0]), torch.zeros_like(b[0])
    for a_t, b_t in zip(a, b, strict=True):
        loose = loose + whole * b_t
        whole = whole * a_t
    return whole, loose


def added(a, b):
    _, loose = chained(lambda a, b, A, B: (a * A, torch.addcmul(b, a, B)))(a, b)
    return a.sum(dim=0), loose


JUMP = (
    Wrong("al-reves", "los que vienen después", first_ones_grow),
    Wrong("con-el-suyo", "su propio a", chained(lambda a, b, A, B: (A * a, a * (B + b)))),
    Wrong("sin-productos", "tal cual", lambda a, b: (torch.prod(a, dim=0), torch.sum(b, dim=0))),
    Wrong("suma-de-aes", "el producto de todos", added),
    Wrong("dividiendo", "puede valer cero", divided),
    Wrong(
        "orden",
        "primero lo que se suma",
        lambda a, b: chained(lambda a, b, A, B: (a * A, a * B + b))(a, b)[::-1],
    ),
)


def coupled(memory, end=torch.tanh, blocks=(0, 1, 2)):
    def step(x, h, c, W_x, W_h, b):
        cut = (torch.matmul(x, W_x) + torch.matmul(h, W_h) + b).split(h.shape[1], dim=1)
        f, g, o = cut[blocks[0]].sigmoid(), cut[blocks[1]].tanh(), cut[blocks[2]].sigmoid()
        new = memory(f, g, c)
        return o * end(new), new

    return step


def tied(f, g, c):
    return torch.lerp(g, c, f)


COUPLED = (
    Wrong("acoplada-al-reves", "los papeles", coupled(lambda f, g, c: torch.lerp(c, g, f))),
    Wrong("escribe-con-f", "la misma compuerta", coupled(lambda f, g, c: f * g + f * c)),
    Wrong("sin-acoplar", "por 1 − F", coupled(lambda f, g, c: torch.addcmul(g, f, c))),
    Wrong("salida-sin-tanh", "la tangente de la memoria", coupled(tied, end=nothing)),
    Wrong("bloques-en-otro-orden", "otro orden", coupled(tied, blocks=(0, 2, 1))),
    Wrong("numero-de-salidas", "se esperaban 2", lambda x, h, c, W_x, W_h, b: c),
)

WRONG = {
    "parametros-recurrentes": PARAMETERS,
    "vida-media": HALF_LIFE,
    "metodo-potencia": POWER,
    "recorte": CLIPPING,
    "lstm-con-fallos": LSTM,
    "varios-pasos-en-uno": JUMP,
    "lstm-acoplada": COUPLED,
}
