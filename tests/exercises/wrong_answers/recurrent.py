"""Respuestas equivocadas de los ejercicios de redes recurrentes."""

import math

import torch
import torch.nn.functional as F

from tests.exercises.wrong_answers import Wrong


def counted(a, b, c):
    return lambda: {"A": a, "B": b, "C": c}


PARAMETERS = (
    Wrong("crece-con-la-longitud", "se cuentan una vez", counted(5075, 507500, 10115)),
    Wrong("crece-con-la-longitud", "se cuentan una vez", counted(4445, 434105, 8885)),
    Wrong("sin-sesgos", "te faltan los sesgos", counted(700, 700, 1400)),
    Wrong("sin-w-h", "no hay recurrencia", counted(325, 325, 645)),
    Wrong("sin-salida", "falta la capa de salida", counted(620, 620, 1240)),
    Wrong("una-direccion", "una sola celda", counted(725, 725, 725)),
    Wrong("salida-sin-doblar", "el doble de filas", counted(725, 725, 1345)),
    Wrong("dos-salidas", "una sola capa de salida", counted(725, 725, 1450)),
    Wrong("valores", "no es el correcto", counted(725, 725, 1446)),
    Wrong("claves", "cópialas", lambda: {"A": 725}),
)

BY_HAND = (
    Wrong("sin-tanh", "entre −1 y 1", lambda: ([1, 0, 0], 1)),
    Wrong("sin-memoria", "el estado anterior", lambda: ([0.762, 0.762, 0], 1)),
    Wrong("signo", "hay que restarlo", lambda: ([0.762, 0.943, 0.736], 2.473)),
    Wrong("salida-de-la-entrada", "con x₃", lambda: ([0.762, 0.234, -0.230], 1)),
    Wrong("salida-sin-sesgo", "b_out", lambda: ([0.762, 0.234, -0.230], -0.460)),
    Wrong("salida-con-tanh", "no lleva tangente", lambda: ([0.762, 0.234, -0.230], 0.493)),
    Wrong("valores", "en `h`", lambda: ([0.762, 0.234, 0.230], 0.540)),
    Wrong("numero-de-salidas", "se esperaban 2 resultados", lambda: [0.762, 0.234, -0.230]),
)


def walk(step, x, h_0):
    """Recorre la secuencia con una función de un paso y junta lo que va saliendo."""
    states = torch.empty(x.shape[0], 0, h_0.shape[1], dtype=x.dtype)
    h = h_0
    for t in range(x.shape[1]):
        h = step(x[:, t], h)
        states = torch.cat((states, h.unsqueeze(1)), dim=1)
    return states


def linear_states(x, h_0, W_x, W_h, b):
    return walk(lambda x_t, h: torch.matmul(x_t, W_x) + torch.matmul(h, W_h) + b, x, h_0)


def sigmoid_states(x, h_0, W_x, W_h, b):
    return walk(lambda x_t, h: F.sigmoid(x_t @ W_x + h @ W_h + b), x, h_0)


def forgetful_states(x, h_0, W_x, W_h, b):
    return torch.tanh(x @ W_x + (h_0 @ W_h)[:, None] + b)


def states_from_zero(x, h_0, W_x, W_h, b):
    start = torch.zeros(h_0.shape, dtype=x.dtype)
    return walk(lambda x_t, h: (x_t @ W_x + h @ W_h + b).tanh(), x, start)


def good_states(x, h_0, W_x, W_h, b):
    return walk(lambda x_t, h: (x_t @ W_x + h @ W_h + b).tanh(), x, h_0)


def states_by_time(x, h_0, W_x, W_h, b):
    return good_states(x, h_0, W_x, W_h, b).permute(1, 0, 2)


def states_plus_start(x, h_0, W_x, W_h, b):
    return torch.cat((h_0.unsqueeze(1), good_states(x, h_0, W_x, W_h, b)), 1)


def states_backwards(x, h_0, W_x, W_h, b):
    return good_states(torch.flip(x, [1]), h_0, W_x, W_h, b)


def states_without_bias(x, h_0, W_x, W_h, b):
    return good_states(x, h_0, W_x, W_h, torch.zeros_like(b))


def states_transposed(x, h_0, W_x, W_h, b):
    return walk(lambda x_t, h: (x_t @ W_x + F.linear(h, W_h) + b).tanh(), x, h_0)


def states_detached(x, h_0, W_x, W_h, b):
    return walk(lambda x_t, h: (x_t @ W_x + h.detach() @ W_h + b).tanh(), x, h_0)


