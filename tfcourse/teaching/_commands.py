"""Las órdenes `python -m tfcourse docente …`."""

from pathlib import Path
from typing import Annotated

import typer

from tfcourse.spanish_cli import SpanishCommand
from tfcourse.teaching._cli import CLASSROOM, Name, Roster, Where, app


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
    roster: Roster = None,
    bank: Annotated[str, typer.Option("--banco", help="Carpeta de un banco privado.")] = "",
    partial: Annotated[
        bool, typer.Option("--por-casos", help="Cada caso que se hace bien da su parte.")
    ] = False,
    course: Where = CLASSROOM,
    root: Annotated[Path, typer.Option("--raiz", help="Carpeta del libro.")] = Path("."),
) -> None:
    """Prepara una tarea: el cuaderno que se reparte y la copia del docente."""
    from tfcourse.teaching.assignment import Assignment, Course
    from tfcourse.teaching.create import create_assignment, items_from, known_exercises
    from tfcourse.teaching.roster import course_roster
    from tfcourse.teaching.steps import check_deadline, keep_roster
    from tfcourse.teaching.variants import write_variants

    if not exercises:
        print("\n".join(known_exercises()))
        raise ValueError("di qué ejercicios quieres con --ejercicios, p. ej. contexto,luong")
    check_deadline(deadline)
    own = Course(course)
    kept = keep_roster(own, roster)
    if seed and not kept.exists():
        raise ValueError("con --semilla hace falta la lista de la clase: dila con --alumnos")
    names = [part.strip() for part in exercises.split(",") if part.strip()]
    wanted = Assignment(
        name, title or name.replace("-", " ").capitalize(), items_from(names, bank or None), "",
        deadline or None, seed or None, partial=partial,
    )  # fmt: skip
    students = course_roster(own.root) if seed else []
    written = create_assignment(own, root, wanted, [student.id for student in students])
    if seed:
        written.append(write_variants(own, own.load(name), students))
    for path in written:
        print(f"escrito: {path}")


@app.command(cls=SpanishCommand)
def recoger(
    name: Name,
    origin: Annotated[
        Path, typer.Argument(metavar="ORIGEN", help="El zip de la plataforma o una carpeta.")
    ],
    sheet: Annotated[
        Path | None,
        typer.Option("--hoja", help="Hoja de la plataforma o CSV: quién es cada cual y cuándo."),
    ] = None,
    platform: Annotated[
        str,
        typer.Option("--plataforma", help="moodle, canvas, classroom o carpeta; si no, se deduce."),
    ] = "",
    roster: Roster = None,
    course: Where = CLASSROOM,
) -> None:
    """Guarda las entregas de una carpeta o del zip de Moodle, Canvas o Classroom."""
    from tfcourse.teaching.assignment import Course
    from tfcourse.teaching.collect import collect, missing
    from tfcourse.teaching.steps import keep_roster

    own = Course(course)
    assignment = own.load(name)
    kept = keep_roster(own, roster)
    for notice in collect(own, assignment, origin, sheet, platform):
        print(f"aviso: {notice}")
    print(f"recogidas: {len(own.students(name))} entregas")
    absent = missing(own, assignment)
    if absent:
        print(f"faltan {len(absent)}: {', '.join(absent)}")
    if not kept.exists():
        print(
            "aviso: sin la lista de la clase, quien entregue otra tarea no se reconocerá como la "
            "misma persona, porque Moodle cambia su número: dila con --alumnos"
        )


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

    from tfcourse.teaching.assignment import Course
    from tfcourse.teaching.classroom import Run, grade_class
    from tfcourse.teaching.sandbox import RISKS, check_isolation, check_out_of_sight
    from tfcourse.teaching.steps import Regrading, parse_part, record_results

    own = Course(course)
    assignment = own.load(name)
    if unprotected:
        print(f"aviso: {RISKS}")
    else:
        check_isolation()
        check_out_of_sight(own.root)
    pair, regrading = parse_part(part), Regrading(own, assignment)
    started = time.perf_counter()
    run = Run(isolated=not unprotected, workers=workers, part=pair, again=again)
    results, graded = grade_class(own, assignment, run)
    seconds = time.perf_counter() - started
    if graded:
        print(f"corregidas: {graded} en {seconds:.0f} s ({seconds / graded:.2f} s por entrega)")
    print(f"ya estaban corregidas: {len(results) - graded}")
    if pair[1] == 1:
        regrading.tell()
        record_results(own, assignment)
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
    from tfcourse.teaching.assignment import Course
    from tfcourse.teaching.results import merge_results
    from tfcourse.teaching.steps import Regrading, record_results

    own = Course(course)
    assignment = own.load(name)
    regrading = Regrading(own, assignment)
    merged = merge_results(own, assignment, folders or [])
    print(f"traídos: {merged.brought}")
    for notice in merged.notices:
        print(f"aviso: {notice}")
    regrading.tell()
    record_results(own, assignment)


