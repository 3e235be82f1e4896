"""Clips en movimiento: una tira de fotogramas que se mueve con CSS, sin guiones."""

import base64
import hashlib
from html import escape

import torch
from jaxtyping import Float
from torch import Tensor
from torchvision.io import encode_jpeg

from tfcourse.plots.movies import movie_html

SIDE, SECONDS = 128, 2.4  # lo que mide en la página y lo que dura una vuelta


class ClipMovie:
    """Varios clips, uno al lado de otro, cada uno con su frase.

    Está parado hasta que alguien marca la casilla: nada se mueve solo. `videos` es
    (N, T, 3, S, S), entre 0 y 1. Errores: `ValueError` si no hay una frase por clip.
    """

    def __init__(self, videos: Float[Tensor, "N T 3 S S"], captions: list[str]):
        if not captions or len(videos) != len(captions):
            raise ValueError(
                f"llegaron {len(videos)} clips y {len(captions)} frases: hace falta al menos un "
                "clip, y una frase para cada uno"
            )
        self.videos, self.captions = videos, captions

    def __repr__(self) -> str:
        return "\n".join(f"▶ {caption}" for caption in self.captions)

    def _repr_html_(self) -> str:
        """La casilla y las tiras, en HTML."""
        strips = [strip_jpeg(video) for video in self.videos]
        name = "cl" + hashlib.sha256(b"".join(strips)).hexdigest()[:8]
        frames = self.videos.shape[1]
        rules = (
            f"@keyframes {name}{{to{{background-position-x:-{SIDE * frames}px}}}}"
            f".{name} .q{{width:{SIDE}px;height:{SIDE}px;image-rendering:pixelated;"
            f"background-size:{SIDE * frames}px {SIDE}px;"
            f"animation:{name} {SECONDS}s steps({frames}) infinite;animation-play-state:paused}}"
        )
        shown = "".join(_figure(*pair) for pair in zip(strips, self.captions, strict=True))
        return movie_html(name, rules, shown)


def strip_jpeg(video: Float[Tensor, "T 3 S S"]) -> bytes:
    """Los fotogramas, uno detrás de otro, en un solo JPEG."""
    strip = (torch.cat(list(video), dim=2) * 255).round().byte()
    return encode_jpeg(strip, quality=70).numpy().tobytes()


def _figure(strip: bytes, caption: str) -> str:
    data, label = base64.b64encode(strip).decode(), escape(caption, quote=True)
    return (
        f'<figure style="margin:0;width:{SIDE}px"><div class="q" role="img" '
        f'aria-label="Clip: {label}" '
        f'style="background-image:url(data:image/jpeg;base64,{data})"></div>'
        f'<figcaption style="font-size:.85em">{label}</figcaption></figure>'
    )
