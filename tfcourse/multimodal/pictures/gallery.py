"""El buscador de dibujos de la página: sus miniaturas y los vectores de un CLIP."""

import io
import math
from collections.abc import Callable, Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.datasets.pictures.openmoji import Pictures, drawing_source, rasterize
from tfcourse.models.clip import Clip
from tfcourse.widgets import GalleryWidget

THUMB, COLUMNS, COLOURS = 40, 20, 48


def sprite(images: Float[Tensor, "N 3 S S"], columns: int = COLUMNS, colours: int = COLOURS):
    """Todas las imágenes en un solo PNG de pocos colores, por filas; lo que falta, en blanco."""
    from PIL import Image

    rows, side = math.ceil(len(images) / columns), images.shape[-1]
    blank = images.new_ones(rows * columns - len(images), *images.shape[1:])
    cells = torch.cat([images, blank]).unflatten(0, (rows, columns))
    sheet = cells.permute(0, 3, 1, 4, 2).reshape(rows * side, columns * side, 3)
    pixels = (sheet * 255).round().to(torch.uint8).numpy()
    file = io.BytesIO()
    Image.fromarray(pixels).quantize(colours, dither=0).save(file, "PNG", optimize=True)
    return file.getvalue()


@torch.no_grad()
def picture_search(
    model: Clip,
    read: Callable[[Sequence[str]], Tensor],
    pictures: Pictures,
    words: Sequence[str],
    examples: Sequence[str],
) -> GalleryWidget:
    """El buscador: los dibujos dados, y como textos, sus nombres y las palabras que se añadan."""
    thumbs = torch.stack([rasterize(drawing_source(s), THUMB) for s in pictures.symbols])
    texts = list(dict.fromkeys([*examples, *words, *pictures.names]))
    seen = dict(zip(pictures.names, model.see(pictures.images).tolist(), strict=True))
    queries = dict(zip(texts, read(texts).tolist(), strict=True))
    return GalleryWidget(sprite(thumbs), COLUMNS, seen, queries, examples)
