"""Puntuar a mano las respuestas abiertas: una página con todas y una hoja donde escribir las notas.

La página no dice de quién es cada respuesta y las junta por ejercicio, en un orden que no es el
alfabético: así se comparan entre sí y no influye el nombre.
"""

import hashlib
import re
from dataclasses import dataclass
from html import escape
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from tfcourse.exercises.markers import BEGIN_SOLUTION, END_SOLUTION, TEXT_STUB
from tfcourse.files import write_atomically
from tfcourse.teaching.assignment import CRITERIA, Assignment, Course, Item
from tfcourse.teaching.guard import READING_SECONDS, OutOfBounds, bounded, storable
from tfcourse.teaching.numbers import number
from tfcourse.teaching.pages import page, prose
from tfcourse.teaching.recording import Mark, text_mark, write_marks
from tfcourse.teaching.results import current_results
from tfcourse.teaching.submission import own_work, read_notebook
from tfcourse.teaching.tables import read_table, safe, write_table

FIRST, LAST = ["respuesta", "estudiante", "nombre", "ejercicio"], ["comentario", "texto"]
HEADER = [*FIRST, *CRITERIA, *LAST]
REMARK, TEXT = -2, -1
OTHERS = "—"  # un criterio de otro ejercicio
MAX_OUTPUT, MAX_IMAGE, MAX_SHOWN = 4_000, 600_000, 40  # caracteres y celdas
# El recuadro del enunciado, que aquí no se dibuja: su título y sus etiquetas.
BOX_TAGS = re.compile(r"^(## .*|<div class=.*|<p class=.*|</div>)$", re.MULTILINE)
BLANK_COMMENT = "Sin responder."


@dataclass(frozen=True)
class Answer:
    """Lo que alguien contestó a un ejercicio abierto: su texto y las celdas de su experimento."""

    student: str
    full_name: str
    item: Item
    text: str | None
    work: tuple[NotebookNode, ...]

    @property
    def is_blank(self) -> bool:
        """Si su celda está y no hay nada escrito; si no está, no se sabe."""
        return self.text is not None and self.text.strip() in ("", TEXT_STUB)

    @property
    def mark(self) -> str:
        """Huella de lo que se puntúa y con qué: una nota vale mientras no cambien."""
        own = text_mark(str(self.item.rubric))[:6] if self.item.rubric else ""
        return f"{text_mark(self.text)}-{own}" if own else text_mark(self.text)


def sheet_header(assignment: Assignment) -> list[str]:
    """Las columnas de la hoja: las de siempre y, en medio, los criterios de sus rúbricas."""
    names = [c.name for item in assignment.items if item.manual_points for c in item.criteria]
    return [*FIRST, *dict.fromkeys(names), *LAST]


def write_sheet(course: Course, assignment: Assignment) -> tuple[Path, Path, int]:
    """Escribe la página y la hoja; devuelve dónde y cuántas respuestas quedan sin puntuar.

    Lo escrito en la hoja se conserva si es de la respuesta que hay ahora. Errores: `ValueError` si
    la tarea no tiene ejercicios abiertos o no se ha corregido todavía.
    """
    answers, header = open_answers(course, assignment), sheet_header(assignment)
    folder = course.folder(assignment.name)
    sheet, reading = folder / "a-mano.csv", folder / "a-mano.html"
    before = _written_before(sheet, header)
    rows = []
    for position, answer in enumerate(answers, start=1):
        filled = before.get((answer.student, answer.item.id))
        if filled is None or filled[TEXT] != answer.mark:
            filled = _new_row(answer, header)
        own = [str(position), answer.student, safe(answer.full_name), answer.item.id]
        rows.append([*own, *filled[len(own) : TEXT], answer.mark])
    # Con punto y coma y marca: así la abre bien una hoja de cálculo en español.
    write_table(sheet, [header, *rows], ";", mark=True)
    write_atomically(reading, reading_page(course, assignment, answers))
    return sheet, reading, sum("" in row[len(FIRST) : REMARK] for row in rows)


def _written_before(sheet: Path, header: list[str]) -> dict[tuple[str, str], list[str]]:
    """Lo escrito en la hoja que había; si era de otra rúbrica, esa hoja se guarda aparte."""
    if not sheet.exists():
        return {}
    found, *rows = read_table(sheet)
    if found != header:
        sheet.replace(sheet.with_name("a-mano-anterior.csv"))
        return {}
    return {(row[1], row[3]): row for row in rows}


