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


def adam_uncorrected(parameter, gradient, mean, size, t, lr):
    mean = 0.9 * mean + 0.1 * gradient
    size = 0.98 * size + 0.02 * gradient * gradient
    return parameter - lr * mean / (torch.sqrt(size) + 1e-8), mean, size


def adam_without_root(parameter, gradient, mean, size, t, lr):
    mean = 0.9 * mean + 0.1 * gradient
    size = 0.98 * size + 0.02 * gradient * gradient
    right = (mean / (1 - 0.9**t)) / (size / (1 - 0.98**t) + 1e-8)
    return parameter - lr * right, mean, size


def adam_uphill(parameter, gradient, mean, size, t, lr):
    mean = mean * 0.9 + gradient * 0.1
    size = size * 0.98 + gradient.pow(2) * 0.02
    return (
        parameter + lr * (mean / (1 - 0.9**t)) / ((size / (1 - 0.98**t)) ** 0.5 + 1e-8),
        mean,
        size,
    )


def adam_absolute(parameter, gradient, mean, size, t, lr):
    mean = mean * 0.9 + gradient * 0.1
    size = size * 0.98 + gradient.abs() * 0.02
    return (
        parameter - lr * (mean / (1 - 0.9**t)) / ((size / (1 - 0.98**t)) ** 0.5 + 1e-8),
        mean,
        size,
    )


def adam_swapped(parameter, gradient, mean, size, t, lr):
    mean = mean * 0.98 + gradient * 0.02
    size = size * 0.9 + gradient.pow(2) * 0.1
    return (
        parameter - lr * (mean / (1 - 0.98**t)) / ((size / (1 - 0.9**t)) ** 0.5 + 1e-8),
        mean,
        size,
    )


def adam_with_old_moments(parameter, gradient, mean, size, t, lr):
    moved = lr * (mean / (1 - 0.9**t)) / ((size / (1 - 0.98**t)).sqrt() + 1e-8)
    mean, size = mean * 0.9 + gradient * 0.1, size * 0.98 + gradient.pow(2) * 0.02
    return parameter - moved, mean, size


def adam_without_shares(parameter, gradient, mean, size, t, lr):
    mean, size = mean * 0.9 + gradient, size * 0.98 + gradient.pow(2)
    moved = lr * (mean / (1 - 0.9**t)) / ((size / (1 - 0.98**t)).sqrt() + 1e-8)
    return parameter - moved, mean, size


ADAM = (
    Wrong("medias-viejas", "con las medias de antes", adam_with_old_moments),
    Wrong("media-sin-peso", "no es una media", adam_without_shares),
    Wrong("sin-corregir", "falta corregir", adam_uncorrected),
    Wrong("sin-raiz", "entre su raíz", adam_without_root),
    Wrong("sube", "se resta", adam_uphill),
    Wrong("sin-cuadrado", "al cuadrado", adam_absolute),
    Wrong("betas-cambiadas", "has cambiado las betas", adam_swapped),
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
    "paso-de-adam": ADAM,
    "etiquetas-suavizadas": SMOOTHING,
    "basta-con-recortar": CLIPPING,
}
