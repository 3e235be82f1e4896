"""Respuestas equivocadas de los ejercicios de «De modelo a asistente»."""

import math

import torch
import torch.nn.functional as F

from tests.exercises.wrong_answers import Wrong

EXAMPLES = {
    "hacia-donde-empuja-dpo": (
        [[-2.0], [-5.0], [-3.0], [-4.0], 0.5],
        [[-0.1345], [0.1345], [0.1345], [-0.1345]],
    ),
    "fallos-al-fundir": (
        [[[1.0, 2.0]], [[1.0, 0.0], [0.0, 1.0]], [[1.0, 1.0]], [[1.0], [0.0]], 2.0],
        [[[7.0, 2.0]], [[3.0, 2.0], [0.0, 1.0]]],
    ),
    "grupos-y-recortes": (
        [[[0.6931, 0.0]], [[0.0, 0.0]], [[1.0, 0.0]], 0.2],
        [[[1.0, -1.0]], 0.1],
    ),
    "lo-mejor-sin-alejarse": ([[0.5, 0.5], [1.0, 0.0], 1.0], [[0.7311, 0.2689], 0.6201]),
}


def places(casillas, relleno, respuesta, todo):
    return lambda: {
        "casillas": casillas, "relleno": relleno, "respuesta": respuesta, "todo": todo,
    }  # fmt: skip


COUNTED = (
    Wrong("sin-el-fin", "callarse", places(66, 19, 18, 44)),
    Wrong("con-la-marca", "se la dan escrita", places(66, 19, 24, 44)),
    Wrong("el-primero", "nada delante", places(66, 19, 21, 47)),
    Wrong("el-relleno", "el relleno", places(66, 19, 21, 63)),
    Wrong("el-relleno", "el relleno", places(66, 19, 21, 66)),
    Wrong("sin-las-marcas", "faltan las marcas", places(57, 19, 18, 35)),
)


def bytes_of(lora, entero, con_lora, fundido):
    return lambda: {"lora": lora, "entero": entero, "con_lora": con_lora, "fundido": fundido}


WHOLE = 350_000_000
PAIR = 24 * (4 * 8 * 2048 + 2 * 8 * 5120)
HALF = 24 * 6 * 8 * 1024
FULL = 24 * 8 * (4 * 1024 * 1024 + 2 * 1024 * 4096)
COST = (
    Wrong("una-de-las-dos", "A y B", bytes_of(HALF, 16 * WHOLE, 4 * WHOLE + 16 * HALF, 4 * WHOLE)),
    Wrong(
        "por-toda-la-matriz",
        "se suman",
        bytes_of(FULL, 16 * WHOLE, 4 * WHOLE + 16 * FULL, 4 * WHOLE),
    ),
    Wrong(
        "un-solo-promedio",
        "dos números",
        bytes_of(PAIR, 12 * WHOLE, 4 * WHOLE + 12 * PAIR, 4 * WHOLE),
    ),
    Wrong("sin-lo-congelado", "hay que tenerlos", bytes_of(PAIR, 16 * WHOLE, 16 * PAIR, 4 * WHOLE)),
    Wrong(
        "gradientes-de-todo",
        "no guardan su gradiente",
        bytes_of(PAIR, 16 * WHOLE, 8 * WHOLE + 16 * PAIR, 4 * WHOLE),
    ),
    Wrong(
        "fundido-aparte",
        "nada aparte",
        bytes_of(PAIR, 16 * WHOLE, 4 * WHOLE + 16 * PAIR, 4 * WHOLE + 4 * PAIR),
    ),
)


def written(turns, marks, end):
    """Cada token, con quién lo dice y si es marca, texto o fin."""
    for role, ids in turns:
        yield marks[role], role, "marca"
        for token in ids:
            yield token, role, "texto"
        yield end, role, "fin"


def asking(wanted, first=False):
    """Una respuesta que pide los tokens que diga `wanted(quién, qué)`."""

    def labelled(turns, marks, end, max_length):
        rows = [
            (token, token if wanted(role, what) else -100)
            for token, role, what in written(turns, marks, end)
        ]
        rows = rows[:max_length] if first else rows[-max_length:]
        return [row[0] for row in rows[:-1]], [row[1] for row in rows[1:]]

    return labelled


def is_answer(role, what):
    return role == "asistente" and what != "marca"


def unshifted(turns, marks, end, max_length):
    rows = [
        (token, token if is_answer(role, what) else -100)
        for token, role, what in written(turns, marks, end)
    ][-max_length:-1]
    return [row[0] for row in rows], [row[1] for row in rows]


def whole_turns(turns, marks, end, max_length):
    kept = list(turns)
    while len([*written(kept, marks, end)]) > max_length:
        kept = kept[1:]
    return asking(is_answer)(kept, marks, end, max_length)


