"""Figura interactiva del muestreo: temperatura, top-k y top-p sobre distribuciones reales."""

from collections.abc import Mapping, Sequence

import traitlets

from tfcourse.widgets.base import CourseWidget, check_state_size, module_source, style_source


class SamplingWidget(CourseWidget):
    """Figura del muestreo: las barras de los tokens más probables y lo que queda tras recortar.

    Los logits vienen de un modelo entrenado; el navegador aplica la temperatura y los recortes.

    Args:
        tokens: el vocabulario, legible, en el orden de los logits.
        prompts: los logits del token siguiente de cada comienzo.

    Raises:
        ValueError: si no hay ningún comienzo o si no hay un logit por token.
    """

    _esm = module_source("drawing.js", "sampling.js")
    _css = style_source("drawing.css")

    state = traitlets.Dict().tag(sync=True)

    def __init__(self, tokens: Sequence[str], prompts: Mapping[str, Sequence[float]]):
        if not prompts or any(len(logits) != len(tokens) for logits in prompts.values()):
            sizes = sorted({len(logits) for logits in prompts.values()})
            raise ValueError(
                f"hay {len(tokens)} tokens y logits de tamaño {sizes}: hace falta al menos un "
                "comienzo, con un logit por token"
            )
        rows = [
            {"text": text, "logits": [round(float(x), 2) for x in logits]}
            for text, logits in prompts.items()
        ]
        state = {"tokens": list(tokens), "prompts": rows}
        check_state_size(state)
        super().__init__(state=state)

    def summary(self) -> str:
        """Cuántos comienzos y cuántos tokens."""
        return f"{len(self.state['prompts'])} comienzos, {len(self.state['tokens'])} tokens"
