"""Una foto real, la que trae scikit-learn: para ver parches de verdad sin usar la red.

«china.jpg», de danielbuechele, con licencia CC BY 2.0.
"""

import torch
from jaxtyping import Float
from torch import Tensor


def sample_photo(side: int = 384) -> Float[Tensor, "3 H W"]:
    """Un cuadrado del centro de la foto de un palacio chino, con valores entre 0 y 1.

    Errores: `ModuleNotFoundError` si falta scikit-learn; `ValueError` si la foto no es tan grande.
    """
    try:
        from sklearn.datasets import load_sample_image
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "la foto llega con scikit-learn: instálalo con «pip install scikit-learn»"
        ) from None
    photo = torch.from_numpy(load_sample_image("china.jpg").copy()).permute(2, 0, 1) / 255
    height, width = photo.shape[1:]
    if not 0 < side <= min(height, width):
        raise ValueError(f"side={side}: la foto mide {height} × {width}, pide como mucho {height}")
    top, left = (height - side) // 2, (width - side) // 2
    return photo[:, top : top + side, left : left + side].contiguous()
