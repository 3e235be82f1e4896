"""Ejercicio de código: deducir el gradiente de la CTC y calcularlo sin autograd."""

import math

import torch

from tfcourse.exercises.data import chance, random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example
from tfcourse.watch import Rules

NEVER = float("-inf")


def _by_autograd(logits, target, blank):
    """El gradiente de la CTC de PyTorch, que se calcula en 64 bits."""
    with torch.enable_grad():
        z = logits.detach().double().requires_grad_()
        log_y = z.log_softmax(-1)[:, None]
        words = torch.tensor([list(target)], dtype=torch.long)
        sizes = torch.tensor([len(logits)]), torch.tensor([len(target)])
        loss = torch.nn.functional.ctc_loss(log_y, words, *sizes, blank=blank, reduction="sum")
        return torch.autograd.grad(loss, z)[0].to(logits.dtype)


def _may_jump(states, place, blank, never, always):
    """Si a ese estado se llega desde dos antes."""
    if place < 2 or never or states[place] == blank:
        return False
    return always or states[place] != states[place - 2]


def _log_sum(values):
    top = max(values)
    if top == NEVER or top != top:
        return top
    return top + math.log(sum(math.exp(value - top) for value in values))


def _reach(heard, states, blank, never=False, always=False):
    """ln α, estado a estado: los comienzos de camino, con el último instante incluido."""
    scores, count = heard.tolist(), len(states)
    table = [[*scores[0][:2], *[NEVER] * (count - 2)]]
    for now in scores[1:]:
        before, row = table[-1], []
        for place in range(count):
            ways = before[max(0, place - 1) : place + 1]
            if _may_jump(states, place, blank, never, always):
                ways = [*ways, before[place - 2]]
            row.append(now[place] + _log_sum(ways))
        table.append(row)
    return torch.tensor(table, dtype=heard.dtype)


def _best_path(heard, states, blank):
    """Un uno en el estado en que está, en cada instante, el camino más probable."""
    rows, count = heard.tolist(), len(states)
    scores, came = [*rows[0][:2], *[NEVER] * (count - 2)], []
    for now in rows[1:]:
        sources = []
        for place in range(count):
            froms = [place, *([place - 1] if place else [])]
            if _may_jump(states, place, blank, False, False):
                froms.append(place - 2)
            sources.append(max(froms, key=lambda f, scores=scores: scores[f]))
        scores = [scores[source] + score for source, score in zip(sources, now, strict=True)]
        came.append(sources)
    place = max(range(max(0, count - 2), count), key=lambda f: scores[f])
    chosen = torch.zeros_like(heard)
    for t in reversed(range(len(rows))):
        chosen[t, place] = 1
        place = came[t - 1][place] if t else place
    return chosen


def _variant(*, twice=False, ahead=False, best=False, overwrite=False, end=None, **jump):
    """El gradiente con alguna pieza cambiada: así se fabrican los errores típicos."""

    def gradient(logits, target, blank):
        states = [blank, *(s for word in target for s in (word, blank))]
        log_y = logits.log_softmax(-1)
        heard = log_y[:, states]
        alpha = _reach(heard, states, blank, **jump)
        beta = _reach(heard.flip(0, 1), states[::-1], blank, **jump).flip(0, 1)
        through = alpha + beta - (0 if twice else heard)
        log_p = (alpha + beta - heard)[0].logsumexp(0)
        occupied = alpha.softmax(-1) if ahead else through.softmax(-1)
        if best:
            occupied = _best_path(heard, states, blank)
        each = torch.zeros_like(logits)
        for place, symbol in enumerate(states):
            each[:, symbol] = occupied[:, place] + (0 if overwrite else each[:, symbol])
        return end(log_y.exp(), each, log_p) if end else log_y.exp() - each

    return gradient


def _in_probabilities(logits, target, blank):
    """Sin logaritmos: con números extremos, 0 entre 0."""
    states = [blank, *(s for word in target for s in (word, blank))]
    y = logits.softmax(-1)

    def reach(heard, states):
        scores, count = heard.tolist(), len(states)
        table = [[*scores[0][:2], *[0.0] * (count - 2)]]
        for now in scores[1:]:
            before, row = table[-1], []
            for place in range(count):
                ways = sum(before[max(0, place - 1) : place + 1])
                if _may_jump(states, place, blank, False, False):
                    ways += before[place - 2]
                row.append(now[place] * ways)
            table.append(row)
        return torch.tensor(table, dtype=heard.dtype)

    heard = y[:, states]
    through = reach(heard, states) * reach(heard.flip(0, 1), states[::-1]).flip(0, 1) / heard
    occupied = through / through.sum(-1, keepdim=True)
    return y - torch.zeros_like(y).index_add(1, torch.tensor(states), occupied)


def _case(length, n_symbols, target, seed, blank=0, scale=1.5, dtype=torch.float64):
    def make():
        (logits,) = random_tensors((length, n_symbols), seed=seed, dtype=dtype)
        return scale * logits, list(target), blank

    return make


