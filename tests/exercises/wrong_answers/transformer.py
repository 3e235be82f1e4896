"""Respuestas equivocadas de los ejercicios del Transformer completo."""

import torch
import torch.nn.functional as F

from tests.exercises.wrong_answers import Wrong

EXAMPLES = {
    "normalizar-capa": (
        [[[[1.0, 3.0]]], [2.0, 2.0], [0.0, 1.0]],
        [[[[-2.0, 3.0]]]],
    ),
}


def parameters(attention, network, norms):
    names = ("atencion", "red", "normas")
    return lambda: dict(zip(names, (attention, network, norms), strict=True))


PARAMETERS = (
    Wrong("sin-sesgos", "faltan los sesgos", parameters(1048576, 2097152, 2048)),
    Wrong("sin-salida", "la de salida", parameters(787968, 2099712, 2048)),
    Wrong("red-de-ida", "y vuelve", parameters(1050624, 1050624, 2048)),
    Wrong("una-norma", "dos normalizaciones", parameters(1050624, 2099712, 1024)),
    Wrong("valores", "no es el correcto", parameters(1050624, 2099712, 2047)),
)


SHIFT = (
    Wrong("sin-desplazar", "bastaría con copiarla", lambda: ([7, 8, 9, 10], [7, 8, 9, 10])),
    Wrong("al-reves", "cambiado de sitio", lambda: ([7, 8, 9, 10, 2], [1, 7, 8, 9, 10])),
    Wrong("sin-fin", "cuándo parar", lambda: ([1, 7, 8, 9], [7, 8, 9, 10])),
    Wrong("sin-inicio", "haber leído algo", lambda: ([7, 8, 9, 10], [8, 9, 10, 2])),
)


