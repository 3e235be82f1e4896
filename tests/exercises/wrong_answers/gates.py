"""Respuestas equivocadas de los ejercicios de LSTM, GRU y el gradiente a través del tiempo."""

import torch
import torch.nn.functional as F

from tests.exercises.wrong_answers import Wrong

EXAMPLES = {
    "metodo-potencia": ([[[3.0, 0.0], [4.0, 0.0]], [2.0, 0.0], 1], [5.0]),
    "recorte": ([[[3.0, 0.0]], [4.0], 1.0], [[[0.6, 0.0]], [0.8]]),
    "paso-lstm": (
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
    "paso-gru": (
        [[[1.0]], [[0.5]], [[0.0, 0.0, 1.0]], [[0.0, 0.0, 2.0]], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
        [[[0.7026]]],
    ),
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
    Wrong("tipo-equivocado", "un tensor", lambda W, v, steps: 5.0),
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


def lstm(memory=None, squash=torch.tanh, end=torch.tanh, blocks=(0, 1, 2, 3), flip=False):
    def step(x, h, c, W_x, W_h, b):
        total = torch.matmul(x, W_x) + torch.matmul(h, W_h) + b
        cut = total.split(h.shape[1], dim=1)
        i, f, o = (torch.sigmoid(cut[blocks[k]]) for k in (0, 1, 3))
        candidate = squash(cut[blocks[2]])
        new = memory(i, f, candidate, c) if memory else torch.addcmul(f * c, i, candidate)
        result = (o * end(new), new)
        return result[::-1] if flip else result

    return step


def lstm_deaf(x, h, c, W_x, W_h, b):
    i, f, g, o = F.linear(x, W_x.T, b).split(h.shape[1], dim=1)
    new = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * new.tanh(), new


def nothing(value):
    return value


LSTM = (
    Wrong("salidas-intercambiadas", "al revés", lstm(flip=True)),
    Wrong("candidata-con-sigmoide", "debe poder restar", lstm(squash=torch.sigmoid)),
    Wrong("candidata-sin-tanh", "le falta la tangente", lstm(squash=nothing)),
    Wrong("salida-sin-tanh", "tangente de la memoria", lstm(end=nothing)),
    Wrong("bloques-en-otro-orden", "otro orden", lstm(blocks=(0, 1, 3, 2))),
    Wrong("bloques-en-otro-orden", "otro orden", lstm(blocks=(1, 0, 2, 3))),
    Wrong("olvido-al-reves", "F = 1 es no olvidar", lstm(lambda i, f, g, c: c - f * c + i * g)),
    Wrong("entrada-atada", "acoplada", lstm(lambda i, f, g, c: torch.lerp(g, c, f))),
    Wrong("memoria-sin-olvido", "no usas la compuerta", lstm(lambda i, f, g, c: i * g + c)),
    Wrong("sin-estado", "`h @ W_h`", lstm_deaf),
    Wrong("numero-de-salidas", "h_nueva, c_nueva", lambda x, h, c, W_x, W_h, b: h),
    Wrong("formas", "Tu función recibió", lambda x, h, c, W_x, W_h, b: (W_x @ x + W_h @ h, c)),
)


def gru(new=None, mix=None, blocks=(0, 1, 2)):
    def step(x, h, W_x, W_h, b_x, b_h):
        d = h.shape[1]
        a = F.linear(x, W_x.T, b_x).split(d, dim=1)
        u = F.linear(h, W_h.T, b_h).split(d, dim=1)
        r, z = (torch.sigmoid(a[k] + u[k]) for k in blocks[:2])
        last = blocks[2]
        n = new(r, a[last], u[last]) if new else torch.addcmul(a[last], r, u[last]).tanh()
        return mix(z, h, n) if mix else torch.lerp(n, h, z)

    return step


def gru_published(x, h, W_x, W_h, b_x, b_h, bias_inside=False):
    wr, wz, wn = W_x.chunk(3, dim=1)
    ur, uz, un = W_h.chunk(3, dim=1)
    (xr, xz, xn), (hr, hz, hn) = b_x.chunk(3), b_h.chunk(3)
    r, z = torch.sigmoid(x @ wr + h @ ur + xr + hr), torch.sigmoid(x @ wz + h @ uz + xz + hz)
    past = r * (h @ un) if bias_inside else (r * h) @ un
    return z * h + (1 - z) * torch.tanh(x @ wn + xn + past + hn)


def gru_bias_out(x, h, W_x, W_h, b_x, b_h):
    return gru_published(x, h, W_x, W_h, b_x, b_h, bias_inside=True)


GRU = (
    Wrong("z-al-reves", "otra convención de Z", gru(mix=lambda z, h, n: torch.lerp(h, n, z))),
    Wrong("reinicio-antes", "antes de proyectar", gru_published),
    Wrong("sesgo-fuera-del-reinicio", "también a su sesgo", gru_bias_out),
    Wrong("sin-reinicio", "no usas R", gru(lambda r, a, u: torch.tanh(u + a))),
    Wrong("reinicio-a-todo", "de la entrada", gru(lambda r, a, u: torch.tanh(r * a + r * u))),
    Wrong("r-y-z-intercambiadas", "dos primeros bloques", gru(blocks=(1, 0, 2))),
    Wrong("candidata-con-sigmoide", "tangente", gru(lambda r, a, u: torch.sigmoid(a + r * u))),
    Wrong("solo-candidata", "falta Z", gru(mix=lambda z, h, n: n)),
    Wrong("sin-gradiente", "ninguna entrada", lambda *a: gru()(*a).detach()),
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
    "paso-lstm": LSTM,
    "paso-gru": GRU,
    "lstm-acoplada": COUPLED,
}
