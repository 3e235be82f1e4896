"""Órdenes del curso: `python -m tfcourse --ayuda`."""

from typing import Annotated

import typer

from tfcourse.spanish_cli import SpanishCommand, build_app, run_app
from tfcourse.teaching._commands import app as teaching

app = build_app("Órdenes para estudiar y para enseñar con el curso.")
app.add_typer(teaching, name="docente")

Save = Annotated[bool, typer.Option("--escribir", help="Corrige los archivos, no solo los revisa.")]


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
def pesos(
    name: Annotated[
        str | None, typer.Argument(metavar="NOMBRE", help="Qué pesos. Sin él, los enumera.")
    ] = None,
    save: Save = False,
    official: Annotated[
        bool, typer.Option("--oficiales", help="Enumera los publicados que se saben cargar.")
    ] = False,
) -> None:
    """Enumera los pesos que vienen con el curso, o vuelve a entrenar unos y los guarda."""
    if official:
        from tfcourse.course_map.official import official_lines

        print("\n".join(official_lines()))
        return
    from tfcourse.weights.shipped import (
        make_weights,
        save_weights,
        shipped_names,
        shipped_recipe,
        weights_card,
    )

    if name is None:
        for shipped in shipped_names():
            card = weights_card(shipped)
            print(f"{shipped}: {card.cpu_seconds:.0f} s de procesador; {card.quality}")
        return
    model, card = make_weights(shipped_recipe(name))
    print(card.quality)
    if save:
        print(f"guardado: {save_weights(name, model, card).sha256}")


def main() -> None:
    """Punto de entrada de la orden `tfcourse`."""
    run_app(app)


if __name__ == "__main__":
    main()
