"""Respuestas equivocadas de los ejercicios de entrenar Transformers."""

import torch

from tests.exercises.wrong_answers import Wrong

EXAMPLES = {
    "lo-mas-que-avanza-adam": ((0.0, 0.75), (2.0,)),
    "etiquetas-suavizadas": (([2], 4, 0.2), ([[0.05, 0.05, 0.85, 0.05]],)),
    "basta-con-recortar": (([0.5, 2.0], 1.0), (0.5, 0.75)),
}

FIRST_STEP = (
    Wrong("sin-dividir", "descenso de gradiente", lambda: [-4.0, 2.0002, 3.0]),
    Wrong("al-reves", "en el contrario", lambda: [1.1, 1.9, 3.0]),
    Wrong("cero-se-mueve", "el tercer gradiente es 0", lambda: [0.9, 2.1, 2.9]),
    Wrong("sin-corregir", "la corrección", lambda: [0.92929, 2.07071, 3.0]),
    Wrong("valores", "no es el correcto", lambda: [0.9, 2.05, 3.0]),
)


def factors(values, network, embeddings, queries):
    names = (
        "valores_codificador",
        "red_decodificador",
        "embeddings",
        "consultas_decodificador",
    )
    return lambda: dict(zip(names, (values, network, embeddings, queries), strict=True))


SCALES = (
    Wrong("nueve-fuera", "fuera de la potencia", factors(0.335, 4.5, 4.5, 1)),
    Wrong("pilas-cambiadas", "las dos pilas", factors(0.2887, 0.335, 0.335, 1)),
    Wrong("consultas-encogidas", "no se tocan", factors(0.335, 0.2887, 0.2887, 0.2887)),
    Wrong("embeddings", "del decodificador", factors(0.335, 0.2887, 1, 1)),
)


def series(beta1, beta2):
    """La suma de los cuadrados de una media entre los pesos de la otra."""
    return (1 - beta1) ** 2 / (1 - beta2) / (1 - beta1 * beta1 / beta2)


ADVANCE = (
    Wrong("sin-raiz", "del cuadrado del avance", lambda beta1, beta2: series(beta1, beta2)),
    Wrong(
        "sin-cuadrado",
        "al cuadrado",
        lambda beta1, beta2: ((1 - beta1) / (1 - beta2) / (1 - beta1 / beta2)) ** 0.5,
    ),
    Wrong("sin-repartos", "1 − β₂", lambda beta1, beta2: (1 - beta1**2 / beta2) ** -0.5),
    Wrong("primer-paso", "del primer paso", lambda beta1, beta2: 1),
)


def adamw(parameter, gradient, mean, size, t, lr, *, eps=None, kept=None):
    """El avance y las medias, con la raíz y el decaimiento que se diga."""
    mean, size = mean * 0.9 + gradient * 0.1, size * 0.98 + gradient.pow(2) * 0.02
    right_mean, right_size = mean / (1 - 0.9**t), size / (1 - 0.98**t)
    divisor = torch.sqrt(right_size) + 1e-8 if eps is None else torch.sqrt(right_size + eps)
    kept = 1 - lr / 10 if kept is None else kept
    return (parameter * kept - lr * right_mean / divisor, mean, size), (right_mean, right_size)


def adamw_penalized(parameter, gradient, mean, size, t, lr):
    return adamw(parameter, gradient + parameter / 10, mean, size, t, lr, kept=1)[0]


def adamw_overcorrected(*inputs):
    (parameter, _, _), means = adamw(*inputs)
    return parameter, *means


def adamw_as_given(parameter, gradient, mean, size, t, lr):
    (parameter, _, _), means = adamw(
        parameter, gradient + parameter / 10, mean, size, t, lr, eps=1e-8, kept=1
    )
    return parameter, *means


def adamw_uncorrected(parameter, gradient, mean, size, t, lr):
    mean, size = mean * 0.9 + gradient * 0.1, size * 0.98 + gradient.pow(2) * 0.02
    return parameter * (1 - lr / 10) - lr * mean / (torch.sqrt(size) + 1e-8), mean, size


ADAMW = (
    Wrong("decaimiento-en-el-gradiente", "el fallo del decaimiento", adamw_penalized),
    Wrong("medias-corregidas", "sin corregir", adamw_overcorrected),
    Wrong("epsilon-dentro", "fuera", lambda *inputs: adamw(*inputs, eps=1e-8)[0]),
    Wrong("dos-o-mas", "al menos dos fallos", adamw_as_given),
    Wrong("sin-decaimiento", "llevarlo a su sitio", lambda *inputs: adamw(*inputs, kept=1)[0]),
    Wrong("decaimiento-sin-ritmo", "por el ritmo", lambda *inputs: adamw(*inputs, kept=0.9)[0]),
    Wrong("nada-corregido", "ahora no se corrige", adamw_uncorrected),
)


def table(answers, n_symbols, right, other):
    result = torch.zeros(len(answers), n_symbols) + other
    for row, answer in enumerate(answers):
        result[row, answer] = right
    return result


SMOOTHING = (
    Wrong(
        "al-reves",
        "cambiado los papeles",
        lambda answers, n_symbols, epsilon: table(
            answers,
            n_symbols,
            epsilon + (1 - epsilon) / n_symbols,
            (1 - epsilon) / n_symbols,
        ),
    ),
    Wrong(
        "no-suma-uno",
        "no suman 1",
        lambda answers, n_symbols, epsilon: table(
            answers, n_symbols, 1 - epsilon, epsilon / n_symbols
        ),
    ),
    Wrong(
        "entre-las-demas",
        "V − 1",
        lambda answers, n_symbols, epsilon: table(
            answers, n_symbols, 1 - epsilon, epsilon / (n_symbols - 1)
        ),
    ),
    Wrong(
        "sin-repartir",
        "repartirla",
        lambda answers, n_symbols, epsilon: table(answers, n_symbols, 1 - epsilon, epsilon),
    ),
    Wrong(
        "sin-suavizar",
        "falta usar ε",
        lambda answers, n_symbols, epsilon: table(answers, n_symbols, 1.0, 0.0),
    ),
)


def factor_of_clipped(norms, max_norm):
    clipped = [n for n in norms if n > max_norm]
    mean = sum(max_norm / n for n in clipped) / len(clipped) if clipped else 1.0
    return len(clipped) / len(norms), mean


CLIPPING = (
    Wrong("solo-los-recortados", "sobre todos los pasos", factor_of_clipped),
    Wrong(
        "sin-tope",
        "gradientes pequeños",
        lambda norms, max_norm: (
            sum(n > max_norm for n in norms) / len(norms),
            sum(max_norm / n for n in norms) / len(norms),
        ),
    ),
    Wrong(
        "al-reves",
        "recortar encoge",
        lambda norms, max_norm: (
            sum(n > max_norm for n in norms) / len(norms),
            sum(n / max_norm if n > max_norm else 1 for n in norms) / len(norms),
        ),
    ),
    Wrong(
        "los-que-no",
        "que no se recortan",
        lambda norms, max_norm: (
            sum(n <= max_norm for n in norms) / len(norms),
            sum(min(1, max_norm / n) for n in norms) / len(norms),
        ),
    ),
)

WRONG = {
    "primer-paso-de-adam": FIRST_STEP,
    "reparto-de-t-fixup": SCALES,
    "lo-mas-que-avanza-adam": ADVANCE,
    "fallos-en-adamw": ADAMW,
    "etiquetas-suavizadas": SMOOTHING,
    "basta-con-recortar": CLIPPING,
}
