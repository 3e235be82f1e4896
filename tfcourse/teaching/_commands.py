"""Las órdenes `python -m tfcourse docente …`."""

from pathlib import Path
from typing import Annotated

import typer

from tfcourse.spanish_cli import SpanishCommand, SpanishGroup

app = typer.Typer(
    cls=SpanishGroup,
    help="Crear tareas, recogerlas, corregirlas a salvo y devolverlas.",
    rich_markup_mode=None,
    no_args_is_help=False,
    context_settings={"help_option_names": ["--ayuda", "--help", "-h"]},
)

Name = Annotated[str, typer.Argument(metavar="TAREA", help="Nombre corto, p. ej. tarea-1.")]
Where = Annotated[Path, typer.Option("--curso", help="Carpeta del curso, con las notas.")]
CLASSROOM = Path("docencia")


@app.command(cls=SpanishCommand)
def crear(
    name: Name,
    exercises: Annotated[
        str, typer.Option("--ejercicios", help="Identificadores, con comas. Vacío: los enumera.")
    ] = "",
    title: Annotated[str, typer.Option("--titulo", help="Título que verá la clase.")] = "",
    deadline: Annotated[
        str, typer.Option("--plazo", help="Fecha y hora, p. ej. 2026-12-03T23:59.")
    ] = "",
    seed: Annotated[
        str, typer.Option("--semilla", help="Da a cada estudiante sus propias constantes.")
    ] = "",
    roster: Annotated[
        Path | None, typer.Option("--alumnos", help="Lista de la clase, en CSV.")
    ] = None,
    bank: Annotated[str, typer.Option("--banco", help="Carpeta de un banco privado.")] = "",
    course: Where = CLASSROOM,
    root: Annotated[Path, typer.Option("--raiz", help="Carpeta del libro.")] = Path("."),
) -> None:
    """Prepara una tarea: el cuaderno que se reparte y la copia del docente."""
    import shutil
    from datetime import datetime

    from tfcourse.teaching.assignment import Assignment
    from tfcourse.teaching.create import create_assignment, items_from, known_exercises
    from tfcourse.teaching.roster import read_roster
    from tfcourse.teaching.variants import write_variants

    if not exercises:
        print("\n".join(known_exercises()))
        raise ValueError("di qué ejercicios quieres con --ejercicios, p. ej. contexto,luong")
    if deadline:
        try:
            datetime.fromisoformat(deadline)
        except ValueError:
            raise ValueError(f"el plazo «{deadline}» no vale: p. ej. 2026-12-03T23:59") from None
    own = _course(course)
    kept = own.root / "alumnos.csv"
    if seed and roster is None and not kept.exists():
        raise ValueError("con --semilla hace falta la lista de la clase: dila con --alumnos")
    students = read_roster(roster or kept) if roster or kept.exists() else []
    names = [part.strip() for part in exercises.split(",") if part.strip()]
    wanted = Assignment(
        name, title or name.replace("-", " ").capitalize(), items_from(names, bank or None), "",
        deadline or None, seed or None,
    )  # fmt: skip
    written = create_assignment(own, root, wanted)
    if roster and roster.resolve() != kept.resolve():
        shutil.copyfile(roster, kept)
    if seed:
        written.append(write_variants(own, own.load(name), students))
    for path in written:
        print(f"escrito: {path}")


@app.command(cls=SpanishCommand)
def recoger(
    name: Name,
    origin: Annotated[Path, typer.Argument(metavar="ORIGEN", help="Zip de Moodle o carpeta.")],
    course: Where = CLASSROOM,
) -> None:
    """Guarda las entregas de una carpeta o del zip que descarga Moodle."""
    from tfcourse.teaching.collect import collect

    own = _course(course)
    for notice in collect(own, own.load(name), origin):
        print(f"aviso: {notice}")
    print(f"recogidas: {len(own.students(name))} entregas")


@app.command(cls=SpanishCommand)
def corregir(
    name: Name,
    unprotected: Annotated[
        bool, typer.Option("--sin-aislamiento", help="Corrige sin bubblewrap: peligroso.")
    ] = False,
    workers: Annotated[int, typer.Option("--procesos", help="Entregas a la vez.")] = 2,
    part: Annotated[
        str, typer.Option("--tarea", help="Qué parte de la clase, p. ej. 2/4.")
    ] = "1/1",
    again: Annotated[
        bool, typer.Option("--otra-vez", help="Corrige también lo ya corregido.")
    ] = False,
    course: Where = CLASSROOM,
) -> None:
    """Corrige lo que falte, en paralelo y aislado; se puede interrumpir y reanudar."""
    import time

    from tfcourse.teaching.classroom import Run, grade_class
    from tfcourse.teaching.sandbox import RISKS, check_isolation, check_out_of_sight

    own = _course(course)
    assignment = own.load(name)
    if unprotected:
        print(f"aviso: {RISKS}")
    else:
        check_isolation()
        check_out_of_sight(own.root)
    pair = parse_part(part)
    started = time.perf_counter()
    run = Run(isolated=not unprotected, workers=workers, part=pair, again=again)
    results, graded = grade_class(own, assignment, run)
    seconds = time.perf_counter() - started
    if graded:
        print(f"corregidas: {graded} en {seconds:.0f} s ({seconds / graded:.2f} s por entrega)")
    print(f"ya estaban corregidas: {len(results) - graded}")
    if pair[1] == 1:
        _record(own, assignment)
    else:
        print(f"resultados en {own.results(name)}; cuando estén todas las partes, «docente reunir»")


