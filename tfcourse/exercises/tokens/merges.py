"""Ejercicios de código: fusionar un par y cortar una palabra con BPE."""

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _merged(symbols, left, right, *, advance=2, first_only=False, loose=False, drop_tail=False):
    """Fusión con alguna pieza cambiada: así se fabrican los errores típicos."""
    result, i, done = [], 0, False
    while i < len(symbols):
        pair = symbols[i : i + 2]
        found = pair == [left, right] or (loose and pair == [right, left])
        if found and not (first_only and done):
            result.append("".join(pair))
            i, done = i + advance, True
        elif drop_tail and i == len(symbols) - 1:
            break
        else:
            result.append(symbols[i])
            i += 1
    return result


def _merge_by_text(symbols, left, right):
    """Cálculo independiente: se recorre con una pila, mirando el último símbolo suelto."""
    result, fused = [], True
    for symbol in symbols:
        if not fused and symbol == right and result[-1] == left:
            result[-1], fused = left + right, True
        else:
            result.append(symbol)
            fused = False
    return result


def _from_the_right(symbols, left, right):
    backwards = [symbol[::-1] for symbol in symbols[::-1]]
    merged = _merged(backwards, right[::-1], left[::-1])
    return [symbol[::-1] for symbol in merged[::-1]]


def _with(**changes):
    return lambda symbols, left, right: _merged(symbols, left, right, **changes)


def _symbols(text, left, right):
    return lambda: (text.split("·"), left, right)


MERGE = Exercise(
    Card(
        id="fusionar",
        title="Fusionar un par",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=2,
        objective="escribir la operación de la que está hecho BPE, con sus casos límite",
        hints=(
            "Recorre la lista con una posición `i`. En cada vuelta hay dos posibilidades: aquí "
            "empieza el par, o no. ¿Cuánto avanza `i` en cada una?",
            "Si `symbols[i]` y `symbols[i + 1]` son el par, añade los dos unidos y avanza 2; si "
            "no, añade el de ahora y avanza 1. Cuidado con la última posición.",
            "while i < len(symbols): if symbols[i : i + 2] == [left, right]: …, i += 2; else: …",
        ),
    ),
    Task(
        function="merge",
        cases=(
            Case("un par en medio", _symbols("c·a·s·a·s", "a", "s")),
            Case("el par al final", _symbols("c·o·s·a", "s", "a")),
            Case("letras repetidas", _symbols("a·a·a·b·a·a", "a", "a")),
            Case("el par al revés también está", _symbols("s·a·s·o·a·s", "s", "a")),
            Case("símbolos ya fusionados", _symbols("ca·s·ca·sa·s", "ca", "s")),
            Case("el par no está", _symbols("p·e·z", "a", "s")),
            Case("un solo símbolo", _symbols("y", "y", "y")),
        ),
        reference=_merge_by_text,
        mistakes=(
            Mistake(
                "solo-la-primera",
                "has fusionado solo la primera aparición: se fusionan todas",
                (_with(first_only=True),),
            ),
            Mistake(
                "avanza-uno",
                "tras fusionar avanzas una sola posición, y el segundo símbolo del par vuelve a "
                "salir: hay que saltarse los dos",
                (_with(advance=1),),
            ),
            Mistake(
                "pierde-el-ultimo",
                "pierdes el último símbolo cuando no forma parte del par",
                (_with(drop_tail=True),),
            ),
            Mistake(
                "orden-del-par",
                "has fusionado también el par al revés: el orden importa",
                (_with(loose=True),),
            ),
            Mistake(
                "desde-la-derecha",
                "has empezado por el final: con «a·a·a» se fusionan las dos primeras, no las dos "
                "últimas",
                (_from_the_right,),
            ),
            Mistake(
                "sin-fusionar",
                "devuelves los símbolos como llegaron",
                (lambda symbols, left, right: list(symbols),),
            ),
        ),
        differentiable=False,
    ),
)


def _apply(order=None, once=False, merge=_merge_by_text):
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
        symbols = _merge_by_text(symbols, *merges[min(ranks)])


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
                (_apply(merge=_with(first_only=True)),),
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
