"""MNIST y Speech Commands: las mismas parejas, con manos y voces de verdad (`completo`)."""

from pathlib import Path

from tfcourse.datasets.download import data_folder
from tfcourse.datasets.folders.speech_commands import speech_commands
from tfcourse.datasets.pictures.digits import LabelledImages
from tfcourse.datasets.sounds.digit_pairs import DigitPools
from tfcourse.stored.full import Source

MNIST_SOURCE = Source("MNIST", "http://yann.lecun.com/exdb/mnist/", "CC BY-SA 3.0", 0.01)

KINDS = ("images-idx3", "labels-idx1")


def mnist(train: bool, folder: Path | None = None) -> LabelledImages:
    """Las 60 000 cifras de entrenar o las 10 000 de evaluar, `(N, 1, 28, 28)`, entre 0 y 1.

    Las descarga, las comprueba y las lee torchvision. Fuente: LeCun et al. (1998).
    Errores: `ConnectionError` si no están y no se pueden descargar; `ValueError` si alguno de los
    archivos está a medias.
    """
    from torchvision.datasets import MNIST

    raw = (folder or data_folder()) / "MNIST" / "raw"
    try:
        digits = MNIST(str(raw.parents[1]), train=train, download=not raw.exists())
    except (RuntimeError, OSError, ValueError) as error:
        part = "train" if train else "t10k"
        if all((raw / f"{part}-{kind}-ubyte").exists() for kind in KINDS):
            raise ValueError(
                f"en {raw} hay archivos a medias o que no son de MNIST: borra esa carpeta y se "
                "volverán a descargar"
            ) from error
        raise ConnectionError(
            f"no están en {raw} los archivos de MNIST y no se han podido descargar ({error}): "
            "cópialos ahí, o sigue con el perfil rapido, que no usa la red"
        ) from error
    return LabelledImages(digits.data[:, None].float().div(255), digits.targets)


def real_pools(folder: Path | None = None) -> tuple[DigitPools, DigitPools]:
    """Para entrenar y para evaluar, con los repartos oficiales, que separan manos y voces.

    Errores: los de `mnist` y `speech_commands`.
    """
    return tuple(
        DigitPools(mnist(train, folder), speech_commands(part, folder=folder))
        for train, part in ((True, "training"), (False, "testing"))
    )