@app.command(cls=SpanishCommand)
def reunir(
    name: Name,
    folders: Annotated[
        list[Path] | None,
        typer.Argument(metavar="CARPETAS", help="Resultados traídos de otras máquinas."),
    ] = None,
    course: Where = CLASSROOM,
) -> None:
    """Junta los resultados de varias máquinas y los apunta en el libro de notas."""
    from tfcourse.teaching.classroom import merge_results

    own = _course(course)
    assignment = own.load(name)
    print(f"traídos: {merge_results(own, name, folders or [])}")
    _record(own, assignment)


@app.command(cls=SpanishCommand)
def devolver(name: Name, course: Where = CLASSROOM) -> None:
    """Escribe la página de cada estudiante y un zip que Moodle reparte."""
    from tfcourse.teaching.feedback import write_feedback

    own = _course(course)
    written = write_feedback(own, own.load(name))
    print(f"escritas: {len(written)} páginas, y todas en {own.folder(name) / 'devoluciones.zip'}")


@app.command(cls=SpanishCommand)
def exportar(
    name: Name,
    sheet: Annotated[
        Path | None, typer.Option("--hoja", help="Hoja de calificación descargada de Moodle.")
    ] = None,
    separator: Annotated[
        str, typer.Option("--separador", help="coma, punto-y-coma o tabulador.")
    ] = "coma",
    decimal: Annotated[str, typer.Option("--decimal", help="coma o punto.")] = "coma",
    course: Where = CLASSROOM,
) -> None:
    """Escribe las notas en el CSV que importa Moodle."""
    from tfcourse.teaching.export import (
        DECIMALS,
        SEPARATORS,
        fill_worksheet,
        plain_rows,
        write_csv,
    )

    own = _course(course)
    assignment = own.load(name)
    if separator not in SEPARATORS or decimal not in DECIMALS:
        raise ValueError(
            f"usa --separador {', '.join(SEPARATORS)} y --decimal {' o '.join(DECIMALS)}"
        )
    target = own.folder(name) / "notas.csv"
    if sheet is None:
        rows = plain_rows(own, assignment, DECIMALS[decimal])
        write_csv(target, rows, SEPARATORS[separator])
    else:  # Moodle solo lee su hoja con comas
        rows, notices = fill_worksheet(own, assignment, sheet, DECIMALS[decimal])
        write_csv(target, rows, ",")
        for notice in notices:
            print(f"aviso: {notice}")
    print(f"escrito: {target}")


@app.command(cls=SpanishCommand)
def resumen(name: Name, course: Where = CLASSROOM) -> None:
    """Dice qué se acertó y en qué se falló, y lo dibuja."""
    from tfcourse.files import write_atomically
    from tfcourse.teaching.summary import draw_summary, summary_text

    own = _course(course)
    assignment = own.load(name)
    text = summary_text(own, assignment)
    print(text)
    write_atomically(own.folder(name) / "resumen.md", text)
    print(f"escrito: {draw_summary(own, assignment, own.folder(name) / 'resumen.png')}")


@app.command(cls=SpanishCommand)
def banco(
    folder: Annotated[Path, typer.Argument(metavar="CARPETA", help="El banco privado.")],
) -> None:
    """Comprueba un banco privado igual que los ejercicios publicados."""
    from tfcourse.teaching.bank import load_bank
    from tfcourse.teaching.bank_check import check_bank

    bank = load_bank(str(folder))
    problems = check_bank(bank)
    for problem in problems:
        print(problem)
    if problems:
        raise ValueError(f"hay {len(problems)} cosas que arreglar en {folder}")
    print(f"bien: {len(bank.exercises)} ejercicios")


def parse_part(text: str) -> tuple[int, int]:
    """`2/4` → (2, 4). Errores: `ValueError`."""
    index, _, parts = text.partition("/")
    if not (index.isdigit() and parts.isdigit() and 1 <= int(index) <= int(parts)):
        raise ValueError(
            f"--tarea {text} no vale: escribe i/n, p. ej. 2/4 para la segunda de cuatro"
        )
    return int(index), int(parts)


def _course(folder: Path):
    from tfcourse.teaching.assignment import Course

    return Course(folder)


def _record(course, assignment) -> None:
    from tfcourse.teaching.classroom import all_results
    from tfcourse.teaching.gradebook import record

    results = all_results(course, assignment.name)
    good = [r for r in results if r["status"] != "fallo-del-corrector"]
    record(course, assignment, good)
    print(f"apuntadas en {course.gradebook}: {len(good)} entregas")
    for result in results:
        if result["status"] == "fallo-del-corrector":
            print(f"aviso: {result['full_name']}: {'; '.join(result['notes'])}")
