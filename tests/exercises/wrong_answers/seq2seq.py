"""Respuestas equivocadas de los ejercicios de secuencia a secuencia."""

import torch
import torch.nn.functional as F

from tests.exercises.wrong_answers import Wrong

EXAMPLES = {
    "contexto": ([[[0.75, 0.25]], [[[4.0, 0.0], [0.0, 8.0]]]], [[[3.0, 2.0]]]),
    "gradiente-del-reparto": (
        [[[0.75, 0.25]], [[[4.0], [0.0]]], [[1.0]]],
        [[[0.75, -0.75]]],
    ),
    "luong": ([[[1.0]], [[[0.0], [1.0]]], [[1.0986]], [[1.0, 0.0]]], [[[0.6351]], [[0.25, 0.75]]]),
    "invertir-la-entrada": ([[[5, 6, 7], [8, 9, 0]], [3, 2]], [[[7, 6, 5], [9, 8, 0]]]),
}


def kept(fixed_a, attention_a, fixed_b, attention_b, fixed_c, attention_c):
    names = ("fijo_A", "atencion_A", "fijo_B", "atencion_B", "fijo_C", "atencion_C")
    values = (fixed_a, attention_a, fixed_b, attention_b, fixed_c, attention_c)
    return lambda: dict(zip(names, values, strict=True))


MEMORY = (
    Wrong("una-sola-direccion", "una sola dirección", kept(128, 1280, 128, 1280, 128, 5120)),
    Wrong("fijo-crece", "un solo vector", kept(1280, 1280, 2560, 2560, 10240, 10240)),
    Wrong("atencion-no-crece", "uno por cada palabra", kept(128, 128, 256, 256, 256, 256)),
    Wrong("solo-pesos", "los pesos α", kept(128, 10, 256, 10, 256, 40)),
    Wrong("intercambiados", "intercambiado", kept(1280, 128, 2560, 256, 10240, 256)),
    Wrong("valores", "no es el correcto", kept(128, 1280, 256, 2560, 256, 10241)),
    Wrong("claves", "cópialas", lambda: {"A": 128}),
)

BY_HAND = (
    Wrong("sin-exponencial", "eleva antes e", lambda: ([0.667, 0, 0.333], [0.333, 1.333])),
    Wrong("solo-el-mayor", "el softmax reparte", lambda: ([1, 0, 0], [1, 0])),
    Wrong("base-dos", "potencias de 2", lambda: ([0.571, 0.143, 0.286], [0.286, 1.429])),
    Wrong("sin-normalizar", "no suman 1", lambda: ([7.389, 1.0, 2.718], [4.671, 12.873])),
    Wrong("sigmoide", "sigmoide", lambda: ([0.881, 0.5, 0.731], [0.150, 3.924])),
    Wrong("contexto-sin-pesos", "sin multiplicar", lambda: ([0.665, 0.090, 0.245], [0, 6])),
    Wrong("contexto-promediado", "la media", lambda: ([0.665, 0.090, 0.245], [0, 2])),
    Wrong("valores", "en `c`", lambda: ([0.665, 0.090, 0.245], [0.421, 1.3])),
    Wrong("numero-de-salidas", "se esperaban 2 resultados", lambda: [0.665, 0.090, 0.245]),
)


def context_of_the_winner(alpha, h):
    return torch.stack([states[int(row.argmax())] for row, states in zip(alpha, h, strict=True)])


def context_with_numpy(alpha, h):
    return (alpha[:, :, None] * h).sum(1).numpy()


def context_in_place(alpha, h):
    h *= alpha[:, :, None]
    return h.sum(dim=1)


def context_in_single_precision(alpha, h):
    result = torch.zeros(h.shape[0], h.shape[2])
    for i in range(h.shape[1]):
        result = result + (alpha[:, i, None] * h[:, i]).float()
    return result


def context_squeezed(alpha, h):
    return torch.bmm(alpha.unsqueeze(1), h).squeeze()


