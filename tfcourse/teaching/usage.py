"""Lo que gasta un recinto y ningún límite del sistema acota: sus hilos y sus archivos.

Se mira desde fuera, por `/proc`, mientras se espera su respuesta. Los hilos no se pueden limitar
con `setrlimit` si corrige el administrador, y bubblewrap no acota los archivos de su carpeta.
"""

import os
from pathlib import Path

from tfcourse.teaching.limits import Limits


def excess(pid: int, work: str | None, limits: Limits) -> tuple[str, str] | None:
    """La clave y la razón del exceso que hay ahora mismo, si hay alguno.

    `work` es la carpeta temporal vista desde dentro; `None` si no hay recinto que la contenga.
    """
    inner = _innermost(pid)
    try:
        if len(os.listdir(f"/proc/{inner}/task")) > limits.threads:
            return "demasiados-hilos", f"ha creado más de {limits.threads} hilos a la vez"
        if work and inner != pid:
            state = os.statvfs(f"/proc/{inner}/root{work}")
            if state.f_files - state.f_ffree > limits.inodes:
                return "demasiados-archivos", f"ha creado más de {limits.inodes} archivos"
    except OSError:  # se acaba de morir, o el sistema no lo deja ver
        return None
    return None


def _innermost(pid: int) -> int:
    """El último de la fila: bubblewrap, su ayudante y el programa que corre dentro."""
    while children := _children(pid):
        pid = children[0]
    return pid


def _children(pid: int) -> list[int]:
    try:
        return [
            int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        ]
    except OSError:
        return []