def open_answers(course: Course, assignment: Assignment) -> list[Answer]:
    """Las respuestas que se puntúan a mano, por ejercicio y barajadas siempre igual."""
    items = [item for item in assignment.items if item.manual_points]
    if not items:
        raise ValueError(f"«{assignment.name}» no tiene ejercicios abiertos: no hay nada a mano")
    results = current_results(course, assignment)
    if not results:
        raise ValueError(f"todavía no se ha corregido ninguna entrega de «{assignment.name}»")
    original = nbformat.read(course.release(assignment.name), as_version=4)
    results.sort(key=lambda result: _shuffled(assignment.secret, result["student"]))
    works = {r["student"]: _work(course, assignment, original, r["student"]) for r in results}
    return [
        Answer(
            result["student"], result["full_name"], item,
            result.get("answers", {}).get(f"{item.id}-texto"),
            tuple(works[result["student"]].get(item.id, ())),
        )
        for item in items for result in results
    ]  # fmt: skip


def _shuffled(secret: str, student: str) -> str:
    return hashlib.sha256(f"{secret}\0{student}".encode()).hexdigest()


def _work(course: Course, assignment: Assignment, original: NotebookNode, student: str) -> dict:
    """El experimento de cada ejercicio; quien no se deje leer, sin él, y los demás igual."""
    try:
        with bounded(READING_SECONDS):
            submitted = read_notebook(course.submitted(student, assignment.name))
            return own_work(submitted, original)
    except (OutOfBounds, Exception):
        return {}


def _new_row(answer: Answer, header: list[str]) -> list[str]:
    """Una fila por rellenar; quien no ha escrito nada ya tiene sus ceros.

    Quien no tiene esa celda, o un archivo que no se lee, no: alguien tiene que mirarlo.
    """
    own, blank = {c.name for c in answer.item.criteria}, "0" if answer.is_blank else ""
    marks = [blank if name in own else OTHERS for name in header[len(FIRST) : REMARK]]
    return [*[""] * len(FIRST), *marks, BLANK_COMMENT if answer.is_blank else "", ""]


def apply_sheet(course: Course, assignment: Assignment, path: Path) -> tuple[int, int]:
    """Apunta las notas de la hoja en el libro; devuelve cuántas y cuántas filas quedan vacías.

    Errores: `ValueError` si una fila no es de esta tarea o una nota no vale; no se apunta ninguna.
    """
    header = sheet_header(assignment)
    rows = _read_sheet(path, header)
    known = {(a.student, a.item.id): a for a in open_answers(course, assignment)}
    marks, empty = [], 0
    for line, row in enumerate(rows, start=2):
        answer = known.get((row[1], row[3]))
        if answer is None:
            raise ValueError(
                f"fila {line}: no hay ninguna respuesta de «{row[1]}» a «{row[3]}» en "
                f"«{assignment.name}»"
            )
        given = dict(zip(header[len(FIRST) : REMARK], row[len(FIRST) : REMARK], strict=True))
        if any(given[criterion.name] for criterion in answer.item.criteria):
            where = f"fila {line} ({answer.full_name}, {row[3]})"
            if row[TEXT] != answer.mark:
                raise ValueError(
                    f"{where}: la respuesta ha cambiado desde que se hizo la hoja; pide otra con "
                    "«docente puntuar», que conserva lo demás"
                )
            marks.append(_mark(answer, given, row[REMARK].strip(), where))
        else:
            empty += 1
    write_marks(course, assignment, marks)
    return len(marks), empty


def _read_sheet(path: Path, header: list[str]) -> list[list[str]]:
    found, *rows = read_table(path)
    if found[: len(header)] != header:
        raise ValueError(
            f"{path} no es la hoja de «docente puntuar»: sus columnas son {', '.join(header)}"
        )
    return [row[: len(header)] for row in rows]