def context_without_return(alpha, h):
    (alpha[:, :, None] * h).sum(1)


CONTEXT = (
    Wrong("sin-pesos", "sin multiplicar cada uno", lambda alpha, h: torch.sum(h, dim=1)),
    Wrong("media-simple", "no intervienen", lambda alpha, h: torch.mean(h, dim=1)),
    Wrong(
        "dividido-de-mas",
        "`mean` donde va `sum`",
        lambda alpha, h: torch.einsum("bt,btd->bd", alpha, h) / h.shape[1],
    ),
    Wrong("suma-los-rasgos", "los D rasgos", lambda alpha, h: torch.einsum("bt,btd->bt", alpha, h)),
    Wrong("suma-el-lote", "eje del lote", lambda a, h: torch.einsum("bt,btd->td", a, h)),
    Wrong("sin-sumar", "falta sumarlos", lambda a, h: torch.einsum("bt,btd->btd", a, h)),
    Wrong("solo-el-mayor", "mayor peso", context_of_the_winner),
    Wrong(
        "softmax-repetido",
        "ya son pesos",
        lambda alpha, h: torch.einsum("bt,btd->bd", F.softmax(alpha, dim=1), h),
    ),
    Wrong("formas", "uno mide 5 y el otro 4", lambda alpha, h: (alpha * h).sum(1)),
    Wrong("eje-sobrante", "te sobra un eje", lambda alpha, h: alpha[:, None] @ h),
    Wrong("eje-perdido", "squeeze()", context_squeezed),
    Wrong("numpy", "array de NumPy", context_with_numpy),
    Wrong("modifica-entradas", "modifica `h`", context_in_place),
    Wrong("tipo-de-dato", "float32", context_in_single_precision),
    Wrong("sin-return", "olvidado `return`", context_without_return),
    Wrong("sin-gradiente", "hasta `alpha`", lambda a, h: (a.detach()[..., None] * h).sum(1)),
    Wrong("sin-gradiente", "ninguna entrada", lambda a, h: (a[..., None] * h).sum(1).detach()),
    Wrong(
        "lista-en-vez-de-tensor",
        "torch.stack",
        lambda a, h: [x @ y for x, y in zip(a, h, strict=True)],
    ),
    Wrong("argumentos", "no cambies los argumentos", lambda h: h.sum(1)),
)


def pulls(h, g):
    return torch.einsum("btd,bd->bt", h, g)


def gradient_uncentred(alpha, h, g):
    return alpha * pulls(h, g)


def gradient_of_weights(alpha, h, g):
    return torch.bmm(h, g.unsqueeze(2)).squeeze(2)


def gradient_without_weight(alpha, h, g):
    context = torch.einsum("bt,btd->bd", alpha, h)
    return torch.einsum("btd,bd->bt", h - context.unsqueeze(1), g)


def gradient_about_the_mean(alpha, h, g):
    return alpha * (pulls(h, g) - pulls(h, g).mean(dim=1, keepdim=True))


def gradient_of_the_diagonal(alpha, h, g):
    return alpha * (1 - alpha) * pulls(h, g)


def gradient_downhill(alpha, h, g):
    context = torch.einsum("bt,btd->bd", alpha, h)
    return alpha * torch.einsum("btd,bd->bt", context.unsqueeze(1) - h, g)


def gradient_in_place(alpha, h, g):
    asked = pulls(h, g)
    h -= torch.einsum("bt,btd->bd", alpha, h).unsqueeze(1)
    return alpha * torch.einsum("btd,bd->bt", h, g) + 0 * asked


SCORE_GRADIENT = (
    Wrong("sin-centrar", "falta restar", gradient_uncentred),
    Wrong("hasta-los-pesos", "atravesar el softmax", gradient_of_weights),
    Wrong("sin-peso", "falta el factor", gradient_without_weight),
    Wrong("media-simple", "la ponderada", gradient_about_the_mean),
    Wrong("solo-la-diagonal", "las de los demás", gradient_of_the_diagonal),
    Wrong("signo", "signo cambiado", gradient_downhill),
    Wrong("modifica-entradas", "modifica `h`", gradient_in_place),
    Wrong("eje-inexistente", "has pedido el eje 2", lambda a, h, g: a * pulls(h, g).sum(2)),
)


