"""Qué pruebas pueden notar un cambio en un módulo: las suyas y las que lo usan, por cercanía."""

import ast
from collections import deque
from functools import cached_property
from pathlib import Path

from workshop.house.reading import imported_names, longest_known, read_modules

# Estas comparan textos o cuadernos con el paquete: notarían cualquier cambio, también el bueno.
ASIDE = ("claims", "course_map", "exercises", "moved", "palabras", "quiz", "site", "teaching")
ASIDE += ("workshop", "benchmarks")


class ImportMap:
    """El paquete y las pruebas, con quién importa a quién."""

    def __init__(self, root: Path):
        self.root = root
        self.modules = read_modules(root / "tfcourse")

    def tests_of(self, path: str) -> list[str]:
        """Los archivos de pruebas de un módulo: primero el suyo, después los más cercanos."""
        name = ".".join(Path(path).with_suffix("").parts[1:]).removesuffix(".__init__")
        distance = self._distances(name)
        mirrored = f"test_{name.rpartition('.')[2]}.py"
        folder = name.partition(".")[0]

        def order(test: str) -> tuple:
            near = min(distance[module] for module in self._tests[test] if module in distance)
            own = Path(test).name == mirrored
            neighbour = Path(test).parts[1] == folder
            # A igual cercanía, la que mira menos cosas: sabe más de cada una.
            return not own, near, not neighbour, len(self._tests[test]), test

        reached = [test for test, used in self._tests.items() if used & set(distance)]
        return sorted(reached, key=order)

    def _distances(self, name: str) -> dict[str, int]:
        """Pasos desde un módulo hasta cada uno que depende de él."""
        distance, waiting = {name: 0}, deque([name])
        while waiting:
            reached = waiting.popleft()
            for user in self._users.get(reached, ()):
                if user not in distance:
                    distance[user] = distance[reached] + 1
                    waiting.append(user)
        return distance

    @cached_property
    def _users(self) -> dict[str, set[str]]:
        users: dict[str, set[str]] = {}
        for module in self.modules.values():
            for imported in module.imports:
                users.setdefault(imported.target, set()).add(module.name)
        return users

    @cached_property
    def _tests(self) -> dict[str, set[str]]:
        """Cada archivo de pruebas y los módulos que nombra, también por sus ayudas."""
        folder = self.root / "tests"
        files = {
            path.relative_to(self.root).as_posix(): _names(path) for path in folder.rglob("*.py")
        }
        known = set(self.modules)
        found = {}
        for file in files:
            parts = Path(file).parts
            if parts[-1].startswith("test_") and len(parts) > 2 and parts[1] not in ASIDE:
                names = _with_helpers(file, files)
                found[file] = {
                    longest_known(name.partition(".")[2], known)
                    for name in names
                    if name.startswith("tfcourse.")
                }
        return found


def _names(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {name for node in ast.walk(tree) for name in imported_names([], node)}


def _with_helpers(file: str, files: dict[str, set[str]]) -> set[str]:
    """Lo que importa un archivo de pruebas, y lo que importan las ayudas que usa."""
    names, waiting, seen = set(), [file], set()
    while waiting:
        current = waiting.pop()
        seen.add(current)
        names |= files[current]
        for name in files[current]:
            parts = name.split(".")
            options = {"/".join(parts[:cut]) + ".py" for cut in (len(parts), len(parts) - 1)}
            waiting += [option for option in options & set(files) if option not in seen]
    return names
