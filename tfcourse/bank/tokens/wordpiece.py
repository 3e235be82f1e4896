"""Ejercicio de código: el trozo más largo, como corta WordPiece."""

from tfcourse.bank.tokens.words import any_word, some_pieces
from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example

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


def _with_second_thoughts(word, vocabulary, prefix=""):
    """Si lo que sigue no se puede cortar, prueba con un trozo más corto: no es lo que hace."""
    if not word:
        return []
    for size in range(len(word), 0, -1):
        if prefix + word[:size] in vocabulary:
            rest = _with_second_thoughts(word[size:], vocabulary, "##")
            if rest != [UNKNOWN]:
                return [prefix + word[:size], *rest]
    return [UNKNOWN]


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


PIECES = ["c", "ca", "cas", "casa", "s", "##s", "##a", "##as", "##it", "##ita", "##n", "##o"]


def _case(word, pieces=PIECES):
    return lambda: (word, list(pieces))


def _random_vocabulary(seed):
    """Están todas las letras, así que siempre hay un corte, y trozos con marca y sin ella."""

    def make():
        random = chance(seed)
        word = any_word(random, n_letters=3, length=9)
        pieces = {mark + letter for letter in word for mark in ("", "##")}
        pieces |= some_pieces(word, 3, random)
        pieces |= {f"##{piece}" for piece in some_pieces(word, 5, random)}
        return word, sorted(pieces)

    return make


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
            Case("falla por ser voraz", _case("caso", ["ca", "cas", "##so"])),
            Case("se hunde dos veces", _case("casita", ["c", "casi", "##asit", "##t", "##a"])),
            Case("falla al principio", _case("xo")),
            Case("una letra", _case("s")),
            Case("una palabra y un vocabulario al azar", _random_vocabulary(seed=0)),
            Case("otra palabra y otro vocabulario al azar", _random_vocabulary(seed=1)),
            example("casas", ["cas", "##a", "##as"]),
            Case("el otro ejemplo del enunciado", lambda: ("caso", ["cas", "##a", "##as"])),
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
                "vuelve-atras",
                "cuando lo que sigue no se puede cortar, vuelves atrás y pruebas un trozo más "
                "corto: WordPiece toma el más largo y no se arrepiente",
                (lambda word, vocabulary: _with_second_thoughts(word, vocabulary),),
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
