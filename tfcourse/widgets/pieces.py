"""Figura interactiva de trozos: cómo corta una misma frase cada tokenizador."""

from collections.abc import Mapping, Sequence

import traitlets

from tfcourse.tokenizers.base import Tokenizer
from tfcourse.widgets.base import CourseWidget, check_state_size, module_source, style_source


class PiecesWidget(CourseWidget):
    """Figura de trozos: escribe una frase y mira, a la vez, en qué la convierte cada tokenizador.

    El navegador lleva los vocabularios y repite el corte sin Python: por eso se puede escribir
    también en la página estática.

    Args:
        tokenizers: tokenizadores ya entrenados, con el nombre que se muestra; BPE, de bytes.
        examples: frases entre las que elegir; la primera es la que se ve al abrir.

    Raises:
        ValueError: si no hay tokenizadores o frases, o si los vocabularios pasan de 200 kB.
    """

    _esm = module_source("pieces_text.js", "pieces.js")
    _css = style_source("pieces.css")

    tokenizers = traitlets.List(traitlets.Dict()).tag(sync=True)
    examples = traitlets.List(traitlets.Unicode()).tag(sync=True)

    def __init__(self, tokenizers: Mapping[str, Tokenizer], examples: Sequence[str]):
        if not tokenizers or not examples or isinstance(examples, str):
            raise ValueError(
                "hacen falta un diccionario de tokenizadores, {nombre: tokenizador}, y una lista "
                "con al menos una frase"
            )
        state = [_to_state(name, tokenizer) for name, tokenizer in tokenizers.items()]
        check_state_size(state)
        super().__init__(tokenizers=state, examples=list(examples))

    def summary(self) -> str:
        """Cuántos tokenizadores compara."""
        return f"{len(self.tokenizers)} tokenizadores, {len(self.examples)} frases"


def _to_state(name: str, tokenizer: Tokenizer) -> dict:
    """Lo que viaja al navegador: solo lo que hace falta para cortar."""
    content, kind = tokenizer.state(), type(tokenizer).__name__
    state = {"name": name, "kind": kind, "tokens": content["tokens"]}
    if kind == "BPETokenizer":
        if not tokenizer.byte_level:
            raise ValueError(f"el BPE «{name}» no es de bytes, y la figura solo corta con bytes")
        # Las fusiones ya dicen todos los trozos.
        state |= {"tokens": [], "merges": [" ".join(pair) for pair in content["merges"]]}
    if kind == "UnigramTokenizer":
        state["scores"] = [round(score, 4) for score in content["scores"]]
    return state
