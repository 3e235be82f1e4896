"""Buscar fotos con sus frases, y frases con sus fotos: la tabla de cosenos y qué se encuentra."""

from collections.abc import Callable, Iterator
from math import comb

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.utils.data import DataLoader

from tfcourse.datasets.folders.captioned_photos import CaptionedPhotos
from tfcourse.datasets.folders.loading import default_workers
from tfcourse.models.clip import Clip
from tfcourse.multimodal.pictures.retrieval import caption_ranks, photo_ranks, recall_among


def same_colors(images: Float[Tensor, "B 3 Y X"]) -> Float[Tensor, "B 3 Y X"]:
    """Las fotos tal cual: lo que leen los modelos del curso."""
    return images


@torch.no_grad()
def caption_table(
    model: Clip,
    photos: CaptionedPhotos,
    batch_size: int = 250,
    prepare: Callable[[Tensor], Tensor] = same_colors,
) -> tuple[Float[Tensor, "C N"], Int[Tensor, " C"]]:
    """El coseno de cada frase (filas) con cada foto (columnas), y la foto de cada frase.

    `prepare` recibe las fotos, entre 0 y 1, y devuelve lo que lee el modelo.
    """
    model.eval()
    device = next(model.parameters()).device
    loader = DataLoader(photos, batch_size, num_workers=default_workers())
    parts = (prepare(images.to(device).float() / 255) for images, *_ in loader)
    seen = torch.cat([model.see(images) for images in parts])
    read = torch.cat([model.read(*part) for part in _sentences(photos, batch_size, device)])
    counts = torch.tensor([len(lengths) for lengths in photos.lengths])
    owners = torch.arange(len(photos)).repeat_interleave(counts)
    return (read @ seen.T).cpu(), owners


def _sentences(
    photos: CaptionedPhotos, batch_size: int, device: torch.device
) -> Iterator[tuple[Tensor, Tensor]]:
    """Todas las frases, por partes: `(tokens, longitudes)`."""
    tokens, lengths = torch.cat(photos.tokens).long(), torch.cat(photos.lengths)
    for some, sizes in zip(tokens.split(batch_size), lengths.split(batch_size), strict=True):
        yield some.to(device), sizes.to(device)


def recalls(
    scores: Float[Tensor, "C N"], owners: Int[Tensor, " C"], n_found: tuple[int, ...]
) -> dict[str, float]:
    """R@k en los dos sentidos."""
    ranks = {
        "frase → foto": photo_ranks(scores, owners),
        "foto → frase": caption_ranks(scores, owners),
    }
    return {f"{way}, {k}": recall_among(found, k) for way, found in ranks.items() for k in n_found}


def chance(photos: CaptionedPhotos, n_found: tuple[int, ...]) -> dict:
    """Lo que se acierta al azar: una foto entre N, o alguna de sus frases entre todas."""
    counts = [len(texts) for texts in photos.captions]
    total = sum(counts)
    missed = {k: [comb(total - n, k) / comb(total, k) for n in counts] for k in n_found}
    return (
        {"torre de imagen": "al azar", "parámetros": ""}
        | {f"frase → foto, {k}": k / len(counts) for k in n_found}
        | {f"foto → frase, {k}": 1 - sum(missed[k]) / len(counts) for k in n_found}
    )
