"""Respuestas equivocadas de los ejercicios de redes recurrentes."""

import math

import torch
import torch.nn.functional as F

from tests.exercises.wrong_answers import Wrong

EXAMPLES = {
    "gradiente-con-fuga": (
        [[[0.5]], [[1.0]], [[[0.25], [0.375]]], [[[0.0], [0.5]]], [[[0.0], [1.0]]], 0.5],
        [[[0.3125]]],
    ),
    "bits-por-caracter": ([[[[0.0, 0.0], [0.0, 1.0986]]], [[0, 1]]], [0.7075]),
}


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


FADING = (
    Wrong("hacia-abajo", "un paso en cada una", counted(9, 30, 65)),
    Wrong("resta-lo-mismo", "la misma **parte**", counted(2, 5, 10)),
    Wrong("al-cuadrado", "dos veces", counted(5, 16, 33)),
    Wrong("la-mitad", "la mitad", counted(1, 4, 7)),
    Wrong("igual-en-todas", "antes se apaga", counted(66, 66, 66)),
    Wrong("valores", "no es el correcto", counted(10, 31, 67)),
    Wrong("claves", "cópialas", lambda: {"A": 10}),
)


def leaky_deltas(W_h, inner, upstream, keep, direct=True, back=True, slope=None, share=None):
    """Los delta de cada paso, en una lista, con algún camino de vuelta cortado."""
    slope = 1 - inner * inner if slope is None else slope
    found, asked = [], torch.zeros_like(inner[:, 0])
    for t in range(inner.size(1) - 1, -1, -1):
        through = found[0] @ W_h.t() if found and back else torch.zeros_like(asked)
        asked = upstream[:, t] + through + (keep * asked if direct else 0)
        found.insert(0, asked * slope[:, t] * (1 - keep if share is None else share))
    return found


def accumulate(h_0, states, found, now=False):
    before = states.unbind(1) if now else [h_0, *states.unbind(1)[:-1]]
    return sum(torch.einsum("bi,bj->ij", b, d) for b, d in zip(before, found, strict=True))


def leaky(now=False, **options):
    def gradient_of_w_h(h_0, W_h, states, inner, upstream, keep):
        found = leaky_deltas(W_h, inner, upstream, keep, **options)
        return accumulate(h_0, states, found, now)

    return gradient_of_w_h


def leaky_of_the_state(h_0, W_h, states, inner, upstream, keep):
    found = leaky_deltas(W_h, inner, upstream, keep, slope=1 - states**2)
    return accumulate(h_0, states, found)


def leaky_flat(h_0, W_h, states, inner, upstream, keep):
    found = leaky_deltas(W_h, inner, upstream, keep, slope=torch.ones_like(inner))
    return accumulate(h_0, states, found)


def leaky_untransposed(h_0, W_h, states, inner, upstream, keep):
    return accumulate(h_0, states, leaky_deltas(W_h.t(), inner, upstream, keep))


GRADIENT = (
    Wrong("sin-el-camino-directo", "te falta un camino", leaky(direct=False)),
    Wrong("sin-futuro", "a través de W_h", leaky(back=False)),
    Wrong("sin-derivada", "1 − u²", leaky_flat),
    Wrong("derivada-del-estado", "no el estado", leaky_of_the_state),
    Wrong("sin-la-parte-nueva", "1 − keep", leaky(share=1)),
    Wrong("sin-trasponer", "la traspuesta", leaky_untransposed),
    Wrong("estado-actual", "**anterior**", leaky(now=True)),
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
    "cuanto-dura-el-rastro": FADING,
    "gradiente-con-fuga": GRADIENT,
    "dos-direcciones": BIDIRECTIONAL,
    "bits-por-caracter": BITS,
    "ventanas": WINDOWS,
}
