"""Crear una tarea: el cuaderno del estudiante, el del docente y su ficha en el libro de notas.

El cuaderno con soluciones se escribe en `source/` y es nbgrader quien saca de él el que se
reparte y apunta en el libro de notas qué celdas se puntúan.
"""

import re
import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tfcourse.exercises.markers import solved
from tfcourse.exercises.masters import METADATA, boxed, masters, project_masters
from tfcourse.notebook import FIRST_CELL_TAGS, first_cell
from tfcourse.projects.steps.registry import STEPS, project_steps, projects
from tfcourse.teaching.assignment import Assignment, Course, Item, check_name
from tfcourse.teaching.bank import COURSE, load_bank, load_exercise
from tfcourse.teaching.bank_check import defined, salt_problems
from tfcourse.teaching.gradebook import generate_release
from tfcourse.teaching.numbers import number

INSTRUCTIONS = """\
**Cómo se trabaja**

1. Escribe cada respuesta en su celda, en el sitio señalado, sin cambiar el nombre de la función ni
   sus argumentos, y ejecútala.
2. Ejecuta la celda de debajo. Si usa `comprobar`, te dirá si vas bien y qué ha podido fallar; pide
   ayuda con `pista(1)`. La nota se pone con otros datos: una respuesta que solo sirva para los de
   esa celda no vale. Si tus constantes son solo tuyas, la celda lleva `solo_forma=True`: mira que
   la respuesta esté bien formada, y los números se corrigen después de entregar.
3. Puedes añadir celdas. No cambies ni borres las de prueba: se restauran al corregir.
4. Antes de entregar, reinicia el núcleo y ejecútalo todo de arriba abajo. Entrega este archivo, con
   extensión `.ipynb` (en Colab: «Archivo», «Descargar», «Descargar .ipynb»)."""
DRAWS = 5
# Un proyecto se pide entero por su nombre, que es el de su cuaderno.
PROJECTS = {
    f"proyecto_{name}": tuple(step.card.id for step in project_steps(name)) for name in projects()
}
HIDDEN_TEST = "# Esta respuesta se corrige después de entregar, con datos que aquí no se ven."


def create_assignment(
    course: Course, root: Path, wanted: Assignment, students: Sequence[str] = ()
) -> list[Path]:
    """Escribe una tarea nueva; devuelve los archivos que el docente querrá mirar.

    Con semilla, `students` son los identificadores de la clase, para probar los datos de cada uno.
    Errores: `ValueError` si el nombre no vale, la tarea existe, un ejercicio no se encuentra o su
    solución no acierta con los datos que se sortean.
    """
    check_name(wanted.name)
    if course.folder(wanted.name).exists():
        raise ValueError(f"la tarea «{wanted.name}» ya existe en {course.root}: usa otro nombre")
    pools = {None: exercise_cells(root)}
    for bank in {item.bank for item in wanted.items if item.bank}:
        pools[bank] = _cells_by_exercise(load_bank(bank).notebook)
    chosen = [(item, pools[item.bank][item.id]) for item in wanted.items]
    draft = replace(
        wanted,
        created=datetime.now().isoformat(timespec="seconds"),
        objectives=tuple(load_exercise(i.id, i.bank).card.objective for i in wanted.items),
        sealed=True,
    )
    assignment = with_fair_data(draft, chosen, students if wanted.seed else ("",))
    source = course.source(wanted.name)
    source.parent.mkdir(parents=True, exist_ok=True)
    write_config(course)
    nbformat.write(build_notebook(assignment, chosen, root), source)
    generate_release(course, assignment)
    course.save(assignment)
    copy = course.folder(wanted.name) / "copia_docente.ipynb"
    nbformat.write(instructor_copy(assignment, nbformat.read(source, as_version=4)), copy)
    return [course.release(wanted.name), copy]


