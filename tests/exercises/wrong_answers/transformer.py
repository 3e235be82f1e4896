"""Respuestas equivocadas de los ejercicios del Transformer completo."""

import math

import torch

from tests.exercises.wrong_answers import Wrong

EXAMPLES = {
    "avanzar-es-girar": ([1, 2], [[[0.5403, -0.8415], [0.8415, 0.5403]]]),
}


def counted(matrices=4, products=2, layers=2, seen=None, **wrong):
    """Lo que sale de contar así el bloque del enunciado; los que se den, tal cual."""
    seen = seen or (lambda n: n**2)

    def reading(n):
        each = matrices * 512 * 512 + layers * 512 * 2048
        return n * each + products * 512 * seen(n)

    values = {
        "leer": reading(100),
        "empate": (matrices * 512 + layers * 2048) // products,
        "releer": sum(reading(n) for n in range(101)),
        "limite": 0.3333,
    }
    return lambda: values | wrong


ONE, ALL = 324_812_800, 16_232_396_800
REREADING = (
    Wrong("sin-salida", "la de salida", counted(matrices=3)),
    Wrong("red-de-ida", "y vuelve", counted(layers=1)),
    Wrong("sin-mezclar", "mezclar los valores", counted(products=1)),
    Wrong("por-cabezas", "entre todas suman", counted(products=16)),
    Wrong("sin-las-tapadas", "también se multiplica", counted(seen=lambda n: sum(range(n + 1)))),
    Wrong("siempre-todo", "no se lee todo", counted(releer=100 * ONE, limite=1)),
    Wrong("siempre-todo", "no se lee todo", counted(releer=100 * ONE)),
    Wrong("una-lectura-menos", "de menos", counted(releer=ALL - ONE)),
    Wrong("limite-de-las-cortas", "un tercio", counted(limite=0.5)),
    Wrong("parejas-y-total", "la red y las cuatro", counted(empate=2048)),
    Wrong("parejas-y-total", "la red y las cuatro", counted(empate=1024)),
    Wrong("valores", "no es el correcto", counted(empate=3073)),
)


SHIFT = (
    Wrong("sin-desplazar", "bastaría con copiarla", lambda: ([7, 8, 9, 10], [7, 8, 9, 10])),
    Wrong("al-reves", "cambiado de sitio", lambda: ([7, 8, 9, 10, 2], [1, 7, 8, 9, 10])),
    Wrong("sin-fin", "cuándo parar", lambda: ([1, 7, 8, 9], [7, 8, 9, 10])),
    Wrong("sin-inicio", "haber leído algo", lambda: ([7, 8, 9, 10], [8, 9, 10, 2])),
)


def blocks(k, d_model, exponent=2, sign=1.0, other=-1.0):
    angles = [k / 10_000 ** (exponent * pair / d_model) for pair in range(d_model // 2)]
    turns = [
        torch.tensor([[math.cos(a), other * sign * math.sin(a)], [sign * math.sin(a), math.cos(a)]])
        for a in angles
    ]
    return torch.block_diag(*turns)


def halves(k, d_model):
    angles = k / 10_000.0 ** (torch.arange(0, d_model, 2) / d_model)
    sine, cosine = angles.sin().diag(), angles.cos().diag()
    return torch.cat([torch.cat([cosine, -sine], 1), torch.cat([sine, cosine], 1)])


POSITIONS = (
    Wrong("gira-al-reves", "retrocede", lambda k, d_model: blocks(k, d_model, sign=-1.0)),
    Wrong("un-solo-angulo", "su frecuencia", lambda k, d_model: blocks(k, d_model, exponent=0)),
    Wrong("exponente-a-medias", "falta el 2", lambda k, d_model: blocks(k, d_model, exponent=1)),
    Wrong("en-dos-mitades", "intercalados", halves),
    Wrong("sin-signo", "resta", lambda k, d_model: blocks(k, d_model, other=1.0)),
)


def influence(decoder, x):
    """Gradiente de cada salida respecto a cada entrada: (salidas, entradas), sí o no."""
    jacobian = torch.autograd.functional.jacobian(decoder, x)
    return jacobian.abs().sum(dim=(0, 2, 3, 5)) > 1e-8


def furthest(table):
    return [max([i for i, hit in enumerate(row) if hit], default=-1) for row in table.tolist()]


def first_seen(decoder, x):
    rows = influence(decoder, x).tolist()
    return [row.index(True) if True in row else -1 for row in rows]


def accumulated(decoder, x):
    seen = influence(decoder, x)
    return [x.shape[1] - 1 if row.any() else -1 for row in seen]


def only_next(decoder, x):
    seen, n = influence(decoder, x), x.shape[1]
    return [o + 1 if o + 1 < n and seen[o, o + 1] else o for o in range(n)]


FUTURE = (
    Wrong("al-reves", "otra pregunta", lambda f, x: furthest(influence(f, x).T)),
    Wrong("la-primera", "se pide la última", first_seen),
    Wrong("cuantas-ve", "has contado", lambda f, x: [int(r.sum()) - 1 for r in influence(f, x)]),
    Wrong("sin-deshacer", "una copia", accumulated),
    Wrong("solo-la-siguiente", "tocarlas todas", only_next),
)


def jacobian_by_hand(mean=True, size=True, divide=True, spread=None, share=None):
    """Por la matriz de derivadas de cada vector, entrada a entrada."""
    spread = spread or (lambda x, epsilon: (((x - x.mean()) ** 2).mean() + epsilon) ** 0.5)

    def norm_gradient(x, g, epsilon):
        rows = []
        for vector, back in zip(x, g, strict=True):
            count = len(vector)
            s = spread(vector, epsilon)
            y = (vector - vector.mean()) / s
            matrix = torch.eye(count, dtype=x.dtype)
            if mean:
                matrix = matrix - 1 / count
            if size:
                matrix = matrix - torch.outer(y, y) / (1 if share else count)
            rows.append(matrix.T @ back / (s if divide else 1))
        return torch.stack(rows)

    return norm_gradient


NORM_GRADIENT = (
    Wrong("constantes", "m y s como constantes", jacobian_by_hand(mean=False, size=False)),
    Wrong("s-constante", "s como una constante", jacobian_by_hand(size=False)),
    Wrong("m-constante", "m como una constante", jacobian_by_hand(mean=False)),
    Wrong("sin-dividir", "entre s", jacobian_by_hand(divide=False)),
    Wrong("varianza-de-muestra", "entre D − 1", jacobian_by_hand(
        spread=lambda x, e: (x.var() + e).sqrt())),
    Wrong("epsilon-fuera", "dentro de la raíz", jacobian_by_hand(
        spread=lambda x, e: x.std(correction=0) + e)),
    Wrong("epsilon-fuera", "dentro de la raíz", jacobian_by_hand(
        spread=lambda x, e: x.std(correction=0))),
    Wrong("suma-en-vez-de-media", "su media", jacobian_by_hand(share=True)),
)  # fmt: skip


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
    "lo-que-cuesta-releer": REREADING,
    "desplazar-la-salida": SHIFT,
    "avanzar-es-girar": POSITIONS,
    "hasta-donde-ve": FUTURE,
    "hacia-atras-por-la-norma": NORM_GRADIENT,
    "acierto-por-palabra": WORDS,
}
