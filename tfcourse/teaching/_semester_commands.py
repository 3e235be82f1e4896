"""Las órdenes del docente para lo que pasa a lo largo de un cuatrimestre."""

from pathlib import Path
from typing import Annotated

import typer

from tfcourse.spanish_cli import SpanishCommand
from tfcourse.teaching._cli import CLASSROOM, Name, Roster, Where, app


@app.command(cls=SpanishCommand)
def ejercicios(
    chapters: Annotated[str, typer.Option("--capitulo", help="Capítulos, con comas.")] = "",
    kinds: Annotated[
        str, typer.Option("--tipo", help="comprender, codigo o abierto, con comas.")
    ] = "",
    difficulty: Annotated[str, typer.Option("--dificultad", help="2, o 1-2.")] = "",
    count: Annotated[int, typer.Option("--cuantos", help="Sortea unos cuantos.")] = 0,
    seed: Annotated[str, typer.Option("--semilla", help="Otro sorteo.")] = "",
    bank: Annotated[str, typer.Option("--banco", help="Carpeta de un banco privado.")] = "",
    root: Annotated[Path, typer.Option("--raiz", help="Carpeta del libro.")] = Path("."),
) -> None:
    """Busca en el banco por capítulo, tipo y dificultad, y sortea los de una tarea."""
    from tfcourse.teaching.catalogue import draw, search

    def listed(text: str) -> list[str]:
        return [part.strip() for part in text.split(",") if part.strip()]

    found = search(root, listed(chapters), listed(kinds), difficulty, bank)
    if count:
        found = draw(found, count, seed)
    print("\n".join(map(str, found)))
    print(f"{len(found)} ejercicios")
    if count:
        print(f"--ejercicios {','.join(entry.card.id for entry in found)}")


@app.command(cls=SpanishCommand)
def cambiar(
    name: Name,
    title: Annotated[str, typer.Option("--titulo", help="Otro título.")] = "",
    deadline: Annotated[
        str, typer.Option("--plazo", help="Otro plazo, p. ej. 2026-12-05T23:59; «no» lo quita.")
    ] = "",
    points: Annotated[
        str, typer.Option("--puntos", help="Otros puntos, p. ej. contexto=3,luong=2.")
    ] = "",
    late: Annotated[
        str, typer.Option("--retraso", help="Descuento: % al día/días de cortesía/tope; «no».")
    ] = "",
    partial: Annotated[
        bool | None,
        typer.Option("--por-casos/--todo-o-nada", help="Cada caso da su parte, o no."),
    ] = None,
    course: Where = CLASSROOM,
) -> None:
    """Cambia el plazo, los puntos o los descuentos de una tarea ya repartida."""
    from dataclasses import replace

    from tfcourse.teaching.assignment import Course
    from tfcourse.teaching.edit import save_changes, with_points
    from tfcourse.teaching.steps import check_deadline, parse_late, parse_points

    own = Course(course)
    before = own.load(name)
    after = replace(before, title=title or before.title)
    if deadline:
        check_deadline("" if deadline == "no" else deadline)
        after = replace(after, deadline=None if deadline == "no" else deadline)
    if points:
        after = replace(after, items=with_points(after, parse_points(points)))
    if late:
        after = replace(after, late=parse_late(late))
    if partial is not None:
        after = replace(after, partial=partial)
    for line in save_changes(own, before, after):
        print(line)


@app.command(cls=SpanishCommand)
def rubrica(
    name: Name,
    path: Annotated[
        Path, typer.Argument(metavar="RUBRICA", help="CSV: ejercicio, criterio, puntos…")
    ],
    course: Where = CLASSROOM,
) -> None:
    """Pone tu rúbrica a los ejercicios abiertos de una tarea."""
    from tfcourse.teaching.assignment import Course
    from tfcourse.teaching.edit import save_changes
    from tfcourse.teaching.rubric import forget_marks, with_rubric

    own = Course(course)
    before = own.load(name)
    after = with_rubric(before, path)
    for line in save_changes(own, before, after):
        print(line)
    if gone := forget_marks(own, before, after):
        print(f"aviso: {gone} notas se pusieron con la rúbrica anterior y ya no cuentan")
    print(f"vuelve a repartir {own.release(name)}: ahora dice la rúbrica")


