"""Órdenes del curso: `python -m tfcourse --ayuda`."""

from pathlib import Path
from typing import Annotated

import typer

from tfcourse.spanish_cli import SpanishCommand, build_app, run_app
from tfcourse.teaching._commands import app as teaching

app = build_app("Órdenes para estudiar, mantener y comprobar el curso.")
app.add_typer(teaching, name="docente")

Root = Annotated[Path, typer.Option("--raiz", help="Carpeta del curso.", show_default=False)]
Save = Annotated[bool, typer.Option("--escribir", help="Corrige los archivos, no solo los revisa.")]
HERE = Path(".")


@app.command(cls=SpanishCommand)
def info() -> None:
    """Versiones instaladas, dispositivo y perfil."""
    from importlib.metadata import version

    from tfcourse import __version__, profile
    from tfcourse.notebook import threads
    from tfcourse.training import default_device

    print(f"tfcourse {__version__} · perfil «{profile()}» · hilos: {threads()}")
    print(f"dispositivo: {default_device()}")
    for package in ("torch", "torchvision", "torchaudio", "accelerate", "matplotlib"):
        print(f"{package:>12} {version(package)}")


@app.command(cls=SpanishCommand)
def espejo(root: Root = HERE, save: Save = False) -> None:
    """Comprueba que los cuadernos enseñan el mismo código que tiene el paquete."""
    from tfcourse import mirror
    from tfcourse.notebooks import book_notebooks

    notebooks = book_notebooks(root)
    if save:
        for path in mirror.write(notebooks):
            print(f"actualizado: {path}")
    _report(mirror.check(notebooks), f"{len(notebooks)} cuadernos dicen lo mismo que el paquete")


@app.command(cls=SpanishCommand)
def ejecutar(
    chapters: Annotated[
        list[str] | None,
        typer.Argument(metavar="CAPÍTULOS", help="Principio del nombre, p. ej. 03. Sin él, todos."),
    ] = None,
    profile: Annotated[str, typer.Option("--perfil", help="rapido o completo.")] = "rapido",
    root: Root = HERE,
) -> None:
    """Vuelve a ejecutar los capítulos y guarda sus salidas (las de «completo», aparte)."""
    from tfcourse.notebooks import book_notebooks, execute_all, is_exercises
    from tfcourse.profile import PROFILES

    prefixes = tuple(chapters or [""])
    chosen = [
        path
        for path in book_notebooks(root)
        if path.name.startswith(prefixes) and not is_exercises(path)
    ]
    if not chosen:
        raise ValueError(f"ningún capítulo empieza por {', '.join(prefixes)}: mira _toc.yml")
    if profile not in PROFILES:
        raise ValueError(f"no existe el perfil «{profile}»: usa {' o '.join(PROFILES)}")
    execute_all(chosen, profile, None if profile == PROFILES[0] else root / "_build" / profile)


@app.command(cls=SpanishCommand)
def enlaces(root: Root = HERE, save: Save = False) -> None:
    """Lleva la dirección del repositorio, escrita en pyproject.toml, a todos los archivos."""
    from tfcourse.links import check_links, write_links

    if save:
        for path in write_links(root):
            print(f"actualizado: {path}")
    _report(check_links(root), "todos los archivos nombran el mismo repositorio")


@app.command(cls=SpanishCommand)
def ejercicios(root: Root = HERE, save: Save = False) -> None:
    """Genera los cuadernos del estudiante a partir de los maestros, o mira si están al día."""
    from tfcourse.exercises.build import check_student_notebooks, write_student_notebooks

    if save:
        for path in write_student_notebooks(root):
            print(f"actualizado: {path}")
    _report(check_student_notebooks(root), "los cuadernos de ejercicios están al día")


@app.command(cls=SpanishCommand)
def tablas(
    name: Annotated[
        str | None, typer.Argument(metavar="NOMBRE", help="Qué tabla. Sin él, las enumera.")
    ] = None,
    seeds: Annotated[int, typer.Option("--semillas", help="Cuántas semillas por receta.")] = 3,
    save: Save = False,
) -> None:
    """Enumera las tablas que se midieron aparte, o vuelve a medir una, fila a fila (minutos)."""
    import torch

    from tfcourse.results import FOLDER, TABLES, load_results, save_results, table_module

    if name is None:
        for stored in TABLES:
            print(f"{stored}: {len(load_results(stored))} filas, en {FOLDER / stored}.json")
        return
    torch.set_num_threads(1)  # con más, las cifras cambian de una máquina a otra
    module, rows = table_module(name), []
    for row in module.measure(range(seeds)):
        rows.append(row)
        print(*row.values(), flush=True)
    if save:
        print(f"guardado: {save_results(name, module.settings(), rows)}")


@app.command(cls=SpanishCommand)
def pesos(
    name: Annotated[
        str | None, typer.Argument(metavar="NOMBRE", help="Qué pesos. Sin él, los enumera.")
    ] = None,
    save: Save = False,
) -> None:
    """Enumera los pesos que vienen con el curso, o vuelve a entrenar unos y los guarda."""
    from tfcourse.shipped import save_weights, shipped_names, training_recipe, weights_card

    if name is None:
        for shipped in shipped_names():
            card = weights_card(shipped)
            print(f"{shipped}: {card.cpu_seconds:.0f} s de procesador; {card.quality}")
        return
    model, card = training_recipe(name)()
    print(card.quality)
    if save:
        print(f"guardado: {save_weights(name, model, card).sha256}")


def _report(problems: list, all_well: str) -> None:
    """Escribe los problemas y falla, o dice que todo va bien."""
    for problem in problems:
        print(problem)
    if problems:
        raise ValueError(f"hay {len(problems)} cosas que arreglar (con --escribir se corrigen)")
    print(f"bien: {all_well}")


def main() -> None:
    """Punto de entrada de la orden `tfcourse`."""
    run_app(app)


if __name__ == "__main__":
    main()
