"""Lo que corre dentro del recinto: ejecuta las celdas de una entrega y presta sus funciones.

`python -m tfcourse.teaching.inside` habla por la entrada y la salida. No sabe qué se espera de cada
función: recibe argumentos y devuelve resultados; quien juzga está fuera.
"""

import inspect
import linecache
import os
import re
import sys
import types

MAGIC = re.compile(r"^(\s*)([%!].*)$", re.MULTILINE)
NOTEBOOK_STUBS = "tfcourse.exercises"


def main() -> None:
    """Prepara el proceso, se encierra y atiende peticiones hasta que se cierre la entrada."""
    read, write = _private_pipes()
    import torch

    import tfcourse
    from tfcourse.teaching.limits import apply_limits
    from tfcourse.teaching.peer import Peer
    from tfcourse.teaching.seccomp import forbid_dangerous_calls
    from tfcourse.teaching.wire import unpack

    torch.set_num_threads(1)
    torch.manual_seed(0)
    tfcourse.start_notebook = lambda *_, **__: None
    _hide_the_checkers()
    os.chdir(os.environ.get("TMPDIR", "/tmp"))
    message, _ = unpack(read)
    apply_limits(message["limits"])
    filtered = forbid_dangerous_calls()
    notebook = Notebook(Peer(read, write))
    ready = {"ready": True, "filtered": filtered}
    notebook.peer.send({"answer": ready, "ticket": message["ticket"]})
    while True:
        message, blob = unpack(read)
        notebook.attend(message, blob)


class Notebook:
    """El cuaderno de una entrega: sus nombres y las celdas que ya se han ejecutado."""

    def __init__(self, peer):
        self.peer = peer
        module = types.ModuleType("__main__")
        sys.modules["__main__"] = module
        self.names = module.__dict__
        self.names["__builtins__"] = __builtins__

    def attend(self, message: dict, blob: bytes) -> None:
        """Atiende una petición: ejecutar una celda, buscar una función o llamarla."""
        if message.get("ask") == "cell":
            answer = self.run_cell(message["name"], message["source"])
        elif message.get("ask") == "take":
            answer = self.take(message["function"], message.get("driver"), message.get("rules"))
        elif message.get("ask") == "lend":
            answer = self.lend(message["function"], message["step"])
        else:
            self.peer.serve(message, blob)
            return
        self.peer.send({"answer": answer, "ticket": message["ticket"]})

    def run_cell(self, name: str, source: str) -> dict:
        """Ejecuta una celda; devuelve el error con el que terminó, si lo hubo."""
        from tfcourse.teaching.remote_errors import CELL_FILE, describe_error

        filename = f"{CELL_FILE} {name}>"
        source = without_magics(source)
        linecache.cache[filename] = len(source), None, source.splitlines(True), filename
        try:
            exec(compile(source, filename, "exec"), self.names)
        except BaseException as error:  # también sys.exit()
            return {"failed": describe_error(error)}
        return {"failed": None}

    def lend(self, name: str, step: str) -> dict:
        """Pone en su sitio la pieza del curso, para los pasos que la usan."""
        from tfcourse.projects.lending import prestada

        self.names[name] = prestada(step)
        return {}

    def take(self, name: str, driver: str | None = None, rules: dict | None = None) -> dict:
        """Busca la función que pide un ejercicio y dice cómo se la puede llamar.

        La pieza de un proyecto se pone a trabajar aquí: la clase no sale del recinto. Con `rules`,
        lo que se presta es la función vigilada.
        """
        from tfcourse.projects.drivers import DRIVERS
        from tfcourse.projects.lending import is_lent

        if name not in self.names:
            return {"kind": "missing"}
        found = self.names[name]
        if is_lent(found, name):
            return {"kind": "lent"}
        if driver is not None and callable(found):
            work = DRIVERS[driver](found)
            return {"kind": "function", "number": self.peer.remember(work), "parameters": None}
        if not callable(found) or inspect.isclass(found):
            return {"kind": "other", "type": type(found).__name__[:60]}
        watched = _watched(found, rules)
        return {
            "kind": "function",
            "number": self.peer.remember(watched),
            "parameters": _parameters(found),
        }


def _watched(function, rules: dict | None):
    from tfcourse.watch import FREELY, Rules

    wanted = Rules(**{**rules, "banned": tuple(rules["banned"])}) if rules else FREELY
    return function if wanted == FREELY else wanted.watched(function)


def without_magics(source: str) -> str:
    """La celda sin órdenes de IPython (`%pip`, `!ls`), que fuera de un cuaderno no existen."""
    try:
        compile(source, "<celda>", "exec")
    except SyntaxError:
        return MAGIC.sub(r"\1pass  # \2", source)
    except Exception:
        return source
    return source


def _parameters(function) -> list | None:
    """Los parámetros de una función, como datos; `None` si no se dejan ver."""
    try:
        found = inspect.signature(function).parameters.values()
        return [
            [str(p.name), int(p.kind), p.default is not inspect.Parameter.empty] for p in found
        ][:100]
    except Exception:
        return None


def _private_pipes():
    """Se queda con la entrada y la salida; las del código de la entrega no van a ninguna parte."""
    inward, outward = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)

    def read(size: int) -> bytes:
        data = bytearray()
        while len(data) < size:
            piece = os.read(inward, min(size - len(data), 1 << 20))
            if not piece:
                os._exit(0)  # quien corrige ha terminado
            data += piece
        return bytes(data)

    def write(data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(outward, view) :]

    return read, write


def _hide_the_checkers() -> None:
    """`comprobar` y `pista` no hacen nada aquí: la nota no depende de lo que digan."""
    stub = types.ModuleType(NOTEBOOK_STUBS)
    stub.comprobar = stub.pista = lambda *_, **__: None
    stub.RespuestaIncorrecta = type("RespuestaIncorrecta", (AssertionError,), {})
    stub.UsoIncorrecto = type("UsoIncorrecto", (ValueError,), {})
    sys.modules[NOTEBOOK_STUBS] = stub


if __name__ == "__main__":
    main()
