"""Tuits en español con su opinión, para el perfil `completo`: los lee la biblioteca `datasets`.

Proceden del taller TASS y los reparte Barbieri et al. (2022), con tres clases equilibradas.
"""

DATASET, LANGUAGE = "cardiffnlp/tweet_sentiment_multilingual", "spanish"
REVISION = "refs/convert/parquet"  # la copia sin programa propio, que es la que se lee sin permisos
PARTS = ("train", "validation", "test")


def spanish_tweets(part: str) -> tuple[list[str], list[int]]:
    """Los textos de una parte y sus clases: 0 negativo, 1 neutro, 2 positivo.

    Errores: `ValueError` si la parte no existe; `ModuleNotFoundError` si falta la biblioteca;
    `ConnectionError` si no se llega al servidor.
    """
    if part not in PARTS:
        raise ValueError(f"no hay ninguna parte {part!r}: usa una de {', '.join(PARTS)}")
    try:
        from datasets import load_dataset
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "para leer los tuits hace falta la biblioteca «datasets»: instálala con «pip install "
            "datasets» o usa el perfil rapido, que no la necesita"
        ) from None
    try:
        rows = load_dataset(DATASET, LANGUAGE, revision=REVISION, split=part)
    except OSError as error:
        raise ConnectionError(
            f"no se pudo abrir «{DATASET}» ({error}). Para seguir sin red, usa el perfil rapido "
            "(TFCOURSE_PERFIL=rapido)"
        ) from error
    return list(rows["text"]), list(rows["label"])
