"""Los pesos publicados en los experimentos de `completo`: de dónde salen y qué pide cada uno."""

from tfcourse.datasets.download import data_folder
from tfcourse.official.catalogue import CATALOGUE
from tfcourse.official.loading import Loaded, load_official
from tfcourse.stored.full import Source


def official_source(name: str) -> Source:
    """La ficha de unos pesos del catálogo, como la de un conjunto que se descarga solo."""
    one = CATALOGUE[name]
    return Source(name, f"https://huggingface.co/{name}", one.licence, one.gigabytes)


def find_official(name: str) -> Loaded:
    """Unos pesos publicados, de la carpeta de datos si están en ella con su nombre, o bajados.

    Errores: los de `load_official`.
    """
    local = data_folder() / name
    return load_official(local if local.is_dir() else name)
