"""Espejo: el código que enseña un cuaderno es el del paquete, y una prueba lo demuestra.

Una celda cuya primera línea es `# espejo: tfcourse.layers.attention.attention` se compara con ese
objeto por su árbol sintáctico: no cuentan comentarios, docstrings ni anotaciones de tipos.
"""

import ast
import difflib
import importlib
import inspect
import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

import nbformat

MARKER = re.compile(r"^# espejo: (?P<name>[\w.]+)\s*$")


@dataclass(frozen=True)
class Difference:
    """Una celda que no dice lo mismo que el paquete."""

    notebook: Path
    cell: int
    name: str
    reason: str

    def __str__(self) -> str:
        return f"{self.notebook}, celda {self.cell}, «{self.name}»: {self.reason}"


def check(notebooks: list[Path]) -> list[Difference]:
    """Compara las celdas espejo con el paquete y comprueba que cada objeto tiene una sola casa."""
    differences, homes = [], {}
    for path in notebooks:
        for number, cell, name in _mirrored_cells(nbformat.read(path, as_version=4)):
            reason = _difference(name, cell.source)
            if name in homes:
                reason = f"ya se enseña en {homes[name]}: cada objeto tiene una sola casa"
            homes.setdefault(name, path)
            if reason:
                differences.append(Difference(path, number, name, reason))
    return differences


def write(notebooks: list[Path]) -> list[Path]:
    """Reescribe las celdas espejo que difieren del paquete; devuelve los cuadernos cambiados.

    Errores: `ValueError` si una celda nombra un objeto que no existe.
    """
    changed = []
    for path in notebooks:
        notebook = nbformat.read(path, as_version=4)
        if mirror_cells(notebook):
            nbformat.write(notebook, path)
            changed.append(path)
    return changed


def mirror_cells(notebook) -> bool:
    """Pone al día las celdas espejo de un cuaderno ya leído; dice si cambió algo."""
    changed = False
    for _, cell, name in _mirrored_cells(notebook):
        if _difference(name, cell.source):
            cell.source = f"# espejo: {name}\n{without_annotations(package_source(name))}"
            changed = True
    return changed


def package_source(name: str) -> str:
    """Código fuente de un objeto del paquete.

    Errores: `ValueError` si no existe.
    """
    module_name, _, attribute = name.rpartition(".")
    try:
        target = getattr(importlib.import_module(module_name), attribute)
        return textwrap.dedent(inspect.getsource(target)).strip("\n")
    except (ImportError, AttributeError, TypeError, OSError, ValueError) as error:
        raise ValueError(
            f"«{name}» no existe en el paquete: revisa el nombre que sigue a «# espejo:»"
        ) from error


def without_annotations(source: str) -> str:
    """Quita del texto las anotaciones de argumentos y resultados; respeta comentarios y formato."""
    lines = source.splitlines()
    for start, end, replacement in sorted(_annotation_spans(source), reverse=True):
        head, tail = lines[start[0]][: start[1]], lines[end[0]][end[1] :]
        lines[start[0] : end[0] + 1] = [head + replacement + tail]
    return "\n".join(lines)


def _mirrored_cells(notebook):
    for number, cell in enumerate(notebook.cells, start=1):
        first_line = cell.source.split("\n", 1)[0]
        if cell.cell_type == "code" and (found := MARKER.match(first_line)):
            yield number, cell, found["name"]


def _difference(name: str, cell_source: str) -> str | None:
    """Por qué la celda no es el espejo del objeto, o `None` si lo es."""
    try:
        expected = package_source(name)
    except ValueError as error:
        return str(error)
    try:
        shown = _essence(cell_source)
    except SyntaxError as error:
        return f"la celda no es Python válido: {error.msg}, línea {error.lineno}"
    wanted = _essence(expected)
    if shown == wanted:
        return None
    diff = difflib.unified_diff(wanted.splitlines(), shown.splitlines(), "paquete", "cuaderno", n=1)
    return "no dice lo mismo que el paquete\n" + "\n".join(list(diff)[:20])


def _essence(source: str) -> str:
    """El código sin lo que no cambia su significado, escrito siempre de la misma manera."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
            for argument in _arguments(node):
                argument.annotation = None
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)


def _arguments(node: ast.FunctionDef) -> list[ast.arg]:
    spec = node.args
    extra = [argument for argument in (spec.vararg, spec.kwarg) if argument]
    return [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, *extra]


def _annotation_spans(source: str) -> list[tuple[tuple[int, int], tuple[int, int], str]]:
    """Trozos de texto que ocupan las anotaciones: (inicio, fin, con qué se sustituyen)."""
    spans = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        defaults = {
            (d.lineno, d.col_offset) for d in (*node.args.defaults, *node.args.kw_defaults) if d
        }
        for argument in _arguments(node):
            if argument.annotation:
                start = (argument.lineno - 1, argument.col_offset + len(argument.arg))
                end = (argument.annotation.end_lineno - 1, argument.annotation.end_col_offset)
                spans.append(_with_default(source, start, end, defaults))
        if node.returns:
            spans.append(_return_span(source, node.returns))
    return spans


def _with_default(source, start, end, defaults):
    """Sin anotación, `x: int = 3` se escribe `x=3`."""
    tail = source.splitlines()[end[0]][end[1] :]
    spaced = re.match(r"\s*=\s*", tail)
    if spaced and (end[0] + 1, end[1] + spaced.end()) in defaults:
        return start, (end[0], end[1] + spaced.end()), "="
    return start, end, ""


def _return_span(source, returns):
    """El tramo que va desde el paréntesis que cierra los argumentos hasta los dos puntos."""
    lines = source.splitlines()
    row, column = returns.lineno - 1, returns.col_offset
    arrow = lines[row].rindex("->", 0, column)
    start = len(lines[row][:arrow].rstrip())
    return (row, start), (returns.end_lineno - 1, returns.end_col_offset), ""
