"""Ejercicio abierto: ¿cuánto le cuesta tu manera de escribir a un tokenizador?"""

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example

WORDS = ("a", "de", "ya", "sol", "mar", "lluvia", "también", "ventana", "desgraciadamente")


def _pieces_of(size):
    """Un tokenizador de juguete: cada `size` caracteres, un trozo."""
    return lambda text: [text[i : i + size] for i in range(0, len(text), size)]


def _by_counting(texts, encode):
    pieces = words = 0
    for text in texts:
        pieces += len(encode(text))
        words += len(text.split())
    return pieces / words


def _mean_of_ratios(texts, encode):
    ratios = [len(encode(text)) / len(text.split()) for text in texts]
    return sum(ratios) / len(ratios)


def _upside_down(texts, encode):
    return 1 / _by_counting(texts, encode)


def _per_character(texts, encode):
    return sum(len(encode(text)) for text in texts) / sum(map(len, texts))


def _different_words(texts, encode):
    words = {word for text in texts for word in text.split()}
    return sum(len(encode(text)) for text in texts) / len(words)


def _per_text(texts, encode):
    return sum(len(encode(text)) for text in texts) / len(texts)


def _texts(*texts):
    return lambda: (list(texts), _pieces_of(2))


def _random_texts(size, seed):
    def make():
        random = chance(seed)
        lengths = (random.randint(1, 4), random.randint(8, 15), random.randint(20, 40))
        return [" ".join(random.choices(WORDS, k=n)) for n in lengths], _pieces_of(size)

    return make


FERTILITY = Exercise(
    Card(
        id="fertilidad",
        title="¿Cuánto cuesta escribir como escribes tú?",
        kind="abierto",
        difficulty=3,
        minutes=60,
        points=2,
        manual_points=8,
        objective="medir con honradez a quién favorece un tokenizador y a quién no",
        hints=(
            "Para `fertility`: suma los trozos de todos los textos, suma las palabras de todos y "
            "divide una sola vez.",
            "`text.split()` separa por espacios; `len(encode(text))` cuenta los trozos.",
            "Para el experimento: decide antes con qué comparas y mide varios textos de cada "
            "clase. ¿Qué diferencia verías entre dos mitades de la misma clase?",
        ),
    ),
    Task(
        function="fertility",
        cases=(
            Case("dos textos desiguales", _texts("el sol sale otra vez", "ya")),
            Case("palabras repetidas", _texts("no y no y no", "a veces no")),
            Case("un solo texto", _texts("desgraciadamente llueve")),
            Case("tres textos al azar", _random_texts(2, seed=0)),
            Case("tres textos al azar, en trozos de tres letras", _random_texts(3, seed=1)),
            example(["hola", "sí"], lambda text: [0] * ((len(text) + 1) // 2)),
        ),
        reference=_by_counting,
        mistakes=(
            Mistake(
                "media-de-cocientes",
                "has hecho la media de los cocientes de cada texto: uno de una palabra pesaría "
                "tanto como uno de mil. Divide los totales",
                (_mean_of_ratios,),
            ),
            Mistake(
                "al-reves",
                "has dividido al revés: son trozos por palabra",
                (_upside_down,),
            ),
            Mistake(
                "por-caracter",
                "has dividido entre los caracteres: se pide por palabra",
                (_per_character,),
            ),
            Mistake(
                "palabras-distintas",
                "has contado las palabras distintas: cada aparición cuenta",
                (_different_words,),
            ),
            Mistake(
                "por-texto",
                "has dividido entre el número de textos: se pide por palabra",
                (_per_text,),
            ),
        ),
        differentiable=False,
    ),
)
