"""Cuánto puede gastar una entrega: tiempo, memoria, disco, archivos y mensajes."""

import contextlib
import resource
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Limits:
    """Límites de una entrega; los segundos son de reloj salvo `cpu_seconds`.

    `memory` se suma a lo que ya ocupa PyTorch al cargarse. `outside_seconds` es el procesador que
    gasta quien corrige, fuera del recinto; `files`, los archivos abiertos a la vez, e `inodes`,
    los que hay en la carpeta temporal. Los límites de una llamada a la
    función del estudiante son los de `tfcourse.exercises.student`.
    """

    cell_seconds: float = 20.0
    exercise_seconds: float = 40.0
    submission_seconds: float = 180.0
    outside_seconds: float = 60.0
    start_seconds: float = 120.0
    cpu_seconds: int = 150
    memory: int = 2048 * MEGABYTE
    disk: int = 64 * MEGABYTE
    files: int = 128
    threads: int = 512  # con pilas normales, la memoria se acaba antes
    inodes: int = 20_000

    def as_dict(self) -> dict:
        """Los límites como datos, para enviarlos al recinto."""
        return asdict(self)


def apply_limits(limits: dict) -> None:
    """Limita este proceso y todo lo que haga después; no se puede deshacer."""
    wanted = {
        "RLIMIT_CPU": limits["cpu_seconds"],
        "RLIMIT_AS": _memory_now() + limits["memory"],
        "RLIMIT_FSIZE": limits["disk"],
        "RLIMIT_NOFILE": limits["files"],
        "RLIMIT_CORE": 0,
        "RLIMIT_MSGQUEUE": 0,
        "RLIMIT_MEMLOCK": MEGABYTE,
    }
    for name, value in wanted.items():
        _limit(name, value)


def _limit(name: str, value: int) -> None:
    if not hasattr(resource, name) or (sys.platform == "darwin" and name == "RLIMIT_AS"):
        return
    kind = getattr(resource, name)
    hard = resource.getrlimit(kind)[1]
    value = int(value) if hard == resource.RLIM_INFINITY else min(int(value), hard)
    resource.setrlimit(kind, (value, value))


def limit_memory(extra: int) -> None:
    """Como mucho, esos bytes más de los que ya ocupa este proceso."""
    _limit("RLIMIT_AS", _memory_now() + extra)


@contextlib.contextmanager
def memory_bound(extra: int) -> Iterator[None]:
    """Dentro del bloque, como mucho esos bytes más; después, lo de antes."""
    if not hasattr(resource, "RLIMIT_AS") or sys.platform == "darwin":
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = _memory_now() + extra
    tops = [top for top in (wanted, soft, hard) if top != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min(tops), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _memory_now() -> int:
    """Espacio de direcciones que ocupa ya el proceso, en bytes."""
    status = Path("/proc/self/statm")
    if not status.exists():
        return 4096 * MEGABYTE
    return int(status.read_text().split()[0]) * resource.getpagesize()