@app.command(cls=SpanishCommand)
def grupos(
    name: Name,
    path: Annotated[Path, typer.Argument(metavar="GRUPOS", help="CSV: quién y en qué grupo.")],
    roster: Roster = None,
    course: Where = CLASSROOM,
) -> None:
    """Hace grupos: entrega uno y la nota es de todos."""
    from dataclasses import replace

    from tfcourse.teaching.assignment import Course
    from tfcourse.teaching.edit import save_changes
    from tfcourse.teaching.groups import read_groups, share_deliveries
    from tfcourse.teaching.roster import course_roster
    from tfcourse.teaching.steps import keep_roster

    own = Course(course)
    before = own.load(name)
    keep_roster(own, roster)
    found = read_groups(path, course_roster(own.root))
    after = replace(before, groups=found)
    for line in [*save_changes(own, before, after), *share_deliveries(own, after)]:
        print(f"aviso: {line}")
    print(f"{len(set(found.values()))} grupos con {len(found)} personas")


@app.command(cls=SpanishCommand)
def variantes(name: Name, roster: Roster = None, course: Where = CLASSROOM) -> None:
    """Prepara el cuaderno de quien se ha matriculado tarde."""
    from tfcourse.teaching.assignment import Course
    from tfcourse.teaching.roster import course_roster
    from tfcourse.teaching.steps import keep_roster
    from tfcourse.teaching.variants import write_new_variants

    own = Course(course)
    assignment = own.load(name)
    keep_roster(own, roster)
    target, people = write_new_variants(own, assignment, course_roster(own.root))
    print(f"nuevos: {len(people)} ({', '.join(people) or 'nadie'})\nescrito: {target}")


@app.command(cls=SpanishCommand)
def nota(
    name: Name,
    student: Annotated[str, typer.Argument(metavar="ESTUDIANTE", help="Su carpeta, p. ej. ana.")],
    exercise: Annotated[str, typer.Argument(metavar="EJERCICIO", help="Su identificador.")],
    points: Annotated[
        str, typer.Argument(metavar="PUNTOS", help="Los puntos; «no» quita los que pusiste.")
    ],
    reason: Annotated[str, typer.Option("--motivo", help="Por qué: se apunta y se dice.")] = "",
    course: Where = CLASSROOM,
) -> None:
    """Cambia a mano la nota de un ejercicio que se corrige solo."""
    from tfcourse.teaching.assignment import Course
    from tfcourse.teaching.journal import journal_file
    from tfcourse.teaching.override import override

    own = Course(course)
    try:
        value = None if points == "no" else float(points.replace(",", "."))
    except ValueError:
        raise ValueError(f"«{points}» no son unos puntos") from None
    print(override(own, own.load(name), student, exercise, value, reason))
    print(f"apuntado en {journal_file(own, name)}")


@app.command(cls=SpanishCommand)
def parecidos(name: Name, course: Where = CLASSROOM) -> None:
    """Busca respuestas de código con la misma estructura, para mirarlas."""
    from tfcourse.files import write_atomically
    from tfcourse.teaching.assignment import Course
    from tfcourse.teaching.likeness import LIMITS, class_pairs, likeness_page

    own = Course(course)
    assignment = own.load(name)
    pairs, people = class_pairs(own, assignment)
    for pair in pairs:
        names = " y ".join(people[who]["full_name"] for who in (pair.one, pair.other))
        print(f"{pair.exercise}: {names} ({100 * pair.likeness:.0f} %)")
    target = own.folder(name) / "parecidos.html"
    write_atomically(target, likeness_page(assignment, pairs, people))
    print(f"{LIMITS}\nescrito: {target}")


@app.command(cls=SpanishCommand)
def repartir(
    name: Name,
    parts: Annotated[int, typer.Option("--partes", help="En cuántas máquinas.")] = 8,
    image: Annotated[
        str, typer.Option("--imagen", help="La imagen con el curso, en tu registro.")
    ] = "tu-registro/tfcourse",
    claim: Annotated[
        str, typer.Option("--volumen", help="El PersistentVolumeClaim con la carpeta del curso.")
    ] = "docencia",
    course: Where = CLASSROOM,
) -> None:
    """Escribe los trabajos de Slurm y de Kubernetes que corrigen una tarea por partes."""
    from tfcourse.teaching.assignment import Course
    from tfcourse.teaching.jobs import write_jobs

    own = Course(course)
    for path in write_jobs(own, own.load(name), parts, image, claim):
        print(f"escrito: {path}")
    print(f"cuando acaben: python -m tfcourse docente reunir {name} --curso {course}")
