"""Lectores de los ejercicios de comprender sobre la taxonomía de la atención."""

from fractions import Fraction

from tests.exercises.statement_readers import amounts, bullets, count, only, value


def count_scores(statement):
    """Recorriendo las parejas, sin fórmulas."""
    sentences, words = amounts(r"Un documento tiene (\d+) oraciones de (\d+) palabras\.", statement)
    symbols = int(only(r"un decodificador escribe (\d+) símbolos", statement))
    half_width = int(only(r"una ventana de \$D = (\d+)\$ posiciones a cada lado", statement))
    document = [(sentence, word) for sentence in range(sentences) for word in range(words)]
    window = range(-half_width, half_width + 1)
    assert bullets(statement) == ["global", "local", "jerarquica", "autoatencion"]
    assert count(only(r"Devuelve un diccionario con esas (\w+) claves", statement)) == 4
    return {
        "global": sum(len(document) for _ in range(symbols)),
        "local": sum(len(window) for _ in range(symbols)),
        "jerarquica": len(document) + len({sentence for sentence, _ in document}),
        "autoatencion": sum(len(document) for _ in document),
    }


def two_draws(statement):
    """Con fracciones exactas; la derivada del logaritmo, por su definición con el softmax."""
    shares = only(r"\\alpha_1 = ([\d{},]+)\$ y \$\\alpha_2 = ([\d{},]+)\$", statement)
    first, second = (Fraction(str(value(share))) for share in shares)
    assert first + second == 1
    rewards = [Fraction(int(r)) for r in only(r"\$R_1 = (-\d+)\$ y \$R_2 = (-\d+)\$", statement)]
    outcomes = [(first, rewards[0], 1 - first), (second, rewards[1], -first)]

    def moments(baseline):
        mean = sum(p * (r - baseline) * slope for p, r, slope in outcomes)
        return mean, sum(p * ((r - baseline) * slope - mean) ** 2 for p, r, slope in outcomes)

    average = sum(p * r for p, r, _ in outcomes)
    assert bullets(statement) == ["media", "sin_base", "con_base"]
    mean, plain = moments(0)
    return {
        "media": float(mean), "sin_base": float(plain), "con_base": float(moments(average)[1])
    }  # fmt: skip


READERS = {"cuantos-puntajes": count_scores, "dos-sorteos": two_draws}
