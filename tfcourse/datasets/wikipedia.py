"""La Wikipedia en español, entera (perfil `completo`): se lee de la red según hace falta."""

import itertools
from collections.abc import Iterator

DATASET, EDITION = "wikimedia/wikipedia", "20231101.es"


def wikipedia_texts(n_articles: int | None = None) -> Iterator[str]:
    """El texto de los artículos de la edición del 1 de noviembre de 2023, uno a uno.

    Los textos son de los autores de Wikipedia en español, CC BY-SA 3.0. Necesita el paquete
    `datasets`. Errores: `ModuleNotFoundError` si no está; `ConnectionError` si no hay red.
    """
    try:
        from datasets import load_dataset
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "para leer la Wikipedia hace falta el paquete «datasets»: instálalo con «pip install "
            "datasets» o usa el perfil rapido (TFCOURSE_PERFIL=rapido)"
        ) from error
    try:
        rows = load_dataset(DATASET, EDITION, split="train", streaming=True)
    except (OSError, ConnectionError) as error:
        raise ConnectionError(
            f"no se pudo abrir «{DATASET}», edición {EDITION} ({error}). Para seguir sin red, usa "
            "el perfil rapido (TFCOURSE_PERFIL=rapido)"
        ) from error
    return (row["text"] for row in itertools.islice(rows, n_articles))
