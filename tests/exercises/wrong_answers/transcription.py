"""Respuestas equivocadas de los ejercicios del habla al texto."""

import math

import torch

from tests.exercises.wrong_answers import Wrong


def lengths(columnas=3000, vectores=1500, milisegundos=20.0, pares=2_250_000):
    return lambda: {
        "columnas": columnas,
        "vectores": vectores,
        "milisegundos": milisegundos,
        "pares": pares,
    }


LENGTHS = (
    Wrong("sin-zancada", "zancada 2", lengths(vectores=3000, milisegundos=10.0, pares=9_000_000)),
    Wrong("dos-zancadas", "conserva la longitud", lengths(vectores=750, milisegundos=40.0,
                                                          pares=562_500)),
    Wrong("el-salto", "son dos columnas", lengths(milisegundos=10.0)),
    Wrong("sin-cuadrado", "cada uno mira a todos", lengths(pares=1500)),
    Wrong("la-ventana", "de salto en salto", lengths(columnas=1200, vectores=600,
                                                     milisegundos=50.0, pares=360_000)),
)  # fmt: skip


def errors(cambios=1, bajas=1, altas=1, wer=0.6):
    return lambda: {"cambios": cambios, "bajas": bajas, "altas": altas, "wer": wer}


ERRORS = (
    Wrong("posicion-a-posicion", "se desplaza", errors(4, 0, 0, 0.8)),
    Wrong("sin-altas", "la palabra de más", errors(altas=0, wer=0.4)),
    Wrong("bajas-por-altas", "se dijo y falta", errors(bajas=2, altas=0)),
    Wrong("acierto", "la de errores", errors(wer=0.4)),
    Wrong("porcentaje", "la fracción", errors(wer=60.0)),
)


def whisper_input(log=torch.log10, floor=1e-10, top=None, cut=torch.max, floor_first=True):
    """La entrada, con cada pieza por separado: el logaritmo, el suelo y el máximo."""
    top = top or (lambda x: x.flatten(1).max(dim=1).values[:, None, None])

    def speech_input(power, filters, dynamic_range):
        mel = torch.einsum("mf,bft->bmt", filters, power)
        if floor_first:
            mel = torch.where(mel < floor, torch.full_like(mel, floor), mel)
        x = log(mel)
        if not floor_first:
            x = torch.where(x < 1e-10, torch.full_like(x, 1e-10), x)
        return cut(x, top(x) - dynamic_range) / 4 + 1

    return speech_input


SPEECH_INPUT = (
    Wrong("queda-natural", "queda uno", whisper_input(log=torch.log)),
    Wrong("queda-together", "el de todo el lote", whisper_input(top=torch.max)),
    Wrong("queda-bare", "un suelo", whisper_input(floor=0.0)),
    Wrong("queda-natural-together", "quedan dos", whisper_input(torch.log, top=torch.max)),
    Wrong("queda-natural-bare", "quedan dos", whisper_input(torch.log, floor=0.0)),
    Wrong("queda-together-bare", "quedan dos", whisper_input(floor=0.0, top=torch.max)),
    Wrong("queda-natural-together-bare", "los tres siguen ahí", whisper_input(
        torch.log, floor=0.0, top=torch.max)),
    Wrong("suelo-tarde", "después del logaritmo", whisper_input(floor_first=False)),
    Wrong("maximo-por-columna", "uno por clip", whisper_input(top=lambda x: x.max(1, True).values)),
    Wrong("maximo-por-columna", "uno por clip", whisper_input(top=lambda x: x.max(2, True).values)),
    Wrong("por-arriba", "lo que apenas suena", whisper_input(cut=torch.min)),
)  # fmt: skip


def with_tables(occupied_from, end, jump=None, logs=True):
    """Hacia delante y hacia atrás, con dos tablas de números de Python."""
    allowed = jump or (lambda a, b, blank: b != blank and a != b)

    def ctc_gradient(logits, target, blank):
        states = [blank]
        for word in target:
            states.extend((word, blank))
        y = torch.softmax(logits, 1)
        log_y = torch.log_softmax(logits, 1).tolist()
        T, S = len(logits), len(states)

        def add(*terms):
            top = max(terms)
            return (
                top if top == -math.inf else top + math.log(sum(math.exp(x - top) for x in terms))
            )

        def after(s):
            near = [s, s + 1] if s + 1 < S else [s]
            far = s + 2 < S and allowed(states[s], states[s + 2], blank)
            return [*near, s + 2] if far else near

        ahead = [[-math.inf] * S for _ in range(T)]
        for s in range(min(2, S)):
            ahead[0][s] = log_y[0][states[s]]
        for t in range(T - 1):
            for s in range(S):
                for n in after(s):
                    ahead[t + 1][n] = add(ahead[t + 1][n], ahead[t][s] + log_y[t + 1][states[n]])
        back = [[-math.inf] * S for _ in range(T)]
        for s in range(max(0, S - 2), S):
            back[T - 1][s] = 0.0
        for t in range(T - 2, -1, -1):
            for s in range(S):
                ways = [back[t + 1][n] + log_y[t + 1][states[n]] for n in after(s)]
                back[t][s] = add(*ways)
        total = add(*[ahead[T - 1][s] for s in range(max(0, S - 2), S)])
        seen = torch.zeros_like(logits)
        occupied_from(seen, ahead, back, total, states, log_y)
        return end(y, seen, total)

    return ctc_gradient


