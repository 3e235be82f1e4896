"""Respuestas equivocadas de los ejercicios de generación autorregresiva."""

import math

import torch
import torch.nn.functional as F

from tests.exercises.wrong_answers import Wrong

EXAMPLES = {
    "girar-vecinas": ([[[1.0, 0.0, 0.0, 2.0]], [[0.0, 3.1416]]], [[[1.0, 0.0, 0.0, -2.0]]]),
    "bits-de-un-bpe": ([[[0.0, 0.0], [0.0, 0.0]], [0, 1], 4], [0.5]),
    "nucleo": ([[[0.2, 0.6, 0.1, 0.1]], 0.7], [[[0.25, 0.75, 0.0, 0.0]]]),
    "paso-con-cache": (
        [[[0.0]], [[1.0]], [[4.0]], [[[1.0]]], [[[2.0]]]],
        [[[3.0]], [[[1.0], [1.0]]], [[[2.0], [4.0]]]],
    ),
}


def survivors(k=3, p=3, tau_p=2, k_p=2):
    return lambda: {"k": k, "p": p, "tau_y_p": tau_p, "k_y_p": k_p}


SURVIVORS = (
    Wrong("falta-el-que-cruza", "no suman p", survivors(p=2)),
    Wrong("falta-el-que-cruza", "no suman p", survivors(p=2, tau_p=1, k_p=1)),
    Wrong("recorta-antes", "primero va la temperatura", survivors(tau_p=3)),
    Wrong("al-reves", "aplanado", survivors(tau_p=4)),
    Wrong("sin-repartir", "suman 0,8", survivors(k_p=3)),
    Wrong("valores", "no es el correcto", survivors(k=4)),
)


def cache(one, shared, users=16):
    values = {"por_token": one, "secuencia": one * 1000, "dieciseis": one * 1000 * users}
    return lambda: values | {"compartida": shared}


CACHE_SIZE = (
    Wrong("solo-claves", "hacen falta los dos", cache(36_864, 3_072)),
    Wrong("una-capa", "una sola capa", cache(6_144, 512)),
    Wrong("numeros-no-bytes", "se piden bytes", cache(18_432, 1_536)),
    Wrong("cabezas-dos-veces", "ya miden d", cache(884_736, 73_728)),
    Wrong("compartida-por-capas", "las capas no comparten", cache(73_728, 512)),
    Wrong("valores", "no es el correcto", cache(73_728, 6_144, users=15)),
)


def pairs(x, angles, sign=1):
    z = torch.view_as_complex(x.reshape(len(x), -1, 2).contiguous())
    turned = z * torch.polar(torch.ones_like(angles), sign * angles)
    return torch.view_as_real(turned)


def by_halves(x, angles):
    half = x.shape[1] // 2
    z = torch.complex(x[:, :half], x[:, half:]) * torch.exp(1j * angles)
    return torch.hstack([z.real, z.imag])


def unsigned(x, angles):
    even, odd = x[:, 0::2], x[:, 1::2]
    out = torch.zeros_like(x)
    out[:, 0::2] = even * angles.cos() + odd * angles.sin()
    out[:, 1::2] = even * angles.sin() + odd * angles.cos()
    return out


def sine_first(x, angles):
    even, odd = x[:, 0::2], x[:, 1::2]
    out = torch.zeros_like(x)
    out[:, 0::2] = even * angles.sin() - odd * angles.cos()
    out[:, 1::2] = even * angles.cos() + odd * angles.sin()
    return out


ROTATION = (
    Wrong("por-mitades", "como Llama", by_halves),
    Wrong("sin-intercalar", "a sus dos sitios", lambda x, angles: pairs(x, angles).mT.flatten(1)),
    Wrong("hacia-atras", "al revés", lambda x, angles: pairs(x, angles, sign=-1).flatten(1)),
    Wrong("seno-por-coseno", "no debe moverse", sine_first),
    Wrong("sin-signo", "un signo menos", unsigned),
)


def log_p(logits, targets):
    return logits.log_softmax(dim=1)[torch.arange(len(targets)), targets]


BITS = (
    Wrong(
        "en-nats",
        "entre ln 2",
        lambda logits, targets, n_characters: -log_p(logits, targets).sum() / n_characters,
    ),
    Wrong(
        "por-token",
        "es el carácter",
        lambda logits, targets, n_characters: -log_p(logits, targets).mean() / math.log(2),
    ),
    Wrong(
        "signo",
        "negativo",
        lambda logits, targets, n_characters: (
            log_p(logits, targets).sum() / math.log(2) / n_characters
        ),
    ),
    Wrong(
        "media-de-probabilidades",
        "media de los logaritmos",
        lambda logits, targets, n_characters: (
            -torch.log2(log_p(logits, targets).exp().mean()) * len(targets) / n_characters
        ),
    ),
    Wrong(
        "sin-softmax",
        "falta el softmax",
        lambda logits, targets, n_characters: (
            -logits[torch.arange(len(targets)), targets].sum() / math.log(2) / n_characters
        ),
    ),
)


