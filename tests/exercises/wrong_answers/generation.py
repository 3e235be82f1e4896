"""Respuestas equivocadas de los ejercicios de generación autorregresiva."""

import math

import torch
import torch.nn.functional as F

from tests.exercises.wrong_answers import Wrong

EXAMPLES = {
    "girar-vecinas": ([[[1.0, 0.0, 0.0, 2.0]], [[0.0, 3.1416]]], [[[1.0, 0.0, 0.0, -2.0]]]),
    "bits-de-un-bpe": ([[[0.0, 0.0], [0.0, 0.0]], [0, 1], 4], [0.5]),
    "cache-que-gira-dos-veces": (
        [
            [[0.0, 0.0]],
            [[1.0, 0.0]],
            [[4.0, 0.0]],
            [[[2.0, 0.0]]],
            [[[2.0, 0.0]]],
            [[0.0], [3.1416]],
        ],
        [[[3.0, 0.0]], [[[2.0, 0.0], [-1.0, 0.0]]], [[[2.0, 0.0], [4.0, 0.0]]]],
    ),
    "de-mha-a-gqa": ([[[1.0], [3.0], [5.0], [9.0]], 4, 2], [[[2.0], [7.0]]]),
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


def spin(x, angles):
    half = x.shape[-1] // 2
    z = torch.complex(x[..., :half], x[..., half:]) * torch.exp(1j * angles)
    return torch.cat([z.real, z.imag], dim=-1)


def cached(query=True, key=True, old=False, shift=0, stored=True):
    """Un paso con caché y RoPE, con el fallo que se pida."""

    def answer(q, k, v, keys, values, angles):
        n = keys.shape[1]
        turned = spin(k, angles[n + shift]) if key else k
        q = spin(q, angles[n + shift]) if query else q
        before = spin(keys, angles[:n]) if old else keys
        seen = torch.hstack([before, turned[:, None]])
        values = torch.hstack([values, v[:, None]])
        mixed = F.scaled_dot_product_attention(q[:, None], seen, values)[:, 0]
        return mixed, seen if stored else torch.hstack([keys, k[:, None]]), values

    return answer


TURNED_TWICE = (
    Wrong("gira-dos-veces", "ya estaban giradas", cached(old=True)),
    Wrong("nueva-sin-girar", "sin girar", cached(key=False)),
    Wrong("consulta-sin-girar", "girar la consulta", cached(query=False)),
    Wrong("otra-posicion", "detrás de las L leídas", cached(shift=1)),
    Wrong("guarda-sin-girar", "junto a otras ya giradas", cached(stored=False)),
)


def heads(weight, n_heads):
    return weight.reshape(n_heads, -1, weight.shape[1])


GROUPED = (
    Wrong("la-primera", "la media", lambda w, h, g: heads(w, h)[:: h // g].flatten(0, 1)),
    Wrong(
        "suma",
        "has sumado",
        lambda w, h, g: torch.cat([part.sum(0) for part in heads(w, h).chunk(g)]),
    ),
    Wrong(
        "alternas",
        "salteadas",
        lambda w, h, g: torch.cat([heads(w, h)[i::g].mean(0) for i in range(g)]),
    ),
    Wrong(
        "por-filas",
        "filas seguidas",
        lambda w, h, g: torch.stack([part.mean(0) for part in w.split(h // g)]),
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
    "cache-que-gira-dos-veces": TURNED_TWICE,
    "de-mha-a-gqa": GROUPED,
    "cuanto-se-repite": REPETITION,
}
