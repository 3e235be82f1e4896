"""Leer código en orden, como si se ejecutara, apuntando qué nombres dependen de un reloj."""

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import nbformat

from workshop.clocks.expressions import Expressions
from workshop.clocks.values import Box, Function, depends, inside, join

OURS = ("tfcourse", "benchmarks")
FAKE = "fake_clock"  # la preparación que pone un reloj de mentira
MAGIC = re.compile(r"^(\s*)[%!].*$", re.MULTILINE)
RECIPE = re.compile(r"""\brecipe\(["'](?P<page>[\w/]+\.ipynb)["']\)""")


@dataclass(frozen=True)
class Timed:
    """Una comprobación que depende de un reloj: dónde está y qué afirma."""

    place: str
    source: str

    def __str__(self) -> str:
        return f"{self.place}: {self.source}"


class Library:
    """Los módulos del paquete y de las tablas: qué nombres suyos dependen de un reloj."""

    def __init__(self, root: Path):
        self.root = root
        self.known: dict[str, dict[str, object]] = {}

    def names(self, module: str) -> dict[str, object]:
        """Los nombres de un módulo que dependen de un reloj; ninguno, si no es nuestro."""
        if module not in self.known:
            self.known[module] = {}  # si dos se importan entre sí, no se dan vueltas
            base = self.root.joinpath(*module.split("."))
            paths = (base.with_suffix(".py"), base / "__init__.py")
            path = next((path for path in paths if path.exists()), None)
            if path and module.split(".")[0] in OURS:
                reader = Reader(module, self)
                reader.run_file(path.read_text(encoding="utf-8"))
                self.known[module] = {n: v for n, v in reader.names.items() if depends(v)}
        return self.known[module]


def read_page(path: Path, library: Library) -> "Reader":
    """Lee las celdas de código de un cuaderno, una detrás de otra."""
    reader = Reader(path.stem, library)
    for number, cell in enumerate(nbformat.read(path, as_version=4).cells, start=1):
        if cell.cell_type == "code":
            reader.place = f"{path.stem}, celda {number}"
            reader.run(ast.parse(MAGIC.sub(r"\1pass", cell.source)).body)
    return reader


def read_tests(path: Path, root: Path, library: Library, pages: dict[str, dict]) -> list[Timed]:
    """Lee un archivo de pruebas; si prueba una página, con los nombres que dejan sus celdas."""
    text = path.read_text(encoding="utf-8")
    recipe = RECIPE.search(text)
    chapter = pages.get(recipe["page"], {}) if recipe else {}
    reader = Reader(str(path.relative_to(root)), library, chapter=chapter)
    reader.run_file(text)
    return reader.found


