"""Figuras vivas que miran una imagen, la que dibuja, mueve o cambia quien lee, o que la hacen."""

from tfcourse.tokenizers.vocabulary import Vocabulary
from tfcourse.weights.shipped import weights_card
from tfcourse.widgets.base import style_source
from tfcourse.widgets.live import LiveWidget, live_source

BOARDS = style_source("drawing.css", "alignment.css", "live.css", "boards.css")


class AskingWidget(LiveWidget):
    """Un GPT que lee imágenes y contesta lo que se le pregunta de una escena que se compone.

    Args:
        vocabulary: las palabras que conoce.

    Raises:
        ValueError: si no son tantas como las del modelo.
    """

    _esm = live_source(
        "modelos/vit.js",
        "modelos/gpt.js",
        "modelos/dialogue.js",
        "pixels.js",
        "shapes.js",
        "quarters.js",
        "asking.js",
    )
    _css = style_source("drawing.css", "alignment.css", "live.css", "asking.css")

    def __init__(self, vocabulary: Vocabulary):
        parts = {"tower": "torre_escenas", "language": "lector_escenas"}
        config: dict = {part: weights_card(name).config for part, name in parts.items()}
        if len(vocabulary) != config["language"]["n_tokens"]:
            raise ValueError(
                f"hay {len(vocabulary)} palabras y el modelo conoce "
                f"{config['language']['n_tokens']}: dale el vocabulario con el que aprendió"
            )
        config["factor"] = weights_card("dialogo").config["factor"]
        super().__init__("dialogo", config, words=vocabulary.tokens)


class HandwritingWidget(LiveWidget):
    """Un ViT que lee la cifra que se dibuja, y de qué parches sale su respuesta."""

    _esm = live_source("modelos/search.js", "modelos/vit.js", "handwriting.js")
    _css = BOARDS

    def __init__(self):
        super().__init__("vit_cifras", weights_card("vit_cifras").config)


class SegmentingWidget(LiveWidget):
    """Un Mask2Former que recorta, punto a punto, las figuras que se mueven por una escena."""

    _esm = live_source(
        "modelos/search.js",
        "modelos/convolutions.js",
        "modelos/mask2former.js",
        "pixels.js",
        "shapes.js",
        "scenes.js",
        "segmenting.js",
    )
    _css = BOARDS

    def __init__(self):
        super().__init__("mask2former", weights_card("mask2former").config)


class PosingWidget(LiveWidget):
    """Un modelo de pose que sitúa las articulaciones de la figura que se mueve y se tapa."""

    _esm = live_source(
        "modelos/search.js", "modelos/convolutions.js", "modelos/pose.js", "pixels.js", "posing.js"
    )

    def __init__(self):
        super().__init__("pose_simcc", weights_card("pose_simcc").config)


class TellingWidget(LiveWidget):
    """Un Pix2Seq que escribe, palabra a palabra, las cajas de las figuras que se mueven."""

    _esm = live_source(
        "modelos/search.js",
        "modelos/convolutions.js",
        "modelos/seq2seq.js",
        "modelos/pix2seq.js",
        "pixels.js",
        "shapes.js",
        "scenes.js",
        "samples.js",
        "telling.js",
    )

    def __init__(self):
        super().__init__("pix2seq_figuras", weights_card("pix2seq_figuras").config)


class FormingWidget(LiveWidget):
    """Un DiT que forma la cifra que se elige, paso a paso, desde un ruido."""

    _esm = live_source(
        "modelos/convolutions.js", "modelos/vit.js", "modelos/dit.js", "pixels.js", "forming.js"
    )
    _css = BOARDS

    def __init__(self):
        super().__init__("dit_cifras", weights_card("dit_cifras").config)
