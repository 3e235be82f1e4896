"""La Wikipedia en español entera, para el perfil `completo`: se lee de la red según hace falta.

Los textos son de los autores de Wikipedia en español, con licencia CC BY-SA 4.0.
"""

import itertools
from collections.abc import Iterator

from tfcourse.datasets.streams import simplify_text

DATASET, EDITION = "wikimedia/wikipedia", "20231101.es"


def wikipedia_texts(n_articles: int | None = None) -> Iterator[str]:
    """El texto de los artículos de la edición del 1 de noviembre de 2023, uno a uno.

    Los baja, los comprueba y los guarda la biblioteca `datasets`. Errores: `ModuleNotFoundError` si
    falta; `ConnectionError` si no se llega al servidor.
    """
    try:
        from datasets import load_dataset
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "para leer la Wikipedia hace falta la biblioteca «datasets»: instálala con «pip "
            "install datasets» o usa el perfil rapido, que no la necesita"
        ) from None
    try:
        rows = load_dataset(DATASET, EDITION, split="train", streaming=True)
    except OSError as error:
        raise ConnectionError(
            f"no se pudo abrir «{DATASET}», edición {EDITION} ({error}). Para seguir sin red, usa "
            "el perfil rapido (TFCOURSE_PERFIL=rapido)"
        ) from error
    return (row["text"] for row in itertools.islice(rows, n_articles))


def wikipedia_text(max_characters: int) -> str:
    """Los primeros `max_characters` caracteres, sin marcas, un artículo detrás de otro.

    Errores: los de `wikipedia_texts`, y `ValueError` si no se pide ningún carácter.
    """
    if max_characters < 1:
        raise ValueError(f"max_characters={max_characters}: pide al menos uno")
    pieces, size = [], 0
    for text in wikipedia_texts():
        pieces.append(simplify_text(" ".join(text.split())))
        size += len(pieces[-1]) + 1
        if size > max_characters:
            break
    return "\n".join(pieces)[:max_characters]