STATES = (
    Wrong("sin-tanh", "tangente hiperbólica", linear_states),
    Wrong("otra-activacion", "Elman", sigmoid_states),
    Wrong("estado-viejo", "usas h_0 en todos", forgetful_states),
    Wrong("sin-h-0", "un estado de ceros", states_from_zero),
    Wrong("solo-el-ultimo", "solo el último", lambda *inputs: good_states(*inputs)[:, -1, :]),
    Wrong("incluye-h-0", "has incluido `h_0`", states_plus_start),
    Wrong("al-reves", "del final al principio", states_backwards),
    Wrong("tiempo-delante", "el lote va delante", states_by_time),
    Wrong("sin-sesgo", "sesgo `b`", states_without_bias),
    Wrong("matriz-traspuesta", "`h @ W_h`", states_transposed),
    Wrong("sin-gradiente", "hasta `h_0`", states_detached),
)


def deltas(h_0, W_h, states, upstream, factor=lambda h: 1 - h * h, back=None):
    """Los delta de cada paso, en una lista."""
    found, pending = [], 0.0
    for t in range(states.size(1) - 1, -1, -1):
        found.insert(0, (upstream[:, t] + pending) * factor(states[:, t]))
        pending = found[0] @ (W_h.t() if back is None else back)
    return found


def earlier(h_0, states):
    return [h_0, *states.unbind(1)[:-1]]


def accumulate(before, found):
    return sum(torch.einsum("bi,bj->ij", b, d) for b, d in zip(before, found, strict=True))


def gradient_flat(h_0, W_h, states, upstream):
    found = deltas(h_0, W_h, states, upstream, factor=torch.ones_like)
    return accumulate(earlier(h_0, states), found)


def gradient_short_sighted(h_0, W_h, states, upstream):
    return accumulate(earlier(h_0, states), [*(upstream * (1 - states**2)).unbind(1)])


def gradient_now(h_0, W_h, states, upstream):
    return accumulate(states.unbind(1), deltas(h_0, W_h, states, upstream))


def gradient_untransposed(h_0, W_h, states, upstream):
    return accumulate(earlier(h_0, states), deltas(h_0, W_h, states, upstream, back=W_h))


def gradient_of_the_last(h_0, W_h, states, upstream):
    return accumulate(earlier(h_0, states)[-1:], deltas(h_0, W_h, states, upstream)[-1:])


def gradient_without_start(h_0, W_h, states, upstream):
    found = deltas(h_0, W_h, states, upstream)
    return torch.zeros_like(W_h) + accumulate(earlier(h_0, states)[1:], found[1:])


def good_gradient(h_0, W_h, states, upstream):
    return accumulate(earlier(h_0, states), deltas(h_0, W_h, states, upstream))


def gradient_shared(h_0, W_h, states, upstream):
    return good_gradient(h_0, W_h, states, upstream) / states.size(1)


GRADIENT = (
    Wrong("sin-derivada", "1 − h²", gradient_flat),
    Wrong("sin-futuro", "paso siguiente", gradient_short_sighted),
    Wrong("estado-actual", "estado anterior", gradient_now),
    Wrong("sin-trasponer", "la traspuesta", gradient_untransposed),
    Wrong("solo-el-ultimo-paso", "solo el último paso", gradient_of_the_last),
    Wrong("sin-h-0", "te falta el primer paso", gradient_without_start),
    Wrong("resultado-traspuesto", "está traspuesto", lambda *inputs: good_gradient(*inputs).t()),
    Wrong("promediado", "se suman", gradient_shared),
)


def one_way(x, read_forward, read_backward):
    return torch.cat((read_forward(x), read_backward(x)), dim=2)


def left_backwards(x, read_forward, read_backward):
    return torch.cat((read_forward(x), read_backward(torch.flip(x, dims=[1]))), dim=2)


def turned_late(x, read_forward, read_backward):
    return torch.cat((read_forward(x), torch.flip(read_backward(x), dims=[1])), dim=2)


def turned_batch(x, read_forward, read_backward):
    return torch.cat((read_forward(x), read_backward(torch.flip(x, dims=[0]))), dim=2)


def turned_features(x, read_forward, read_backward):
    return torch.cat((read_forward(x), torch.flip(read_backward(torch.flip(x, [2])), [2])), 2)


def way_back(x, read):
    return torch.flip(read(torch.flip(x, dims=[1])), dims=[1])


def backward_first(x, read_forward, read_backward):
    return torch.cat((way_back(x, read_backward), read_forward(x)), dim=2)


def one_network(x, read_forward, read_backward):
    return torch.cat((read_forward(x), way_back(x, read_forward)), dim=2)


def summed(x, read_forward, read_backward):
    return torch.add(read_forward(x), way_back(x, read_backward))


def joined_in_time(x, read_forward, read_backward):
    return torch.cat((read_forward(x), way_back(x, read_backward)), dim=1)


