"""COCO 2017, diminuto: fotos con rectángulos de color, y sus notas en los archivos de siempre."""

import json
from pathlib import Path

import numpy as np
from PIL import Image

N_PHOTOS = {"train2017": 8, "val2017": 4}
WIDTH, HEIGHT = 64, 48
# Tres de las ochenta clases, con los huecos de verdad entre sus números.
CLASSES = ((1, "person", "person"), (3, "car", "vehicle"), (90, "toothbrush", "indoor"))
COLORS = {1: (220, 60, 50), 3: (40, 90, 220), 90: (60, 190, 90)}
JOINTS = (
    "nose", "left_eye", "right_eye", "left_ear", "right_ear", "left_shoulder", "right_shoulder",
    "left_elbow", "right_elbow", "left_wrist", "right_wrist", "left_hip", "right_hip",
    "left_knee", "right_knee", "left_ankle", "right_ankle",
)  # fmt: skip


def make_coco(folder: Path) -> None:
    """COCO 2017: dos carpetas de fotos y, en `annotations`, las tres clases de notas de cada una.

    En cada foto hay una persona con sus articulaciones y una o dos cosas; en una, además, un grupo.
    """
    (folder / "annotations").mkdir()
    rng = np.random.default_rng(0)
    for part, n_photos in N_PHOTOS.items():
        (folder / part).mkdir()
        photos, things, captions = [], [], []
        for number in range(n_photos):
            # Los números no van seguidos, ni en orden.
            photo = _photo(139 + 7 * ((5 * number) % n_photos), part)
            placed = _things(photo, rng, first=len(things) + 1)
            if not number:
                placed.append(_crowd(photo, len(things) + len(placed) + 1))
            _draw(folder / part / photo["file_name"], placed, rng)
            photos.append(photo)
            things += placed
            captions += [
                {"id": 5 * number + k, "image_id": photo["id"], "caption": f"A photo, said {k}."}
                for k in range(5)
            ]
        people = [thing for thing in things if thing["category_id"] == 1]
        kinds = [{"id": i, "name": name, "supercategory": above} for i, name, above in CLASSES]
        body = [kinds[0] | {"keypoints": list(JOINTS), "skeleton": [[16, 14], [14, 12]]}]
        bare = [{k: v for k, v in thing.items() if "keypoints" not in k} for thing in things]
        _write(folder, "instances", part, photos, bare, categories=kinds)
        _write(folder, "person_keypoints", part, photos, people, categories=body)
        _write(folder, "captions", part, photos, captions)


def _photo(number: int, part: str) -> dict:
    name = f"{number:012d}.jpg"
    return {
        "id": number, "file_name": name, "width": WIDTH, "height": HEIGHT, "license": 1,
        "date_captured": "2013-11-14 11:18:45", "flickr_url": "",
        "coco_url": f"http://images.cocodataset.org/{part}/{name}",
    }  # fmt: skip


def _things(photo: dict, rng: np.random.Generator, first: int) -> list[dict]:
    kinds = [1, *rng.choice([3, 90], size=rng.integers(1, 3)).tolist()]
    found = []
    for number, kind in enumerate(kinds, start=first):
        w, h = rng.integers(14, 30), rng.integers(14, 30)
        x, y = rng.integers(0, WIDTH - w), rng.integers(0, HEIGHT - h)
        thing = _thing(photo, number, kind, *map(float, (x, y, w, h)))
        found.append(thing | (_joints(thing["bbox"], rng) if kind == 1 else {}))
    return found


def _thing(photo: dict, number: int, kind: int, x: float, y: float, w: float, h: float) -> dict:
    outline = [x, y, x + w, y, x + w, y + h, x, y + h]
    return {
        "id": number, "image_id": photo["id"], "category_id": kind, "iscrowd": 0,
        "bbox": [x, y, w, h], "area": w * h, "segmentation": [outline],
    }  # fmt: skip


def _joints(box: list[float], rng: np.random.Generator) -> dict:
    """Diecisiete articulaciones dentro de la caja; una sin anotar y otra tapada."""
    x, y, w, h = box
    places = rng.uniform(0.1, 0.9, (len(JOINTS), 2)) * (w, h) + (x, y)
    marks = np.full(len(JOINTS), 2)
    marks[3], marks[4] = 0, 1
    places[3] = 0
    triples = np.concatenate([places.round(), marks[:, None]], axis=1)
    return {"keypoints": triples.flatten().tolist(), "num_keypoints": int((marks > 0).sum())}


def _crowd(photo: dict, number: int) -> dict:
    """Un grupo de personas: su máscara va por rachas, columna a columna."""
    inside = np.zeros((HEIGHT, WIDTH), dtype=bool)
    inside[:10, :12] = True
    flat = inside.flatten(order="F")
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flat, [False]])))
    counts = np.diff(np.concatenate([[0], edges, [flat.size]])).tolist()
    if counts[-1] == 0:
        counts.pop()
    return _thing(photo, number, 1, 0.0, 0.0, 12.0, 10.0) | {
        "iscrowd": 1,
        "segmentation": {"counts": counts, "size": [HEIGHT, WIDTH]},
        "keypoints": [0] * 3 * len(JOINTS),
        "num_keypoints": 0,
    }


def _draw(path: Path, things: list[dict], rng: np.random.Generator) -> None:
    pixels = rng.integers(90, 150, (HEIGHT, WIDTH, 3), dtype=np.uint8)
    for thing in things:
        x, y, w, h = map(int, thing["bbox"])
        pixels[y : y + h, x : x + w] = COLORS[thing["category_id"]]
    Image.fromarray(pixels).save(path)


def _write(folder: Path, kind: str, part: str, photos: list, notes: list, **more) -> None:
    content = {
        "info": {"description": "COCO 2017 Dataset", "year": 2017, "version": "1.0"},
        "licenses": [{"id": 1, "name": "Attribution License", "url": ""}],
        "images": photos,
        "annotations": notes,
    }
    path = folder / "annotations" / f"{kind}_{part}.json"
    path.write_text(json.dumps(content | more))


MAKERS = {"COCO 2017": make_coco}
