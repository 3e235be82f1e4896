"""Lo que carga una vez el proceso del que nacen los de los cuadernos y los que corrigen.

De `tfcourse`, solo el entrenamiento: los cuartos se importan cuando ya se ha dicho el dispositivo.
"""

import os

os.environ.setdefault("MPLBACKEND", "agg")
os.environ["TFCOURSE_PROGRESO"] = "no"
# Preguntar si hay GPU no la despierta: después de despertarla no se puede nacer de este proceso.
os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"] = "1"

import accelerate  # noqa: F401
import IPython.core.interactiveshell  # noqa: F401
import matplotlib.pyplot  # noqa: F401
import nbformat  # noqa: F401
import scipy.optimize  # noqa: F401
import torchaudio  # noqa: F401
import torchvision  # noqa: F401
import transformers  # noqa: F401

import tfcourse.teaching.classroom
import tfcourse.training  # noqa: F401
