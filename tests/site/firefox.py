"""Firefox sin ventana, por Marionette: el protocolo que trae, en mensajes JSON con su longitud."""

import json
import shutil
import socket
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

PATIENCE = 120  # segundos: con el equipo ocupado, Firefox tarda en abrirse


def require_firefox() -> str:
    """Ruta de Firefox; si no está, la prueba se omite con un aviso, también con TFCOURSE_EXIGIR."""
    path = shutil.which("firefox-esr") or shutil.which("firefox")
    if path is None:
        pytest.skip("falta Firefox: instálalo con «apt-get install firefox-esr»")
    return path


class Firefox:
    """Una ventana que va a una dirección y ejecuta guiones en ella.

    Errores: `RuntimeError` con lo que diga Firefox; `TimeoutError` si algo no llega a cumplirse.
    """

    def __init__(self, port: int):
        self.connection = connected(port)
        self.answers = self.connection.makefile("rb")
        self.sent = 0
        self.receive()  # el saludo
        self.order("WebDriver:NewSession")

    def receive(self):
        """Un mensaje: su longitud, dos puntos y el JSON."""
        length = b""
        while (one := self.answers.read(1)) != b":":
            length += one
        return json.loads(self.answers.read(int(length)))

    def order(self, name: str, **options):
        """Manda una orden y espera su respuesta."""
        self.sent += 1
        message = json.dumps([0, self.sent, name, options]).encode()
        self.connection.sendall(b"%d:" % len(message) + message)
        _, _, error, answer = self.receive()
        if error:
            raise RuntimeError(error["message"])
        return answer

    def go(self, address: str) -> None:
        """Abre una página y espera a que se cargue."""
        self.order("WebDriver:Navigate", url=address)

    def run(self, script: str):
        """Lo que devuelve un guion, en la propia página."""
        options = {"script": script, "args": [], "sandbox": None}
        return self.order("WebDriver:ExecuteScript", **options)["value"]

    def wait(self, condition: str):
        """Espera a que una expresión valga algo, y lo devuelve."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if found := self.run(f"return {condition}"):
                return found
            time.sleep(0.05)
        raise TimeoutError(f"no se cumple: {condition}")


def connected(port: int) -> socket.socket:
    """La conexión con Firefox, en cuanto escucha."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def free_port() -> int:
    """Un puerto que nadie usa."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@contextmanager
def open_firefox(folder: Path):
    """Firefox, con su perfil en una carpeta, mientras dura el bloque."""
    path, port = require_firefox(), free_port()
    (folder / "user.js").write_text(f'user_pref("marionette.port", {port});\n', encoding="utf-8")
    order = [path, "-headless", "-marionette", "-no-remote", "-profile", folder]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(order, **quiet)
    try:
        browser = Firefox(port)
        yield browser
        browser.order("Marionette:Quit", flags=["eForceQuit"])
        process.wait(PATIENCE)
    finally:
        process.kill()
