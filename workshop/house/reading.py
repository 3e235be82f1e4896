"""Leer el paquete sin ejecutarlo: sus módulos, lo que importa cada uno y lo que ofrece."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from workshop.house.plan import OUTSIDE, PACKAGE, WINGS

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS = (*FUNCTIONS, ast.ClassDef)


@dataclass(frozen=True)
class Import:
    """Una línea que importa: el módulo, sin el nombre del paquete, y si está en una función.

    `outside` dice que no es del paquete; entonces `target` es lo primero de su nombre.
    """

    target: str
    line: int
    lazy: bool
    outside: bool = False


@dataclass(frozen=True)
class Module:
    """Un archivo: su nombre sin el del paquete (`layers.masks`), su árbol y lo que importa."""

    name: str
    path: Path
    tree: ast.Module
    lines: int
    imports: list[Import]

    @property
    def folder(self) -> str:
        """La carpeta de la casa en que está; la de un módulo suelto es él mismo."""
        return folder_of(self.name)

    @property
    def is_package(self) -> bool:
        """Si es el `__init__.py` de una carpeta."""
        return self.path.name == "__init__.py"

    @property
    def summary(self) -> str:
        """La primera línea de su docstring."""
        return first_line(self.tree)


@dataclass(frozen=True)
class House:
    """El paquete leído, con los capítulos de `mapa.yml` que dicen qué cuarto es de quién."""

    modules: dict[str, Module]
    chapters: list[dict]

    @property
    def rooms(self) -> dict[str, list[Module]]:
        """Los módulos de cada cuarto."""
        rooms: dict[str, list[Module]] = {}
        for module in self.modules.values():
            room = room_of(module.name)
            if room and (module.is_package or module.name.count(".") > 1):
                rooms.setdefault(room, []).append(module)
        return rooms


def folder_of(name: str) -> str:
    """Lo primero del nombre de un módulo: `layers`, de `layers.masks`."""
    return name.partition(".")[0]


def room_of(name: str) -> str | None:
    """El cuarto de un módulo, `vision/detection`; ninguno, si no está en un ala."""
    parts = name.split(".")
    return "/".join(parts[:2]) if parts[0] in WINGS and len(parts) > 1 else None


def topic_of(room: str) -> str:
    """El tema de un cuarto, que también nombra su carpeta en el banco: `detection`."""
    return room.partition("/")[2]


def first_line(tree: ast.AST) -> str:
    """La primera línea del docstring; nada, si no lo tiene."""
    return (ast.get_docstring(tree) or "").split("\n")[0]


def read_house(root: Path, map_file: Path | None = None) -> House:
    """Lee el paquete que hay en la carpeta `root` y, si se da, el mapa del curso."""
    modules = read_modules(root)
    text = map_file.read_text(encoding="utf-8") if map_file else ""
    parts = (yaml.safe_load(text) or {}).get("partes", [])
    return House(modules, [chapter for part in parts for chapter in part["capitulos"]])


def read_modules(root: Path) -> dict[str, Module]:
    """Todos los módulos por su nombre; el de la raíz se llama `__init__`."""
    paths = sorted(root.rglob("*.py"))
    names = {path: _module_name(path.relative_to(root)) for path in paths}
    known = set(names.values())
    modules = {}
    for path, name in names.items():
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text, filename=str(path))
        is_package = path.name == "__init__.py"
        found = list(dict.fromkeys(_imports(name, is_package, tree, known)))
        modules[name] = Module(name, path, tree, len(text.splitlines()), found)
    return modules


def _module_name(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def _imports(name: str, is_package: bool, tree: ast.Module, known: set[str]) -> Iterator[Import]:
    """Lo que importa un módulo de la casa o de lo que no viaja con ella."""
    inside = [PACKAGE, *(name.split(".") if name != "__init__" else [])]
    package = inside if is_package else inside[:-1]
    lazy = {id(node) for scope in functions(tree) for node in ast.walk(scope)}
    for node in ast.walk(tree):
        for imported in imported_names(package, node):
            first, _, rest = imported.partition(".")
            if first in OUTSIDE:
                yield Import(first, node.lineno, id(node) in lazy, outside=True)
            elif first == PACKAGE and rest and not rest.startswith("__"):
                yield Import(longest_known(rest, known), node.lineno, id(node) in lazy)


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Todas las funciones, también los métodos y las de dentro de otras."""
    return (node for node in ast.walk(tree) if isinstance(node, FUNCTIONS))


def imported_names(package: list[str], node: ast.AST) -> list[str]:
    """Los nombres completos que trae una línea; ninguno, si no es un import."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    above = package[: len(package) - node.level + 1] if node.level else []
    origin = [*above, *filter(None, [node.module])]
    return [".".join([*origin, alias.name]) for alias in node.names]


def longest_known(name: str, known: set[str]) -> str:
    """El módulo que hay en un nombre, que quizá acabe en una función; tal cual, si no hay."""
    parts = name.split(".")
    prefixes = (".".join(parts[:cut]) for cut in range(len(parts), 0, -1))
    return next((prefix for prefix in prefixes if prefix in known), name)