def _mark(answer: Answer, given: dict[str, str], remark: str, where: str) -> Mark:
    points = []
    for criterion in answer.item.criteria:
        text = given[criterion.name]
        try:
            value = float(text.replace(",", "."))
        except ValueError:
            value = -1.0
        if not 0 <= value <= criterion.points:
            raise ValueError(
                f"{where}: «{criterion.name}» dice «{text}» y va de 0 a "
                f"{number(criterion.points)}; deja en blanco todos los criterios si aún no la has "
                "puntuado"
            )
        points.append(value)
    shown = " · ".join(
        f"{criterion.name}: {number(value)} de {number(criterion.points)}"
        for criterion, value in zip(answer.item.criteria, points, strict=True)
    )
    comment = f"{shown[0].upper()}{shown[1:]}." + (f"\n{remark}" if remark else "")
    return Mark(answer.student, f"{answer.item.id}-texto", sum(points), comment, answer.mark)


def reading_page(course: Course, assignment: Assignment, answers: list[Answer]) -> str:
    """La página para leer las respuestas, numeradas como en la hoja."""
    source = nbformat.read(course.source(assignment.name), as_version=4)
    cells = {cell.id: cell.source for cell in source.cells}
    parts = [f"<h1>{escape(assignment.title)}: respuestas abiertas</h1>"]
    current = None
    for position, answer in enumerate(answers, start=1):
        if answer.item.id != current:
            current = answer.item.id
            parts.append(_heading(assignment, answer.item, cells))
        parts.append(_safely(position, answer))
    return page(f"{assignment.title}: respuestas abiertas", "\n".join(parts))


def _heading(assignment: Assignment, item: Item, cells: dict[str, str]) -> str:
    title = assignment.exercise(item).card.title
    model = cells.get(f"{item.id}-texto", "").replace(BEGIN_SOLUTION, "").replace(END_SOLUTION, "")
    statement = BOX_TAGS.sub("", cells.get(f"{item.id}-enunciado", ""))
    criteria = "".join(
        f"<li>{escape(c.name)}, de 0 a {number(c.points)}{escape(': ' * bool(c.description))}"
        f"{escape(c.description)}</li>"
        for c in item.criteria
    )
    return (
        f"<h2>{escape(title)}</h2>\n<ul>{criteria}</ul>\n"
        f"{_folded('Enunciado y rúbrica', statement)}\n{_folded('Respuesta modelo', model)}"
    )


def _folded(summary: str, text: str) -> str:
    return f"<details><summary>{summary}</summary>{prose(text)}</details>"


def _safely(position: int, answer: Answer) -> str:
    """La respuesta de alguien; si no se deja dibujar, se dice y las demás se leen igual."""
    try:
        with bounded(READING_SECONDS):
            return _answer(position, answer)
    except (OutOfBounds, Exception):
        return f"<h3>Respuesta {position}</h3>\n<p>No se puede mostrar: mira su cuaderno.</p>"


def _answer(position: int, answer: Answer) -> str:
    if answer.text is None:
        body = "<p>No se ha encontrado su respuesta: mira su cuaderno antes de puntuar.</p>"
    elif answer.is_blank and not answer.work:
        body = "<p>Sin responder.</p>"
    else:
        cells = "".join(_cell(cell) for cell in answer.work[:MAX_SHOWN])
        work = f"<details><summary>Su experimento</summary>{cells}</details>" if cells else ""
        body = f"{prose(answer.text)}{work}"
    return (
        f'<article id="respuesta-{position}" aria-label="Respuesta {position}">\n'
        f"<h3>Respuesta {position}</h3>\n{body}\n</article>"
    )


def _cell(cell: NotebookNode) -> str:
    """Una celda del estudiante con lo que enseñaba al entregarla: texto y figuras, nunca HTML."""
    shown = [f"<pre>{escape(cell.source[:MAX_OUTPUT])}</pre>"]
    for output in cell.get("outputs", ())[:MAX_SHOWN]:
        data = output.get("data", {})
        image = data.get("image/png")
        text = output.get("text", data.get("text/plain", ""))
        if isinstance(image, str) and len(image) <= MAX_IMAGE:
            source = escape(storable("".join(image.split())))
            shown.append(
                f'<p><img alt="Figura del experimento" src="data:image/png;base64,{source}"></p>'
            )
        elif isinstance(text, str) and text.strip():
            shown.append(f"<pre>{escape(storable(text[:MAX_OUTPUT]))}</pre>")
    return "".join(shown)
