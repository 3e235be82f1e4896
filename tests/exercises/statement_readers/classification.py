"""Lectores de los enunciados de imágenes como secuencias de parches."""

import re

from tests.exercises.statement_readers import asked_in_table, count, integers, only, pieces

CHANNELS = {"en color": 3, "en gris": 1}


def _vit(kind, height, breadth, patch, width):
    patches = pieces(int(height), int(patch)) * pieces(int(breadth), int(patch))
    numbers = CHANNELS[kind] * int(patch) * int(patch)
    tokens = 1 + patches
    return {
        "parches": patches, "numeros": numbers, "tokens": tokens,
        "posiciones": tokens * int(width), "matriz": numbers * int(width),
    }  # fmt: skip


def vit_sizes(text):
    keys = asked_in_table(text)
    assert "sin el sesgo" in keys["matriz"]
    sizes = only(
        r"Una imagen (en \w+) de (\d+) × (\d+) píxeles \(alto × ancho\) entra en un ViT con "
        r"parches de (\d+) × \4, anchura \$D = (\d+)\$, token de clase y posiciones aprendidas\.",
        text,
    )
    height, breadth, kind, patch, width, shown = only(
        r"una imagen de (\d+) × (\d+) (en \w+), parches de (\d+) × \4 y \$D = (\d+)\$ "
        r"serían (.+)\.$",
        text,
    )
    example = _vit(kind, height, breadth, patch, width)
    assert [example[key] for key in keys] == integers(shown)
    return _vit(*sizes)


def _growth(rows, columns):
    """Por cuánto crecen los tokens, las parejas y los bloques, si crecen las filas y columnas."""
    tokens = rows * columns
    return tokens, tokens * tokens, 1


def growth(text):
    before, after = only(
        r"^Se pasa de imágenes de (\d+) × \1 a imágenes de (\d+) × \2, con los mismos parches\.",
        text,
    )
    *names, how_many, keys = only(
        r"se multiplican los (tokens) \(sin contar el de clase\), las (parejas) que compara la "
        r"atención y los parámetros de los (bloques)\? "
        r"Contesta con un diccionario de (\w+) números: (.+)\.$",
        text,
    )
    assert len(names) == count(how_many) and names == re.findall(r"`(\w+)`", keys)
    shown = only(r"si solo se doblara el \*\*ancho\*\* serían (.+)\.$", text)
    assert list(_growth(1, 2)) == integers(shown)
    times = pieces(int(after), int(before))
    return dict(zip(names, _growth(times, times), strict=True))


READERS = {"que-lee-un-vit": vit_sizes, "agrandar-la-imagen": growth}
