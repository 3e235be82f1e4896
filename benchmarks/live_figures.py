"""Lo que tarda en contestar cada figura que ejecuta un modelo, en un equipo cuatro veces más lento.

`python -m benchmarks figuras_vivas --escribir` abre cada una en Chromium, con el núcleo de
WebAssembly y sin él. Se cuenta el procesador que gasta el hilo de la página, y no el reloj, para
que no importe lo ocupado que esté el equipo, y se multiplica por cuatro, que es lo que tardaría
en uno cuatro veces más lento. Los milisegundos son los de una máquina; la razón entre los dos
caminos se parece de una a otra.
"""

import json
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tfcourse.weights.packing import packed_weights

NAME = "figuras_vivas"
SLOWDOWN, REPEATS = 4, 4
# De cada figura, qué se toca en ella para que el modelo vuelva a contestar.
FIGURES = {
    "gpt": ".tfc-pick",
    "bert": ".tfc-text",
    "transformer_completo": ".tfc-text",
    "t5": ".tfc-text",
    "vision_transformer": ".tfc-range",
    "detr": ".tfc-range",
    "anclas": ".tfc-range",
    "pix2seq": ".tfc-range",
    "segmentacion": ".tfc-range",
    "pose": ".tfc-range",
    "whisper": ".tfc-range",
    "sepformer": ".tfc-range",
    "gato": "button:text-is('Un paso')",
    "generar": ".tfc-range",
    "dialogo": ".tfc-range",
}
PATHS = {"SIMD": "", "JavaScript": "WebAssembly.validate = () => false;"}
CHAPTERS = Path(__file__).parents[1] / "chapters"
STATE_MIME = "application/vnd.jupyter.widget-state+json"
PAGE = """<!doctype html><html lang="es" data-content_root="./"><meta charset="utf-8"><main></main>
<script type="module">
import figure from "./figura.js";
const state = await (await fetch("./estado.json")).json();
const model = { get: () => state, on() {}, off() {}, send() {} };
figure.render({ model, el: document.querySelector("main") });
</script></html>"""
# Los octetos, ya en la página, esperan a `go`; después se apunta que está pintado lo que se hace.
HOLD = """
const noted = (name) => () => (window[name] = performance.now());
const painted = (name) => requestAnimationFrame(() => setTimeout(noted(name)));
const read = Response.prototype.arrayBuffer;
Response.prototype.arrayBuffer = async function () {
  const bytes = await read.call(this);
  await new Promise((resolve) => (window.go = resolve));
  painted("first");
  return bytes;
};
window.touch = (node) => {
  painted("next");
  if (node.type === "range") node.value = Number(node.value) + Number(node.step || 1);
  if (node.matches("button")) node.click();
  else node.dispatchEvent(new Event("input", { bubbles: true }));
};
"""


def settings() -> dict:
    """Todo lo que define la medida."""
    return {"figures": list(FIGURES), "slowdown": SLOWDOWN, "repeats": REPEATS}


def stored_figure(slug: str) -> dict:
    """El estado de la figura viva que guarda el cuaderno de un capítulo."""
    (path,) = CHAPTERS.glob(f"*/{slug}.ipynb")
    widgets = json.loads(path.read_text(encoding="utf-8"))["metadata"]["widgets"]
    states = [model["state"] for model in widgets[STATE_MIME]["state"].values()]
    return next(s for s in states if "file" in (s.get("state") or {}))


def write_page(folder: Path, figure: dict) -> None:
    """Una página con esa figura sola, y sus pesos donde los busca."""
    state = figure["state"]
    weights = folder / "_static/pesos"
    shutil.rmtree(weights, ignore_errors=True)
    weights.mkdir(parents=True)
    (weights / state["file"]).write_bytes(packed_weights(state["weights"]))
    (folder / "figura.js").write_text(figure["_esm"], encoding="utf-8")
    (folder / "estado.json").write_text(json.dumps(state), encoding="utf-8")
    (folder / "pagina.html").write_text(PAGE, encoding="utf-8")


class Quiet(SimpleHTTPRequestHandler):
    """Sirve una carpeta sin contarlo."""

    def log_message(self, *_):
        """Calla."""


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """La dirección de una carpeta, servida mientras dura el bloque."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/pagina.html"
    server.shutdown()
    server.server_close()


def spent(session) -> float:
    """Milisegundos de procesador que lleva gastados el hilo de la página, en el equipo lento."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    seconds = next(one["value"] for one in metrics if one["name"] == "ThreadTime")
    return 1000 * SLOWDOWN * seconds


def answer_times(browser, address: str, selector: str, before: str) -> tuple[float, float]:
    """Milisegundos hasta la primera respuesta, desde que llegan los octetos, y los de otra más."""
    page = browser.new_page()
    page.set_default_timeout(60_000)
    page.add_init_script(before + HOLD)
    page.goto(address)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    page.locator(".tfc-load button").evaluate("(button) => button.click()")
    page.wait_for_function("!!window.go", polling=100)
    times = [spent(session)]
    page.evaluate("go()")
    page.wait_for_function("window.first", polling=100)
    times.append(spent(session))
    page.locator(f".tfc {selector}").first.evaluate("touch")
    page.wait_for_function("window.next", polling=100)
    times.append(spent(session))
    page.close()
    return times[1] - times[0], times[2] - times[1]


def measure_figure(browser, slug: str, repeats: int = REPEATS) -> dict:
    """La fila de una figura: lo que pesa y el mejor de varios intentos, alternando los caminos."""
    figure = stored_figure(slug)
    state = figure["state"]
    row = {"figure": slug, "weights": state["weights"], "kilobytes": round(state["bytes"] / 1000)}
    with TemporaryDirectory() as folder:
        write_page(Path(folder), figure)
        with serve(Path(folder)) as address:
            tries = [
                {n: answer_times(browser, address, FIGURES[slug], s) for n, s in PATHS.items()}
                for _ in range(repeats)
            ]
    for name in PATHS:
        for place, what in enumerate(("first", "next")):
            row[f"{what} {name}"] = min(one[name][place] for one in tries)
    return row


def rows_in_chromium(row_of: Callable[[Any, str], dict]) -> Iterator[dict]:
    """Lo que `row_of(navegador, página)` da de cada figura, con un mismo Chromium."""
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as driver:
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu"]}
        browser = driver.chromium.launch(executable_path=path, **options)
        for slug in FIGURES:
            yield row_of(browser, slug)
        browser.close()


def measure(_seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por figura; no hay nada que sembrar."""
    yield from rows_in_chromium(measure_figure)


def markdown(number: Callable[[float], str], rows: list[dict]) -> str:
    """La tabla para el libro, y lo que descarga quien las abre todas."""
    lines = [
        "En Chromium: milisegundos de procesador del hilo de la página en un equipo "
        f"{SLOWDOWN} veces más lento, el mejor de {REPEATS} intentos alternados, con el núcleo de "
        "WebAssembly y con JavaScript solo. La primera respuesta se cuenta desde que llegan los "
        "pesos hasta que se ve, y otra más, desde que se toca un mando.",
        "",
        "| pesos | kB | primera, con el núcleo | sin él | veces "
        "| otra, con el núcleo | sin él | veces |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        cells = [f"`{row['weights']}`", str(row["kilobytes"])]
        for what in ("first", "next"):
            fast, slow = (row[f"{what} {name}"] for name in PATHS)
            cells += [f"{fast:.0f}", f"{slow:.0f}", number(slow / fast)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)
