"""Una copia del curso para estropearla: el árbol de trabajo no se toca nunca."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

from workshop.mutants.operators import Mutant

LEFT_OUT = ("__pycache__", "_build", "dist", "node_modules", "informe", "docencia")


class Overlay:
    """Una copia del curso y, desde `start`, un proceso que prueba en ella."""

    def __init__(self, root: Path, folder: Path):
        self.folder, self.clock = folder, 0
        shutil.copytree(root, folder, ignore=_left_out)

    def start(self) -> None:
        """Pone en marcha el proceso."""
        folder = self.folder
        path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
        one_thread = {"OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "PASSIVE"}
        self.log = (folder / "pruebas.log").open("w")
        self.server = subprocess.Popen(
            [sys.executable, "-m", "workshop.mutants.server"],
            cwd=folder, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log,
            env=os.environ | one_thread | {"PYTHONPATH": path},
        )  # fmt: skip

    def test(self, files: list[str], seconds: float) -> dict:
        """Qué pasa con unas pruebas: `outcome` y `seconds`."""
        self.server.stdin.write(json.dumps({"files": files, "seconds": seconds}) + "\n")
        self.server.stdin.flush()
        answer = self.server.stdout.readline()
        if not answer:
            self.log.flush()
            end = (self.folder / "pruebas.log").read_text(errors="replace")[-2000:]
            raise RuntimeError(f"el proceso que prueba los mutantes se ha acabado:\n{end}")
        return json.loads(answer)

    @contextmanager
    def mutated(self, mutant: Mutant):
        """Pone un mutante en la copia y, al salir, la deja como estaba."""
        path = self.folder / mutant.path
        original, stat = path.read_text(encoding="utf-8"), path.stat()
        self.clock += 10
        path.write_text(mutant.source, encoding="utf-8")
        # Una hora que no se repite: si no, Python aprovecharía el compilado de otro mutante.
        os.utime(path, (stat.st_atime, stat.st_mtime + self.clock))
        try:
            yield
        finally:
            path.write_text(original, encoding="utf-8")
            os.utime(path, (stat.st_atime, stat.st_mtime))

    def close(self) -> None:
        """Acaba el proceso."""
        self.server.stdin.close()
        self.server.wait()
        self.log.close()


@contextmanager
def overlay(root: Path):
    """Una copia que se borra al acabar."""
    with tempfile.TemporaryDirectory(prefix="mutantes-") as folder:
        copy = Overlay(root.resolve(), Path(folder) / "curso")
        copy.start()
        try:
            yield copy
        finally:
            copy.close()


def _left_out(_: str, names: list[str]) -> set[str]:
    return {name for name in names if name in LEFT_OUT or name.startswith(".")}
