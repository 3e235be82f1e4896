"""Lo que comparten las órdenes `python -m tfcourse docente …`: la lista y sus opciones."""

from pathlib import Path
from typing import Annotated

import typer

from tfcourse.spanish_cli import SpanishGroup

app = typer.Typer(
    cls=SpanishGroup,
    help="Crear tareas, recogerlas, corregirlas a salvo y devolverlas.",
    rich_markup_mode=None,
    no_args_is_help=False,
    context_settings={"help_option_names": ["--ayuda", "--help", "-h"]},
)

Name = Annotated[str, typer.Argument(metavar="TAREA", help="Nombre corto, p. ej. tarea-1.")]
Where = Annotated[Path, typer.Option("--curso", help="Carpeta del curso, con las notas.")]
Roster = Annotated[Path | None, typer.Option("--alumnos", help="Lista de la clase, en CSV.")]
CLASSROOM = Path("docencia")
