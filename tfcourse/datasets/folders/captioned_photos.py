"""Fotos con sus descripciones: la carpeta de COCO Captions, para entrenar un CLIP."""

import json
import math
from pathlib import Path

import torch
from jaxtyping import Int, UInt8
from torch import Tensor
from torch.utils.data import Dataset

from tfcourse.datasets.text.article_topics import encode_texts
from tfcourse.datasets.text.masking import BERT_TOKENS
from tfcourse.stored.full import Source
from tfcourse.tokenizers.base import Tokenizer
from tfcourse.tokenizers.wordpiece import WordPieceTokenizer

MAX_LENGTH = 32  # [CLS], [SEP] y los trozos de la frase
SMALLEST = 0.5  # parte del mayor cuadrado que ocupa, como poco, un recorte al azar
COCO_CAPTIONS_SOURCE = Source(
    "COCO Captions 2017",
    "https://cocodataset.org/#download",
    "anotaciones CC BY 4.0; fotos de Flickr, cada una con su licencia",
    20,
    "TFCOURSE_COCO",
)


class CaptionedPhotos(Dataset):
    """COCO Captions: `(foto, frase, longitud)` de cada foto, que se lee al pedirla.

    La foto es `(3, size, size)`, de 0 a 255, y la frase, los números de `tokenizer`. Con `vary`, un
    recorte al azar y una de sus frases; sin él, el centro y la primera. Nunca se da la vuelta: «a
    la izquierda» dejaría de ser verdad. Las fotos sin descripción se dejan fuera.
    `part` es `train` o `val`; la carpeta contiene `train2017`, `val2017` y `annotations`.
    Fuente: Chen et al. (2015). Errores: `FileNotFoundError` si falta una carpeta, un archivo o una
    foto; `ValueError` si las notas están a medias o no describen ninguna foto.
    """

    def __init__(self, part: str, size: int, *, vary: bool = False, folder: Path | None = None):
        folder = folder or COCO_CAPTIONS_SOURCE.folder()
        self.pictures = folder / f"{part}2017"
        self.size, self.vary = size, vary
        found = _described(self.pictures, folder / "annotations" / f"captions_{part}2017.json")
        self.names, self.captions = list(found), list(found.values())
        self.tokens: list[Int[Tensor, "N L"]] = []
        self.lengths: list[Int[Tensor, " N"]] = []

    def __len__(self) -> int:
        return len(self.names)

    def tokenizer(self, n_tokens: int) -> WordPieceTokenizer:
        """Un tokenizador aprendido de las frases."""
        sentences = (text for texts in self.captions for text in texts)
        return WordPieceTokenizer.train(sentences, n_tokens, special_tokens=BERT_TOKENS)

    def encoded(self, tokenizer: Tokenizer) -> "CaptionedPhotos":
        """Las mismas fotos, con sus frases en números."""
        self.tokens, self.lengths = [], []
        for texts in self.captions:
            tokens, lengths = encode_texts(texts, tokenizer, MAX_LENGTH)
            wider = torch.full((len(texts), MAX_LENGTH), tokenizer.pad_id, dtype=torch.int32)
            wider[:, : tokens.shape[1]] = tokens
            self.tokens.append(wider)
            self.lengths.append(lengths)
        return self

    def __getitem__(
        self, row: int
    ) -> tuple[UInt8[Tensor, "3 S S"], Int[Tensor, " L"], Int[Tensor, ""]]:
        chosen = int(torch.randint(len(self.lengths[row]), ())) if self.vary else 0
        photo = read_photo(self.pictures / self.names[row], self.size, vary=self.vary)
        return photo, self.tokens[row][chosen].long(), self.lengths[row][chosen]


def read_photo(path: Path, size: int, *, vary: bool = False) -> UInt8[Tensor, "3 S S"]:
    """El centro de una foto, o un recorte al azar, reducido a `size` × `size`, sin estirar nada.

    Errores: `FileNotFoundError` si no está; `ValueError` si está a medias.
    """
    from PIL import Image, ImageOps
    from torchvision.transforms.v2 import functional as T

    try:
        with Image.open(path) as opened:
            opened.draft("RGB", (2 * size, 2 * size))  # un JPEG grande se lee ya reducido
            photo = opened.convert("RGB")
    except FileNotFoundError:
        raise FileNotFoundError(
            f"falta la foto {path.name} en {path.parent}: la descarga se quedó a medias"
        ) from None
    except OSError as error:
        raise ValueError(f"la foto {path} no está entera ({error}): descárgala otra vez") from error
    if not vary:
        return T.pil_to_tensor(ImageOps.fit(photo, (size, size)))
    widest = min(photo.size)
    side = _at_random(math.ceil(widest * SMALLEST**0.5), widest)
    left, top = (_at_random(0, length - side) for length in photo.size)
    return T.resized_crop(T.pil_to_tensor(photo), top, left, side, side, [size, size])


def _at_random(low: int, high: int) -> int:
    return int(torch.randint(low, high + 1, ()))


def _described(pictures: Path, notes: Path) -> dict[str, list[str]]:
    """Las frases de cada foto, por el nombre de su archivo."""
    for needed in (pictures, notes):
        if not needed.exists():
            raise FileNotFoundError(
                f"no encuentro {needed.name} en {needed.parent}: la carpeta de "
                f"{COCO_CAPTIONS_SOURCE.variable} tiene que contener train2017, val2017 y "
                f"annotations, que se descargan de {COCO_CAPTIONS_SOURCE.page}"
            )
    try:
        content = json.loads(notes.read_text(encoding="utf-8"))
        names = {photo["id"]: photo["file_name"] for photo in content["images"]}
        written = sorted(content["annotations"], key=lambda note: note["id"])
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(
            f"{notes.name} no es un archivo de frases de COCO, o está a medias: descárgalo otra vez"
        ) from error
    found: dict[str, list[str]] = {}
    for note in written:
        found.setdefault(names[note["image_id"]], []).append(note["caption"].strip())
    if not found:
        raise ValueError(f"en {notes.name} no hay ninguna foto con descripción")
    return dict(sorted(found.items()))
