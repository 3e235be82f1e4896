"""Las páginas de la referencia: cuáles son, qué módulos van en cada una y dónde está cada idea.

Salen del código: una página por carpeta o cuarto, en grupos por piso o por ala. La carpeta que no
cabe en `LONGEST` palabras se reparte en varias, por orden alfabético.
"""

import ast
import math
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TypeVar

from workshop.house.plan import APART, FLOOR_NAMES, FLOORS, LOOSE, PACKAGE, WINGS
from workshop.house.reading import DEFINITIONS, House, Module, first_line

# Palabras de una página construida, como mucho, y las que se planean: leerlas del código las cuenta
# por lo bajo.
LONGEST, PLANNED = 3000, 2200
# Sin documentar: el banco destriparía las soluciones.
HIDDEN = ("bank", "projects")
Item = TypeVar("Item")
ARTICLES = {"el", "la", "los", "las", "lo", "un", "una", "unos", "unas"}


@dataclass(frozen=True)
class Entry:
    """Una función o una clase: su nombre completo y la primera línea de su docstring."""

    name: str
    text: str
    words: int


@dataclass(frozen=True)
class Page:
    """Una página: su dirección, su título, de qué trata y sus módulos."""

    name: str
    title: str
    summary: str
    modules: tuple[Module, ...]


@dataclass(frozen=True)
class IndexPage:
    """Una página del índice alfabético: su dirección, su título y sus entradas."""

    name: str
    title: str
    entries: list[Entry]


@dataclass(frozen=True)
class Group:
    """Un grupo del menú: un piso, o un ala."""

    name: str
    title: str
    pages: tuple[Page, ...]


def offered(module: Module, house: House) -> list[Entry]:
    """Lo público de un módulo; de una fachada, lo que reexporta."""
    names = facade_names(module)
    if names is None:
        return [_entry(module, node) for node in _definitions(module)]
    behind = [house.modules[name] for name in hidden_behind(module, house)]
    return [
        _entry(module, node)
        for other in [module, *behind]
        for node in _definitions(other)
        if node.name in names
    ]


def _definitions(module: Module) -> Iterator[ast.AST]:
    return (
        node
        for node in module.tree.body
        if isinstance(node, DEFINITIONS) and not node.name.startswith("_")
    )


def _entry(module: Module, node: ast.AST) -> Entry:
    return Entry(f"{PACKAGE}.{module.name}.{node.name}", first_line(node), words(node))


def facade_names(module: Module) -> list[str] | None:
    """Lo que declara `__all__` en una carpeta; nada, si no es una fachada."""
    for node in module.tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return ast.literal_eval(node.value) if module.is_package else None
    return None


def hidden_behind(module: Module, house: House) -> list[str]:
    """Los módulos de la carpeta que una fachada enseña en su nombre: los que reexporta enteros."""
    names = facade_names(module)
    if names is None:
        return []
    inside = f"{module.name}."
    found = {imported.target for imported in module.imports}
    return sorted(
        name
        for name in found
        if name.startswith(inside) and name in house.modules
        if all(node.name in names for node in _definitions(house.modules[name]))
    )


def words(node: ast.AST) -> int:
    """Cuántas palabras tendrá en la página una definición o un módulo: docstrings y firmas."""
    total = len((ast.get_docstring(node) or "").split()) + 1
    if not isinstance(node, ast.Module | ast.ClassDef):
        return total + len(ast.unparse(node.args).split()) + 2
    inside = (
        child
        for child in node.body
        if isinstance(child, DEFINITIONS) and not child.name.startswith("_")
    )
    return total + sum(map(words, inside))


def public_modules(house: House) -> list[Module]:
    """Los que se documentan: ni privados, ni detrás de una fachada, ni carpetas sin nada suyo."""
    behind = {name for module in house.modules.values() for name in hidden_behind(module, house)}
    return [
        module
        for name, module in house.modules.items()
        if module.folder not in (*HIDDEN, "__init__", "__main__")
        if not any(part.startswith("_") for part in name.split("."))
        if name not in behind and (not module.is_package or offered(module, house))
    ]


def module_words(module: Module, house: House) -> int:
    """Las palabras de la sección de un módulo."""
    entries = sum(entry.words for entry in offered(module, house))
    return len((ast.get_docstring(module.tree) or "").split()) + 1 + entries


