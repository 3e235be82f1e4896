"""Ejercicio abierto: ¿cuántos ejemplos hacen falta para combinar?"""

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_sentence(written, expected):
    right = total = 0
    for guess, answer in zip(written, expected, strict=True):
        total += max(len(guess), len(answer))
        right += sum(a == b for a, b in zip(guess, answer, strict=False))
    return right / total


def _ratio(total):
    def measure(written, expected):
        pairs = list(zip(written, expected, strict=True))
        right = sum(a == b for g, e in pairs for a, b in zip(g, e, strict=False))
        return right / sum(total(g, e) for g, e in pairs)

    return measure


def _mean_of_sentences(written, expected):
    scores = [_by_sentence([g], [e]) for g, e in zip(written, expected, strict=True)]
    return sum(scores) / len(scores)


def _any_place(written, expected):
    pairs = list(zip(written, expected, strict=True))
    right = sum(word in answer for guess, answer in pairs for word in guess)
    return right / sum(max(len(g), len(e)) for g, e in pairs)


def _case(*pairs):
    def numbers(sentence):
        return [sum(map(ord, word)) for word in sentence.split()]

    return lambda: ([numbers(g) for g, _ in pairs], [numbers(e) for _, e in pairs])


def _random_case(n_sentences, seed):
    def make():
        random = chance(seed)
        expected = [random.sample(range(3, 60), random.randint(3, 8)) for _ in range(n_sentences)]
        return [_spoilt(sentence, random) for sentence in expected], expected

    return make


def _spoilt(sentence, random):
    """La frase con algún fallo: una palabra cambiada, perdida o repetida, dos de sitio, o nada."""
    place = random.randrange(len(sentence) - 1)
    first, second = sentence[place : place + 2]
    middles = ([first, 2], [second], [first, first, second], [second, first], [first, second])
    return [*sentence[:place], *random.choice(middles), *sentence[place + 2 :]]


WORDS = Exercise(
    Card(
        id="acierto-por-palabra",
        title="¿Cuántos ejemplos hacen falta para combinar?",
        kind="abierto",
        difficulty=3,
        minutes=70,
        points=2,
        manual_points=8,
        objective="medir por separado lo que se recuerda y lo que se combina",
        hints=(
            "Para la medida: se comparan las palabras que ocupan el mismo lugar; las que sobran o "
            "faltan en una de las dos frases son errores.",
            "El total de una frase es la longitud de la más larga de las dos, y el cociente se "
            "hace al final, con todas las frases juntas.",
            "Para el experimento: cambia solo el número de oraciones de entrenamiento, deja fijos "
            "los pasos, y dibuja dos curvas: oraciones nuevas y parejas reservadas.",
        ),
    ),
    Task(
        function="word_accuracy",
        cases=(
            Case(
                "dos frases, una con un error",
                _case(("veo la casa .", "veo la casa ."), ("no come", "no comen")),
            ),
            Case(
                "una frase corta y otra larga",
                _case(("me gusta .", "me gustan los árboles ."), ("sí .", "sí .")),
            ),
            Case("sobran palabras", _case(("compra un coche rojo .", "compra un coche ."))),
            Case("cambiadas de orden", _case(("la roja casa", "la casa roja"))),
            Case("nada escrito", _case(("", "la casa"), ("la casa", "la casa"))),
            Case("doce frases al azar", _random_case(12, seed=0)),
            example([[4, 7, 9]], [[4, 8, 9, 2]]),
        ),
        reference=_by_sentence,
        mistakes=(
            Mistake(
                "frases-enteras",
                "has contado frases enteras: aquí se cuentan palabras en su sitio",
                (lambda w, e: sum(a == b for a, b in zip(w, e, strict=True)) / len(e),),
            ),
            Mistake(
                "media-de-frases",
                "has hecho la media de las frases: así una palabra de una frase corta vale más; "
                "se dividen los aciertos de todas entre el total de todas",
                (_mean_of_sentences,),
            ),
            Mistake(
                "sin-contar-lo-que-sobra",
                "has dividido entre las palabras esperadas: las que el modelo escribe de más "
                "también son errores",
                (_ratio(lambda g, e: len(e)),),
            ),
            Mistake(
                "sin-contar-lo-que-falta",
                "no cuentas las palabras que faltan: con escribir solo la primera bastaría",
                (
                    _ratio(lambda g, e: len(g)),
                    _ratio(lambda g, e: min(len(g), len(e))),
                ),
            ),
            Mistake(
                "en-cualquier-sitio",
                "das por buena una palabra que está en la frase, pero en otro lugar: se comparan "
                "las que ocupan la misma posición",
                (_any_place,),
            ),
        ),
        differentiable=False,
    ),
)