@dataclass
class Reader(Expressions):
    """Recorre las líneas en orden y apunta, de cada nombre, si lo que vale depende de un reloj."""

    place: str
    library: Library
    names: dict[str, object] = field(default_factory=dict)
    chapter: dict[str, object] = field(default_factory=dict)
    found: list[Timed] = field(default_factory=list)
    owners: dict[str, str] = field(default_factory=dict)
    modules: dict[str, str] = field(default_factory=dict)
    real: bool = True  # con un reloj de mentira nada depende del equipo
    returned: object = False

    def inner(self) -> "Reader":
        """Quien lee lo de dentro: ve los mismos nombres, y los suyos no salen."""
        return Reader(self.place, self.library, dict(self.names), self.chapter, self.found,
                      dict(self.owners), dict(self.modules), self.real)  # fmt: skip

    def run(self, body: Iterable[ast.stmt]) -> None:
        """Lee unas líneas en orden."""
        for statement in body:
            getattr(self, f"on_{type(statement).__name__}", self.on_other)(statement)

    def run_file(self, text: str) -> None:
        """Lee un archivo dos veces: una función usa otras que se escriben más abajo."""
        for _ in range(2):
            self.run(ast.parse(text).body)

    def check(self, node: ast.AST, value: object) -> None:
        """Apunta una comprobación, si depende de un reloj."""
        place = self.place if ", celda" in self.place else f"{self.place}:{node.lineno}"
        timed = Timed(place, ast.unparse(node))
        if depends(value) and timed not in self.found:
            self.found.append(timed)

    def on_other(self, node: ast.stmt) -> None:
        """Cualquier otra línea: sus expresiones y, dentro de ella, sus bloques."""
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child)
        for block in ("body", "orelse", "finalbody"):
            self.run(getattr(node, block, []))
        for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            self.run(part.body)

    def on_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Lo que se trae de otro módulo: de los nuestros, se sabe si depende de un reloj."""
        known = self.library.names(node.module or "")
        for alias in node.names:
            name = alias.asname or alias.name
            self.names[name] = known.get(alias.name, False)
            self.modules[name] = f"{node.module}.{alias.name}"

    def on_Assert(self, node: ast.Assert) -> None:
        """Una afirmación."""
        self.check(node, self.value(node.test))

    def on_Assign(self, node: ast.Assign) -> None:
        """Una asignación."""
        value = self.value(node.value)
        for target in node.targets:
            self.bind(target, value)

    def on_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Una asignación con su tipo."""
        if node.value:
            self.bind(node.target, self.value(node.value))

    def on_AugAssign(self, node: ast.AugAssign) -> None:
        """Un `+=`: queda lo que había y lo que se suma."""
        value = self.value(node.value)
        if depends(value):
            old = self.value(node.target)
            self.bind(node.target, value if isinstance(old, Box) else join(old, value))

    def on_For(self, node: ast.For) -> None:
        """Un bucle: se dan dos vueltas, por si la segunda usa lo que midió la primera."""
        for _ in range(2):
            self.bind(node.target, self.element(node.iter))
            self.own(node)
            self.run(node.body)
        self.run(node.orelse)

    def own(self, node: ast.For) -> None:
        """Apunta de qué colección sale lo que se recorre: lo que se meta en ello, está en ella."""
        owner = node.iter
        if isinstance(owner, ast.Call) and isinstance(owner.func, ast.Attribute):
            owner = owner.func.value
        for target in ast.walk(node.target):
            if isinstance(target, ast.Name) and isinstance(owner, ast.Name):
                self.owners[target.id] = owner.id

    def on_While(self, node: ast.While) -> None:
        """Un bucle que dura lo que diga su condición."""
        for _ in range(2):
            self.value(node.test)
            self.run(node.body)

    def on_If(self, node: ast.If) -> None:
        """Dos caminos: vale lo de cualquiera; lo afirmado según un reloj también depende de él."""
        timed, before = depends(self.value(node.test)), dict(self.names)
        self.run(node.body)
        after, self.names = self.names, before
        self.run(node.orelse)
        for name, value in after.items():
            self.names[name] = join(self.names.get(name, False), value)
        for line in ast.walk(node) if timed else ():
            if isinstance(line, ast.Assert):
                self.check(line, True)

    def on_With(self, node: ast.With) -> None:
        """Un contexto."""
        for item in node.items:
            value = self.value(item.context_expr)
            if item.optional_vars:
                self.bind(item.optional_vars, value)
        self.run(node.body)

    def on_Return(self, node: ast.Return) -> None:
        """Lo que devuelve la función que se está leyendo."""
        if node.value:
            self.returned = join(self.returned, self.value(node.value))

    def on_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Una función: se lee una vez, sin saber con qué la llamarán."""
        inner = self.inner()
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
            given = self.names.get(argument.arg)  # una prueba recibe lo que da su preparación
            is_test = isinstance(given, Function) and node.name.startswith("test_")
            inner.names[argument.arg] = given.returns if is_test else False
            inner.real &= argument.arg != FAKE
        inner.run(node.body)
        self.names[node.name] = Function(inner.returned)

    def on_ClassDef(self, node: ast.ClassDef) -> None:
        """Una clase: sus métodos, como funciones sueltas."""
        self.inner().run(node.body)

    def bind(self, target: ast.expr, value: object) -> None:
        """Da un valor a un nombre, a varios o a un hueco de una colección."""
        if isinstance(target, ast.Name):
            self.names[target.id] = value
        elif isinstance(target, ast.Starred):
            self.bind(target.value, Box(depends(value)))
        elif isinstance(target, ast.Tuple | ast.List):
            same = isinstance(value, tuple) and len(value) == len(target.elts)
            parts = value if same else [inside(value)] * len(target.elts)
            for part, own in zip(target.elts, parts, strict=True):
                self.bind(part, own)
        elif isinstance(target, ast.Subscript) and (name := self.root(target)):
            self.put(name, value)

    def put(self, name: str, value: object) -> None:
        """Mete un valor en la colección que se llama así, y en la que la contiene."""
        owner = self.owners.get(name, name)
        for collection in dict.fromkeys((name, owner)):
            old = self.names.get(collection, False)
            is_table = isinstance(old, Box) and old.is_table
            self.names[collection] = Box(join(inside(old), value), is_table)