def groups(house: House) -> list[Group]:
    """Los grupos de la referencia, del suelo al tejado; al final, lo que está aparte."""
    found = []
    for floor, folders in FLOORS.items():
        wings = [folder for folder in folders if folder in WINGS]
        others = [folder for folder in folders if folder not in WINGS]
        if others:
            title = f"Piso {floor} · {FLOOR_NAMES[floor]}"
            found.append(_group(house, f"piso_{floor}", title, others))
        for wing in wings:
            subject = house.modules[wing].summary.partition(":")[0].rstrip(".")
            found.append(_group(house, wing, f"Piso {floor} · {subject}", [wing]))
    apart = [folder for folder in APART if folder not in HIDDEN]
    return [*found, _group(house, "aparte", "Aparte: ejercicios, cuestionarios y docencia", apart)]


def _group(house: House, name: str, title: str, folders: list[str]) -> Group:
    shelves = [folder for folder in folders if folder not in LOOSE]
    loose = [house.modules[folder] for folder in folders if folder in LOOSE]
    pages = list(_loose_page(name, loose)) if loose else []
    public = [module for module in public_modules(house) if module.folder in shelves]
    for place, inside in groupby(sorted(public, key=_place), key=_place):
        pages += _pages(house, name, place, list(inside))
    return Group(name, title, tuple(sorted(pages, key=lambda page: page.name)))


def _place(module: Module) -> str:
    """La carpeta de un módulo, con puntos."""
    return module.name if module.is_package else module.name.rpartition(".")[0]


def _loose_page(group: str, modules: list[Module]) -> Iterator[Page]:
    title = ", ".join(f"`{module.name}`" for module in modules)
    yield Page(
        f"{group}/sueltos", title, "Módulos sueltos, en la raíz del paquete.", tuple(modules)
    )


def _pages(house: House, group: str, place: str, modules: list[Module]) -> Iterator[Page]:
    """Las páginas de una carpeta: una, o las que hagan falta."""
    summary = house.modules[place].summary
    name = f"{group}/{place.removeprefix(f'{group}.').replace('.', '_')}"
    parts = split(modules, [module_words(module, house) for module in modules])
    for part in parts:
        first, last = (module.name.rpartition(".")[2] for module in (part[0], part[-1]))
        title = f"`{place}`" + (f": de `{first}` a `{last}`" if len(parts) > 1 else "")
        ending = f"-{first}" if len(parts) > 1 else ""
        yield Page(name + ending, title, summary, tuple(part))


def split(items: list[Item], sizes: list[int]) -> list[list[Item]]:
    """Reparte por orden en los trozos justos para que quepan, de tamaño parecido."""
    total = sum(sizes)
    count = math.ceil(total / PLANNED)
    parts: list[list[Item]] = [[] for _ in range(count)]
    before = 0
    for item, size in zip(items, sizes, strict=True):
        parts[int((before + size / 2) * count / total)].append(item)
        before += size
    return [part for part in parts if part]


def entries(house: House) -> list[Entry]:
    """Todo lo público, por orden alfabético de lo que dice que es."""
    found = [entry for module in public_modules(house) for entry in offered(module, house)]
    return sorted(found, key=lambda entry: (sort_key(entry.text), entry.name))


def sort_key(text: str) -> str:
    """Un texto sin artículo al principio, sin signos, sin tildes y en minúsculas."""
    plain = unicodedata.normalize("NFD", text.casefold()).encode("ascii", "ignore").decode()
    found = re.findall(r"\w+", plain)
    return " ".join(found[1:] if found and found[0] in ARTICLES else found)


def index_pages(house: House) -> list[IndexPage]:
    """El índice alfabético en páginas que quepan, sin separar lo que empieza igual."""
    rows = [list(row) for _, row in groupby(entries(house), key=lambda e: first_word(e.text)[0])]
    sizes = [sum(len(entry.text.split()) + 2 for entry in row) for row in rows]
    return [
        _index_page(number, [entry for row in part for entry in row])
        for number, part in enumerate(split(rows, sizes), start=1)
    ]


def _index_page(number: int, part: list[Entry]) -> IndexPage:
    first, last = (first_word(entry.text)[1] for entry in (part[0], part[-1]))
    return IndexPage(f"donde_esta/{number:02}", f"De «{first}» a «{last}»", part)


def first_word(text: str) -> tuple[str, str]:
    """La palabra por la que se ordena un texto: como se compara y como está escrita."""
    key = sort_key(text).partition(" ")[0]
    found = (word for word in re.findall(r"\w[\w-]*", text) if _starts(word, key))
    word = next(found, key)
    return key, word.lower() if word[1:].islower() else word


def _starts(word: str, key: str) -> bool:
    """Si una palabra, quizá compuesta, es la que se compara."""
    return sort_key(f"el {word}").partition(" ")[0] == key
