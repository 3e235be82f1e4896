"""Figura interactiva de parches: una imagen cortada, y a qué parches mira cada uno."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
import traitlets

from tfcourse.layers.image.rollout import attention_rollout
from tfcourse.widgets.base import CourseWidget, check_state_size, module_source, style_source


@dataclass(frozen=True, eq=False)
class PatchReading:
    """Lo que hace con una imagen un Vision Transformer ya entrenado.

    Args:
        patch_size: lado de sus parches, en píxeles.
        maps: pesos (capas, cabezas, L, L), con el token de clase, si lo hay, el primero.
        answer: lo que contesta, con palabras.

    Raises:
        ValueError: si los pesos no tienen cuatro ejes o no son cuadrados.
    """

    patch_size: int
    maps: object
    answer: str

    def __post_init__(self) -> None:
        shape = np.shape(self.maps)
        if len(shape) != 4 or shape[2] != shape[3]:
            raise ValueError(
                f"los pesos tienen forma {shape} y se esperaba (capas, cabezas, L, L): apila los "
                "de cada capa de una sola imagen"
            )


@dataclass(frozen=True, eq=False)
class PatchExample:
    """Una imagen en gris, su nombre y cómo la lee cada modelo.

    Args:
        title: cómo se llama en la lista.
        image: (alto, ancho), con valores entre 0 y 1.
        readings: una `PatchReading` por modelo.

    Raises:
        ValueError: si no hay modelos, o si sus pesos no son de los parches de esta imagen.
    """

    title: str
    image: object
    readings: Sequence[PatchReading]

    def __post_init__(self) -> None:
        if not self.readings or len(np.shape(self.image)) != 2:
            raise ValueError(
                f"llegaron {len(self.readings)} modelos y una imagen de forma "
                f"{np.shape(self.image)}: hace falta un modelo o más, y una imagen (alto, ancho)"
            )
        for reading in self.readings:
            rows, columns = self.grid(reading)
            length = np.shape(reading.maps)[2]
            if length - rows * columns not in (0, 1):
                raise ValueError(
                    f"hay pesos de {length} tokens y la imagen tiene {rows} × {columns} parches de "
                    f"lado {reading.patch_size}: tienen que ser esos, o uno más, el de clase"
                )

    def grid(self, reading: PatchReading) -> tuple[int, int]:
        """Filas y columnas de parches."""
        height, width = np.shape(self.image)
        return height // reading.patch_size, width // reading.patch_size

    def to_state(self) -> dict:
        """Lo que viaja al navegador: pesos en milésimas y píxeles de 0 a 100."""
        readings = []
        for reading in self.readings:
            maps = torch.as_tensor(np.asarray(reading.maps, dtype=float))
            rows, columns = self.grid(reading)
            readings.append(
                {
                    "size": reading.patch_size,
                    "rows": rows,
                    "columns": columns,
                    "prefix": maps.shape[-1] - rows * columns,
                    "maps": thousandths(maps),
                    "rollout": thousandths(attention_rollout(list(maps))),
                    "answer": reading.answer,
                }
            )
        pixels = (100 * np.asarray(self.image, dtype=float)).round().astype(int).tolist()
        return {"title": self.title, "pixels": pixels, "readings": readings}


def thousandths(weights: torch.Tensor) -> list:
    """Pesos en milésimas enteras: ocupan la mitad que con decimales."""
    return (1000 * weights).round().int().tolist()


class PatchesWidget(CourseWidget):
    """Figura de parches: elige imagen, tamaño de parche y parche, y mira a cuáles atiende.

    Args:
        examples: uno o varios `PatchExample`, con los mismos tamaños de parche, capas y cabezas.

    Raises:
        ValueError: si no hay ejemplos, si no coinciden o si ocupan más de 200 kB.
    """

    _esm = module_source("drawing.js", "patches.js")
    _css = style_source("drawing.css", "patches.css")

    state = traitlets.List(traitlets.Dict()).tag(sync=True)

    def __init__(self, examples: Sequence[PatchExample]):
        kinds = [[(r.patch_size, *np.shape(r.maps)[:2]) for r in e.readings] for e in examples]
        if not kinds or any(kind != kinds[0] for kind in kinds):
            raise ValueError(
                f"llegaron {len(kinds)} ejemplos con {kinds}: hace falta al menos uno, y todos "
                "con los mismos tamaños de parche, capas y cabezas"
            )
        state = [example.to_state() for example in examples]
        check_state_size(state)
        super().__init__(state=state)

    def summary(self) -> str:
        """Cuántas imágenes y qué parches."""
        sizes = ", ".join(str(reading["size"]) for reading in self.state[0]["readings"])
        return f"{len(self.state)} imágenes, parches de lado {sizes}"
