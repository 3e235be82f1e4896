"""Figuras vivas: ejecutan en la página los modelos del curso, con los pesos que vienen con él.

En el sitio, la página pide los pesos al pulsar el botón; en un cuaderno los da Python.
"""

import json
from collections.abc import Mapping, Sequence

import traitlets

from tfcourse.tokenizers.base import Tokenizer
from tfcourse.tokenizers.bpe import BPETokenizer
from tfcourse.tokenizers.token_rows import TokenRow
from tfcourse.weights.packing import packed_file, packed_weights
from tfcourse.weights.shipped import weights_card
from tfcourse.widgets.base import CourseWidget, check_state_size, module_source, style_source

ENGINE = ("modelos/weights.js", "modelos/kernel.js", "modelos/layers.js")
STYLE = style_source("drawing.css", "alignment.css", "live.css")
SIZES = ("d_model", "n_heads", "n_layers", "max_length")


def live_source(*names: str) -> str:
    """El motor, lo común a las figuras vivas y lo propio de una."""
    engine = [name for name in names if name.startswith("modelos/")]
    rest = [name for name in names if name not in engine]
    return module_source("drawing.js", *ENGINE, *engine, "live.js", *rest)


def one_line(state: dict) -> str:
    """Un vocabulario, en una línea: en el cuaderno guardado no ocupa mil."""
    return json.dumps(state, ensure_ascii=False, separators=(",", ":"))


class LiveWidget(CourseWidget):
    """Figura que ejecuta un modelo: sabe qué archivo de pesos pide, y los da si se los piden.

    Args:
        weights: el nombre de unos pesos que vienen con el curso.
        config: los tamaños del modelo.
        state: lo demás que necesita la figura.

    Raises:
        ValueError: si los datos pasan de 200 kB.
        FileNotFoundError: si no hay pesos con ese nombre.
    """

    _css = STYLE

    state = traitlets.Dict().tag(sync=True)

    def __init__(self, weights: str, config: Mapping, **state):
        about = {
            "weights": weights,
            "file": packed_file(weights),
            "bytes": len(packed_weights(weights)),
            "config": dict(config),
        }
        check_state_size(about | state)
        super().__init__(state=about | state)
        self.on_msg(self._answer)

    def _answer(self, _widget, content: dict, _buffers: list) -> None:
        """Da los pesos a la figura que los pide desde un cuaderno en marcha."""
        if content.get("kind") == "pesos":
            self.send({"kind": "pesos"}, [packed_weights(self.state["weights"])])

    def summary(self) -> str:
        """Qué pesos usa."""
        return self.state["weights"]


class WritingWidget(LiveWidget):
    """Un GPT que escribe: qué cree que viene ahora, y qué hace cada mando.

    Args:
        tokenizer: el BPE de caracteres con el que aprendió.
        starts: los comienzos que se ofrecen con un botón; el primero es el que se ve al cargar.

    Raises:
        ValueError: si no hay comienzos o si el tokenizador no es el del modelo.
    """

    _esm = live_source("modelos/tokenizers.js", "modelos/gpt.js", "writing.js")

    def __init__(self, tokenizer: BPETokenizer, starts: Sequence[str]):
        config = weights_card("gpt_espanol").config
        if not starts or len(tokenizer) != config["n_tokens"] or tokenizer.byte_level:
            raise ValueError(
                f"hay {len(starts)} comienzos y {len(tokenizer)} tokens: hace falta algún comienzo "
                f"y el BPE de caracteres del modelo, de {config['n_tokens']} tokens"
            )
        super().__init__(
            "gpt_espanol", config, tokenizer=one_line(tokenizer.state()), starts=list(starts)
        )


