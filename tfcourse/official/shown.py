"""Los pesos publicados en los experimentos de `completo`: de dónde salen y qué pide cada uno."""

from pathlib import Path

from tfcourse.datasets.download import data_folder
from tfcourse.official.catalogue import CATALOGUE
from tfcourse.official.loading import Loaded, load_official
from tfcourse.stored.full import Source


def official_source(name: str) -> Source:
    """La ficha de unos pesos del catálogo, como la de un conjunto que se descarga solo."""
    one = CATALOGUE[name]
    return Source(name, f"https://huggingface.co/{name}", one.licence, one.gigabytes)


def local_or_name(name: str) -> Path | str:
    """Dónde buscar unos pesos: la carpeta de datos, si están en ella con su nombre, o el nombre."""
    local = data_folder() / name
    return local if local.is_dir() else name


def find_official(name: str) -> Loaded:
    """Unos pesos publicados, de la carpeta de datos o bajados. Errores: los de `load_official`."""
    return load_official(local_or_name(name))
