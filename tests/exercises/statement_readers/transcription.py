"""Lectores de los enunciados del reconocimiento del habla."""

from tests.exercises.statement_readers import count, enumerated, only, value
from tests.exercises.statement_readers.spectrograms import (
    NUMBER,
    WHISPER,
    asked_dictionary,
    centres,
)

WHISPER_SECONDS = 30
STRIDES = (1, 2)  # las de las convoluciones del tallo


def encoder(statement: str) -> dict[str, float]:
    who, *given = only(
        r"(Whisper|Un modelo como Whisper, pero con otra entrada,) recibe "
        rf"\*\*(\d+) segundos a {NUMBER} Hz\*\* con una ventana de (\d+) muestras y un salto de "
        r"(\d+), y descarta la última columna\.",
        statement,
    )
    seconds, rate, window, hop = (int(value(text)) for text in given)
    assert hop <= window
    assert (who == "Whisper") == ((seconds, rate, window, hop) == (WHISPER_SECONDS, *WHISPER))
    assert count(only(r"vienen las (\w+) convoluciones del tallo", statement)) == len(STRIDES)
    other, example = only(r"con (\d+) segundos serían (.+)\.$", statement)
    assert int(other) != seconds and enumerated(example) == [*_lengths(int(other), rate, hop)]
    return asked_dictionary(statement, _lengths(seconds, rate, hop))


def _lengths(seconds: int, rate: int, hop: int) -> tuple[float, ...]:
    """Columnas, vectores, milisegundos y pares; lo que se parte, se parte justo."""
    columns = vectors = centres(seconds * rate, hop)[:-1]
    for stride in STRIDES:
        assert len(vectors) % stride == 0
        vectors = vectors[::stride]
    assert (seconds * rate) % hop == 0
    apart = vectors[1] - vectors[0]
    return len(columns), len(vectors), 1000 * apart / rate, len(vectors) * len(vectors)


def word_errors(statement: str) -> dict[str, float]:
    said, written = only(
        r"Alguien dice \*\*«(.+?)»\*\* y el modelo escribe \*\*«(.+?)»\*\*\.", statement
    )
    other_said, other_written, example = only(
        r"si se dice «(.+?)» y se escribe «(.+?)», serían (.+)\.$", statement
    )
    assert enumerated(example) == [*_errors(other_said.split(), other_written.split())]
    return asked_dictionary(statement, _errors(said.split(), written.split()))


def _errors(said: list[str], written: list[str]) -> tuple[float, ...]:
    """Cambios, bajas, altas y la tasa: prueba con cero arreglos, con uno, con dos… hasta que sale.

    Un estado dice cuántas palabras van de cada frase y los arreglos hechos de cada clase.
    """
    end = (len(said), len(written))
    states = _with_matches({(0, 0, 0, 0, 0)}, said, written)
    while not (ways := [fixes for i, j, *fixes in states if (i, j) == end]):
        states = _with_matches(_with_one_more(states), said, written)
    (fixes,) = ways  # una sola manera de repartirlos
    return *fixes, sum(fixes) / len(said)


def _with_matches(states: set, said: list[str], written: list[str]) -> set:
    """Con los estados a los que se llega avanzando a la par mientras las palabras coinciden."""
    reached = set()
    for i, j, *fixes in states:
        reached.add((i, j, *fixes))
        for heard, wrote in zip(said[i:], written[j:], strict=False):
            if heard != wrote:
                break
            i, j = i + 1, j + 1
            reached.add((i, j, *fixes))
    return reached


def _with_one_more(states: set) -> set:
    """Los estados que salen de estos con un arreglo más: un cambio, una baja o un alta."""
    changed = {(i + 1, j + 1, c + 1, b, a) for i, j, c, b, a in states}
    missing = {(i + 1, j, c, b + 1, a) for i, j, c, b, a in states}
    return changed | missing | {(i, j + 1, c, b, a + 1) for i, j, c, b, a in states}


READERS = {"cuanto-lee-el-codificador": encoder, "errores-por-palabra": word_errors}
