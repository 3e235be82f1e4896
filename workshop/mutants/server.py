"""El proceso que prueba los mutantes: carga torch y pytest una vez y se bifurca en cada prueba.

Se ejecuta desde la copia del curso. Lee una petición por línea, `{"files": […], "seconds": s}`, y
contesta otra: `{"outcome": "pasa" | "falla" | "se cuelga", "by": la prueba, "seconds": …}`. Los
segundos son de procesador: no dependen de lo cargado que esté el equipo.
"""

import contextlib
import importlib
import json
import os
import resource
import signal
import sys

HEAVY = (
    "torch", "torchvision", "torchaudio", "pytest", "nbval.plugin", "xdist.plugin", "hypothesis",
    "_hypothesis_pytestplugin", "jaxtyping", "beartype", "numpy", "scipy.signal", "matplotlib",
    "matplotlib.pyplot", "sklearn.linear_model", "transformers", "transformers.modeling_utils",
    "tokenizers", "filelock",
)  # fmt: skip
MEMORY = 8 << 30  # bytes: un mutante puede pedir un tensor disparatado
NOTHING_COLLECTED = 5  # el código de pytest cuando las etiquetas no dejan ninguna prueba
QUICK = "not lento and not sitio"


def serve(answers) -> None:
    """Atiende peticiones hasta que se acaban."""
    import torch
    from hypothesis import settings

    torch.set_num_threads(1)
    # Ni plazos ni azar: una prueba no puede fallar porque el equipo esté ocupado.
    settings.register_profile("mutantes", deadline=None, derandomize=True, database=None)
    settings.load_profile("mutantes")
    for request in map(json.loads, sys.stdin):
        print(json.dumps(run_apart(**request)), file=answers, flush=True)


class FirstFailure:
    """Un complemento de pytest que dice por una tubería qué prueba falló."""

    def __init__(self, pipe: int):
        self.pipe = pipe

    def pytest_runtest_logreport(self, report) -> None:
        """Una prueba, o lo que la prepara."""
        if report.failed:
            os.write(self.pipe, report.nodeid.encode() + b"\n")

    def pytest_collectreport(self, report) -> None:
        """Un archivo que ni se puede leer."""
        if report.failed:
            os.write(self.pipe, report.nodeid.encode() + b"\n")


def run_apart(files: list[str], seconds: float) -> dict:
    """Ejecuta unas pruebas en un hijo, con un límite de segundos de procesador."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _run_and_leave(files, seconds, writing)
    os.close(writing)
    _, status, usage = os.wait4(child, 0)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # lo que hayan dejado las pruebas
    with os.fdopen(reading) as pipe:
        by = pipe.readline().strip()
    return {"outcome": _outcome(status), "by": by, "seconds": usage.ru_utime + usage.ru_stime}


def _run_and_leave(files: list[str], seconds: float, pipe: int) -> None:
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    signal.alarm(20 * int(seconds) + 600)  # quien espera sin gastar procesador
    code = 1
    try:
        import pytest

        options = ["-x", "-q", "--tb=no", "-p", "no:cacheprovider", "-m", QUICK]
        code = pytest.main([*options, *files], plugins=[FirstFailure(pipe)])
    finally:
        sys.stdout.flush()
        os._exit(int(code))


def _outcome(status: int) -> str:
    if os.WIFSIGNALED(status):
        limits = (signal.SIGXCPU, signal.SIGALRM, signal.SIGKILL)
        return "se cuelga" if os.WTERMSIG(status) in limits else "falla"
    return "pasa" if os.WEXITSTATUS(status) in (0, NOTHING_COLLECTED) else "falla"


def main() -> None:
    """Guarda la salida para las respuestas, envía lo demás al registro y empieza."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for name in HEAVY:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    serve(answers)


if __name__ == "__main__":
    main()
