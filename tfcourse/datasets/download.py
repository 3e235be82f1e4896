"""Descargas que se reanudan, se comprueban y no dejan nada a medias."""

import hashlib
import os
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from tfcourse.profile import rehearsing

BLOCK = 1 << 16
DATA_VARIABLE = "TFCOURSE_DATOS"


@dataclass(frozen=True)
class RemoteFile:
    """Archivo público: nombre local, direcciones (la primera que responda) y cómo comprobarlo.

    `size` son bytes; `sha256`, la huella en hexadecimal. Hace falta al menos una de las dos.
    """

    name: str
    urls: tuple[str, ...]
    size: int | None = None
    sha256: str | None = None

    def __post_init__(self):
        if self.size is None and self.sha256 is None:
            raise ValueError(f"«{self.name}» no se puede comprobar: indica su tamaño o su huella")


def data_folder() -> Path:
    """Carpeta de datos descargados: `TFCOURSE_DATOS` o `~/.cache/tfcourse`."""
    return Path(os.environ.get(DATA_VARIABLE) or Path.home() / ".cache" / "tfcourse")


def download(file: RemoteFile, folder: Path | None = None) -> Path:
    """Descarga un archivo, o lo devuelve si ya está, comprobado.

    Una descarga interrumpida se reanuda donde quedó; solo un archivo completo y comprobado recibe
    su nombre definitivo.
    Errores: `ConnectionError` si ninguna dirección responde con el archivo correcto; dice cómo
    seguir sin red.
    """
    target = (folder or data_folder()) / file.name
    if target.exists() and _problem(file, target) is None:
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(target.name + ".parcial")
    reasons = []
    for url in file.urls:
        try:
            _fetch(url, partial)
        except (urllib.error.URLError, OSError) as error:
            reasons.append(f"{url}: {getattr(error, 'reason', error)}")
            continue
        problem = _problem(file, partial)
        if problem is None:
            os.replace(partial, target)
            return target
        partial.unlink()
        reasons.append(f"{url}: {problem}")
    raise ConnectionError(
        f"no se pudo descargar «{file.name}» ({'; '.join(reasons)}). Para seguir sin red, usa el "
        f"perfil rapido (TFCOURSE_PERFIL=rapido) o copia el archivo en {target}"
    )


def _fetch(url: str, partial: Path) -> None:
    """Trae lo que falte del archivo; si el servidor no sabe reanudar, empieza de nuevo."""
    done = partial.stat().st_size if partial.exists() else 0
    request = urllib.request.Request(url, headers={"Range": f"bytes={done}-"} if done else {})
    try:
        response = urllib.request.urlopen(request, timeout=30)
    except urllib.error.HTTPError as error:
        if error.code == 416:  # ya estaba entero: no queda ningún byte que pedir
            return
        raise
    with response, partial.open("ab" if response.status == 206 else "wb") as output:
        while block := response.read(BLOCK):
            output.write(block)


def _problem(file: RemoteFile, path: Path) -> str | None:
    """Qué le pasa a un archivo, o `None` si es el que se esperaba.

    Al ensayar `completo` vale cualquiera: el de mentira no tiene ni su tamaño ni su huella.
    """
    if rehearsing():
        return None
    size = path.stat().st_size
    if file.size is not None and size != file.size:
        return f"mide {size} bytes y debía medir {file.size}"
    if file.sha256 is not None:
        with path.open("rb") as stream:
            found = hashlib.file_digest(stream, "sha256").hexdigest()
        if found != file.sha256:
            return f"su huella es {found[:12]}… y debía ser {file.sha256[:12]}…"
    return None
