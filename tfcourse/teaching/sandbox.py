"""El recinto: un proceso sin red ni archivos ajenos en el que corre el código de una entrega.

En Linux lo levanta bubblewrap (`bwrap`): espacios de nombres propios, el sistema en solo lectura,
una carpeta temporal en memoria y de tamaño fijo, y ni rastro de las entregas, los correctores o
las notas.
"""

import contextlib
import os
import selectors
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import tfcourse
from tfcourse.exercises.student import StoppedByChecker
from tfcourse.teaching.limits import Limits
from tfcourse.teaching.peer import Peer
from tfcourse.teaching.remote_errors import Reported
from tfcourse.teaching.usage import excess
from tfcourse.teaching.wire import WireError

WORK = "/trabajo"
FAREWELL, GLANCE = 0.5, 0.1  # segundos
PACKAGE = Path(tfcourse.__file__).resolve().parent
MODULE = "tfcourse.teaching.inside"
RISKS = (
    "sin aislamiento, cada entrega puede leer y borrar tus archivos, ver las demás entregas y las "
    "notas y usar la red: hazlo solo con código de confianza o en una máquina de usar y tirar"
)
MISSING = (
    "falta bubblewrap, que aísla el código de las entregas: instálalo con "
    "«apt-get install bubblewrap» (Linux o WSL). Con --sin-aislamiento se corrige sin él, pero "
    f"{RISKS}"
)
FORBIDDEN = (
    "bubblewrap está instalado pero este sistema no le deja crear el recinto ({reason}): en "
    "un contenedor, "
    "permite los espacios de nombres de usuario; --sin-aislamiento corrige sin él y sin protección"
)


class SandboxDied(Exception):
    """El proceso del recinto se ha acabado, se ha pasado de tiempo o ha dicho algo sin sentido."""

    def __init__(self, key: str, reason: str):
        super().__init__(reason)
        self.key, self.reason = key, reason


def check_isolation() -> None:
    """Comprueba que el recinto se puede levantar. Errores: `ValueError`, con el remedio."""
    if shutil.which("bwrap") is None:
        raise ValueError(MISSING)
    result = subprocess.run(
        [*bwrap_options(Limits()), "true"], capture_output=True, text=True, timeout=60
    )
    if result.returncode != 0:
        raise ValueError(FORBIDDEN.format(reason=result.stderr.strip()[:200]))


def bwrap_options(limits: Limits) -> list[str]:
    """La orden que levanta el recinto, sin el programa que correrá dentro."""
    options = [
        shutil.which("bwrap") or "bwrap", "--unshare-all", "--die-with-parent", "--new-session",
        "--cap-drop", "ALL", "--uid", "1000", "--gid", "1000", "--hostname", "recinto",
        "--clearenv",
    ]  # fmt: skip
    for name, value in _variables(WORK, str(PACKAGE.parent)).items():
        options += ["--setenv", name, value]
    for folder in ("/bin", "/sbin", "/lib", "/lib32", "/lib64"):
        if os.path.islink(folder):
            options += ["--symlink", os.readlink(folder), folder]
        elif os.path.isdir(folder):
            options += ["--ro-bind", folder, folder]
    for path in (*visible_folders(), "/etc/ld.so.cache", "/etc/alternatives"):
        options += ["--ro-bind-try", path, path]
    for folder in checker_folders():
        options += ["--tmpfs", folder, "--remount-ro", folder]
    options += ["--proc", "/proc", "--dev", "/dev", "--size", "65536", "--tmpfs", "/dev/shm"]
    options += ["--remount-ro", "/dev", "--size", str(limits.disk), "--tmpfs", WORK]
    return [*options, "--remount-ro", "/", "--chdir", WORK, "--"]


def visible_folders() -> list[str]:
    """Lo que el recinto ve en solo lectura: el sistema, el intérprete y este paquete."""
    roots = {sys.prefix, sys.base_prefix, sys.exec_prefix, str(Path(sys.base_prefix).resolve())}
    roots.add(str(Path(sys.executable).resolve().parent.parent))
    return ["/usr", *sorted(root for root in roots if root != "/"), str(PACKAGE)]


def checker_folders() -> list[str]:
    """Los correctores, en este paquete y en cualquier otra copia que esté instalada: se tapan."""
    roots = {PACKAGE.parent, *(Path(entry).resolve() for entry in sys.path if entry)}
    checkers = ("exercises", "bank", "projects/steps")
    found = {root / f"tfcourse/{name}" for root in roots for name in checkers}
    seen = tuple(f"{folder}/" for folder in visible_folders())
    return sorted(str(f) for f in found if f.is_dir() and str(f).startswith(seen))