def _extreme():
    """Logits de 200 y de −200: la frase pasa por dos instantes en que cuesta 400 nats decirla."""
    (logits,) = random_tensors((7, 3), seed=7, dtype=torch.float64)
    return logits + torch.tensor([200.0, -200.0, 200.0]), [1, 2, 1], 0


def _random_phrase(seed):
    def make():
        random = chance(seed)
        blank = random.randrange(5)
        words = [symbol for symbol in range(5) if symbol != blank]
        target = random.choices(words, k=3)
        (logits,) = random_tensors((9, 5), seed=seed, dtype=torch.float64)
        return logits, [*target, target[-1]], blank

    return make


CTC_GRADIENT = Exercise(
    Card(
        id="gradiente-de-la-ctc",
        title="Lo que la CTC le enseña a cada instante",
        kind="codigo",
        difficulty=3,
        minutes=35,
        points=4,
        objective="deducir el gradiente de una suma de caminos y calcularlo sin recorrerlos",
        hints=(
            "Un camino π lleva un factor y por instante, así que ∂P/∂ln y(t, k) es la suma de los "
            "caminos que dicen k en t. Entre P, es la probabilidad de decir k en t sabiendo que "
            "salió la frase. Falta el softmax: ∂ln y(t, k)/∂z(t, j) = 1[j = k] − y(t, j).",
            "α cuenta los comienzos de camino que llegan a un estado. Los finales que salen de él, "
            "β, son los comienzos de la misma cuenta con el tiempo y los estados del revés. En "
            "α · β la probabilidad de ese instante entra dos veces.",
            "En cada instante, α · β / y sobre la suma de todos los estados dice cuánto se ocupa "
            "cada uno (en logaritmos, un softmax). El blanco y las palabras repetidas están en "
            "varios estados: súmalos con `index_add`. El gradiente es y menos esa suma.",
        ),
    ),
    Task(
        function="ctc_gradient",
        cases=(
            Case("cinco instantes, dos palabras", _case(5, 4, [2, 1], 0)),
            Case("la misma palabra dos veces", _case(6, 3, [1, 1], 1)),
            Case("un solo camino posible", _case(4, 4, [3, 1, 1], 2)),
            Case("ninguna palabra", _case(3, 3, [], 3)),
            Case("un solo instante", _case(1, 4, [2], 4)),
            Case("otro blanco", _case(7, 4, [0, 2, 0], 5, blank=3)),
            Case("una frase al azar", _random_phrase(6)),
            Case("logits de 200 y de −200", _extreme),
            Case("32 bits", _case(8, 4, [1, 2], 8, dtype=torch.float32)),
            Case(
                "cuarenta instantes, sin autograd y sin recorrer los caminos",
                _case(40, 4, [1, 2, 2], 9),
                Rules(banned=("autograd", "ctc_loss"), operations=30_000),
            ),
            example(torch.tensor([[0.0, 1.0986], [0.0, 1.0986]]), [1], 0),
        ),
        reference=_by_autograd,
        mistakes=(
            Mistake(
                "signo",
                "el signo está al revés: es el gradiente de la pérdida, que es menos el logaritmo",
                (_variant(end=lambda y, each, _: each - y),),
            ),
            Mistake(
                "sin-softmax",
                "esa es la derivada respecto a ln y: los logits pasan antes por el softmax, que "
                "añade y",
                (_variant(end=lambda y, each, _: -each),),
            ),
            Mistake(
                "respecto-a-y",
                "esa es la derivada respecto a las probabilidades: se pide respecto a los logits",
                (_variant(end=lambda y, each, _: -each / y),),
            ),
            Mistake(
                "sin-el-logaritmo",
                "ese es el gradiente de menos P: al derivar ln P se divide entre P",
                (_variant(end=lambda y, each, log_p: log_p.exp() * (y - each)),),
            ),
            Mistake(
                "instante-dos-veces",
                "α y β llevan los dos la probabilidad del instante en que se juntan: divide entre "
                "ella una vez",
                (_variant(twice=True),),
            ),
            Mistake(
                "solo-hacia-delante",
                "has usado solo lo que se lleva dicho hasta ese instante: también cuenta si desde "
                "ahí se puede acabar la frase",
                (_variant(ahead=True),),
            ),
            Mistake(
                "un-solo-camino",
                "has seguido solo el camino más probable: se suman todos los que dan la frase",
                (_variant(best=True),),
            ),
            Mistake(
                "sin-saltos",
                "faltan los caminos que pasan de una palabra a otra distinta sin decir el blanco",
                (_variant(never=True),),
            ),
            Mistake(
                "salta-entre-iguales",
                "has dejado pasar de una palabra a otra igual sin blanco: al juntar se quedarían "
                "en una",
                (_variant(always=True),),
            ),
            Mistake(
                "un-solo-estado",
                "el blanco y las palabras repetidas están en varios estados: se suma lo que ocupa "
                "cada uno, y te has quedado con el último",
                (_variant(overwrite=True),),
            ),
            Mistake(
                "desborda",
                "con logits muy grandes o muchos instantes los productos se quedan en cero y sale "
                "NaN: haz las sumas con logaritmos",
                (_in_probabilities,),
            ),
        ),
        tolerance=1e-5,
        differentiable=False,
    ),
)