class FillingWidget(LiveWidget):
    """Un BERT que rellena el hueco que se elija.

    Args:
        tokenizer: su WordPiece.
        examples: frases y el lugar, contando trozos desde 0, del que se tapa en cada una.

    Raises:
        ValueError: si no hay frases o si un lugar no existe.
    """

    _esm = live_source(
        "modelos/tokenizers.js", "modelos/bert.js", "modelos/search.js", "filling.js"
    )

    def __init__(self, tokenizer: Tokenizer, examples: Mapping[str, int]):
        wrong = [t for t, place in examples.items() if place >= len(tokenizer.encode(t.lower()))]
        if wrong or not examples:
            raise ValueError(
                f"hay {len(examples)} frases y en {wrong} no existe el trozo tapado: cuéntalos "
                "con `tokenizer.tokenize(frase.lower())`"
            )
        config = weights_card("bert_espanol").config
        state = tokenizer.state()
        marks = {name.strip("[]").lower(): tokenizer.token_id(name) for name in BERT_MARKS}
        super().__init__(
            "bert_espanol",
            {name: config[name] for name in SIZES},
            tokenizer=one_line({**state, "tokens": " ".join(state["tokens"])}),
            marks=marks,
            examples=[{"text": text, "place": place} for text, place in examples.items()],
        )


BERT_MARKS = ("[CLS]", "[SEP]", "[MASK]")


class TranslatingWidget(LiveWidget):
    """El traductor del curso, con su haz a la vista y a qué mira al escribir.

    Args:
        examples: textos en inglés que se ofrecen con un botón.

    Raises:
        ValueError: si no hay ninguno.
    """

    _esm = live_source(
        "modelos/tokenizers.js",
        "modelos/search.js",
        "modelos/seq2seq.js",
        "modelos/translators.js",
        "rewriting.js",
    )

    def __init__(self, examples: Sequence[str]):
        if not examples:
            raise ValueError("hace falta al menos un texto de ejemplo")
        card = weights_card("traductor")
        super().__init__(
            "traductor",
            {name: card.recipe[name] for name in SIZES[:3]},
            tokenizer=one_line({"merges": card.config["merges"]}),
            examples=[{"text": text} for text in examples],
        )


class TasksWidget(LiveWidget):
    """Un T5 que hace varias tareas: la que diga el prefijo.

    Args:
        tasks: los prefijos con los que aprendió.
        examples: parejas (prefijo, texto) que se ofrecen con un botón.

    Raises:
        ValueError: si no hay ninguna.
    """

    _esm = TranslatingWidget._esm

    def __init__(self, tasks: Sequence[str], examples: Sequence[tuple[str, str]]):
        if not examples:
            raise ValueError("hace falta al menos un ejemplo")
        config = weights_card("t5_tareas").config
        super().__init__(
            "t5_tareas",
            config["model"],
            tokenizer=one_line(config["tokenizer"]),
            tasks=list(tasks),
            examples=[{"task": task, "text": text} for task, text in examples],
        )


class DetectingWidget(LiveWidget):
    """Un detector que busca las figuras que se mueven por una escena.

    Args:
        anchored: si es el DETR con anclas; si no, el de consultas aprendidas.
    """

    _esm = live_source(
        "modelos/search.js",
        "modelos/convolutions.js",
        "modelos/detr.js",
        "modelos/anchored.js",
        "pixels.js",
        "shapes.js",
        "scenes.js",
        "samples.js",
        "detecting.js",
    )

    def __init__(self, anchored: bool = False):
        weights = "anclas_figuras" if anchored else "detr_figuras"
        super().__init__(weights, weights_card(weights).config, anchored=anchored)


class BalancingWidget(LiveWidget):
    """Un Gato que sostiene un palo mientras lo empujan.

    Args:
        demonstration: los pasos de un experto que lee antes de empezar.
        n_words: cuántas palabras tiene el vocabulario, delante de los valores.

    Raises:
        ValueError: si la demostración está vacía.
    """

    _esm = live_source("modelos/gpt.js", "modelos/gato.js", "balancing.js")

    def __init__(self, demonstration: TokenRow, n_words: int):
        if not len(demonstration):
            raise ValueError("la demostración está vacía: dale unos pasos de un experto")
        config = weights_card("gato").config
        sizes = {name: config[name] for name in (*SIZES, "n_bins")}
        row = [demonstration.ids, demonstration.places]
        super().__init__("gato", sizes | {"n_words": n_words}, demonstration=row)
