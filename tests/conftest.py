"""Lo común a todas las pruebas: hilos, tipos, y la tabla de tiempos de los cuadernos."""

import gc
import multiprocessing
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import jaxtyping
import pytest
from filelock import FileLock
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # las pruebas se importan entre sí: `from tests.systems import …`
sys.path.append(str(ROOT / "chapters/_sitio"))  # la extensión del libro: `course_site`

# Las formas anotadas se comprueban en cada llamada: va antes que lo que se comprueba. Las pruebas
# lentas van sin eso: tardan la mitad, y las rápidas ya lo miran.
if os.environ.get("TFCOURSE_FORMAS") != "no":
    jaxtyping.install_import_hook(
        ["tfcourse", "benchmarks", "workshop"],
        "beartype.beartype(conf=beartype.BeartypeConf(is_pep484_tower=True))",
    )

# tfcourse va antes que torch porque fija cómo esperan los hilos.
import tfcourse  # noqa: E402, I001
import torch  # noqa: E402

from tests.site.static_page import open_browser  # noqa: E402
from tests.order import EARLY, UNSEEN, early, hidden, is_left_unread, longest_first  # noqa: E402
from tests.turns import leave_out  # noqa: E402

os.environ.setdefault("TFCOURSE_PROGRESO", "no")

# Lo que tarda un ejemplo depende de lo ocupado que esté el equipo: no es un fallo.
settings.register_profile("sin reloj", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("sin reloj")

# Un solo servidor de procesos para todas las pruebas, con lo que tarda en importarse ya cargado.
multiprocessing.get_context("forkserver").set_forkserver_preload(["tests.accelerator.preload"])

CHAPTER_TABLE: list[str] = []
# Archivo → segundos de sus pruebas. Al acabar se enseñan los mayores, si en total pasan de un rato.
FILE_SECONDS: Counter[str] = Counter()
LONG_RUN, SHOWN_FILES = 300, 20


@pytest.fixture(autouse=True, scope="session")
def one_thread():
    """Un hilo: los números salen iguales en todas las máquinas y no se estorba al vecino."""
    torch.set_num_threads(tfcourse.notebook.threads())


@pytest.fixture(scope="session")
def browser():
    """Un navegador para todas: abrirlo cuesta más que muchas de ellas, y no admite un segundo."""
    with open_browser() as opened:
        yield opened


@pytest.fixture
def sin_tipos():
    """Apaga la comprobación de formas, para probar los mensajes que verá un estudiante."""
    import jaxtyping

    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)


class FakeClock:
    """Un reloj de mentira: avanza `tick` segundos cada vez que se mira, y lo que se le diga."""

    def __init__(self):
        self.tick, self.seconds = 0.01, 0.0

    def look(self) -> float:
        """La hora, que ya es otra."""
        self.advance(self.tick)
        return self.seconds

    def advance(self, seconds: float) -> None:
        """Hace como si hubiera pasado ese tiempo."""
        self.seconds += seconds


@pytest.fixture
def fake_clock(monkeypatch):
    """Con él se prueba lo que se mide o se entrena por tiempo, esté como esté el equipo."""
    clock = FakeClock()
    for name in ("process_time", "perf_counter"):
        monkeypatch.setattr(time, name, clock.look)
    return clock


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


def pytest_ignore_collect(collection_path, config):
    """La parte lenta no abre los archivos donde no puede haber nada suyo."""
    return is_left_unread(collection_path, config.option.markexpr) or None


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Deja para otro turno lo que no toca en este y, de lo que se pide, pone lo largo delante."""
    # Antes de que `-m` quite las que no se piden.
    config.stash[UNSEEN], config.stash[EARLY] = hidden(items), early(items)
    leave_out(items, lambda resting: config.hook.pytest_deselected(items=resting))
    yield
    items[:] = longest_first(items, getattr(config, "workerinput", {}).get("workercount", 1))


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Al recoger, y después con lo recogido, el recolector de basura no pasa.

    Todo lo que se importa se queda: repasarlo una y otra vez era la cuarta parte de recoger.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_sessionfinish(session):
    """Con varios procesos (`-n`), cada uno entrega su parte de la tabla al que escribe."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["chapter_table"] = CHAPTER_TABLE


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """Recoge la parte de la tabla de un proceso que ha terminado."""
    CHAPTER_TABLE.extend(getattr(node, "workeroutput", {}).get("chapter_table", []))


def pytest_runtest_logreport(report):
    """Apunta lo que tarda cada archivo, sumado en todos los procesos."""
    FILE_SECONDS[report.location[0]] += report.duration


def pytest_terminal_summary(terminalreporter):
    """Escribe al final qué archivos tardan más, y el tiempo y la memoria de cada cuaderno."""
    total = FILE_SECONDS.total()
    if total > LONG_RUN:
        terminalreporter.write_sep("-", f"los que más tardan, de {total:.0f} s en total")
        for file, seconds in FILE_SECONDS.most_common(SHOWN_FILES):
            terminalreporter.write_line(f"{seconds:7.0f} s {seconds / total:5.1%}  {file}")
    if CHAPTER_TABLE:
        terminalreporter.write_sep("-", "cuadernos: tiempo y memoria")
        for row in sorted(CHAPTER_TABLE):
            terminalreporter.write_line(row)
