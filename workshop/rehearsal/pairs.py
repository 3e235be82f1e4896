"""Cifras escritas y fotos descritas, diminutas, con el formato de los conjuntos públicos."""

import json
import struct
from pathlib import Path

import numpy as np
from PIL import Image

N_DIGITS = 24  # por parte
PHOTOS = {"train2017": 6, "val2017": 4}
COLOURS = {"red": (220, 50, 40), "green": (60, 180, 80), "blue": (40, 80, 210)}


def make_mnist(folder: Path) -> None:
    """MNIST: imágenes y cifras de cada parte, en archivos IDX sin comprimir."""
    inside, rng = folder / "MNIST" / "raw", np.random.default_rng(0)
    inside.mkdir(parents=True)
    for part in ("train", "t10k"):
        pixels = rng.integers(0, 256, (N_DIGITS, 28, 28), dtype=np.uint8)
        labels = (np.arange(N_DIGITS) % 10).astype(np.uint8)
        for kind, table in ((f"{part}-images-idx3", pixels), (f"{part}-labels-idx1", labels)):
            head = struct.pack(f">{1 + table.ndim}i", 0x800 + table.ndim, *table.shape)
            (inside / f"{kind}-ubyte").write_bytes(head + table.tobytes())


def make_coco_captions(folder: Path) -> None:
    """COCO Captions: las fotos de cada parte y, en `annotations`, cinco frases de cada una."""
    (folder / "annotations").mkdir(exist_ok=True)
    for part, n_photos in PHOTOS.items():
        (folder / part).mkdir(exist_ok=True)
        photos, notes = [], []
        for number in range(1, n_photos + 1):
            colour = list(COLOURS)[number % len(COLOURS)]
            name = f"{number:012d}.jpg"
            Image.new("RGB", (60 + number, 48), COLOURS[colour]).save(folder / part / name)
            photos.append({"id": number, "file_name": name, "height": 48, "width": 60 + number})
            notes += [
                {
                    "id": 10 * number + k,
                    "image_id": number,
                    "caption": f"Photo {k} of a {colour} wall.",
                }
                for k in range(5)
            ]
        content = {"info": {}, "licenses": [], "images": photos, "annotations": notes}
        path = folder / "annotations" / f"captions_{part}.json"
        path.write_text(json.dumps(content), encoding="utf-8")


MAKERS = {"MNIST": make_mnist, "COCO Captions 2017": make_coco_captions}
