"""Lectores de los ejercicios de comprender sobre generar texto."""

from fractions import Fraction
from itertools import accumulate

from tests.exercises.statement_readers import enumerated, named_integers, only, value

SINGLE = 4  # bytes de un número en precisión simple


def survivors(statement):
    """Los recortes, con fracciones exactas: ningún redondeo decide quién queda."""
    listed = only(r"da a seis tokens estas probabilidades: (.+?)\. ¿Cuántos", statement)
    probabilities = [Fraction(str(number)) for number in enumerated(listed)]
    assert len(probabilities) == 6 and sum(probabilities) == 1
    p = r"top-p, \$p = (\S+)\$"
    k = only(r"`k`: con top-k, \$k = (\d+)\$;", statement)
    alone = only(rf"`p`: con {p};", statement)
    tau, sharpened = only(rf"`tau_y_p`: con temperatura \$\\tau = (\S+)\$ y {p};", statement)
    assert only(rf"`k_y_p`: con top-k, \$k = (\d+)\$, y después {p}\.", statement) == (k, alone)
    assert alone == sharpened
    example, example_listed = only(
        "El orden es el del capítulo: temperatura, top-k y top-p, y tras cada recorte lo que queda "
        r"vuelve a sumar 1\. Por ejemplo, con \$p = (\S+)\$ serían (.+)\.",
        statement,
    )
    cuts = (probabilities, int(k), _fraction(tau))
    assert enumerated(example_listed) == _left(*cuts, _fraction(example))
    return named_integers(statement, _left(*cuts, _fraction(alone)))


def _fraction(text):
    return Fraction(str(value(text)))


def _left(probabilities, k, tau, p):
    """Cuántos quedan con top-k, con top-p, con temperatura y top-p, y con top-k y top-p."""
    likeliest = sorted(probabilities, reverse=True)
    exponent = 1 / tau
    assert exponent.denominator == 1  # si no, la potencia ya no es una fracción
    sharpened = [probability**exponent for probability in likeliest]
    nuclei = [_nucleus(kept, p) for kept in (likeliest, sharpened, likeliest[:k])]
    return [len(likeliest[:k]), *nuclei]


def _nucleus(kept, p):
    """El primero en el que lo acumulado llega a la parte p de la suma."""
    reached = [total >= p * sum(kept) for total in accumulate(kept)]
    return 1 + reached.index(True)


def cache_bytes(statement):
    """Los bytes, vector a vector."""
    whose, *sizes, number = only(
        r"Un modelo (.+): (\d+) capas, (\d+) cabezas, \$d = (\d+)\$\. La caché se guarda en "
        r"precisión \*\*simple\*\*: (\d) bytes por número\.",
        statement,
    )
    assert int(number) == SINGLE
    assert whose != "del tamaño de GPT-2" or sizes == ["12", "12", "768"]
    assert sizes[1] == only(r"si las (\d+) cabezas de cada capa \*\*comparten\*\* una", statement)
    one = only(r"`secuencia`: una secuencia de (\d+) tokens;", statement)
    sixteen = only(r"`dieciseis`: dieciséis secuencias de (\d+) tokens a la vez;", statement)
    lengths = (1, int(one), 16 * int(sixteen))
    *example, listed = only(
        r"con (\d+) capas, (\d+) cabezas y \$d = (\d+)\$, serían (.+)\.", statement
    )
    assert enumerated(listed) == _bytes(*map(int, example), lengths)
    return named_integers(statement, _bytes(*map(int, sizes), lengths))


def _bytes(layers, heads, width, lengths):
    assert width % heads == 0
    vectors = [width // heads for _ in range(layers) for _ in ("clave", "valor")]
    all_heads = sum(heads * vector * SINGLE for vector in vectors)
    return [*(length * all_heads for length in lengths), sum(vectors) * SINGLE]


READERS = {"cuantos-quedan": survivors, "cuanto-ocupa-la-cache": cache_bytes}
