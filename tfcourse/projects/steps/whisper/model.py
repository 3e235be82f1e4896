"""El Whisper entero: oír y escribir con caché."""

from torch import Tensor

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Mistake, Task
from tfcourse.projects.steps.drawing import drawn_tokens, drawn_weights, with_flaw
from tfcourse.projects.steps.piece import Step
from tfcourse.projects.steps.whisper import sums
from tfcourse.projects.steps.whisper.hearing import INPUT
from tfcourse.projects.steps.whisper.looking import ATTENTION, DECODER, ENCODER
from tfcourse.projects.steps.whisper.shapes import model_shapes
from tfcourse.projects.steps.whisper.weights import course_weights


def _whole(sizes: dict, weights: dict, mels: Tensor, tokens: Tensor, first: int, flaw: str = ""):
    return sums.whole(mels, tokens, first, weights, sizes, flaw)


def _model_case(batch: int, frames: int, length: int, first: int, numbers: tuple, seed: int):
    names = ("n_tokens", "n_mels", "max_length", "d_model", "n_heads", "d_hidden", "n_layers")

    def make() -> tuple:
        sizes = dict(zip(names, numbers, strict=True))
        weights = drawn_weights(model_shapes(sizes), seed)
        (mels,) = random_tensors((batch, sizes["n_mels"], frames), seed=seed + 1)
        tokens = drawn_tokens(batch, length, n_tokens=sizes["n_tokens"], seed=seed + 2)
        return sizes, weights, mels, tokens, first

    return make


def _course_case() -> tuple:
    sizes, weights = course_weights()
    (mels,) = random_tensors((2, sizes["n_mels"], 30), seed=792)
    return sizes, weights, mels, drawn_tokens(2, 6, n_tokens=sizes["n_tokens"], seed=793), 4


MODEL = Step(
    Card(
        "wh-modelo", "El Whisper entero", "codigo", 3, 40, 5,
        "unir quien oye y quien escribe, de una vez o paso a paso",
        (
            "`start` es una lista: de cada bloque que escribe, "
            "`block.cross_attention.prepare(memory)`.",
            "Cuántos tokens hay ya escritos lo dice la caché: `past[0][0].shape[2]`. Desde ahí se "
            "leen las filas de `places`.",
            "`forward` no repite nada: `self.step(tokens, self.start(self.encode(mels)))[0]`.",
        ),
    ),
    Task(
        "Whisper",
        (
            Case("2 bloques, 9 columnas y 5 tokens",
                    _model_case(2, 9, 5, 3, (11, 4, 8, 8, 2, 12, 2), seed=780)),
            Case("un bloque y 3 cabezas",
                    _model_case(3, 6, 4, 1, (7, 3, 5, 12, 3, 6, 1), seed=784)),
            Case("los pesos de `whisper_cifras`, los del curso", _course_case),
        ),
        lambda sizes, weights, mels, tokens, first: _whole(sizes, weights, mels, tokens, first),
        (
            Mistake("norma-al-oir", "lo que da `encode` es lo que sale de `heard_norm`",
                    with_flaw(_whole, "oido-sin-norma")),
            Mistake("norma-al-escribir", "antes de los logits va `written_norm`",
                    with_flaw(_whole, "escrito-sin-norma")),
            Mistake("sin-posiciones", "falta sumar a cada token su fila de `places`",
                    with_flaw(_whole, "sin-posiciones")),
            Mistake("lugar-desde-cero", "con la caché, el token nuevo no está en el lugar 0: va "
                    "detrás de los que ya se han leído", with_flaw(_whole, "lugar-desde-cero")),
            Mistake("olvida", "`step` no le pasa a cada bloque lo que guardó: con `past`, lo nuevo "
                    "mira también lo ya escrito", with_flaw(_whole, "olvida")),
            Mistake("probabilidades", "devuelves probabilidades: se piden logits, sin softmax",
                    with_flaw(_whole, "probabilidades")),
            Mistake("un-bloque", "se pasa por un solo bloque: hay que pasar por todos",
                    with_flaw(_whole, "un-bloque")),
        ),
        tolerance=5e-4, differentiable=False,
    ),
    driver="whisper", needs=(INPUT, ENCODER, DECODER, ATTENTION),
)  # fmt: skip
