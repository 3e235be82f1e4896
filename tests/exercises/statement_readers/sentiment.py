"""Lectores de los ejercicios de comprender sobre sentimientos."""

from math import comb, prod

from tests.exercises.statement_readers import bullets, enumerated, named_integers, only, value


def model_sizes(statement):
    """Los parámetros, matriz a matriz y sesgo a sesgo."""
    total = only(r"una red recurrente bidireccional .*?\*\*(.+?)\*\* parámetros", statement.lower())
    words, d, h, hidden = only(
        r"vocabulario de (.+) palabras, embeddings de (\d+), una LSTM de (\d+) unidades \*\*por "
        r"dirección\*\* \(con un solo sesgo por compuerta, como en Keras\), una capa oculta de "
        r"(\d+) unidades que recibe los estados finales, y una salida de una unidad\.",
        statement,
    )
    sizes = _sizes(int(value(words)), int(d), int(h), int(hidden))
    assert sizes[-1] == value(total)
    published = "El mismo estudio publica" in statement
    assert published == ("ha de ser la publicada" in statement)
    assert not published or value(total) == 338_291
    *example, listed = only(
        r"con (\d+) palabras, embeddings de (\d+), LSTM de (\d+) y capa oculta de (\d+) "
        r"serían (.+)\.",
        statement,
    )
    assert enumerated(listed) == _sizes(*map(int, example))
    return named_integers(statement, sizes)


def _sizes(words, d, h, hidden):
    gate = [(d, h), (h, h), (h,)]
    two_ways = gate * 4 * 2
    output = [(2 * h, hidden), (hidden,), (hidden, 1), (1,)]
    parts = [sum(map(prod, shapes)) for shapes in ([(words, d)], two_ways, output)]
    return [*parts, sum(parts)]


def compare_models(statement):
    """Los aciertos, y p sumando todos los repartos tan desiguales como este."""
    counts = only(
        r"^Dos modelos contestan a los mismos (\d+) textos\. Los dos aciertan (\d+); solo A "
        r"acierta (\d+); solo B, (\d+); los demás los fallan ambos\.",
        statement,
    )
    only("el acierto de cada uno, entre 0 y 1;$", statement)
    only("la prueba exacta de McNemar, con dos colas", statement)
    *example, only_b, listed = only(
        r"si de (\d+) textos los dos aciertan (\d+), solo A acierta (\d+) y solo B (\w+), "
        r"serían (.+)\.$",
        statement,
    )
    assert only_b == "ninguno"
    shown = enumerated(listed.replace("`", ""))
    assert shown == _compared(*map(int, example), 0)
    return dict(zip(bullets(statement), _compared(*map(int, counts)), strict=True))


def _compared(texts, both, only_a, only_b):
    disagree = only_a + only_b
    assert both + disagree <= texts
    gaps = [(abs(2 * wins - disagree), comb(disagree, wins)) for wins in range(disagree + 1)]
    ways = sum(ways for gap, ways in gaps if gap >= abs(only_a - only_b))
    return [(both + only_a) / texts, (both + only_b) / texts, disagree, ways / 2**disagree]


def shares(statement):
    """Los dos repartos, con derivadas por diferencias y el camino sumado punto a punto."""
    toy = r"\$f\(n, o\) = (\d+)\\,o - (\d+)\\,n\\,o\$"
    only(r"las dos, \$n = o = 1\$, y la base, ninguna", statement)
    *example, listed = only(rf"^Por ejemplo, con {toy} serían (.+)\.$", statement)
    assert enumerated(listed) == [round(part, 6) for part in _shared(*map(int, example))]
    model = only(rf"Contesta {toy}\.", statement)
    return dict(zip(bullets(statement), _shared(*map(int, model)), strict=True))


def _shared(a, b, steps=100):
    def gradient(n, o, step=1e-3):
        def f(n, o):
            return a * o - b * n * o

        return [
            (f(n + step, o) - f(n - step, o)) / (2 * step),
            (f(n, o + step) - f(n, o - step)) / (2 * step),
        ]

    path = [gradient((k + 0.5) / steps, (k + 0.5) / steps) for k in range(steps)]
    return [*gradient(1, 1), *(sum(column) / steps for column in zip(*path, strict=True))]


READERS = {
    "de-que-esta-hecho": model_sizes,
    "empatan-o-no": compare_models,
    "cuanto-puso-el-no": shares,
}
