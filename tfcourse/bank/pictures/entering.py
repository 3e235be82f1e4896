"""Ejercicio de código: lo que lee un MMBT, una imagen y un texto en una sola secuencia."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _built(order, restart=True, swap=False, position=True, segment=True):
    """Una entrada escrita fila a fila; `order` dice qué va en cada sitio."""

    def enter(cls, image, sep, words, positions, segments):
        pieces = {"cls": [cls], "image": list(image), "sep": [sep], "words": list(words)}
        rows, place = [], 0
        for name in order:
            if name == "words" and restart:
                place = 0
            for vector in pieces[name]:
                kind = int(name == "words") ^ int(swap)
                row = vector
                row = row + positions[place] if position else row
                rows.append(row + segments[kind] if segment else row)
                place += 1
        return torch.stack(rows)

    return enter


USUAL = ("cls", "image", "sep", "words")


def _case(n_image, n_words, width, seed):
    def make():
        g = seeded(seed)
        cls, sep = torch.randn(2, width, generator=g)
        image, words = (torch.randn(n, width, generator=g) for n in (n_image, n_words))
        positions = torch.randn(n_image + n_words + 4, width, generator=g)
        return cls, image, sep, words, positions, torch.randn(2, width, generator=g)

    return make


ENTERING = Exercise(
    Card(
        id="una-imagen-como-frase",
        title="Una imagen como si fuera una frase",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="meter una imagen en un BERT por la misma puerta que las palabras",
        hints=(
            "Pega primero los vectores: `torch.cat([cls[None], image, sep[None]])` es la primera "
            "frase, y `words`, la segunda.",
            "Cada frase cuenta sus posiciones desde cero: las de la segunda son "
            "`positions[: len(words)]`.",
            "El segmento 0 se suma a toda la primera frase, con su [CLS] y su [SEP], y el 1, a "
            "las palabras.",
        ),
    ),
    Task(
        function="enter",
        cases=(
            Case("cuatro tokens de imagen y tres palabras", _case(4, 3, 5, 0)),
            Case("más palabras que imagen", _case(2, 6, 4, 1)),
            Case("un solo token de imagen y una palabra", _case(1, 1, 6, 2)),
            Case("nueve tokens de imagen", _case(9, 4, 3, 3)),
        ),
        reference=_built(USUAL),
        mistakes=(
            Mistake(
                "posiciones-seguidas",
                "has seguido contando las posiciones: el texto vuelve a empezar en la 0",
                (_built(USUAL, restart=False),),
            ),
            Mistake(
                "segmentos-cambiados",
                "has cambiado los segmentos: el 0 es el de la imagen, con su [CLS] y su [SEP]",
                (_built(USUAL, swap=True),),
            ),
            Mistake(
                "sin-segmentos",
                "falta sumar el segmento: sin él no se sabe qué es imagen y qué es texto",
                (_built(USUAL, segment=False),),
            ),
            Mistake(
                "sin-posiciones",
                "falta sumar las posiciones",
                (_built(USUAL, position=False),),
            ),
            Mistake(
                "sin-separador",
                "falta el [SEP] entre la imagen y las palabras",
                (_built(("cls", "image", "words")),),
            ),
            Mistake(
                "el-texto-delante",
                "has puesto las palabras delante de la imagen: van al final",
                (
                    _built(("cls", "words", "sep", "image")),
                    _built(("cls", "words", "sep", "image"), restart=False),
                ),
            ),
        ),
    ),
)
