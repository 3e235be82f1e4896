"""Fotos con su descripción: carpetas con el formato de COCO Captions, para entrenar un CLIP."""

import json
from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.datasets.article_topics import encode_texts
from tfcourse.datasets.masking import BERT_TOKENS
from tfcourse.datasets.named_pictures import NamedPictures
from tfcourse.tokenizers.base import Tokenizer
from tfcourse.tokenizers.wordpiece import WordPieceTokenizer

MAX_LENGTH = 32


def captioned_photos(
    pictures: Path, notes: Path, size: int, n_photos: int | None = None
) -> tuple[Float[Tensor, "N 3 S S"], list[str]]:
    """COCO Captions, ya descargado: fotos de `size` × `size` y la primera descripción de cada una.

    Se recorta el centro: nada se estira. Las que no tienen descripción se dejan fuera.
    Fuente: Chen et al. (2015). Errores: `FileNotFoundError` si falta la carpeta o el archivo;
    `ValueError` si no hay ninguna foto descrita.
    """
    for needed in (Path(pictures), Path(notes)):
        if not needed.exists():
            raise FileNotFoundError(
                f"no encuentro {needed.name} en {needed.parent}: descarga el conjunto (su ficha "
                "dice de dónde) o sigue con el perfil rapido, que usa dibujos"
            )
    content = json.loads(Path(notes).read_text(encoding="utf-8"))
    first: dict[int, str] = {}
    for note in sorted(content["annotations"], key=lambda note: note["id"]):
        first.setdefault(note["image_id"], note["caption"].strip())
    described = [photo for photo in content["images"] if photo["id"] in first][:n_photos]
    if not described:
        raise ValueError(f"en {Path(notes).name} no hay ninguna foto con descripción")
    images = [read_square(Path(pictures) / photo["file_name"], size) for photo in described]
    return torch.stack(images), [first[photo["id"]] for photo in described]


def read_square(path: Path, size: int) -> Float[Tensor, "3 S S"]:
    """El centro de una foto, reducido a `size` × `size`, de 0 a 1."""
    from PIL import Image, ImageOps
    from torchvision.transforms.v2 import functional as T

    with Image.open(path) as photo:
        square = ImageOps.fit(photo.convert("RGB"), (size, size))
    return T.pil_to_tensor(square).float() / 255


def encode_photos(
    images: Float[Tensor, "N 3 S S"], captions: list[str], tokenizer: Tokenizer | None = None
) -> tuple[NamedPictures, Tokenizer]:
    """Las parejas en números, con el tokenizador que se dé o con uno aprendido de las frases.

    No hay grupos: todos son el cero.
    """
    if tokenizer is None:
        tokenizer = WordPieceTokenizer.train(captions, 8_192, special_tokens=BERT_TOKENS)
    tokens, lengths = encode_texts(captions, tokenizer, MAX_LENGTH)
    return NamedPictures(
        images, tokens, lengths, torch.zeros(len(images), dtype=torch.long)
    ), tokenizer
