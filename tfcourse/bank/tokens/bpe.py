"""Ejercicio de código: cortar una palabra con BPE."""

from tfcourse.bank.tokens.merges import merge_by_text, merge_with
from tfcourse.bank.tokens.words import any_word
from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _apply(order=None, once=False, merge=merge_by_text):
    """Corte con BPE con alguna pieza cambiada."""

    def bpe_cut(word, merges):
        symbols = list(word)
        for left, right in order(merges) if order else merges:
            before = symbols
            symbols = merge(symbols, left, right)
            if once and symbols != before:
                break
        return symbols

    return bpe_cut


def _rank_by_rank(word, merges):
    """Cálculo independiente: en cada vuelta, el par presente que antes se aprendió."""
    symbols = list(word)
    while True:
        present = list(zip(symbols, symbols[1:], strict=False))
        ranks = [rank for rank, pair in enumerate(merges) if tuple(pair) in present]
        if not ranks:
            return symbols
        symbols = merge_by_text(symbols, *merges[min(ranks)])


def _longest_known(word, merges):
    known = {left + right for left, right in merges}
    pieces, start = [], 0
    while start < len(word):
        stops = range(len(word), start, -1)
        stop = next((s for s in stops if word[start:s] in known), start + 1)
        pieces.append(word[start:stop])
        start = stop
    return pieces


MERGES = [["a", "s"], ["c", "as"], ["o", "s"], ["s", "a"], ["cas", "a"], ["casa", "s"]]
OVERLAP = [["b", "a"], ["a", "b"], ["ab", "a"], ["ba", "ba"], ["c", "b"]]


def _word(word, merges):
    return lambda: (word, [list(pair) for pair in merges])


def _learned(word, n_merges, random):
    """Fusiones que un BPE podría aprender de esa palabra, en su orden, elegidas al azar.

    Ninguna da un texto que ya hubiera: si «aba» saliera de «ab·a» y de «a·ba», no sería lo mismo
    aplicarlas en su orden que buscar cada vez la primera que se puede hacer.
    """
    symbols, merges = list(word), []
    while len(merges) < n_merges:
        known = {left + right for left, right in merges}
        present = sorted(zip(symbols, symbols[1:], strict=False))
        new = [pair for pair in present if "".join(pair) not in known]
        if not new:
            break
        merges.append(list(random.choice(new)))
        symbols = merge_by_text(symbols, *merges[-1])
    return merges


def _random_case(seed):
    """Una palabra con un final distinto del de aquella con la que se aprendió."""

    def make():
        random = chance(seed)
        word = any_word(random, n_letters=3, length=13)
        return word, _learned(word[:8], 4, random)

    return make


APPLY_MERGES = Exercise(
    Card(
        id="cortar-bpe",
        title="Cortar una palabra con BPE",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=3,
        objective="usar un BPE ya entrenado con una palabra que no ha visto nunca",
        hints=(
            "Empieza por los caracteres sueltos, `list(word)`. Lo aprendido es una lista de "
            "fusiones: ¿en qué orden se aplican?",
            "Cada fusión se aplica a toda la palabra antes de pasar a la siguiente. Ya tienes "
            "`merge`, del ejercicio anterior: puedes copiarla dentro.",
            "for left, right in merges: symbols = merge(symbols, left, right)",
        ),
    ),
    Task(
        function="bpe_cut",
        cases=(
            Case("una palabra conocida", _word("casas", MERGES)),
            Case("una palabra nueva", _word("cosas", MERGES)),
            Case("fusiones que se pisan", _word("cbabab", OVERLAP)),
            Case("una palabra sin pares conocidos", _word("pez", MERGES)),
            Case("ninguna fusión", _word("sol", [])),
            Case("una sola letra", _word("a", MERGES)),
            Case("una palabra y unas fusiones al azar", _random_case(seed=0)),
            Case("otra palabra y otras fusiones al azar", _random_case(seed=1)),
            example("casas", [["a", "s"], ["c", "as"]]),
        ),
        reference=_rank_by_rank,
        mistakes=(
            Mistake(
                "trozo-mas-largo",
                "has buscado el trozo más largo que exista: eso es WordPiece. BPE repite las "
                "fusiones en su orden",
                (_longest_known,),
            ),
            Mistake(
                "orden-inverso",
                "has aplicado las fusiones de la última a la primera: van en el orden en que se "
                "aprendieron",
                (_apply(order=lambda merges: merges[::-1]),),
            ),
            Mistake(
                "una-sola-fusion",
                "te has detenido tras la primera fusión que se podía hacer: sigue con las demás",
                (_apply(once=True),),
            ),
            Mistake(
                "solo-la-primera",
                "cada fusión se hace en todos los sitios de la palabra, no solo en el primero",
                (_apply(merge=merge_with(first_only=True)),),
            ),
            Mistake(
                "sin-fusionar",
                "devuelves los caracteres sueltos, sin fusionar nada",
                (_apply(order=lambda merges: []),),
            ),
        ),
        differentiable=False,
    ),
)
