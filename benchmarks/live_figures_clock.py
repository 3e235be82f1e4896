"""Lo que espera quien pulsa en cada figura viva, en el reloj y con el procesador frenado.

`python -m benchmarks figuras_vivas_reloj --escribir` abre cada una en Chromium y le pide que vaya
cuatro veces más despacio (`Emulation.setCPUThrottlingRate`). Se cuenta el reloj de la página, desde
que tiene los octetos hasta que la respuesta está pintada. Al contrario que en `figuras_vivas`, lo
que tarda depende también de lo ocupado que esté el equipo: por eso se da el peor intento.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.live_figures import (
    FIGURES,
    HOLD,
    SLOWDOWN,
    rows_in_chromium,
    serve,
    stored_figure,
    write_page,
)

NAME = "figuras_vivas_reloj"
REPEATS = 5
START = "() => { window.started = performance.now(); go(); }"


def settings() -> dict:
    """Todo lo que define la medida."""
    return {"figures": list(FIGURES), "slowdown": SLOWDOWN, "repeats": REPEATS}


def first_answer(browser, address: str) -> float:
    """Milisegundos de reloj desde que la página tiene los octetos hasta que pinta la respuesta."""
    page = browser.new_page()
    page.set_default_timeout(120_000)
    page.add_init_script(HOLD)
    page.goto(address)
    page.locator(".tfc-load button").evaluate("(button) => button.click()")
    page.wait_for_function("!!window.go", polling=100)
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    page.evaluate(START)
    page.wait_for_function("window.first", polling=100)
    waited = page.evaluate("window.first - window.started")
    page.close()
    return waited


def measure_figure(browser, slug: str, repeats: int = REPEATS) -> dict:
    """La fila de una figura: sus pesos y los milisegundos de cada intento, en su orden."""
    figure = stored_figure(slug)
    with TemporaryDirectory() as folder:
        write_page(Path(folder), figure)
        with serve(Path(folder)) as address:
            tries = [round(first_answer(browser, address)) for _ in range(repeats)]
    return {"figure": slug, "weights": figure["state"]["weights"], "milliseconds": tries}


def measure(_seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por figura; no hay nada que sembrar."""
    yield from rows_in_chromium(measure_figure)


def markdown(number: Callable[[float], str], rows: list[dict]) -> str:
    """La tabla para el libro: el intento del medio y el peor, en segundos."""
    lines = [
        f"En Chromium, frenado para que vaya {SLOWDOWN} veces más despacio: segundos de reloj "
        f"desde que llegan los pesos hasta que se ve la primera respuesta, en {REPEATS} intentos. "
        "Con el equipo haciendo otra cosa, tarda más.",
        "",
        "| pesos | el intento del medio | el peor |",
        "|---|---:|---:|",
    ]
    for row in rows:
        tries = [one / 1000 for one in row["milliseconds"]]
        lines.append(f"| `{row['weights']}` | {number(median(tries))} | {number(max(tries))} |")
    return "\n".join(lines)
