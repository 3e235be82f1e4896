"""Pascal VOC 2012, diminuto: fotos con rectángulos de color, sus cajas y sus mapas de clases."""

from pathlib import Path

import numpy as np
from PIL import Image

N_PHOTOS = {"train": 6, "val": 3}
WIDTH, HEIGHT = 60, 40
CLASSES = {8: "cat", 12: "dog", 15: "person"}  # tres de las veinte, con su número en los mapas
BORDER = 255
OBJECT = """
 <object><name>{name}</name><pose>Unspecified</pose><truncated>0</truncated>
  <difficult>0</difficult>
  <bndbox><xmin>{x1}</xmin><ymin>{y1}</ymin><xmax>{x2}</xmax><ymax>{y2}</ymax></bndbox>
 </object>"""
NOTES = """<annotation><folder>VOC2012</folder><filename>{name}.jpg</filename>
 <size><width>{width}</width><height>{height}</height><depth>3</depth></size>
 <segmented>1</segmented>{objects}
</annotation>
"""


def make_voc(folder: Path) -> None:
    """VOC 2012: la carpeta `VOCdevkit` con fotos, notas, mapas de clases y las listas de partes."""
    root, rng = folder / "VOCdevkit" / "VOC2012", np.random.default_rng(0)
    lists = [root / "ImageSets" / name for name in ("Main", "Segmentation")]
    for place in (root / "JPEGImages", root / "Annotations", root / "SegmentationClass", *lists):
        place.mkdir(parents=True)
    for part, n_photos in N_PHOTOS.items():
        names = [f"2007_{1000 * len(part) + number:06d}" for number in range(n_photos)]
        for name in names:
            _photo(root, name, rng)
        for place in lists:
            (place / f"{part}.txt").write_text("".join(f"{name}\n" for name in names))


def _photo(root: Path, name: str, rng: np.random.Generator) -> None:
    """Dos rectángulos; alrededor de cada uno, un píxel sin decidir."""
    pixels = rng.integers(90, 150, (HEIGHT, WIDTH, 3), dtype=np.uint8)
    kinds, objects = np.zeros((HEIGHT, WIDTH), dtype=np.uint8), []
    for kind in rng.choice(list(CLASSES), size=2, replace=False).tolist():
        w, h = rng.integers(12, 24, size=2).tolist()
        x, y = int(rng.integers(1, WIDTH - w - 1)), int(rng.integers(1, HEIGHT - h - 1))
        pixels[y : y + h, x : x + w] = (15 * kind, 120, 255 - 15 * kind)
        kinds[y - 1 : y + h + 1, x - 1 : x + w + 1] = BORDER
        kinds[y : y + h, x : x + w] = kind
        corners = {"x1": x + 1, "y1": y + 1, "x2": x + w, "y2": y + h}  # cuenta desde 1
        objects.append(OBJECT.format(name=CLASSES[kind], **corners))
    Image.fromarray(pixels).save(root / "JPEGImages" / f"{name}.jpg")
    notes = Image.fromarray(kinds)
    notes.putpalette([value for value in range(256) for _ in "rgb"])
    notes.save(root / "SegmentationClass" / f"{name}.png")
    text = NOTES.format(name=name, width=WIDTH, height=HEIGHT, objects="".join(objects))
    (root / "Annotations" / f"{name}.xml").write_text(text)


MAKERS = {"Pascal VOC 2012": make_voc}
