"""Las reglas de la casa: cada una recorre el paquete y dice dónde se incumple y qué hacer."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from workshop.house import plan
from workshop.house.circles import KINDS, circles
from workshop.house.reading import (
    DEFINITIONS,
    House,
    Import,
    Module,
    folder_of,
    functions,
    read_house,
    room_of,
    topic_of,
)

CHAPTER_NUMBER = re.compile(r"^\d|(^|_)(ch|cap|capitulo|chapter)_?\d|^[a-z]+_\d\d(_|$)")
Problems = Iterator[str]


def problems(house: House) -> list[str]:
    """Todo lo que incumple el paquete, en frases que dicen dónde, qué y qué hacer."""
    found = [
        f"{_where(module)}: {problem}"
        for module in house.modules.values()
        for rule in MODULE_RULES
        for problem in rule(module)
    ]
    return found + [problem for rule in HOUSE_RULES for problem in rule(house)]


def _where(module: Module) -> str:
    """La ruta de un módulo, como la escribiría una persona."""
    inside = module.name.replace(".", "/")
    ending = "/__init__.py" if module.is_package and module.name != "__init__" else ".py"
    return f"{plan.PACKAGE}/{inside}{ending}"


def name_problems(module: Module) -> Problems:
    """Ningún módulo sabe en qué capítulo se explica."""
    for part in module.name.split("."):
        if CHAPTER_NUMBER.search(part):
            yield f"«{part}» parece un número de capítulo: nombra el concepto"


def place_problems(module: Module) -> Problems:
    """Todo tiene su sitio en el plano, y en un ala, su cuarto."""
    parts = module.name.split(".")
    if len(parts) == 1 and not module.is_package and parts[0] not in plan.LOOSE:
        yield f"«{parts[0]}» está suelto en la raíz: llévalo a su estantería o a su cuarto"
    elif plan.floor_of(parts[0]) is None and parts[0] not in (*plan.LOOSE, *plan.APART):
        yield f"la carpeta «{parts[0]}» no está en el plano: dale un piso en «FLOORS»"
    if parts[0] in plan.WINGS and len(parts) == 2 and not module.is_package:
        yield f"«{parts[1]}» está suelto en el ala «{parts[0]}»: llévalo al cuarto de su tema"


def import_problems(module: Module) -> Problems:
    """Se importa hacia abajo, también dentro de las funciones."""
    for found in module.imports:
        yield from (f"línea {found.line}: {problem}" for problem in _arrow_problems(module, found))


def _arrow_problems(module: Module, found: Import) -> Problems:
    """Lo que una flecha incumple: como mucho, una regla."""
    origin, target = module.folder, folder_of(found.target)
    if found.outside:
        yield (
            f"importa «{target}», que no viaja con el paquete: trae aquí la pieza o lleva allí lo "
            "que la usa"
        )
    elif origin == target or plan.floor_of(target) is None and target not in plan.APART:
        return
    elif target in plan.APART and origin not in plan.APART[target]:
        who = " y ".join(f"«{name}»" for name in plan.APART[target]) or "los cuadernos"
        yield f"«{origin}» no puede importar «{target}», que solo usan {who}: llévate la pieza"
    elif origin == "__main__":
        if target in plan.LAZY and not found.lazy:
            yield f"importa «{target}» al arrancar: hazlo dentro de la orden que lo usa"
    elif origin in plan.ONLY and not _listed(found.target, plan.ONLY[origin]):
        names = ", ".join(plan.ONLY[origin])
        limit = f"solo importa {names}" if names else "no importa nada del curso"
        yield f"«{origin}» no puede importar «{found.target}»: {limit}"
    elif origin not in plan.APART:
        yield from _floor_problems(origin, target)


def _listed(target: str, names: tuple[str, ...]) -> bool:
    """Si un módulo es uno de los nombrados o está dentro."""
    return any(target == name or target.startswith(f"{name}.") for name in names)


def _floor_problems(origin: str, target: str) -> Problems:
    """Hacia arriba, nunca; al vecino, solo si está en la lista o lo deciden los cuartos."""
    here, there = plan.floor_of(origin), plan.floor_of(target)
    if here is None or there < here or (origin, target) in plan.NEIGHBOURS:
        return
    if there > here:
        yield (
            f"«{origin}» (piso {here}) no puede importar «{target}» (piso {there}): se importa "
            "hacia abajo; sube lo que la usa o baja la pieza"
        )
    elif not {origin, target} <= set(plan.WINGS):
        yield (
            f"«{origin}» no puede importar «{target}»: son vecinos del piso {here}; baja la pieza "
            "común, o apunta la pareja en «NEIGHBOURS» con su motivo"
        )


def docstring_problems(module: Module) -> Problems:
    """Lo público se explica: módulos, clases, funciones y métodos."""
    if not ast.get_docstring(module.tree):
        yield "el módulo no tiene docstring: di en una línea qué es"
    yield from _undocumented(module.tree, "")


def _undocumented(owner: ast.Module | ast.ClassDef, prefix: str) -> Problems:
    for node in owner.body:
        if not isinstance(node, DEFINITIONS) or node.name.startswith("_"):
            continue
        if not ast.get_docstring(node):
            yield f"línea {node.lineno}: «{prefix}{node.name}» no tiene docstring: di qué es"
        if isinstance(node, ast.ClassDef):
            yield from _undocumented(node, f"{prefix}{node.name}.")


def size_problems(module: Module) -> Problems:
    """Lo que crece demasiado se parte por conceptos; lo diminuto va con los suyos."""
    if module.lines > plan.MAX_FILE:
        yield f"tiene {module.lines} líneas y el máximo es {plan.MAX_FILE}: pártelo por conceptos"
    for node in functions(module.tree):
        length = node.end_lineno - node.lineno + 1
        if length > plan.MAX_FUNCTION:
            yield (
                f"línea {node.lineno}: «{node.name}» tiene {length} líneas y el máximo es "
                f"{plan.MAX_FUNCTION}: pártela"
            )
    file = _where(module).removeprefix(f"{plan.PACKAGE}/")
    on_shelf = module.folder in plan.SHELVES and not module.is_package
    if on_shelf and module.lines < plan.MIN_FILE and file not in plan.SMALL:
        yield (
            f"tiene {module.lines} líneas: júntalo con lo que lo usa, o di en «SMALL» por qué "
            "va aparte"
        )


def repeated_names(house: House) -> Problems:
    """En una estantería, un nombre de archivo dice una sola cosa."""
    for shelf in plan.SHELVES:
        homes: dict[str, list[str]] = {}
        for module in house.modules.values():
            if module.folder == shelf and not module.is_package:
                homes.setdefault(module.path.name, []).append(_where(module))
        for name, paths in homes.items():
            if len(paths) > 1:
                yield f"{' y '.join(paths)} se llaman igual, «{name}»: cambia el nombre de uno"


def circle_problems(house: House) -> Problems:
    """Nadie se importa a sí mismo dando un rodeo."""
    for kind, arrows in KINDS.items():
        for path in circles(arrows(house)):
            yield f"círculo de {kind}: {' → '.join(path)}; lleva lo que comparten a otro sitio"


def room_problems(house: House) -> Problems:
    """Un cuarto solo importa cuartos de los capítulos en los que se apoya el suyo."""
    reach = reachable_topics(house.chapters)
    for room, modules in house.rooms.items():
        if topic_of(room) not in reach:
            yield f"{plan.PACKAGE}/{room}: ningún capítulo lo nombra en «cuarto»: ponlo en mapa.yml"
            continue
        for module in modules:
            for found in module.imports:
                target = room_of(found.target)
                if target and target != room and topic_of(target) not in reach[topic_of(room)]:
                    yield (
                        f"{_where(module)}: línea {found.line}: el cuarto «{room}» no puede "
                        f"importar «{target}», que no está en el «requiere» de su capítulo: "
                        "añádelo allí o lleva la pieza a una estantería"
                    )


def topic_problems(house: House) -> Problems:
    """Un tema se llama igual en el mapa, en su ala y en el banco, y no hay dos con un nombre."""
    reach = reachable_topics(house.chapters)
    homes: dict[str, list[str]] = {}
    for room in house.rooms:
        homes.setdefault(topic_of(room), []).append(room)
    for topic, rooms in homes.items():
        if len(rooms) > 1:
            yield f"{' y '.join(rooms)} se llaman igual, «{topic}»: cambia el nombre de uno"
    banks = {
        module.name.split(".")[1]
        for module in house.modules.values()
        if module.folder == "bank" and (module.is_package or module.name.count(".") > 1)
        if module.name != "bank"
    }
    for topic in sorted(set(reach) - set(homes) - banks):
        yield f"mapa.yml: el cuarto «{topic}» no está en ningún ala ni en el banco: corrígelo"
    for topic in sorted(banks - set(reach)):
        yield f"tfcourse/bank/{topic}: ningún capítulo lo nombra en «cuarto»: ponlo en mapa.yml"


def reachable_topics(chapters: list[dict]) -> dict[str, set[str]]:
    """Los temas que puede importar cada uno: los de su capítulo y los de antes."""
    by_slug = {chapter["slug"]: chapter for chapter in chapters}
    topics: dict[str, set[str]] = {}
    for slug, chapter in by_slug.items():
        before = [by_slug[name] for name in _closure(by_slug, slug)]
        near = {topic for other in before for topic in other.get("cuarto", ())}
        for topic in chapter.get("cuarto", ()):
            topics.setdefault(topic, set()).update(near)
    return topics


def _closure(by_slug: dict[str, dict], slug: str) -> set[str]:
    """Un capítulo y todos aquellos en los que se apoya, también de rebote."""
    found, pending = set(), [slug]
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending += by_slug[name]["requiere"]
    return found


MODULE_RULES = (name_problems, place_problems, import_problems, docstring_problems, size_problems)
HOUSE_RULES = (repeated_names, circle_problems, room_problems, topic_problems)


def package_problems(root: Path) -> list[str]:
    """Lo que incumple el paquete de un repositorio, con su mapa del curso."""
    return problems(read_house(root / plan.PACKAGE, root / "chapters/mapa.yml"))
