"""Figura interactiva de capas y cabezas: los mapas de atención de un Transformer entrenado."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import traitlets

from tfcourse.widgets.base import CourseWidget, check_state_size, module_source, style_source

_ROLES = {
    "codificador": ("Quien mira", "A quién mira"),
    "decodificador": ("Quien mira", "A quién mira"),
    "cruzada": ("Salida", "Entrada"),
}


@dataclass(frozen=True, eq=False)
class HeadsExample:
    """Una oración y los pesos de todas las capas y cabezas al traducirla.

    Args:
        source: símbolos de la entrada, `Lx` textos.
        target: símbolos que lee el decodificador, `Ly` textos.
        maps: pesos (capas, cabezas, consultas, claves) de «codificador», «decodificador» y
            «cruzada»; no hace falta que estén los tres.
        written: símbolos que escribe cada posición del decodificador, para nombrar las filas de
            «cruzada»; si faltan, los que lee.

    Raises:
        ValueError: si un sitio no existe o sus pesos no miden lo que deben.
    """

    source: Sequence[str]
    target: Sequence[str]
    maps: Mapping[str, object]
    written: Sequence[str] | None = None

    def __post_init__(self) -> None:
        if not self.maps or set(self.maps) - set(_ROLES):
            raise ValueError(f"sitios {list(self.maps)}: usa alguno de {', '.join(_ROLES)}")
        for name, weights in self.maps.items():
            expected = tuple(map(len, self.sides(name)))
            found = np.shape(weights)
            if len(found) != 4 or found[2:] != expected:
                raise ValueError(
                    f"los pesos de «{name}» tienen forma {found} y se esperaba (capas, cabezas) y "
                    f"{expected}"
                )

    def sides(self, name: str) -> tuple[Sequence[str], Sequence[str]]:
        """Símbolos que miran y símbolos mirados en un sitio del modelo."""
        if name == "codificador":
            return self.source, self.source
        if name == "decodificador":
            return self.target, self.target
        return self.written or self.target, self.source

    def to_state(self) -> dict:
        """Lo que viaja al navegador: pesos con dos decimales."""
        places = []
        for name, weights in self.maps.items():
            rows, columns = self.sides(name)
            rounded = (np.asarray(weights, dtype=float).round(2) + 0.0).tolist()
            title = "a la memoria" if name == "cruzada" else name
            place = {"name": title, "rows": list(rows), "columns": list(columns)}
            target, source = _ROLES[name]
            places.append(place | {"maps": rounded, "names": {"target": target, "source": source}})
        return {"title": " ".join(self.source), "places": places}


class HeadsWidget(CourseWidget):
    """Figura de cabezas: elige oración, sitio, capa y cabeza, y mira a quién atiende cada símbolo.

    Args:
        examples: uno o varios `HeadsExample`, con los mismos sitios, capas y cabezas.

    Raises:
        ValueError: si no hay ejemplos, si no coinciden o si ocupan más de 200 kB.
    """

    _esm = module_source("alignment_text.js", "alignment.js", "heads.js")
    _css = style_source("alignment.css", "heads.css")

    sentences = traitlets.List(traitlets.Dict()).tag(sync=True)

    def __init__(self, examples: Sequence[HeadsExample]):
        shapes = [{name: np.shape(w)[:2] for name, w in e.maps.items()} for e in examples]
        if not shapes or any(shape != shapes[0] for shape in shapes):
            raise ValueError(
                f"llegaron {len(shapes)} ejemplos con {shapes}: hace falta al menos uno, y todos "
                "con los mismos sitios, capas y cabezas"
            )
        state = [example.to_state() for example in examples]
        check_state_size(state)
        super().__init__(sentences=state)

    def summary(self) -> str:
        """Cuántas oraciones contiene."""
        return f"{len(self.sentences)} oraciones"