def check_out_of_sight(folder: Path) -> None:
    """Errores: `ValueError` si la carpeta del curso se vería desde dentro del recinto."""
    path = folder.resolve()
    for root in visible_folders():
        if path.is_relative_to(root):
            raise ValueError(
                f"la carpeta del curso está dentro de {root}, que las entregas pueden leer: "
                "llévala "
                "a otro sitio, p. ej. a tu carpeta personal"
            )


def _variables(work: str, package_root: str) -> dict[str, str]:
    return {
        "PATH": "/usr/bin:/bin", "HOME": work, "TMPDIR": work, "USER": "estudiante",
        "LANG": "C.UTF-8", "PYTHONUTF8": "1", "PYTHONPATH": package_root, "PYTHONSAFEPATH": "1",
        "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1", "MPLBACKEND": "agg", "CUDA_VISIBLE_DEVICES": "",
        "TFCOURSE_PROGRESO": "no",
    }  # fmt: skip


class Sandbox:
    """Un recinto en marcha, visto desde fuera.

    Todo lo que llega de él se trata como datos: si se atasca, muere o no sigue el formato, se
    cierra y se lanza `SandboxDied`.
    """

    def __init__(self, limits: Limits, isolated: bool):
        self.limits = limits
        self.scratch = None
        command = [sys.executable, "-m", MODULE]
        # También para bwrap: su entorno se puede leer desde dentro, en /proc/1.
        # En su propia sesión: un Ctrl+C del docente no debe parecer un fallo de la entrega.
        settings = {"env": _variables(WORK, str(PACKAGE.parent)), "start_new_session": True}
        if isolated:
            command = [*bwrap_options(limits), *command]
        else:
            self.scratch = tempfile.mkdtemp(prefix="tfcourse-recinto-")
            settings["env"] = _variables(self.scratch, str(PACKAGE.parent))
            settings["cwd"] = self.scratch
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            bufsize=0, **settings,
        )  # fmt: skip
        self.deadline = time.monotonic() + limits.start_seconds
        os.set_blocking(self.process.stdin.fileno(), False)
        self.peer = Peer(self._read, self._write, fatal=(StoppedByChecker, KeyboardInterrupt))
        self.ask({"limits": limits.as_dict()}, limits.start_seconds)

    def ask(self, message: dict, seconds: float) -> dict:
        """Pide algo y espera la respuesta como mucho esos segundos. Errores: `SandboxDied`."""
        self.deadline = time.monotonic() + seconds
        try:
            return self.peer.ask(message)[0]
        except (WireError, KeyError, TypeError, AttributeError, Reported) as error:
            self.close()  # a esto no se responde con un error: quien lo hace no es el recinto
            raise SandboxDied(
                "protocolo", "la entrega ha roto el diálogo con el corrector"
            ) from error

    def close(self) -> None:
        """Acaba con el recinto y con todo lo que haya dentro."""
        self.process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(FAREWELL)  # al cerrarse su entrada, el proceso termina solo
        if self.process.poll() is None:
            self.process.kill()
        if self.scratch:
            _kill_group(self.process.pid)
        self.process.wait()
        self.process.stdout.close()
        if self.scratch:
            shutil.rmtree(self.scratch, ignore_errors=True)

    @property
    def alive(self) -> bool:
        """Dice si se le puede seguir hablando."""
        return not self.process.stdin.closed and self.process.poll() is None

    def _wait(self, stream, event: int) -> None:
        """Espera al recinto y, mientras, mira que no se llene de hilos ni de archivos."""
        with selectors.DefaultSelector() as selector:
            selector.register(stream, event)
            while not selector.select(min(GLANCE, max(0.0, self.deadline - time.monotonic()))):
                late = time.monotonic() >= self.deadline
                found = (
                    ("no-termina", "se ha pasado del tiempo permitido y se ha detenido")
                    if late
                    else excess(self.process.pid, None if self.scratch else WORK, self.limits)
                )
                if found:
                    self.close()
                    raise SandboxDied(*found)

    def _read(self, size: int) -> bytes:
        data = bytearray()
        while len(data) < size:
            self._wait(self.process.stdout, selectors.EVENT_READ)
            piece = os.read(self.process.stdout.fileno(), min(size - len(data), 1 << 20))
            if not piece:
                raise self._dead()
            data += piece
        return bytes(data)

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            self._wait(self.process.stdin, selectors.EVENT_WRITE)
            try:
                view = view[os.write(self.process.stdin.fileno(), view) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                raise self._dead() from None

    def _dead(self) -> SandboxDied:
        self.close()
        return SandboxDied(
            "proceso-muerto",
            "el proceso se ha acabado de golpe: por la memoria, por el tiempo de procesador "
            "o porque el "
            "código lo termina",
        )


def _kill_group(group: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, 9)