def trimmed(keep, normalise=True, restore=True):
    def answer(probabilities, p):
        order = torch.argsort(probabilities, dim=1, descending=True)
        sorted_p = torch.gather(probabilities, 1, order)
        result = sorted_p * keep(sorted_p, p)
        if normalise:
            result = F.normalize(result, p=1, dim=1)
        if not restore:
            return result
        return torch.gather(result, 1, torch.argsort(order, dim=1))

    return answer


def reaching(s, p):
    return (torch.cumsum(s, 1) - s) < p


def one_extra(s, p):
    return F.pad(reaching(s, p), (1, 0), value=True)[:, :-1]


def least_likely(probabilities, p):
    order = torch.argsort(probabilities, dim=1)
    s = torch.gather(probabilities, 1, order)
    return torch.gather(F.normalize(s * reaching(s, p), p=1, dim=1), 1, torch.argsort(order, dim=1))


NUCLEUS = (
    Wrong("falta-el-que-cruza", "sin contarlo", trimmed(lambda s, p: torch.cumsum(s, 1) <= p)),
    Wrong("uno-de-mas", "sobra uno", trimmed(one_extra)),
    Wrong("sin-repartir", "no suma 1", trimmed(reaching, normalise=False)),
    Wrong("sin-deshacer", "ordenados", trimmed(reaching, restore=False)),
    Wrong("los-menores", "los más probables", least_likely),
    Wrong("umbral", "en vez de lo que suman", trimmed(lambda s, p: s >= 1 - p)),
)


def attend(q, keys, values, scale=None):
    return F.scaled_dot_product_attention(q[:, None], keys, values, scale=scale)[:, 0]


def grow(cache, new):
    return torch.hstack([cache, new.unsqueeze(1)])


def without_itself(q, k, v, keys, values):
    return attend(q, keys, values), grow(keys, k), grow(values, v)


def unscaled(q, k, v, keys, values):
    keys, values = grow(keys, k), grow(values, v)
    return attend(q, keys, values, scale=1.0), keys, values


def in_front(q, k, v, keys, values):
    keys, values = torch.hstack([k[:, None], keys]), torch.hstack([v[:, None], values])
    return attend(q, keys, values), keys, values


def forgets(q, k, v, keys, values):
    return attend(q, grow(keys, k), grow(values, v)), keys, values


def crossed(q, k, v, keys, values):
    keys, values = grow(keys, v), grow(values, k)
    return attend(q, keys, values), keys, values


CACHED = (
    Wrong("no-se-mira", "a sí mismo", without_itself),
    Wrong("sin-escalar", "√D", unscaled),
    Wrong("por-delante", "delante", in_front),
    Wrong("no-guarda", "la caché de antes", forgets),
    Wrong("cruzados", "entre las claves", crossed),
    Wrong(
        "solo-lo-nuevo",
        "también hay que mirar",
        lambda q, k, v, keys, values: (v, grow(keys, k), grow(values, v)),
    ),
)


def windows(ids, n):
    return list(zip(*(ids[i:] for i in range(n)), strict=False))


REPETITION = (
    Wrong("al-reves", "distintos", lambda ids, n: len(set(windows(ids, n))) / len(windows(ids, n))),
    Wrong(
        "sin-solapar",
        "grupos seguidos",
        lambda ids, n: 1 - len(set(windows(ids, n)[::n])) / len(windows(ids, n)[::n]),
    ),
    Wrong(
        "sobre-la-longitud",
        "entre los tokens",
        lambda ids, n: (len(windows(ids, n)) - len(set(windows(ids, n)))) / len(ids),
    ),
    Wrong(
        "tambien-la-primera",
        "la primera vez",
        lambda ids, n: (
            sum(windows(ids, n).count(w) >= 2 for w in windows(ids, n)) / len(windows(ids, n))
        ),
    ),
    Wrong(
        "falta-el-ultimo",
        "el último grupo",
        lambda ids, n: 1 - len(set(windows(ids, n)[:-1])) / len(windows(ids, n)[:-1]),
    ),
)

WRONG = {
    "cuantos-quedan": SURVIVORS,
    "cuanto-ocupa-la-cache": CACHE_SIZE,
    "girar-vecinas": ROTATION,
    "bits-de-un-bpe": BITS,
    "nucleo": NUCLEUS,
    "paso-con-cache": CACHED,
    "cuanto-se-repite": REPETITION,
}
