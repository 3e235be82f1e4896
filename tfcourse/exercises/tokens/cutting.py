"""Ejercicios de código: el trozo más largo (WordPiece) y el mejor corte (Unigram)."""

import math
from itertools import combinations

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task

UNKNOWN = "<desconocido>"


def _longest(word, vocabulary, *, mark=True, shortest=False, on_fail="word", extra=0):
    """Corte por el trozo más largo, con alguna pieza cambiada."""
    pieces, start = [], 0
    while start < len(word):
        prefix = "##" if start and mark else ""
        stops = range(start + 1, len(word) + 1)
        for stop in stops if shortest else reversed(stops):
            if prefix + word[start:stop] in vocabulary:
                pieces.append(prefix + word[start:stop])
                start = stop + extra
                break
        else:
            if on_fail == "word":
                return [UNKNOWN]
            if on_fail == "rest":
                return [*pieces, UNKNOWN]
            pieces.append(UNKNOWN)
            start += 1
    return pieces


def _longest_recursively(word, vocabulary, prefix=""):
    for size in range(len(word), 0, -1):
        piece = prefix + word[:size]
        if piece in vocabulary:
            if size == len(word):
                return [piece]
            rest = _longest_recursively(word[size:], vocabulary, "##")
            return [UNKNOWN] if rest == [UNKNOWN] else [piece, *rest]
    return [UNKNOWN]


def _reference_longest(word, vocabulary):
    return _longest_recursively(word, vocabulary)


def _with(**changes):
    return lambda word, vocabulary: _longest(word, vocabulary, **changes)


PIECES = ["c", "ca", "cas", "casa", "s", "##s", "##a", "##as", "##it", "##ita", "##n", "##o", "pe"]


def _case(word, pieces=PIECES):
    return lambda: (word, list(pieces))


LONGEST_PIECE = Exercise(
    Card(
        id="trozo-mas-largo",
        title="El trozo más largo",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="cortar como WordPiece, con su marca y su token desconocido",
        hints=(
            "Desde `start`, prueba los finales del más lejano al más cercano y quédate con el "
            "primero que esté en el vocabulario.",
            "Si `start` no es 0, lo que se busca en el vocabulario lleva «##» delante.",
            "Si ningún final vale, devuelve enseguida `['<desconocido>']`: WordPiece no se queda "
            "con los trozos que ya llevaba.",
        ),
    ),
    Task(
        function="longest_pieces",
        cases=(
            Case("una palabra en dos trozos", _case("casas")),
            Case("el más largo primero", _case("casita")),
            Case("una palabra entera", _case("casa")),
            Case("falla a mitad de palabra", _case("casaxo")),
            Case("falla por ser voraz", _case("peca")),
            Case("falla al principio", _case("xo")),
            Case("una letra", _case("s")),
        ),
        reference=_reference_longest,
        mistakes=(
            Mistake(
                "sin-marca",
                "buscas los trozos de dentro sin la marca «##»: en el vocabulario, los que no "
                "empiezan palabra la llevan",
                (_with(mark=False),),
            ),
            Mistake(
                "trozo-mas-corto",
                "te quedas con el trozo más corto: prueba los finales del más lejano al más "
                "cercano",
                (_with(shortest=True),),
            ),
            Mistake(
                "desconocido-parcial",
                "cuando algo no se puede cortar, toda la palabra es desconocida: no se guardan los "
                "trozos anteriores",
                (_with(on_fail="rest"), _with(on_fail="letter")),
            ),
            Mistake(
                "salta-una-letra",
                "te saltas una letra después de cada trozo: el siguiente empieza donde acabó el "
                "anterior",
                (_with(extra=1),),
            ),
        ),
        differentiable=False,
    ),
)


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
