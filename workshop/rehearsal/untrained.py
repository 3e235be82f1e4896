"""Un modelo de `transformers`, diminuto y sin entrenar, guardado como los publicados."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

COLORS = {"image_mean": [0.5, 0.4, 0.45], "image_std": [0.25, 0.3, 0.2]}


def save_untrained(folder: Path, make: Callable[[], Any]) -> None:
    """Hace un modelo, siempre con los mismos números, y guarda sus archivos en una carpeta."""
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        make().save_pretrained(folder)


def save_seer(folder: Path, make: Callable[[], Any]) -> None:
    """Lo mismo, con el archivo que dice cómo se preparan las fotos."""
    save_untrained(folder, make)
    path = folder / "preprocessor_config.json"
    path.write_text(json.dumps(COLORS), encoding="utf-8")