def with_fair_data(draft: Assignment, chosen: list, students: Sequence[str]) -> Assignment:
    """La tarea con un secreto cuyos datos ocultos acierta la solución de cada ejercicio.

    Unos datos raros pueden romper una referencia: entonces se sortean otros.
    Errores: `ValueError` si no hay manera, que es un fallo del ejercicio.
    """
    solutions = [
        (item, defined(load_exercise(item.id, item.bank), solved(cell.source)))
        for item, cells in chosen
        for cell in cells
        if cell.id == f"{item.id}-respuesta" and _has_data(item)
    ]
    for _ in range(DRAWS):
        assignment = replace(draft, secret=secrets.token_hex(16))
        problems = [
            f"{item.id}: {problem}"
            for item, solution in solutions
            for problem in salt_problems(
                load_exercise(item.id, item.bank), solution,
                [assignment.salt(student, item.id) for student in students],
            )
        ]  # fmt: skip
        if not problems:
            return assignment
    raise ValueError(f"no se encuentran datos con los que acierte la solución: {problems[0]}")


def _has_data(item: Item) -> bool:
    """Si se corrige con datos sorteados; los pasos de un proyecto traen los suyos."""
    return item.id not in STEPS and load_exercise(item.id, item.bank).card.kind != "comprender"


def items_from(names: list[str], bank: str | None) -> tuple[Item, ...]:
    """Los ejercicios pedidos; de un proyecto, todos sus pasos.

    Errores: `ValueError` si no los hay o se repiten.
    """
    private = load_bank(bank).exercises if bank else {}
    items = []
    for name in (step for asked in names for step in PROJECTS.get(asked, (asked,))):
        card = load_exercise(name, bank if name in private else None).card
        where = str(Path(bank).resolve()) if name in private else None
        items.append(Item(name, card.points, card.manual_points, where))
    if not items or len({item.id for item in items}) != len(items):
        raise ValueError(
            "di qué ejercicios forman la tarea, cada uno una vez, p. ej. contexto,luong"
        )
    return tuple(items)


def exercise_cells(root: Path) -> dict[str, list[NotebookNode]]:
    """Las celdas de cada ejercicio del curso, leídas de los maestros."""
    pool: dict[str, list[NotebookNode]] = {}
    for master in [*masters(root), *project_masters(root)]:
        pool |= _cells_by_exercise(nbformat.read(master, as_version=4))
    if not pool:
        raise ValueError(f"en {root} no están los cuadernos del curso: dilo con --raiz")
    return pool


def _cells_by_exercise(notebook: NotebookNode) -> dict[str, list[NotebookNode]]:
    """Desde un enunciado hasta el siguiente; las celdas de importar van delante de cada uno."""
    pool: dict[str, list[NotebookNode]] = {}
    shared, current = [], None
    for cell in notebook.cells:
        if cell.id.endswith("-enunciado"):
            current = cell.id.removesuffix("-enunciado")
            pool[current] = [*shared, cell]
        elif current and (current not in STEPS or cell.id.startswith(f"{current}-")):
            pool[current].append(cell)  # lo que un proyecto enseña entre pasos no se reparte
        elif cell.cell_type == "code" and cell.id != "preparacion":
            shared.append(cell)
    return pool


def build_notebook(assignment: Assignment, chosen: list, root: Path) -> NotebookNode:
    """El cuaderno de la tarea con sus soluciones: de él saca nbgrader el que se reparte."""
    cells = [
        new_markdown_cell(cover(assignment), id="portada"),
        new_code_cell(first_cell(root), id="preparacion", metadata={"tags": list(FIRST_CELL_TAGS)}),
        new_markdown_cell(INSTRUCTIONS, id="instrucciones"),
        new_code_cell(_imports([cells for _, cells in chosen]), id="herramientas"),
    ]
    for place, (item, own) in enumerate(chosen, start=1):
        for cell in own:
            if cell.cell_type == "code" and not cell.id.startswith(item.id):
                continue  # las de importar ya están arriba
            copied = cell.copy()
            copied.outputs = [] if cell.cell_type == "code" else None
            if cell.cell_type == "markdown":
                copied.pop("outputs")
                copied.source = boxed(cell.source, place)
            elif cell.id.endswith("-prueba") and item.bank and cell.source.startswith("comprobar("):
                copied.source = HIDDEN_TEST
            cells.append(copied)
    return new_notebook(cells=cells, metadata=METADATA)