LABELS = (
    Wrong("sin-el-fin", "a terminar", asking(lambda w, k: is_answer(w, k) and k != "fin")),
    Wrong("con-la-marca", "se la dan", asking(lambda who, what: who == "asistente")),
    Wrong("el-fin-del-usuario", "otra persona", asking(lambda w, k: is_answer(w, k) or k == "fin")),
    Wrong("tambien-el-usuario", "el usuario", asking(lambda who, what: what != "marca")),
    Wrong("sin-desplazar", "el siguiente", unshifted),
    Wrong("por-la-derecha", "los últimos", asking(is_answer, first=True)),
    Wrong("turnos-enteros", "a medias", whole_turns),
)  # fmt: skip


def pushing(weigh, *, half=False, signs=(-1, 1, 1, -1), plain=False, outside=True):
    """La derivada de cada pareja, con la pieza que se quiera cambiada."""

    def gradient(chosen, rejected, reference_chosen, reference_rejected, beta):
        won, lost = chosen - reference_chosen, rejected - reference_rejected
        margin = beta * ((chosen - rejected) if plain else (won - lost))
        push = weigh(margin) * (beta if outside else 1)
        push = push if half else push / margin.numel()
        return tuple(sign * push for sign in signs)

    return gradient


def doubt(margin):
    return torch.sigmoid(-margin)


def quotient(margin):
    return 1 / margin.exp() / (1 + 1 / margin.exp())


PREFERRING = (
    Wrong("sin-la-media", "de la suma", pushing(doubt, half=True)),
    Wrong("signo", "al revés", pushing(doubt, signs=(1, -1, -1, 1))),
    Wrong("sin-beta", "cadena", pushing(doubt, outside=False)),
    Wrong("peso-al-reves", "ya están ordenadas", pushing(torch.sigmoid)),
    Wrong("todas-igual", "igual a todas", pushing(torch.ones_like)),
    Wrong("referencia-quieta", "no son cero", pushing(doubt, signs=(-1, 1, 0, 0))),
    Wrong("referencia-del-mismo-signo", "restando", pushing(doubt, signs=(-1, 1, -1, 1))),
    Wrong("sin-la-referencia", "falta restar", pushing(doubt, plain=True)),
    Wrong("se-desborda", "se desborda", pushing(quotient)),
)


def by_backward(chosen, rejected, reference_chosen, reference_rejected, beta):
    parts = [
        part.clone().requires_grad_()
        for part in (chosen, rejected, reference_chosen, reference_rejected)
    ]
    a, b, c, d = parts
    loss = F.softplus(-beta * ((a - c) - (b - d))).mean()
    return torch.autograd.grad(loss, parts)


PREFERRING = (*PREFERRING, Wrong("prohibido", "sin esa ayuda", by_backward))


def lora(scale, *, again=False, turned=False):
    """Con esa escala; `again`, dos veces al fundir; `turned`, con la corrección traspuesta."""

    def with_lora(x, weight, down, up, alpha):
        times = scale(alpha, down)
        change = torch.einsum("er,rd->ed", up, down)
        change = change.T if turned else change
        beside = F.linear(x, weight) + times * F.linear(F.linear(x, down), up)
        return beside, weight + (times**2 if again else times) * change

    return with_lora


def over_rank(alpha, down):
    return alpha / len(down)


def over_width(alpha, down):
    return alpha / down.size(-1)


MERGING = (
    Wrong("queda-anchura", "queda uno", lora(over_width)),
    Wrong("queda-doble", "queda uno", lora(over_rank, again=True)),
    Wrong("queda-traspuesta", "queda uno", lora(over_rank, turned=True)),
    Wrong("queda-anchura-doble", "quedan dos", lora(over_width, again=True)),
    Wrong("queda-anchura-traspuesta", "quedan dos", lora(over_width, turned=True)),
    Wrong("queda-doble-traspuesta", "quedan dos", lora(over_rank, again=True, turned=True)),
    Wrong(
        "queda-anchura-doble-traspuesta",
        "los tres",
        lora(over_width, again=True, turned=True),
    ),
    Wrong("sin-escala", "α/r", lora(lambda alpha, down: 1)),
    Wrong("sin-el-rango", "entre el rango", lora(lambda alpha, down: alpha)),
)


def scored(rows, log_new, log_old, clip, pick=min, ratio=math.exp):
    """El objetivo de unas ventajas, respuesta a respuesta."""
    gains = []
    for row, new, old in zip(rows.tolist(), log_new.tolist(), log_old.tolist(), strict=True):
        for gain, a, b in zip(row, new, old, strict=True):
            moved = ratio(a - b)
            gains.append(pick(moved * gain, max(1 - clip, min(1 + clip, moved)) * gain))
    return torch.tensor(sum(gains) / len(gains), dtype=rows.dtype)


def by_group(rewards, divide=True, sample=0):
    rows = []
    for group in rewards:
        centred = group - group.mean()
        spread = (centred.square().sum() / (len(group) - sample)).sqrt()
        rows.append(centred / spread if divide and spread > 0 else centred)
    return torch.stack(rows)


def grpo(advantages=by_group, **how):
    def objective(log_new, log_old, rewards, clip):
        rows = advantages(rewards)
        return rows, scored(rows, log_new, log_old, clip, **how)

    return objective