def predicted(greedy, best, forced, free):
    return lambda: {"voraz": greedy, "mejor": best, "profesor": forced, "libre": free}


PREDICTION = (
    Wrong("la-voraz-es-la-mejor", "compara las cuatro", predicted(0.33, 0.33, 1, 0)),
    Wrong("solo-el-ultimo", "la del segundo", predicted(0.55, 0.9, 1, 0)),
    Wrong("sumadas", "se multiplican", predicted(1.15, 1.3, 1, 0)),
    Wrong("profesor-y-libre-al-reves", "intercambiado", predicted(0.33, 0.36, 0, 1)),
    Wrong("profesor-como-libre", "el primero correcto", predicted(0.33, 0.36, 0, 0)),
    Wrong("valores", "no es el correcto", predicted(0.33, 0.36, 2, 0)),
    Wrong("claves", "cópialas", lambda: {"voraz": 0.33}),
)


def greedy_without_stop(step, state, start, stop, max_length):
    tokens = [start]
    while len(tokens) <= max_length:
        logits, state = step(tokens[-1], state)
        tokens.append(int(logits.argmax()))
    return tokens[1:]


def greedy_with_stop(step, state, start, stop, max_length):
    tokens, token = [], start
    while token != stop and len(tokens) < max_length:
        logits, state = step(token, state)
        token = logits.argmax().item()
        tokens.append(token)
    return tokens


def greedy_with_start(step, state, start, stop, max_length):
    tokens = [start]
    for _ in range(max_length):
        logits, state = step(tokens[-1], state)
        if logits.argmax() == stop:
            break
        tokens.append(logits.argmax().item())
    return tokens


def greedy_deaf(step, state, start, stop, max_length):
    tokens = []
    for _ in range(max_length):
        logits, state = step(start, state)
        if logits.argmax() == stop:
            break
        tokens.append(logits.argmax().item())
    return tokens


def greedy_forgetful(step, state, start, stop, max_length):
    tokens, token = [], start
    for _ in range(max_length):
        logits, _ = step(token, state)
        token = logits.argmax().item()
        if token == stop:
            break
        tokens.append(token)
    return tokens


def greedy_until(limit, choose=torch.argmax):
    def greedy(step, state, start, stop, max_length):
        tokens, token = [], start
        while len(tokens) < limit(max_length):
            logits, state = step(token, state)
            token = choose(logits).item()
            if token == stop:
                return tokens
            tokens.append(token)
        return tokens

    return greedy


def greedy_endless(step, state, start, stop, max_length):
    token = start
    while True:
        logits, state = step(token, state)
        token = int(logits.argmax())


def greedy_endless_and_stubborn(step, state, start, stop, max_length):
    while True:
        try:
            step(start, state)
        except Exception:
            continue


def greedy_of_tensors(step, state, start, stop, max_length):
    tokens, token = [], start
    for _ in range(max_length):
        logits, state = step(token, state)
        token = logits.argmax()
        if token == stop:
            break
        tokens.append(token)
    return tokens


GREEDY = (
    Wrong("no-para", "no te detienes", greedy_without_stop),
    Wrong("incluye-stop", "has incluido `stop`", greedy_with_stop),
    Wrong("incluye-start", "has incluido `start`", greedy_with_start),
    Wrong("siempre-start", "lees `start` en todas", greedy_deaf),
    Wrong("estado-viejo", "estado inicial", greedy_forgetful),
    Wrong("uno-de-mas", "un símbolo más", greedy_until(lambda n: n + 1)),
    Wrong("uno-de-menos", "un símbolo menos", greedy_until(lambda n: n - 1)),
    Wrong("el-menos-probable", "`argmax`", greedy_until(lambda n: n, torch.argmin)),
    Wrong("no-termina", "tu bucle no termina", greedy_endless),
    Wrong("no-termina", "tu bucle no termina", greedy_endless_and_stubborn),
    Wrong("elementos-tensor", "`int(...)`", greedy_of_tensors),
    Wrong("llamada-a-step", "en ese orden", lambda step, state, *rest: step(step, state)),
)


