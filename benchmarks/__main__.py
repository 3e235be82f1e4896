"""Las tablas que se miden aparte: `python -m benchmarks --ayuda`."""

from typing import Annotated

import typer

from tfcourse.spanish_cli import SpanishCommand, build_app, run_app

app = build_app("Las tablas que se midieron una vez y se guardan con su receta.")


@app.command(cls=SpanishCommand)
def tablas(
    name: Annotated[
        str | None, typer.Argument(metavar="NOMBRE", help="Qué tabla. Sin él, las enumera.")
    ] = None,
    seeds: Annotated[int, typer.Option("--semillas", help="Cuántas semillas por receta.")] = 3,
    save: Annotated[bool, typer.Option("--escribir", help="Guarda la tabla.")] = False,
) -> None:
    """Enumera las tablas que se midieron aparte, o vuelve a medir una, fila a fila (minutos)."""
    import torch

    from benchmarks.registry import table_module, table_modules
    from tfcourse.stored.results import FOLDER, load_results, save_results

    if name is None:
        for stored in table_modules():
            print(f"{stored}: {len(load_results(stored))} filas, en {FOLDER / stored}.json")
        return
    torch.set_num_threads(1)  # con más, las cifras cambian de una máquina a otra
    module, rows = table_module(name), []
    for row in module.measure(range(seeds)):
        rows.append(row)
        print(*row.values(), flush=True)
    if save:
        print(f"guardado: {save_results(name, module.settings(), rows)}")


if __name__ == "__main__":
    run_app(app)
