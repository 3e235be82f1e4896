"""tfcourse: el paquete que acompaña al curso «Aprende Transformers desde cero».

Lo que enseña cada capítulo vive aquí, una sola vez; los cuadernos lo muestran y lo usan.
"""

import os
import sys

# Los hilos de OpenMP que esperan girando frenan diez veces a un proceso vecino. Solo surte
# efecto si se fija antes de importar torch, y este es el primer módulo que se importa.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

from tfcourse.moved import OldNames
from tfcourse.notebook import start_notebook
from tfcourse.profile import by_profile, profile

__version__ = "0.1.0"

__all__ = ["__version__", "by_profile", "profile", "start_notebook"]

sys.meta_path.append(OldNames())