def luong(scores, mix=lambda c, s: torch.cat((c, s), 1), end=torch.tanh, dim=1):
    def luong_step(s, h, W_a, W_c):
        alpha = F.softmax(scores(s, h, W_a), dim=dim) if dim is not None else scores(s, h, W_a)
        context = torch.bmm(alpha.unsqueeze(1), h).squeeze(1)
        return end(F.linear(mix(context, s), W_c)), alpha

    return luong_step


def general(s, h, W_a):
    return torch.einsum("bs,sh,bth->bt", s, W_a, h)


def luong_swapped(s, h, W_a, W_c):
    s_tilde, alpha = luong(general)(s, h, W_a, W_c)
    return alpha, s_tilde


def luong_detached(s, h, W_a, W_c):
    s_tilde, alpha = luong(general)(s, h, W_a, W_c)
    return s_tilde, alpha.detach()


LUONG = (
    Wrong("orden-al-concatenar", "[c; s]", luong(general, lambda c, s: torch.cat((s, c), 1))),
    Wrong("sin-tanh", "tangente hiperbólica", luong(general, end=lambda x: x)),
    Wrong("sin-matriz", "sin `W_a`", luong(lambda s, h, W_a: torch.einsum("bd,btd->bt", s, h))),
    Wrong("matriz-traspuesta", "`s @ W_a`", luong(lambda s, h, W_a: general(s, h, W_a.T))),
    Wrong("sin-softmax", "falta el softmax", luong(general, dim=None)),
    Wrong("softmax-en-el-lote", "suman 1 por columnas", luong(general, dim=0)),
    Wrong(
        "puntaje-escalado",
        "Luong no escala",
        luong(lambda s, h, W_a: general(s, h, W_a) / h.size(-1) ** 0.5),
    ),
    Wrong("salidas-intercambiadas", "al revés", luong_swapped),
    Wrong("sin-gradiente", "todas tus salidas", luong_detached),
    Wrong("numero-de-salidas", "s_tilde, alpha", lambda s, h, W_a, W_c: s),
)


def reverse_all(source, lengths):
    return torch.flip(source, dims=[1])


def reverse_batch(source, lengths):
    return torch.flip(source, dims=[0])


def reverse_past_the_end(source, lengths):
    result = torch.zeros_like(source)
    for b in range(source.shape[0]):
        n = int(lengths[b])
        for i in range(n):
            result[b, i] = source[b, n - i]
    return result


def reverse_in_place(source, lengths):
    for row, n in zip(source, lengths, strict=True):
        row[:n] = row[:n].flip(0)
    return source


def reverse_as_floats(source, lengths):
    result = torch.zeros(source.shape)
    for b, n in enumerate(lengths):
        result[b, :n] = source[b, :n].flip(0)
    return result


REVERSE = (
    Wrong("relleno-delante", "el relleno ha pasado delante", reverse_all),
    Wrong("lote-invertido", "orden de las frases", reverse_batch),
    Wrong("sin-invertir", "tal como llegó", lambda source, lengths: source.clone()),
    Wrong("una-posicion", "n − 1", reverse_past_the_end),
    Wrong("modifica-entradas", "modifica `source`", reverse_in_place),
    Wrong("tipo-de-dato", "enteros", reverse_as_floats),
)

WRONG = {
    "memoria": MEMORY,
    "a-mano": BY_HAND,
    "contexto": CONTEXT,
    "gradiente-del-reparto": SCORE_GRADIENT,
    "voraz-o-mejor": PREDICTION,
    "decodificador-voraz": GREEDY,
    "luong": LUONG,
    "invertir-la-entrada": REVERSE,
}
