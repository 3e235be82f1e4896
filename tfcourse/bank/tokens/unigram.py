"""Ejercicio de código: el mejor corte de una palabra, con un modelo Unigram."""

import math
from itertools import combinations

from tfcourse.bank.tokens.words import any_word, some_pieces
from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _every_cut(word):
    for n in range(len(word)):
        for cuts in combinations(range(1, len(word)), n):
            edges = [0, *cuts, len(word)]
            yield [word[i:j] for i, j in zip(edges, edges[1:], strict=False)]


def _chances(word, scores):
    return [
        sum(scores[piece] for piece in pieces)
        for pieces in _every_cut(word)
        if all(piece in scores for piece in pieces)
    ]


def _best_by_force(word, scores):
    return max(_chances(word, scores))


def _greedy(word, scores):
    total, start = 0.0, 0
    while start < len(word):
        stop = next(s for s in range(len(word), start, -1) if word[start:s] in scores)
        total, start = total + scores[word[start:stop]], stop
    return total


def _best_first(word, scores):
    total, start = 0.0, 0
    while start < len(word):
        stops = [s for s in range(start + 1, len(word) + 1) if word[start:s] in scores]
        stop = max(stops, key=lambda s: scores[word[start:s]])
        total, start = total + scores[word[start:stop]], stop
    return total


def _scores(**chances):
    return {piece: math.log(chance) for piece, chance in chances.items()}


SCORES = _scores(c=0.1, a=0.15, s=0.15, o=0.05, as_=0.2, ca=0.0005, casa=0.02, cas=0.25, sa=0.08)
SCORES["as"] = SCORES.pop("as_")


def _best(word):
    return lambda: (word, dict(SCORES))


def _random_scores(seed):
    def make():
        random = chance(seed)
        word = any_word(random, n_letters=3, length=9)
        pieces = sorted(set(word) | some_pieces(word, 6, random))
        return word, {piece: math.log(random.uniform(0.001, 0.3)) for piece in pieces}

    return make


BEST_CUT = Exercise(
    Card(
        id="mejor-corte",
        title="El mejor corte, sin enumerarlos",
        kind="codigo",
        difficulty=3,
        minutes=20,
        points=4,
        objective="escribir el algoritmo de Viterbi para un modelo de trozos independientes",
        hints=(
            "Sea best[j] el mejor puntaje de las j primeras letras. best[0] = 0. ¿Cómo se llega a "
            "best[j] a partir de los anteriores?",
            "best[j] = máximo, sobre los i < j cuyo trozo word[i:j] existe, de best[i] + "
            "scores[word[i:j]].",
            "Empieza con best = [0.0] + [float('-inf')] * len(word) y dos bucles: j desde 1, "
            "hasta len(word), e i de 0 a j − 1.",
        ),
    ),
    Task(
        function="best_score",
        cases=(
            Case("el mejor corte no lleva el trozo más largo", _best("casas")),
            Case("una palabra larga", _best("cosascasa")),
            Case("el trozo más probable del principio no es el del mejor corte", _best("sacas")),
            Case("solo letras", _best("oco")),
            Case("una letra", _best("a")),
            Case("una palabra que es un trozo", _best("cas")),
            Case("una palabra y unos puntajes al azar", _random_scores(seed=0)),
        ),
        reference=_best_by_force,
        mistakes=(
            Mistake(
                "voraz",
                "tomas siempre el trozo más largo, como WordPiece: puede estropear lo que viene "
                "después",
                (_greedy,),
            ),
            Mistake(
                "mejor-trozo-primero",
                "tomas en cada paso el trozo más probable: lo que cuenta es el total del corte",
                (_best_first,),
            ),
            Mistake(
                "suma-de-cortes",
                "has sumado la probabilidad de todos los cortes: se pide la del mejor",
                (lambda word, scores: math.log(sum(map(math.exp, _chances(word, scores)))),),
            ),
            Mistake(
                "probabilidad",
                "devuelves la probabilidad, y se pide su logaritmo: los puntajes se suman",
                (lambda word, scores: math.exp(_best_by_force(word, scores)),),
            ),
            Mistake(
                "peor-corte",
                "te quedas con el corte de menor puntaje: se busca el mayor",
                (lambda word, scores: min(_chances(word, scores)),),
            ),
            Mistake(
                "solo-letras",
                "has sumado los puntajes de las letras sueltas: prueba también los trozos largos",
                (lambda word, scores: sum(scores[letter] for letter in word),),
            ),
        ),
        differentiable=False,
    ),
)
