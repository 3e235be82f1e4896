"""Figura interactiva de búsqueda: escribe una palabra y mira qué dibujos encuentra el modelo."""

import base64
from collections.abc import Mapping, Sequence

import traitlets

from tfcourse.widgets.base import CourseWidget, check_state_size, module_source, style_source

LEVELS = 127  # cada número de un vector viaja en un octeto con signo


class GalleryWidget(CourseWidget):
    """Buscador de dibujos: una palabra o una frase, y los dibujos que más se le parecen.

    Los vectores los ha calculado un modelo de imagen y texto; el navegador solo los multiplica.

    Args:
        sprite: todos los dibujos en un PNG, por filas, en cuadrados iguales.
        columns: cuántos dibujos hay en cada fila del PNG.
        pictures: el nombre de cada dibujo y su vector, de longitud 1, en el orden del PNG.
        queries: los textos que se pueden buscar, cada uno con su vector, de longitud 1.
        examples: los textos que se ofrecen con un botón; el primero es el que se ve al abrir.

    Raises:
        ValueError: si falta algo, si los vectores no miden lo mismo, si un ejemplo no está entre
            los textos o si los datos pasan de 200 kB.
    """

    _esm = module_source("gallery.js")
    _css = style_source("drawing.css", "gallery.css")

    state = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        sprite: bytes,
        columns: int,
        pictures: Mapping[str, Sequence[float]],
        queries: Mapping[str, Sequence[float]],
        examples: Sequence[str],
    ):
        widths = {len(vector) for vector in (*pictures.values(), *queries.values())}
        if not pictures or not queries or len(widths) != 1 or columns < 1:
            raise ValueError(
                f"hay {len(pictures)} dibujos en {columns} columnas, {len(queries)} textos y "
                f"vectores de tamaño {sorted(widths)}: hace falta algo de cada, y un solo tamaño"
            )
        missing = [text for text in examples if text not in queries]
        if missing or not examples:
            raise ValueError(
                f"faltan los vectores de los ejemplos {missing}: dalos en `queries`, y ofrece al "
                "menos uno"
            )
        state = {
            "sprite": base64.b64encode(sprite).decode(),
            "columns": columns,
            "width": widths.pop(),
            "names": list(pictures),
            "pictures": _packed(pictures.values()),
            "texts": list(queries),
            "queries": _packed(queries.values()),
            "examples": list(examples),
        }
        check_state_size(state)
        super().__init__(state=state)

    def summary(self) -> str:
        """Cuántos dibujos y cuántos textos."""
        return f"{len(self.state['names'])} dibujos, {len(self.state['texts'])} textos"


def _packed(vectors) -> str:
    """Los vectores, redondeados a octetos con signo, uno detrás de otro y en base 64."""
    numbers = [round(max(-1.0, min(1.0, float(x))) * LEVELS) for row in vectors for x in row]
    return base64.b64encode(bytes(number % 256 for number in numbers)).decode()
