"""Las piezas que presta el curso: se escriben con las soluciones de los maestros de los proyectos.

Así la solución de un paso está en un solo sitio, y lo que se presta es justo lo que se pedía.
"""

import ast
import json
import re
from pathlib import Path

import nbformat

from tfcourse.exercises.markers import solved
from tfcourse.exercises.masters import project_masters
from tfcourse.files import write_atomically

FOLDER = Path("tfcourse/projects/lent")
TABLE = "pasos.json"
HEADER = '"""{title}: lo que presta el curso. Se escribe con «make ejercicios»."""'


def lent_files(root: Path) -> dict[Path, str]:
    """Los archivos de lo que se presta y lo que dicen, según los maestros."""
    files, table = {}, {}
    for master in project_masters(root):
        notebook = nbformat.read(master, as_version=4)
        name = master.stem.removeprefix("proyecto_")
        answers = {
            cell.id.removesuffix("-respuesta"): solved(cell.source)
            for cell in notebook.cells
            if cell.id.endswith("-respuesta")
        }
        table[name] = {step: defined(source) for step, source in answers.items()}
        (imports,) = (cell.source for cell in notebook.cells if cell.id == "imports")
        title = re.match("# (.+)", notebook.cells[0].source)[1]
        files[root / FOLDER / f"{name}.py"] = module_text(title, imports, list(answers.values()))
    text = json.dumps(table, ensure_ascii=False, indent=1) + "\n"
    return files | {root / FOLDER / TABLE: text}


def defined(source: str) -> str:
    """Cómo se llama lo último que define una celda: la pieza."""
    kinds = (ast.ClassDef, ast.FunctionDef)
    return [node.name for node in ast.parse(source).body if isinstance(node, kinds)][-1]


def module_text(title: str, imports: str, pieces: list[str]) -> str:
    """El módulo: las importaciones que usan las piezas y, en su orden, las piezas."""
    body = "\n\n\n".join(piece.strip("\n") for piece in pieces)
    needed = [line for line in imports.split("\n") if not line or _used(line, body)]
    head = re.sub(r"\n{3,}", "\n\n", "\n".join(needed)).strip()
    return f"{HEADER.format(title=title)}\n\n{head}\n\n\n{body}\n"


def _used(line: str, body: str) -> bool:
    """Si alguno de los nombres que trae una importación aparece en las piezas."""
    if "tfcourse.exercises" in line or "tfcourse.projects" in line:
        return False
    names = [alias.asname or alias.name for alias in ast.parse(line).body[0].names]
    return any(re.search(rf"\b{name}\b", body) for name in names)


def write_lent_pieces(root: Path) -> list[Path]:
    """Escribe lo que se presta; devuelve los archivos que cambiaron."""
    changed = []
    for path, text in lent_files(root).items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            write_atomically(path, text)
            changed.append(path)
    return changed


def check_lent_pieces(root: Path) -> list[str]:
    """Lo que se presta y no sale de su maestro."""
    files = lent_files(root)
    stale = [p for p, text in files.items() if not p.exists() or p.read_text("utf-8") != text]
    problems = [f"{path} no sale de su maestro; ejecuta «make ejercicios»" for path in stale]
    orphans = set((root / FOLDER).glob("*.py")) - files.keys() - {root / FOLDER / "__init__.py"}
    return problems + [f"{path} no tiene maestro: bórralo" for path in sorted(orphans)]
