"""Wikipedia en español, para el perfil `completo`: los artículos enteros, según llegan.

Los textos son de los autores de Wikipedia en español, con licencia CC BY-SA 4.0.
"""

from tfcourse.datasets.streams import simplify_text

DATASET, VERSION = "wikimedia/wikipedia", "20231101.es"


def wikipedia_text(max_characters: int) -> str:
    """Los primeros `max_characters` caracteres de Wikipedia, un artículo detrás de otro.

    Los baja, los comprueba y los guarda la biblioteca `datasets`. Errores: `ModuleNotFoundError` si
    falta; `ConnectionError` si no se llega al servidor; `ValueError` si no se pide ningún carácter.
    """
    if max_characters < 1:
        raise ValueError(f"max_characters={max_characters}: pide al menos uno")
    try:
        from datasets import load_dataset
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "para bajar Wikipedia hace falta la biblioteca «datasets»: instálala con «pip install "
            "datasets» o usa el perfil rapido, que no la necesita"
        ) from None
    pieces, size = [], 0
    try:
        for article in load_dataset(DATASET, VERSION, split="train", streaming=True):
            pieces.append(simplify_text(" ".join(article["text"].split())))
            size += len(pieces[-1]) + 1
            if size > max_characters:
                break
    except OSError as error:
        raise ConnectionError(
            f"no se pudo bajar Wikipedia ({error}). Para seguir sin red, usa el perfil rapido "
            "(TFCOURSE_PERFIL=rapido)"
        ) from error
    return "\n".join(pieces)[:max_characters]
