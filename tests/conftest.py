"""Lo común a todas las pruebas: hilos, tipos, y la tabla de tiempos de los cuadernos."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # las pruebas se importan entre sí: `from tests.systems import …`
sys.path.append(str(ROOT / "chapters/_sitio"))  # la extensión del libro: `course_site`

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


@pytest.fixture(scope="session")
def site():
    """Carpeta del sitio al día: `make sitio` no hace nada si ya lo está, y falla con un aviso."""
    # Un solo proceso construye y los demás esperan; sin las opciones del `make` que nos llama.
    lock = ROOT / ".pytest_cache/sitio.lock"
    lock.parent.mkdir(exist_ok=True)
    clean = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    with FileLock(lock):
        order = ["make", "--no-print-directory", "sitio", f"PY={sys.executable}"]
        result = subprocess.run(order, cwd=ROOT, env=clean, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout[-3000:] + result.stderr[-3000:]
    return ROOT / "_build/html"


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