def zero_over_zero(log_new, log_old, rewards, clip):
    centred = rewards - rewards.mean(1, True)
    rows = centred / centred.square().mean(1, True).sqrt()
    ratio = torch.exp(log_new - log_old)
    return rows, torch.min(ratio * rows, ratio.clip(1 - clip, 1 + clip) * rows).mean()


def padded_divisor(rewards):
    return (rewards - rewards.mean(1, True)) / (rewards.std(1, correction=0, keepdim=True) + 1e-4)


def whole_lot(rewards):
    centred = rewards - rewards.mean()
    spread = centred.square().mean().sqrt()
    return centred / spread


def columns(rewards):
    return by_group(rewards.T).T


GROUPS = (
    Wrong("grupo-igual", "0/0", zero_over_zero),
    Wrong("sin-dividir", "falta dividir", grpo(lambda rewards: by_group(rewards, divide=False))),
    Wrong("entre-menos-uno", "K − 1", grpo(lambda rewards: by_group(rewards, sample=1))),
    Wrong("algo-mas-al-divisor", "aparte", grpo(padded_divisor)),
    Wrong("todo-el-lote", "una sola instrucción", grpo(whole_lot)),
    Wrong("por-columnas", "cada fila", grpo(columns)),
    Wrong("sin-recortar", "falta recortar", grpo(pick=lambda free, bounded: free)),
    Wrong("siempre-recortado", "siempre", grpo(pick=lambda free, bounded: bounded)),
    Wrong("el-mayor", "el mayor", grpo(pick=max)),
    Wrong("sin-exponencial", "exponencial", grpo(ratio=lambda moved: moved)),
)


def softmax_of(scores, worth=None):
    """La política de unos puntajes, y el valor de la fórmula buena con ellos."""

    def best(reference, rewards, beta):
        logits = scores(reference, rewards, beta)
        policy = F.softmax(logits, 0)
        if worth:
            return policy, worth(policy, logits, rewards, beta)
        return policy, beta * torch.logsumexp(logits, 0)

    return best


def good(reference, rewards, beta):
    return torch.log(reference) + rewards / beta


def exponentials(reference, rewards, beta):
    weights = reference * torch.exp(rewards / beta)
    return weights / weights.sum(), beta * torch.log(weights.sum())


def always_the_best(reference, rewards, beta):
    best = int(rewards.argmax())
    policy = F.one_hot(torch.tensor(best), len(rewards)).to(reference.dtype)
    return policy, rewards[best] + beta * torch.log(reference[best])


POLICY = (
    Wrong("sin-la-referencia", "falta la referencia", softmax_of(lambda p, r, beta: r / beta)),
    Wrong("por-beta", "va al revés", softmax_of(lambda p, r, beta: p.log() + r * beta)),
    Wrong("todo-entre-beta", "β divide", softmax_of(lambda p, r, beta: (p.log() + r) / beta)),
    Wrong("sin-logaritmo", "el logaritmo", softmax_of(lambda p, r, beta: p + r / beta)),
    Wrong("sin-la-divergencia", "falta restar", softmax_of(good, lambda p, z, r, b: p @ r)),
    Wrong("valor-sin-beta", "por β", softmax_of(good, lambda p, z, r, b: z.logsumexp(0))),
    Wrong("solo-la-mejor", "límite", always_the_best),
    Wrong("se-desborda", "logsumexp", exponentials),
)


def chances(size, n):
    """Con qué probabilidad es el puesto k el mayor de n sorteados."""
    return [((k + 1) / size) ** n - (k / size) ** n for k in range(size)]


def ranked(order, values):
    def best_of(proxy, true, n):
        rows = sorted(zip(proxy.tolist(), true.tolist(), strict=True), key=order)
        shares = chances(len(rows), n)
        return sum(share * values(row) for share, row in zip(shares, rows, strict=True))

    return best_of


def cumulative(proxy, true, n):
    rows = sorted(zip(proxy.tolist(), true.tolist(), strict=True))
    return sum(((k + 1) / len(rows)) ** n * row[1] for k, row in enumerate(rows))


BEST = (
    Wrong("sin-ordenar", "falta ordenar", ranked(lambda row: 0, lambda row: row[1])),
    Wrong("la-peor", "mayor indicador", ranked(lambda row: -row[0], lambda row: row[1])),
    Wrong("lo-que-dice-el-indicador", "de verdad", ranked(lambda row: row[0], lambda row: row[0])),
    Wrong("sin-restar", "falta restar", cumulative),
    Wrong("la-media", "falta elegir", lambda proxy, true, n: float(true.sum() / len(true))),
    Wrong("la-ganadora-de-todas", "las n", lambda proxy, true, n: float(true[proxy.argmax()])),
)

WRONG = {
    "lo-que-cuenta-en-la-respuesta": COUNTED,
    "lo-que-ocupa-lora": COST,
    "lo-que-se-lee-y-lo-que-se-pide": LABELS,
    "hacia-donde-empuja-dpo": PREFERRING,
    "fallos-al-fundir": MERGING,
    "grupos-y-recortes": GROUPS,
    "lo-mejor-sin-alejarse": POLICY,
    "la-mejor-de-muchas": BEST,
}
