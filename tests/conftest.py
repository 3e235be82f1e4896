"""Lo común a todas las pruebas: hilos, tipos, y la tabla de tiempos de los cuadernos."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # las pruebas se importan entre sí: `from tests.systems import …`

# tfcourse va antes que torch porque fija cómo esperan los hilos.
import tfcourse  # noqa: E402, I001
import torch  # noqa: E402

os.environ.setdefault("TFCOURSE_PROGRESO", "no")

CHAPTER_TABLE: list[str] = []


@pytest.fixture(autouse=True, scope="session")
def one_thread():
    """Un hilo: los números salen iguales en todas las máquinas y no se estorba al vecino."""
    torch.set_num_threads(tfcourse.notebook.threads())


@pytest.fixture
def sin_tipos():
    """Apaga la comprobación de formas, para probar los mensajes que verá un estudiante."""
    import jaxtyping

    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)


def pytest_sessionfinish(session):
    """Con varios procesos (`-n`), cada uno entrega su parte de la tabla al que escribe."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["chapter_table"] = CHAPTER_TABLE


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """Recoge la parte de la tabla de un proceso que ha terminado."""
    CHAPTER_TABLE.extend(getattr(node, "workeroutput", {}).get("chapter_table", []))


def pytest_terminal_summary(terminalreporter):
    """Escribe al final la tabla de tiempo y memoria de cada cuaderno."""
    if CHAPTER_TABLE:
        terminalreporter.write_sep("-", "cuadernos: tiempo y memoria")
        for row in sorted(CHAPTER_TABLE):
            terminalreporter.write_line(row)
