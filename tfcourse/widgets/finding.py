"""Figura interactiva de búsqueda: lo que escribas, con BM25; y unas consultas, con vectores."""

from collections.abc import Mapping, Sequence

import traitlets

from tfcourse.widgets.base import CourseWidget, check_state_size, module_source, style_source

LEVELS = 10_000  # un coseno viaja como un número entero de diezmilésimas


class FindingWidget(CourseWidget):
    """Buscador de textos: BM25 con lo que se escriba y, con las consultas guardadas, los vectores.

    El navegador calcula BM25 y la fusión por puestos. Los cosenos son de un modelo que no cabe en
    la página: se dan hechos, y la figura lo dice.

    Args:
        documents: de cada título, su texto, en orden.
        queries: las consultas de las que hay cosenos: de cada una, el título que se busca y su
            coseno con cada documento.
        examples: las consultas que se ofrecen con un botón; la primera es la que se ve al abrir.
        reader: cómo se llama el modelo de los vectores.

    Raises:
        ValueError: si falta algo, si un título no existe, si los cosenos no son uno por documento o
            si los datos pasan de 200 kB.
    """

    _esm = module_source("drawing.js", "counting.js", "finding.js")
    _css = style_source("drawing.css", "finding.css")

    state = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        documents: Mapping[str, str],
        queries: Mapping[str, tuple[str, Sequence[float]]],
        examples: Sequence[str],
        reader: str = "E5",
    ):
        if not documents or not examples:
            raise ValueError(
                f"hay {len(documents)} documentos y {len(examples)} ejemplos: hace falta alguno"
            )
        titles = list(documents)
        for query, (title, cosines) in queries.items():
            if title not in documents or len(cosines) != len(documents):
                raise ValueError(
                    f"{query!r} busca {title!r} y trae {len(cosines)} cosenos: busca un título que "
                    f"esté y da uno por documento, {len(documents)}"
                )
        state = {
            "titles": titles,
            "texts": list(documents.values()),
            "queries": list(queries),
            "wanted": [titles.index(title) for title, _ in queries.values()],
            "cosines": [[round(LEVELS * x) for x in cosines] for _, cosines in queries.values()],
            "examples": list(examples),
            "reader": reader,
        }
        check_state_size(state)
        super().__init__(state=state)

    def summary(self) -> str:
        """Cuántos documentos y cuántas consultas con vector."""
        return f"{len(self.state['titles'])} documentos, {len(self.state['queries'])} consultas"
