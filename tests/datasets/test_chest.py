"""ChestMNIST: un archivo diminuto del mismo formato, hecho aquí, y lo que se dice si no lo es."""

import numpy as np
import pytest
import torch

from tfcourse.datasets.folders.chest import PATHOLOGIES, chest_xrays


def write(folder, **changes):
    rng = np.random.default_rng(0)
    tables = {}
    for name, n in (("train", 6), ("val", 3), ("test", 4)):
        tables[f"{name}_images"] = rng.integers(0, 256, (n, 28, 28), dtype=np.uint8)
        tables[f"{name}_labels"] = rng.integers(0, 2, (n, 14), dtype=np.uint8)
    path = folder / "chestmnist.npz"
    np.savez_compressed(path, **tables | changes)
    return path, tables


def test_images_and_findings(tmp_path):
    path, tables = write(tmp_path)
    for split, name, n in (("entrenar", "train", 6), ("elegir", "val", 3), ("evaluar", "test", 4)):
        xrays = chest_xrays(path, split, check=False)
        assert xrays.images.shape == (n, 1, 28, 28) and xrays.findings.shape == (n, 14)
        expected = torch.from_numpy(tables[f"{name}_images"]).float() / 255
        torch.testing.assert_close(xrays.images[:, 0], expected)
        assert xrays.findings.dtype == torch.float32
        assert (xrays.findings.numpy() == tables[f"{name}_labels"]).all()
    assert len(set(PATHOLOGIES)) == 14


def test_problems_are_explained(tmp_path):
    path, _ = write(tmp_path)
    with pytest.raises(ValueError, match="no es el archivo publicado: descárgalo de https://zen"):
        chest_xrays(path, "entrenar")
    with pytest.raises(FileNotFoundError, match="no encuentro otro.npz"):
        chest_xrays(tmp_path / "otro.npz", "entrenar")
    with pytest.raises(ValueError, match="no hay ninguna parte 'train': usa entrenar"):
        chest_xrays(path, "train", check=False)
    path, _ = write(tmp_path, train_labels=np.zeros((6, 3), dtype=np.uint8))
    with pytest.raises(ValueError, match=r"las etiquetas \(6, 3\); se esperaban"):
        chest_xrays(path, "entrenar", check=False)
    path.write_bytes(b"no es un npz")
    with pytest.raises(ValueError, match="no tiene las tablas train_images"):
        chest_xrays(path, "entrenar", check=False)


def test_the_exercise_trains_with_the_small_file(tmp_path):
    """La celda del experimento, tal como está en el maestro, con el archivo fabricado aquí."""
    import nbformat

    from tests.conftest import ROOT

    master = ROOT / "chapters/4_vision/maestros/pose_ejercicios.ipynb"
    (cell,) = (
        cell
        for cell in nbformat.read(master, as_version=4).cells
        if cell.id == "auc-por-etiqueta-experimento"
    )
    path, tables = write(tmp_path)
    names = {"torch": torch, "mean_area": None}
    exec(compile(cell.source, "<celda>", "exec"), names)
    seen = names["chest_experiment"](path, lambda *args: args, check=False, steps=1)
    scores, findings = seen
    assert scores.shape == (4, 14) and (scores > 0).all() and (scores < 1).all()
    assert (findings.numpy() == tables["test_labels"]).all()
