"""Servidor del sitio construido, con compresión como la de un alojamiento estático."""

import gzip
import threading
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

COMPRESSED = {".html", ".css", ".js", ".svg", ".json", ".xml", ".txt"}


@lru_cache(maxsize=256)
def compressed(path: Path) -> bytes:
    """Lo que viaja de un archivo de texto."""
    return gzip.compress(path.read_bytes(), 6)


class Handler(SimpleHTTPRequestHandler):
    """Sirve los archivos, comprimidos si son de texto, y la página 404 del sitio si no están."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        status = 200 if path.is_file() else 404
        path = path if status == 200 else Path(self.directory) / "404.html"
        squeezed = path.suffix in COMPRESSED
        content = b"" if not path.is_file() else compressed(path) if squeezed else path.read_bytes()
        self.send_response(status)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "max-age=600")
        if squeezed:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        with suppress(ConnectionError):  # el navegador se ha ido a otra página
            self.wfile.write(content)

    def log_message(self, *_):
        """Calla."""


@contextmanager
def serve(folder: Path):
    """Dirección del sitio servido mientras dura el bloque."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