def cover(assignment: Assignment) -> str:
    """La portada: objetivos, puntos, minutos y plazo."""
    cards = [load_exercise(item.id, item.bank).card for item in assignment.items]
    goals = ";\n".join(f"- {card.objective}" for card in cards)
    due = f" **Plazo**: {spanish_date(assignment.due)}." if assignment.due else ""
    manual = sum(item.manual_points for item in assignment.items)
    by_hand = f", {manual} de ellos con una rúbrica" if manual else ""
    return (
        f"# {assignment.title}\n\n**Practicarás**\n\n{goals}.\n\n"
        f"**Tiempo**: {sum(card.minutes for card in cards)} minutos. **Valen** "
        f"{assignment.points} puntos{by_hand}.{due}"
    )


def spanish_date(moment: datetime) -> str:
    """Una fecha como se escribe en español: 3 de diciembre de 2026, 23:59."""
    months = (
        "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre",
        "octubre", "noviembre", "diciembre",
    )  # fmt: skip
    return f"{moment.day} de {months[moment.month - 1]} de {moment.year}, {moment:%H:%M}"


def _imports(groups: list[list[NotebookNode]]) -> str:
    """Las líneas de importar de todos los maestros que intervienen, sin repetir."""
    lines = {}
    for cells in groups:
        for cell in cells:
            if cell.cell_type == "code" and not re.search(
                "-(respuesta|prueba|experimento)$", cell.id
            ):
                lines |= dict.fromkeys(line for line in cell.source.split("\n") if line.strip())
    plain = sorted(line for line in lines if line.startswith("import "))
    others = sorted(line for line in lines if not line.startswith("import "))
    return "\n".join([*plain, "", *others]).strip()


def instructor_copy(assignment: Assignment, source: NotebookNode) -> NotebookNode:
    """El cuaderno con soluciones y, tras cada ejercicio, qué se puntúa y los errores típicos."""
    cells, by_answer = [], {f"{item.id}-prueba": item for item in assignment.items}
    for cell in source.cells:
        cells.append(cell)
        if cell.id in by_answer:
            text = rubric(by_answer[cell.id], assignment.partial)
            cells.append(new_markdown_cell(text, id=f"{by_answer[cell.id].id}-rubrica"))
    return new_notebook(cells=cells, metadata=METADATA)


def rubric(item: Item, partial: bool = False) -> str:
    """Qué se comprueba de un ejercicio y qué errores reconoce el corrector."""
    exercise = load_exercise(item.id, item.bank)
    cases = "; ".join(case.label for case in exercise.task.cases)
    lines = [
        f"**Rúbrica · {exercise.card.title}** ({item.total} puntos)",
        "",
        f"- **{item.points} puntos, automáticos**: {'por casos' if partial else 'todo o nada'}. "
        f"Casos: {cases}.",
    ]
    if item.manual_points:
        lines.append(
            f"- **{item.manual_points} puntos, a mano**: compara con la respuesta modelo. Un "
            "cuarto "
            "por cada una: hipótesis que se pueda desmentir; diseño con control y una sola cosa "
            "cambiada; medida con más de una semilla; conclusión que no diga más de lo medido."
            if not item.rubric
            else f"- **{item.manual_points} puntos, a mano**:"
        )
        lines += [f"  - {c.name}, {number(c.points)}: {c.description}" for c in item.rubric]
    lines += ["", "Errores que se reconocen:", ""]
    lines += [f"- `{mistake.key}`: {mistake.message}." for mistake in exercise.task.mistakes]
    return "\n".join(lines)


def write_config(course: Course) -> None:
    """La configuración de nbgrader del curso, para quien quiera usar también sus órdenes."""
    path = course.root / "nbgrader_config.py"
    if not path.exists():
        path.write_text(
            '"""Configuración de nbgrader de este curso: las marcas son las de tfcourse."""\n\n'
            "from tfcourse.teaching.gradebook import nbgrader_settings\n\n"
            "c = get_config()\n"
            "c.merge(nbgrader_settings(c.CourseDirectory.get('root', '.')))\n",
            encoding="utf-8",
        )


def known_exercises() -> list[str]:
    """Todos los ejercicios del curso, con lo que valen."""
    return [
        f"{name}: {e.card.title} ({e.card.points + e.card.manual_points} puntos, "
        f"{e.card.minutes} min)"
        for name, e in COURSE.items()
    ]
