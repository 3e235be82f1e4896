"""Ejercicio de código: fusionar un par."""

from tfcourse.bank.tokens.words import any_word
from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


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


def merge_by_text(symbols, left, right):
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


def merge_with(**changes):
    """Fusión con esas piezas cambiadas."""
    return lambda symbols, left, right: _merged(symbols, left, right, **changes)


def _symbols(text, left, right):
    return lambda: (text.split("·"), left, right)


def _random_symbols(n_letters, seed):
    """Pocas letras distintas, para que el par se repita, y uno de los pares que hay."""

    def make():
        random = chance(seed)
        symbols = list(any_word(random, n_letters, length=14))
        place = random.randrange(len(symbols) - 1)
        return symbols, *symbols[place : place + 2]

    return make


MERGE = Exercise(
    Card(
        id="fusionar",
        title="Fusionar un par: dos fallos",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=2,
        objective="encontrar por qué falla la operación de la que está hecho BPE, y arreglarla",
        hints=(
            "Sigue el intento con «a·a·a» y con «c·o·s·a», a mano. ¿Cuántos símbolos salen?",
            "Un fallo está en lo que hace tras encontrar el par; el otro, en dónde deja de mirar.",
            "Con un `for` no se puede saltar una posición: usa `while` y suma 2 tras fusionar. Y "
            "el último símbolo no tiene vecino, pero hay que ponerlo.",
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
            Case("dos letras al azar", _random_symbols(2, seed=0)),
            Case("cuatro letras al azar", _random_symbols(4, seed=1)),
            example(["c", "a", "s", "a", "s"], "a", "s"),
            Case("el otro ejemplo del enunciado", lambda: (["a", "a", "a"], "a", "a")),
        ),
        reference=merge_by_text,
        mistakes=(
            Mistake(
                "solo-la-primera",
                "has fusionado solo la primera aparición: se fusionan todas",
                (merge_with(first_only=True),),
            ),
            Mistake(
                "avanza-uno",
                "tras fusionar avanzas una sola posición, y el segundo símbolo del par vuelve a "
                "salir: hay que saltarse los dos",
                (merge_with(advance=1),),
            ),
            Mistake(
                "pierde-el-ultimo",
                "pierdes el último símbolo cuando no forma parte del par",
                (merge_with(drop_tail=True),),
            ),
            Mistake(
                "orden-del-par",
                "has fusionado también el par al revés: el orden importa",
                (merge_with(loose=True),),
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