def table(length, d_model, even=torch.sin, odd=torch.cos, power=2, start=0):
    result = torch.empty(length, d_model)
    for p in range(length):
        for i in range(d_model // 2):
            angle = torch.tensor((p + start) / 10000 ** (power * i / d_model))
            result[p, 2 * i], result[p, 2 * i + 1] = even(angle), odd(angle)
    return result


def table_in_halves(length, d_model):
    right = table(length, d_model)
    return torch.cat([right[:, ::2], right[:, 1::2]], dim=1)


POSITIONS = (
    Wrong(
        "seno-y-coseno-cambiados",
        "al revés",
        lambda length, d_model: table(length, d_model, torch.cos, torch.sin),
    ),
    Wrong("en-dos-mitades", "intercalados", table_in_halves),
    Wrong(
        "exponente-a-medias",
        "falta el 2",
        lambda length, d_model: table(length, d_model, power=1),
    ),
    Wrong(
        "exponente-doble",
        "no la componente",
        lambda length, d_model: table(length, d_model, power=4),
    ),
    Wrong(
        "desde-uno",
        "la primera es la 0",
        lambda length, d_model: table(length, d_model, start=1),
    ),
)


def norm_unbiased(x, gain, bias):
    return (x - x.mean(-1, True)) / (x.var(-1, keepdim=True) + 1e-5) ** 0.5 * gain + bias


def norm_wrong_axis(x, gain, bias):
    mean = x.mean(-2, keepdim=True)
    variance = ((x - mean) ** 2).mean(-2, keepdim=True)
    return (x - mean) / torch.sqrt(variance + 1e-5) * gain + bias


def norm_parts(x):
    mean = x.mean(-1, keepdim=True)
    return x - mean, ((x - mean) ** 2).mean(-1, keepdim=True)


def norm_without_eps(x, gain, bias):
    centered, variance = norm_parts(x)
    return centered / torch.sqrt(variance) * gain + bias


def norm_eps_outside(x, gain, bias):
    centered, variance = norm_parts(x)
    return centered / (torch.sqrt(variance) + 1e-5) * gain + bias


def norm_by_variance(x, gain, bias):
    centered, variance = norm_parts(x)
    return centered / (variance + 1e-5) * gain + bias


def norm_not_centered(x, gain, bias):
    _, variance = norm_parts(x)
    return x / torch.sqrt(variance + 1e-5) * gain + bias


NORM = (
    Wrong("varianza-insesgada", "unbiased=False", norm_unbiased),
    Wrong("eje-equivocado", "a lo largo de las posiciones", norm_wrong_axis),
    Wrong("sin-epsilon", "0 entre 0", norm_without_eps),
    Wrong("epsilon-fuera", "va dentro", norm_eps_outside),
    Wrong("sin-raiz", "entre su raíz", norm_by_variance),
    Wrong("sin-escala", "faltan `gain`", lambda x, gain, bias: F.layer_norm(x, x.shape[-1:])),
    Wrong("sin-centrar", "restar la media", norm_not_centered),
)


def block_pre(x, attention, feed_forward, norm_1, norm_2):
    x = x + attention(norm_1(x))
    return x + feed_forward(norm_2(x))


def block_chain(x, attention, feed_forward, norm_1, norm_2):
    for sublayer, norm in ((attention, norm_1), (feed_forward, norm_2)):
        x = norm(sublayer(x))
    return x


def block_old(x, attention, feed_forward, norm_1, norm_2):
    u = norm_1(attention(x) + x)
    return norm_2(feed_forward(u) + x)


def block_half(x, attention, feed_forward, norm_1, norm_2):
    u = norm_1(attention(x) + x)
    return norm_2(feed_forward(u))


def block_norm_inside(x, attention, feed_forward, norm_1, norm_2):
    u = norm_1(attention(x)) + x
    return norm_2(feed_forward(u)) + u


def block_swapped(x, attention, feed_forward, norm_1, norm_2):
    u = norm_2(attention(x) + x)
    return norm_1(feed_forward(u) + u)


BLOCK = (
    Wrong("pre-ln", "detrás de la suma", block_pre),
    Wrong("sin-residuos", "faltan las conexiones", block_chain),
    Wrong("residuo-viejo", "la entrada del bloque", block_old),
    Wrong("falta-el-segundo", "a la segunda le falta", block_half),
    Wrong("norma-antes-de-sumar", "se normaliza la suma", block_norm_inside),
    Wrong("normas-cambiadas", "tras la atención", block_swapped),
)


def hits(guess, answer):
    return sum(x == y for x, y in zip(guess, answer, strict=False))


def by_sentences(written, expected):
    return sum(w == e for w, e in zip(written, expected, strict=True)) / len(written)


def averaged(written, expected):
    pairs = list(zip(written, expected, strict=True))
    return sum(hits(w, e) / max(len(w), len(e)) for w, e in pairs) / len(pairs)


def over_expected(written, expected):
    pairs = list(zip(written, expected, strict=True))
    return sum(hits(w, e) for w, e in pairs) / sum(len(e) for _, e in pairs)


def over_written(written, expected):
    pairs = list(zip(written, expected, strict=True))
    return sum(hits(w, e) for w, e in pairs) / sum(len(w) for w, _ in pairs)


def anywhere(written, expected):
    pairs = list(zip(written, expected, strict=True))
    found = sum(1 for w, e in pairs for word in w if word in e)
    return found / sum(max(len(w), len(e)) for w, e in pairs)


WORDS = (
    Wrong("frases-enteras", "frases enteras", by_sentences),
    Wrong("media-de-frases", "la media de las frases", averaged),
    Wrong("sin-contar-lo-que-sobra", "de más", over_expected),
    Wrong("sin-contar-lo-que-falta", "que faltan", over_written),
    Wrong("en-cualquier-sitio", "en otro lugar", anywhere),
)

WRONG = {
    "parametros-del-bloque": PARAMETERS,
    "desplazar-la-salida": SHIFT,
    "tabla-de-posiciones": POSITIONS,
    "normalizar-capa": NORM,
    "bloque-post-ln": BLOCK,
    "acierto-por-palabra": WORDS,
}
