"""Ejercicio de código: los mejores cortes de una palabra, con un modelo Unigram."""

import math
from functools import cache

from tfcourse.bank.tokens.words import any_word, some_pieces
from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example
from tfcourse.watch import Rules


def _best_by_rests(word, scores, n, choose=lambda found: sorted(found, reverse=True)):
    """Lo mejor de cada final de la palabra, que se calcula una sola vez."""

    @cache
    def best(start):
        if start == len(word):
            return [0.0]
        ends = [e for e in range(start + 1, len(word) + 1) if word[start:e] in scores]
        return choose(scores[word[start:e]] + rest for e in ends for rest in best(e))[:n]

    return best(0)


def _only_one_per_gap(word, scores, n):
    """Guarda un solo puntaje por hueco: al final solo compiten los últimos trozos."""
    best = [0.0]
    for j in range(1, len(word) + 1):
        options = [best[i] + scores[word[i:j]] for i in range(j) if word[i:j] in scores]
        best.append(max(options))
    return sorted(options, reverse=True)[:n]


def _without_repeats(word, scores, n):
    """Confunde dos cortes que puntúan lo mismo con uno solo."""
    return _best_by_rests(
        word, scores, n, lambda found: sorted({round(x, 9) for x in found}, reverse=True)
    )


def _greedy(word, scores, n):
    total, start = 0.0, 0
    while start < len(word):
        stop = next(s for s in range(len(word), start, -1) if word[start:s] in scores)
        total, start = total + scores[word[start:stop]], stop
    return [total]


def _scores(**chances):
    return {piece: math.log(chance) for piece, chance in chances.items()}


SCORES = _scores(c=0.1, a=0.15, s=0.15, o=0.05, as_=0.2, ca=0.0005, casa=0.02, cas=0.25, sa=0.08)
SCORES["as"] = SCORES.pop("as_")


SCORES["ab"] = SCORES["ba"] = math.log(0.02)
SCORES["b"] = math.log(0.05)


def _best(word, n):
    return lambda: (word, dict(SCORES), n)


def _random_scores(seed, n):
    def make():
        random = chance(seed)
        word = any_word(random, n_letters=3, length=9)
        pieces = sorted(set(word) | some_pieces(word, 6, random))
        return word, {piece: math.log(random.uniform(0.001, 0.3)) for piece in pieces}, n

    return make


def _long(seed):
    """Sesenta letras, con tantos cortes que no se pueden mirar uno a uno."""

    def make():
        random = chance(seed)
        word = "".join(random.choices("as", k=60))
        pieces = ("a", "s", "as", "sa", "aa", "ss")
        return word, {piece: math.log(random.uniform(0.05, 0.3)) for piece in pieces}, 3

    return make


BEST_CUTS = Exercise(
    Card(
        id="mejores-cortes",
        title="Los mejores cortes, sin enumerarlos",
        kind="codigo",
        difficulty=3,
        minutes=25,
        points=4,
        objective="llevar el algoritmo de Viterbi a los n mejores caminos",
        hints=(
            "El Viterbi del capítulo guarda en cada hueco el puntaje del mejor camino. El segundo "
            "mejor camino hasta el final, ¿puede pasar por un hueco con su segundo mejor camino?",
            "Guarda en best[j] una lista con los n mejores puntajes hasta el hueco j. Cada flecha "
            "de i a j suma el suyo a todos los de best[i].",
            "best[0] = [0.0]; en cada j, junta todas las sumas, ordénalas de mayor a menor y "
            "quédate con las n primeras.",
        ),
    ),
    Task(
        function="best_scores",
        cases=(
            Case("los dos mejores", _best("casas", 2)),
            Case("los cinco mejores de una palabra larga", _best("cosascasa", 5)),
            Case("el mejor corte no lleva el trozo más largo", _best("sacas", 3)),
            Case("dos cortes que empatan", _best("aba", 3)),
            Case("solo hay un corte", _best("oco", 3)),
            Case("solo el mejor", _best("cas", 1)),
            Case("una palabra y unos puntajes al azar", _random_scores(seed=0, n=4)),
            Case("sesenta letras, sin enumerar los cortes", _long(seed=1), Rules(lines=20_000)),
            example("as", {"a": -1.0, "s": -1.0, "as": -1.5}, 2),
            Case(
                "el otro ejemplo del enunciado",
                lambda: ("as", {"a": -1.0, "s": -1.0, "as": -1.5}, 5),
            ),
        ),
        reference=lambda word, scores, n: _best_by_rests(word, scores, n),
        mistakes=(
            Mistake(
                "uno-por-hueco",
                "guardas un solo puntaje en cada hueco: el segundo mejor camino puede pasar por un "
                "hueco con su segundo mejor principio",
                (_only_one_per_gap,),
            ),
            Mistake(
                "solo-el-mejor",
                "devuelves solo el mejor corte, y se piden los n mejores",
                (lambda word, scores, n: _best_by_rests(word, scores, 1),),
            ),
            Mistake(
                "al-reves",
                "van de peor a mejor: se pide primero el mayor",
                (lambda word, scores, n: _best_by_rests(word, scores, n)[::-1],),
            ),
            Mistake(
                "los-peores",
                "te has quedado con los de menor puntaje",
                (lambda word, scores, n: _best_by_rests(word, scores, n, sorted),),
            ),
            Mistake(
                "sin-empates",
                "has quitado los puntajes repetidos: dos cortes distintos pueden valer lo mismo",
                (_without_repeats,),
            ),
            Mistake(
                "probabilidad",
                "devuelves probabilidades, y se piden sus logaritmos: los puntajes se suman",
                (lambda word, scores, n: [*map(math.exp, _best_by_rests(word, scores, n))],),
            ),
            Mistake(
                "voraz",
                "tomas siempre el trozo más largo, como WordPiece",
                (_greedy,),
            ),
        ),
        differentiable=False,
    ),
)
