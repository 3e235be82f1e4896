"""Figura interactiva de alineamiento: a qué entradas mira cada salida."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import traitlets

from tfcourse.widgets.base import CourseWidget, check_state_size, module_source, style_source

_DECIMALS = 3
# Los pesos pueden llegar en media precisión o ya redondeados.
_SUM_TOLERANCE = 0.02


@dataclass(frozen=True, eq=False)
class AlignmentExample:
    """Ejemplo de alineamiento: dos secuencias de símbolos y los pesos que las unen.

    Args:
        source: símbolos de la entrada, Tx textos (caracteres, palabras o trozos de palabra).
        target: símbolos de la salida, Ty textos.
        weights: matriz (Ty, Tx), tensor, arreglo o listas; la fila `t` dice cuánto mira la
            salida `t` a cada entrada. Cada fila suma 1, o 0 si esa salida no mira a nada.
        title: cómo se llama el ejemplo en la lista desplegable.
        reference: símbolos de la respuesta correcta; si se da, la figura la muestra debajo de
            la salida y marca los símbolos que difieren.

    Raises:
        TypeError: si una secuencia no es una lista de textos.
        ValueError: si está vacía, si los pesos no tienen la forma (Ty, Tx), si alguno es
            negativo o no es un número, o si una fila no suma ni 1 ni 0.
    """

    source: Sequence[str]
    target: Sequence[str]
    weights: object
    title: str
    reference: Sequence[str] | None = None

    def __post_init__(self) -> None:
        _check_tokens("source", self.source)
        _check_tokens("target", self.target)
        if self.reference is not None:
            _check_tokens("reference", self.reference)
        if not isinstance(self.title, str) or not self.title.strip():
            raise ValueError(f"title={self.title!r}: da un título, p. ej. title='Fecha larga'")
        object.__setattr__(self, "weights", _as_matrix(self.weights))
        _check_weights(self.weights, (len(self.target), len(self.source)))

    def to_state(self) -> dict:
        """Lo que viaja al navegador: listas sencillas, pesos con tres decimales."""
        return {
            "title": self.title,
            "source": list(self.source),
            "target": list(self.target),
            "weights": (np.round(self.weights, _DECIMALS) + 0.0).tolist(),
            "reference": None if self.reference is None else list(self.reference),
        }


class AlignmentWidget(CourseWidget):
    """Figura de alineamiento: elige un símbolo y mira dónde pone su atención.

    Funciona con ratón, dedo y teclado en JupyterLab, en Colab y en la página estática. Los pesos
    se calculan antes, en Python; el navegador solo los dibuja. Por ejemplo::

        AlignmentWidget([
            AlignmentExample(
                source=list("5 de marzo"), target=list("03-05"), weights=weights, title="5 de marzo"
            ),
        ])

    Args:
        examples: uno o varios `AlignmentExample`; el lector elige entre ellos por su título.

    Raises:
        TypeError: si algún elemento no es un `AlignmentExample`.
        ValueError: si no hay ejemplos o si en total ocupan más de 200 kB.
    """

    _esm = module_source("alignment_text.js", "alignment.js", "alignment_render.js")
    _css = style_source("alignment.css")

    examples = traitlets.List(traitlets.Dict()).tag(sync=True)

    def __init__(self, examples: Sequence[AlignmentExample]):
        if isinstance(examples, AlignmentExample):
            raise TypeError("llegó un solo AlignmentExample: pásalo en una lista, [ejemplo]")
        examples = list(examples)
        if not examples:
            raise ValueError("la lista de ejemplos está vacía: pasa al menos un AlignmentExample")
        for position, example in enumerate(examples):
            if not isinstance(example, AlignmentExample):
                raise TypeError(
                    f"examples[{position}] es {type(example).__name__} y se esperaba "
                    "AlignmentExample(source, target, weights, title)"
                )
        state = [example.to_state() for example in examples]
        check_state_size(state)
        super().__init__(examples=state)

    def summary(self) -> str:
        """Cuántos ejemplos contiene."""
        count = len(self.examples)
        return f"{count} {'ejemplo' if count == 1 else 'ejemplos'}"


def _check_tokens(name: str, tokens: Sequence[str]) -> None:
    if isinstance(tokens, str):
        raise TypeError(
            f"{name}={tokens!r} es un texto y se esperaba una lista de símbolos: "
            f"usa list({tokens!r}) para separarlo en caracteres"
        )
    if len(tokens) == 0:
        raise ValueError(f"{name} está vacío: se necesita al menos un símbolo")
    for position, token in enumerate(tokens):
        if not isinstance(token, str) or not token:
            raise TypeError(
                f"{name}[{position}]={token!r} y se esperaba un texto no vacío: "
                "convierte los índices en símbolos con el vocabulario"
            )


def _as_matrix(weights: object) -> np.ndarray:
    """Convierte en matriz lo que llegue; un tensor puede estar en la GPU o pedir gradiente."""
    if hasattr(weights, "detach"):
        weights = weights.detach().float().cpu().numpy()
    return np.asarray(weights, dtype=np.float64)


def _check_weights(weights: np.ndarray, shape: tuple[int, int]) -> None:
    if weights.shape != shape:
        hint = ": traspón con weights.T" if weights.shape == shape[::-1] else ""
        raise ValueError(
            f"weights tiene forma {weights.shape} y se esperaba (Ty, Tx)={shape}, "
            f"una fila por símbolo de salida{hint}"
        )
    if not np.isfinite(weights).all():
        raise ValueError("weights contiene valores que no son números: revisa la máscara")
    if (weights < 0).any():
        row, column = np.argwhere(weights < 0)[0]
        raise ValueError(
            f"weights[{row}, {column}]={weights[row, column]:.3g} es negativo y un peso va de "
            "0 a 1: pasa los pesos tras el softmax, no los puntajes"
        )
    sums = weights.sum(axis=1)
    odd = np.flatnonzero((abs(sums - 1) > _SUM_TOLERANCE) & (sums > _SUM_TOLERANCE))
    if odd.size:
        raise ValueError(
            f"la fila {odd[0]} de weights suma {sums[odd[0]]:.3g} y se esperaba 1 (o 0 si no mira "
            "a nada): pasa los pesos tras el softmax sobre la entrada, sin recortar columnas"
        )