def both_ways(seen, ahead, back, total, states, log_y):
    for t, (a, b) in enumerate(zip(ahead, back, strict=True)):
        for s, symbol in enumerate(states):
            seen[t, symbol] += math.exp(a[s] + b[s] - total)


def also_the_instant(seen, ahead, back, total, states, log_y):
    for t, (a, b) in enumerate(zip(ahead, back, strict=True)):
        row = [a[s] + b[s] + log_y[t][symbol] for s, symbol in enumerate(states)]
        share = torch.tensor(row, dtype=seen.dtype).softmax(0)
        for s, symbol in enumerate(states):
            seen[t, symbol] += share[s]


def only_ahead(seen, ahead, back, total, states, log_y):
    for t, a in enumerate(ahead):
        share = torch.tensor(a, dtype=seen.dtype).softmax(0)
        for s, symbol in enumerate(states):
            seen[t, symbol] += share[s]


def the_last_state(seen, ahead, back, total, states, log_y):
    for t, (a, b) in enumerate(zip(ahead, back, strict=True)):
        for s, symbol in enumerate(states):
            seen[t, symbol] = math.exp(a[s] + b[s] - total)


def likeliest(logits, target, blank):
    """Solo el mejor camino: programación dinámica con el camino a cuestas."""
    states = [blank]
    for word in target:
        states.extend((word, blank))
    log_y = torch.log_softmax(logits, 1)
    best = {s: (float(log_y[0, states[s]]), (s,)) for s in range(min(2, len(states)))}
    for t in range(1, len(logits)):
        new = {}
        for s, (score, path) in best.items():
            for n in range(s, min(s + 3, len(states))):
                if n == s + 2 and (states[n] == blank or states[n] == states[s]):
                    continue
                reached = score + float(log_y[t, states[n]]), (*path, n)
                new[n] = max(new.get(n, reached), reached)
        best = new
    ends = [best[s] for s in (len(states) - 1, len(states) - 2) if s in best]
    path = [states[s] for s in max(ends)[1]]
    return log_y.exp() - torch.nn.functional.one_hot(torch.tensor(path), logits.shape[1])


def through_products(logits, target, blank):
    """Con probabilidades, sin logaritmos: se quedan en cero."""
    states = [blank, *sum(([word, blank] for word in target), [])]
    y = torch.softmax(logits, -1)
    n = len(states)
    moves = torch.zeros(n, n, dtype=y.dtype)
    for s in range(n):
        for to in range(s, min(n, s + 3)):
            if to < s + 2 or (states[to] != blank and states[to] != states[s]):
                moves[s, to] = 1
    ahead = [torch.zeros(n, dtype=y.dtype)]
    ahead[0][:2] = y[0, states[:2]]
    for row in y[1:]:
        ahead.append(row[states] * (ahead[-1] @ moves))
    back = [torch.zeros(n, dtype=y.dtype)]
    back[0][-2:] = 1
    for row in y.flip(0)[:-1]:
        back.insert(0, moves @ (row[states] * back[0]))
    through = torch.stack(ahead) * torch.stack(back)
    share = through / through.sum(1, keepdim=True)
    return y - share @ torch.nn.functional.one_hot(torch.tensor(states), y.shape[1]).to(y.dtype)


CTC_GRADIENT = (
    Wrong("signo", "al revés", with_tables(both_ways, lambda y, seen, _: seen - y)),
    Wrong("sin-softmax", "respecto a ln y", with_tables(both_ways, lambda y, seen, _: -seen)),
    Wrong("respecto-a-y", "a las probabilidades", with_tables(
        both_ways, lambda y, seen, _: -seen / y)),
    Wrong("sin-el-logaritmo", "se divide entre P", with_tables(
        both_ways, lambda y, seen, total: math.exp(total) * (y - seen))),
    Wrong("instante-dos-veces", "una vez", with_tables(
        also_the_instant, lambda y, seen, _: y - seen)),
    Wrong("solo-hacia-delante", "acabar la frase", with_tables(
        only_ahead, lambda y, seen, _: y - seen)),
    Wrong("un-solo-camino", "se suman todos", likeliest),
    Wrong("sin-saltos", "sin decir el blanco", with_tables(
        both_ways, lambda y, seen, _: y - seen, lambda a, b, blank: False)),
    Wrong("salta-entre-iguales", "se quedarían en una", with_tables(
        both_ways, lambda y, seen, _: y - seen, lambda a, b, blank: b != blank)),
    Wrong("un-solo-estado", "en varios estados", with_tables(
        the_last_state, lambda y, seen, _: y - seen)),
    Wrong("desborda", "con logaritmos", through_products),
)  # fmt: skip


