"""Mandos corrientes de `ipywidgets` atados al código de la página, que se calcula al moverlos.

Necesitan un Python en marcha (Jupyter, Colab). Lo que se guarda en el cuaderno es la imagen de los
valores del principio, que es lo que se ve en la página estática.
"""

import base64
import contextlib
import io
from collections.abc import Callable

import ipywidgets
import torch

PANEL_METADATA = {"tfcourse": {"panel": True}}
"""Con esto se marca la salida de un panel, para que al guardar quede solo su imagen."""

_RESET = "Valores del principio"


class Panel(ipywidgets.VBox):
    """Panel de mandos: una función de la página y un mando por cada uno de sus argumentos.

    La función dibuja una figura de Matplotlib o imprime; se la llama al crear el panel y cada vez
    que se suelta un mando, no mientras se arrastra. Si falla, el panel muestra el mensaje del error
    en lugar del resultado, y se puede seguir.

    Args:
        compute: función que recibe los valores de los mandos por su nombre.
        controls: mandos de `ipywidgets`, con su `description` en español.

    Raises:
        ValueError: si no hay mandos, si alguno no dice qué mueve, o si la función deja más de una
            cosa que ver.
    """

    def __init__(self, compute: Callable[..., object], **controls: ipywidgets.ValueWidget):
        _check(controls)
        self.compute, self.controls = compute, controls
        self.start = {name: control.value for name, control in controls.items()}
        self.screen = ipywidgets.Output()
        self.error = ""
        reset = ipywidgets.Button(description=_RESET, layout={"width": "max-content"})
        reset.on_click(lambda _: self.reset())
        for control in controls.values():
            _prepare(control)
            control.observe(lambda _: self.show(), names="value")
        super().__init__([*controls.values(), reset, self.screen])
        self.show()

    def show(self) -> None:
        """Calcula con los valores de ahora y cambia lo que se ve."""
        values = {name: control.value for name, control in self.controls.items()}
        with contextlib.redirect_stdout(io.StringIO()) as text:
            pictures = self._computed(values)
        self.picture = _bundle(text.getvalue() + self.error, pictures)
        data = [{"output_type": "display_data", "data": self.picture, "metadata": {}}]
        self.screen.outputs = tuple(data)

    def reset(self) -> None:
        """Devuelve los mandos a los valores del principio."""
        for name, control in self.controls.items():
            control.value = self.start[name]

    def _computed(self, values: dict[str, object]) -> list[bytes]:
        """Figuras que deja la función. Lo que falla se guarda en `error`."""
        import matplotlib.pyplot as plt

        others = set(plt.get_fignums())
        self.error = ""
        try:
            with torch.no_grad():
                self.compute(**values)
        except Exception as error:  # el panel sigue vivo: se prueba con otro valor
            self.error = f"Con estos valores no se puede calcular: {error}"
        made = [plt.figure(number) for number in plt.get_fignums() if number not in others]
        pictures = [] if self.error else [_png(figure) for figure in made]
        for figure in made:
            plt.close(figure)
        return pictures

    def __repr__(self) -> str:
        return f"Panel({', '.join(control.description for control in self.controls.values())})"

    def _repr_mimebundle_(self, **options: object) -> tuple[dict, dict]:
        bundle = super()._repr_mimebundle_(**options)
        return {**bundle, **self.picture}, PANEL_METADATA


def _check(controls: dict[str, ipywidgets.ValueWidget]) -> None:
    if not controls:
        raise ValueError("un panel necesita al menos un mando, p. ej. scale=FloatSlider(…)")
    mute = [name for name, control in controls.items() if not control.description]
    if mute:
        raise ValueError(f"di qué mueve cada mando con description=…: falta en {', '.join(mute)}")


def _prepare(control: ipywidgets.ValueWidget) -> None:
    """Que el nombre quepa entero y que se calcule al soltar."""
    control.style.description_width = "initial"
    control.layout.width = "min(100%, 32rem)"
    if control.has_trait("continuous_update"):
        control.continuous_update = False


def _png(figure) -> bytes:
    with io.BytesIO() as file:
        figure.savefig(file, format="png", dpi=figure.dpi, bbox_inches="tight")
        return file.getvalue()


def _bundle(text: str, pictures: list[bytes]) -> dict[str, str]:
    """Lo que se ve, en los formatos de un cuaderno. Errores: `ValueError` si es más de una cosa."""
    if len(pictures) > 1 or (pictures and text):
        raise ValueError(
            "la función de un panel dibuja una figura o imprime, y esta ha dibujado "
            f"{len(pictures)} y ha impreso «{text.strip()}»"
        )
    bundle = {"text/plain": text.rstrip() or "figura de un panel"}
    if pictures:
        bundle["image/png"] = base64.b64encode(pictures[0]).decode()
    return bundle