BIDIRECTIONAL = (
    Wrong("sin-dar-la-vuelta", "mismo sentido", one_way),
    Wrong("sin-deshacer", "están del revés", left_backwards),
    Wrong("vuelta-solo-al-salir", "no a lo que lee", turned_late),
    Wrong("lote-invertido", "es el lote", turned_batch),
    Wrong("rasgos-invertidos", "los rasgos", turned_features),
    Wrong("orden-al-concatenar", "primero la vuelta", backward_first),
    Wrong("la-misma-red", "hay dos", one_network),
    Wrong("sumados", "se concatenan", summed),
    Wrong("juntados-en-el-tiempo", "eje del tiempo", joined_in_time),
)


def cost(logits, targets, reduction="mean"):
    return F.cross_entropy(logits.transpose(1, 2), targets, reduction=reduction)


def right_probability(logits, targets):
    return torch.exp(-cost(logits, targets, "none"))


def bits_along_the_text(logits, targets):
    logs = F.log_softmax(logits, dim=1)
    return -logs.gather(2, targets.unsqueeze(2)).mean() / math.log(2)


def bits_overflowing(logits, targets):
    probability = F.softmax(logits, dim=2)
    return -torch.log2(probability.gather(2, targets.unsqueeze(2))).mean()


BITS = (
    Wrong("nats", "divide entre ln 2", cost),
    Wrong("base-diez", "logaritmo decimal", lambda lo, t: cost(lo, t) / math.log(10)),
    Wrong("suma", "se pide la media", lambda lo, t: cost(lo, t, "sum") / math.log(2)),
    Wrong(
        "media-de-textos",
        "todas las posiciones",
        lambda lo, t: cost(lo, t, "sum") / len(lo) / math.log(2),
    ),
    Wrong("signo", "cambiar el signo", lambda lo, t: -cost(lo, t) / math.log(2)),
    Wrong("perplejidad", "perplejidad", lambda lo, t: torch.exp(cost(lo, t))),
    Wrong(
        "logaritmo-de-la-media",
        "antes del logaritmo",
        lambda lo, t: -torch.log2(torch.mean(right_probability(lo, t))),
    ),
    Wrong("eje-del-softmax", "sobre el vocabulario", bits_along_the_text),
    Wrong("desbordado", "log_softmax", bits_overflowing),
    Wrong("aciertos", "fracción de aciertos", lambda lo, t: (lo.argmax(2) == t).to(lo).mean()),
    Wrong("tipo-equivocado", "tensor", lambda lo, t: cost(lo, t).item() / math.log(2)),
)


def slices(rows, window, ahead=1):
    count = (rows.shape[1] - 1) // window
    first = [rows[:, i * window : (i + 1) * window] for i in range(count)]
    second = [rows[:, i * window + ahead : (i + 1) * window + ahead] for i in range(count)]
    return torch.stack(first), torch.stack(second)


def strips(ids, batch_size):
    return torch.stack(ids[: len(ids) // batch_size * batch_size].chunk(batch_size))


def dealt_like_cards(ids, batch_size, window):
    length = len(ids) // batch_size
    return slices(torch.stack([ids[i::batch_size][:length] for i in range(batch_size)]), window)


def without_strips(ids, batch_size, window):
    count = (len(ids) // batch_size - 1) // window
    used = count * batch_size * window
    shape = (count, batch_size, window)
    return ids[:used].reshape(shape), ids[1 : used + 1].reshape(shape)


def strips_first(ids, batch_size, window):
    inputs, targets = slices(strips(ids, batch_size), window)
    return inputs.permute(1, 0, 2), targets.permute(1, 0, 2)


def every_start(ids, batch_size, window):
    rows = strips(ids, batch_size)
    return (
        rows[:, :-1].unfold(1, window, 1).permute(1, 0, 2),
        rows[:, 1:].unfold(1, window, 1).permute(1, 0, 2),
    )


WINDOWS = (
    Wrong("tiras-intercaladas", "un trozo seguido", dealt_like_cards),
    Wrong("sin-tiras", "el estado heredado", without_strips),
    Wrong("objetivos-iguales", "por delante", lambda i, b, w: slices(strips(i, b), w, 0)),
    Wrong(
        "objetivos-intercambiados",
        "antes que las entradas",
        lambda i, b, w: tuple(reversed(slices(strips(i, b), w))),
    ),
    Wrong("ejes-intercambiados", "el de las tiras", strips_first),
    Wrong("solapadas", "se pisan", every_start),
    Wrong("numero-de-salidas", "inputs, targets", lambda i, b, w: slices(strips(i, b), w)[0]),
)

WRONG = {
    "parametros": PARAMETERS,
    "estados-a-mano": BY_HAND,
    "estados": STATES,
    "gradiente-en-el-tiempo": GRADIENT,
    "dos-direcciones": BIDIRECTIONAL,
    "bits-por-caracter": BITS,
    "ventanas": WINDOWS,
}