def with_marks(*, later=1, together=math.fsum, only_allowed=True, opens=None, shut=0,
               words=max, from_word=0, rewritten=0):  # fmt: skip
    """Las reglas, con un conjunto de símbolos y probabilidades sin normalizar."""
    opens = opens or (lambda written, first: len(written) < 2 or written[-2] >= first)

    def may_write(logits, written, first):
        count = len(logits)
        if not written:
            return torch.tensor([symbol >= first for symbol in range(count)])
        last = max(symbol for symbol in written if symbol >= first)
        if written[-1] < first:
            fit = {*range(first), *range(last + later, count)}
        elif opens(written, first):
            fit = set(range(first))
        else:
            fit = {0, *range(last + shut, count)}
        seen = fit if only_allowed else set(range(count))
        top = max(logits[symbol].item() for symbol in seen)
        share = {s: math.exp(logits[s].item() - top) if s in seen else 0.0 for s in range(count)}
        marks = [share[s] for s in range(first, count)]
        if together(marks) > words(share[s] for s in range(from_word, first)):
            fit -= set(range(rewritten, first))
        return torch.tensor([symbol in fit for symbol in range(count)])

    return may_write


def without_the_top(logits, written, first):
    allowed = with_marks(together=lambda marks: -1.0)(logits, written, first)
    share = torch.exp(logits) * allowed
    if share[first:].sum() > share[:first].max():
        allowed[:first] = False
    return allowed


TIME_MARKS = (
    Wrong("queda-still", "queda uno", with_marks(later=0)),
    Wrong("queda-single", "entre todas", with_marks(together=max)),
    Wrong("queda-raw", "ya han prohibido", with_marks(only_allowed=False)),
    Wrong("queda-still-single", "quedan dos", with_marks(later=0, together=max)),
    Wrong("queda-still-raw", "quedan dos", with_marks(later=0, only_allowed=False)),
    Wrong("queda-single-raw", "quedan dos", with_marks(together=max, only_allowed=False)),
    Wrong("queda-still-single-raw", "los tres siguen ahí", with_marks(
        later=0, together=max, only_allowed=False)),
    Wrong("toda-marca-abre", "lo que hay delante", with_marks(opens=lambda *_: True)),
    Wrong("siempre-despues", "donde acabó el anterior", with_marks(shut=1)),
    Wrong("suma-de-palabras", "la palabra más probable", with_marks(words=math.fsum)),
    Wrong("sin-el-fin", "falta el fin", with_marks(from_word=1)),
    Wrong("deja-el-fin", "tampoco", with_marks(rewritten=1)),
    Wrong("desborda", "logsumexp", without_the_top),
)  # fmt: skip


def cut(loud, gap, *, end=0, skip_open=False):
    """Tramos que se cierran tras `gap` instantes callados."""
    found, start, quiet = [], None, 0
    for place, on in enumerate(loud):
        if on:
            start, quiet = (place if start is None else start), 0
        elif start is not None:
            quiet += 1
            if quiet == gap:
                found.append((start, place - gap + 1 + end))
                start = None
    if start is not None and not (skip_open and quiet == 0):
        found.append((start, len(loud) - quiet + end))
    return found


PIECES = (
    Wrong("cada-silencio", "menos de `gap`", lambda loud, gap: cut(loud, 1)),
    Wrong("incluido", "como en un range", lambda loud, gap: cut(loud, gap, end=-1)),
    Wrong("uno-de-mas", "uno más", lambda loud, gap: cut(loud, gap + 1)),
    Wrong("sin-el-ultimo", "hasta el final", lambda loud, gap: cut(loud, gap, skip_open=True)),
    Wrong("al-reves", "los silencios", lambda loud, gap: cut([not on for on in loud], 1)),
    Wrong("sin-partir", "entera", lambda loud, gap: [(0, len(loud))] if True in loud else []),
)

WRONG = {
    "cuanto-lee-el-codificador": LENGTHS,
    "errores-por-palabra": ERRORS,
    "fallos-en-la-entrada": SPEECH_INPUT,
    "fallos-en-las-marcas": TIME_MARKS,
    "gradiente-de-la-ctc": CTC_GRADIENT,
    "partir-por-los-silencios": PIECES,
}
