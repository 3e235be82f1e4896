"""Una fila del mapa: lo que se escribe de un modelo y lo que se cuenta en su clase."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import nn

from tfcourse.course_map.patterns import PATTERNS
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.weights.shipped import weights_card

PARTS = {
    "1_recurrencia": "De la recurrencia a la atención",
    "2_transformer": "El Transformer",
    "3_lenguaje": "Lenguaje",
    "4_vision": "Visión",
    "5_audio": "Audio",
    "6_multimodal": "Multimodal",
}
# Lo que sigue a «capítulo» al citar cada uno: su número solo lo sabe el sitio, y lo pone él.
CHAPTERS = {
    "redes_recurrentes": "de redes recurrentes",
    "lstm_gru": "de LSTM y GRU",
    "secuencia_a_secuencia": "de secuencia a secuencia",
    "alineamiento": "de las funciones de alineamiento",
    "embeddings": "de los embeddings",
    "autoatencion_multicabeza": "de la autoatención",
    "transformer_completo": "del Transformer completo",
    "atencion_eficiente": "de la atención eficiente",
    "bert": "de BERT",
    "buscar": "de la búsqueda",
    "gpt": "de GPT",
    "bloque_actual": "del bloque de hoy",
    "asistente": "del asistente",
    "t5": "de T5",
    "sentimiento": "del análisis de sentimiento",
    "vision_transformer": "del Vision Transformer",
    "variantes": "de las variantes del ViT",
    "autosupervision": "de ver sin etiquetas",
    "detr": "de DETR",
    "anclas": "de las anclas",
    "pix2seq": "de Pix2Seq",
    "segmentacion": "de la segmentación",
    "pose": "de la estimación de pose",
    "espectrograma": "del espectrograma",
    "whisper": "de Whisper",
    "wav2vec": "de wav2vec 2.0",
    "sepformer": "de SepFormer",
    "fusion": "de la fusión de modalidades",
    "imagen_y_texto": "de imagen y texto",
    "video_e_historias": "del vídeo y las historias",
    "gato": "de Gato",
    "dialogo": "de conversar sobre una imagen",
    "generar": "de generar imágenes",
}


@dataclass(frozen=True)
class Row:
    """Un modelo del curso, con el tamaño que usa su capítulo.

    `looks` son parejas de quién mira y con qué patrón de `PATTERNS`; si no hay atención, `instead`
    dice qué lleva la información de un lado a otro. `reads` y `writes` son las rutas de los módulos
    que dan los tokens y la respuesta; si hay una sola tabla para las dos cosas, la misma ruta.
    `also`: otras clases que se explican con esta.
    Errores: `ValueError` si el patrón no se conoce, o si no se dice una de las dos cosas.
    """

    name: str
    chapter: str
    build: Callable[[], object]
    tokens: str
    objective: str
    head: str
    looks: tuple[tuple[str, str], ...] = ()
    instead: str = ""
    reads: str = ""
    writes: str = ""
    also: tuple[type, ...] = ()

    def __post_init__(self):
        unknown = sorted({pattern for _, pattern in self.looks} - set(PATTERNS))
        if unknown:
            raise ValueError(
                f"«{self.name}»: no hay ningún patrón {', '.join(unknown)}; usa uno de "
                f"{', '.join(PATTERNS)}"
            )
        if bool(self.looks) == bool(self.instead):
            raise ValueError(
                f"«{self.name}»: di a quién mira cada token (looks) o, si no mira a nadie, qué "
                "lleva la información (instead); una de las dos cosas"
            )

    @property
    def part(self) -> str:
        """La carpeta de su capítulo."""
        return self.chapter.split("/")[0]

    @property
    def chapter_name(self) -> str:
        """Cómo se cita su capítulo: «capítulo de GPT»."""
        return f"capítulo {CHAPTERS[self.chapter.split('/')[1]]}"

    @cached_property
    def model(self) -> object:
        """El modelo, sin entrenar. Construirlo no toca el azar de quien lo pide."""
        with torch.random.fork_rng(devices=[]):
            return self.build()

    @property
    def parameters(self) -> int | None:
        """Cuántos números aprende; `None` si no los aprende por gradiente."""
        if not isinstance(self.model, nn.Module):
            return None
        return n_parameters(self.model)

    @property
    def read_widths(self) -> tuple[int, int] | None:
        """Cuántos números describen un token antes y después de volverse vector."""
        return widths(self.model.get_submodule(self.reads)) if self.reads else None

    @property
    def written_widths(self) -> tuple[int, int] | None:
        """De cuántos números parte la cabeza, y cuántos da."""
        if not self.writes:
            return None
        module = self.model.get_submodule(self.writes)
        # Una tabla que da la respuesta se lee al revés: de vectores a símbolos.
        return widths(module)[::-1] if isinstance(module, nn.Embedding) else widths(module)

    def classes(self) -> set[type]:
        """La clase del modelo, las de sus piezas, aquellas de las que heredan y las de `also`."""
        parts = self.model.modules() if isinstance(self.model, nn.Module) else (self.model,)
        return {base for part in parts for base in type(part).__mro__} | set(self.also)


def widths(module: nn.Module) -> tuple[int, int]:
    """Lo que entra en la primera capa de un módulo y lo que sale de la última."""
    ends = [pair for part in module.modules() if (pair := _ends(part))]
    if not ends:
        raise ValueError(f"{type(module).__name__} no tiene capas de las que decir la anchura")
    return ends[0][0], ends[-1][1]


def _ends(module: nn.Module) -> tuple[int, int] | None:
    for first, last in (
        ("in_features", "out_features"),
        ("num_embeddings", "embedding_dim"),
        ("in_channels", "out_channels"),
    ):
        if hasattr(module, first):
            return getattr(module, first), getattr(module, last)
    return None


def shipped(name: str, *, without: Iterable[str] = ()) -> dict:
    """Los tamaños de unos pesos que vienen con el curso."""
    config = {k: v for k, v in weights_card(name).config.items() if k not in set(without)}
    return {k: tuple(v) if isinstance(v, list) else v for k, v in config.items()}
