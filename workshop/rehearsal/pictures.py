"""Fotos diminutas con el formato de los conjuntos públicos de imágenes."""

import pickle
from pathlib import Path

import numpy as np

N_PHOTOS = 12  # por archivo


def make_cifar10(folder: Path) -> None:
    """CIFAR-10: cinco lotes de entrenar, uno de evaluar y los nombres, en archivos de `pickle`."""
    inside, rng = folder / "cifar-10-batches-py", np.random.default_rng(0)
    inside.mkdir()
    for name in [f"data_batch_{i}" for i in range(1, 6)] + ["test_batch"]:
        pixels = rng.integers(0, 256, (N_PHOTOS, 3 * 32 * 32), dtype=np.uint8)
        batch = {"data": pixels, "labels": [i % 10 for i in range(N_PHOTOS)]}
        _pickle(inside / name, batch)
    _pickle(inside / "batches.meta", {"label_names": [f"clase {i}" for i in range(10)]})


def make_chest(folder: Path) -> None:
    """ChestMNIST: un `.npz` con las radiografías y los hallazgos de sus tres partes."""
    rng, tables = np.random.default_rng(0), {}
    for name in ("train", "val", "test"):
        tables[f"{name}_images"] = rng.integers(0, 256, (N_PHOTOS, 28, 28), dtype=np.uint8)
        # Cada hallazgo, en una de cada tres: todos tienen casos y no casos, y muchas, varios.
        places = np.add.outer(np.arange(N_PHOTOS), np.arange(14))
        tables[f"{name}_labels"] = (places % 3 == 0).astype(np.uint8)
    np.savez_compressed(folder / "chestmnist.npz", **tables)


def _pickle(path: Path, content: dict) -> None:
    path.write_bytes(pickle.dumps(content, protocol=2))


MAKERS = {"CIFAR-10": make_cifar10, "ChestMNIST": make_chest}
