"""MNIST y Speech Commands: las mismas parejas, con manos y voces de verdad (`completo`)."""

from pathlib import Path

from tfcourse.datasets.digit_pairs import DigitPools
from tfcourse.datasets.digits import LabelledImages
from tfcourse.datasets.download import data_folder
from tfcourse.datasets.speech_commands import speech_commands


def mnist(train: bool, folder: Path | None = None) -> LabelledImages:
    """Las 60 000 cifras de entrenar o las 10 000 de evaluar, `(N, 1, 28, 28)`, entre 0 y 1.

    Las descarga, las comprueba y las lee torchvision. Fuente: LeCun et al. (1998).
    Errores: `ConnectionError` si no están y no se pueden descargar.
    """
    from torchvision.datasets import MNIST

    folder = folder or data_folder()
    try:
        digits = MNIST(str(folder), train=train, download=not (folder / "MNIST" / "raw").exists())
    except (RuntimeError, OSError) as error:
        raise ConnectionError(
            f"no están en {folder / 'MNIST' / 'raw'} los archivos de MNIST y no se han podido "
            f"descargar ({error}): cópialos ahí, o sigue con el perfil rapido, que no usa la red"
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
