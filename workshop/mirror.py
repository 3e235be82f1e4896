"""Espejo: el código que enseña un cuaderno es el del paquete, y una prueba lo demuestra.

Una celda cuya primera línea es `# espejo: tfcourse.layers.attention.attention` se compara con ese
objeto por su árbol sintáctico: no cuentan comentarios, docstrings ni anotaciones de tipos. Si son
piezas cortas de una misma idea, van juntas en una celda, cada una tras su línea.
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

LINE_LENGTH = 88
SPLIT_SIGNATURE = re.compile(r"(?P<head>[ ]*def \w+)\(\n(?P<arguments>[^()]*)\n[ ]*\):")
MARKER = re.compile(r"^# espejo: (?P<name>[\w.]+)[ \t]*$", re.MULTILINE)


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
    """Compara las celdas espejo con el paquete y comprueba que cada objeto tiene una sola casa.

    Los cuadernos de ejercicios no son casa de nadie: pueden repetir lo que enseña un capítulo.
    """
    differences, homes = [], {}
    for path in notebooks:
        for number, name, shown in _mirrored_objects(nbformat.read(path, as_version=4)):
            reason = _difference(name, shown)
            if not path.stem.endswith("_ejercicios"):
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
    for cell in notebook.cells:
        mirrored = _mirrored_in(cell)
        if any(_difference(name, shown) for name, shown in mirrored):
            cell.source = "\n\n\n".join(
                f"# espejo: {name}\n{without_annotations(package_source(name))}"
                for name, _ in mirrored
            )
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
    text = source.encode()  # `ast` cuenta las columnas en bytes
    for start, end, replacement in sorted(_annotation_spans(source, text), reverse=True):
        text = text[:start] + replacement + text[end:]
    return SPLIT_SIGNATURE.sub(_join_signature, text.decode())


def _join_signature(found: re.Match) -> str:
    """Vuelve a una sola línea la firma que solo estaba partida por sus anotaciones."""
    arguments = re.sub(r",?\s*\n\s*", ", ", found["arguments"].strip()).rstrip(", ")
    joined = f"{found['head']}({arguments}):"
    return joined if "#" not in arguments and len(joined) <= LINE_LENGTH else found[0]


def _mirrored_objects(notebook):
    for number, cell in enumerate(notebook.cells, start=1):
        for name, shown in _mirrored_in(cell):
            yield number, name, shown


def _mirrored_in(cell) -> list[tuple[str, str]]:
    """Los objetos de una celda espejo y lo que enseña de cada uno, de su línea a la siguiente."""
    if cell.cell_type != "code" or not MARKER.match(cell.source):
        return []
    found = list(MARKER.finditer(cell.source))
    ends = [following.start() for following in found[1:]] + [len(cell.source)]
    return [
        (one["name"], cell.source[one.start() : end]) for one, end in zip(found, ends, strict=True)
    ]


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
    return ast.unparse(_Essence().visit(ast.parse(source)))


class _Essence(ast.NodeTransformer):
    """Quita docstrings y anotaciones, salvo las de los campos de una clase, que sí significan."""

    def visit_ClassDef(self, node):
        """Una clase sin docstring."""
        _drop_docstring(node)
        return self.generic_visit(node)

    def visit_FunctionDef(self, node):
        """Una función sin docstring ni anotaciones, tampoco las de sus variables."""
        _drop_docstring(node)
        node.returns = None
        for argument in _arguments(node):
            argument.annotation = None
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def generic_visit(self, node):
        """Dentro de una función, `x: int = 3` es `x = 3` y `x: int` no es nada."""
        super().generic_visit(node)
        if not isinstance(node, ast.ClassDef | ast.Module) and hasattr(node, "body"):
            for name in ("body", "orelse", "finalbody"):
                if isinstance(block := getattr(node, name, None), list):
                    setattr(node, name, [new for old in block for new in _plain_assignment(old)])
        return node


def _plain_assignment(node: ast.stmt) -> list[ast.stmt]:
    if not isinstance(node, ast.AnnAssign):
        return [node]
    if node.value is None:
        return []
    return [ast.copy_location(ast.Assign([node.target], node.value), node)]


def _drop_docstring(node: ast.ClassDef | ast.FunctionDef) -> None:
    if ast.get_docstring(node) is not None:
        node.body = node.body[1:] or [ast.Pass()]


def _arguments(node: ast.FunctionDef) -> list[ast.arg]:
    spec = node.args
    extra = [argument for argument in (spec.vararg, spec.kwarg) if argument]
    return [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, *extra]


def _annotation_spans(source: str, text: bytes) -> list[tuple[int, int, bytes]]:
    """Trozos de texto que ocupan las anotaciones: (inicio, fin, con qué se sustituyen)."""
    lines = [0, *(found.end() for found in re.finditer(rb"\n", text))]
    spans = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for argument in filter(lambda argument: argument.annotation, _arguments(node)):
            start = lines[argument.lineno - 1] + argument.col_offset + len(argument.arg.encode())
            end = lines[argument.end_lineno - 1] + argument.end_col_offset
            # Sin anotación, `x: int = 3` se escribe `x=3`.
            default = re.compile(rb"\s*=\s*").match(text, end)
            spans.append((start, default.end(), b"=") if default else (start, end, b""))
        if node.returns:
            start = text.rindex(b"->", 0, lines[node.returns.lineno - 1] + node.returns.col_offset)
            end = lines[node.returns.end_lineno - 1] + node.returns.end_col_offset
            end = re.compile(rb"[\s)]*").match(text, end).end()
            spans.append((len(text[:start].rstrip()), end, b""))
    return spans