@app.command(cls=SpanishCommand)
def puntuar(
    name: Name,
    sheet: Annotated[
        Path | None, typer.Argument(metavar="HOJA", help="La hoja ya rellena; sin ella, la hace.")
    ] = None,
    course: Where = CLASSROOM,
) -> None:
    """Prepara la hoja de las respuestas abiertas o apunta las notas que has escrito en ella."""
    from tfcourse.teaching.assignment import Course
    from tfcourse.teaching.manual import apply_sheet, write_sheet

    own = Course(course)
    assignment = own.load(name)
    if sheet is not None:
        marked, empty = apply_sheet(own, assignment, sheet)
        print(f"apuntadas en {own.gradebook}: {marked} notas; sin puntuar: {empty}")
        return
    written, reading, empty = write_sheet(own, assignment)
    print(f"escrito: {reading}\nescrito: {written}\nsin puntuar: {empty}")


@app.command(cls=SpanishCommand)
def devolver(name: Name, course: Where = CLASSROOM) -> None:
    """Escribe la página de cada estudiante y un zip que la plataforma reparte."""
    from tfcourse.teaching.assignment import Course
    from tfcourse.teaching.feedback import write_feedback

    own = Course(course)
    written, notices = write_feedback(own, own.load(name))
    for notice in notices:
        print(f"aviso: {notice}")
    print(f"escritas: {len(written)} páginas, y todas en {own.folder(name) / 'devoluciones.zip'}")


@app.command(cls=SpanishCommand)
def exportar(
    name: Name,
    sheet: Annotated[
        Path | None, typer.Option("--hoja", help="Hoja o libro descargado de la plataforma.")
    ] = None,
    column: Annotated[
        str, typer.Option("--columna", help="La de esta tarea, si la hoja tiene varias.")
    ] = "",
    separator: Annotated[
        str, typer.Option("--separador", help="coma, punto-y-coma o tabulador.")
    ] = "coma",
    decimal: Annotated[
        str, typer.Option("--decimal", help="coma o punto, si la hoja de Moodle no lo dice.")
    ] = "coma",
    course: Where = CLASSROOM,
) -> None:
    """Escribe las notas en el CSV que importan Moodle o Canvas, o en el tuyo."""
    from tfcourse.teaching.assignment import Course
    from tfcourse.teaching.export import (
        DECIMALS,
        SEPARATORS,
        fill_sheet,
        plain_rows,
    )
    from tfcourse.teaching.tables import write_table

    own = Course(course)
    assignment = own.load(name)
    if separator not in SEPARATORS or decimal not in DECIMALS:
        raise ValueError(
            f"usa --separador {', '.join(SEPARATORS)} y --decimal {' o '.join(DECIMALS)}"
        )
    target = own.folder(name) / "notas.csv"
    if sheet is None:
        rows, notices = plain_rows(own, assignment, DECIMALS[decimal])
        write_table(target, rows, SEPARATORS[separator])
    else:
        filled = fill_sheet(own, assignment, sheet, DECIMALS[decimal], column)
        write_table(target, filled.rows, filled.separator)
        notices = filled.notices
    for notice in notices:
        print(f"aviso: {notice}")
    print(f"escrito: {target}")


@app.command(cls=SpanishCommand)
def resumen(name: Name, course: Where = CLASSROOM) -> None:
    """Dice qué se acertó y en qué se falló, y lo dibuja."""
    from tfcourse.files import write_atomically
    from tfcourse.teaching.assignment import Course
    from tfcourse.teaching.summary import draw_summary, summary_text

    own = Course(course)
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


from tfcourse.teaching import _semester_commands as _semester_commands  # noqa: E402
