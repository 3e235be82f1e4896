"""Quién importa a quién, como un dibujo de flechas, y los círculos que haya en él."""

from collections.abc import Callable

from workshop.house.plan import WINGS
from workshop.house.reading import House, folder_of, room_of

# Origen → destino → cuántos módulos del origen lo importan.
Arrows = dict[str, dict[str, int]]


def arrows(house: House, place: Callable[[str], str | None]) -> Arrows:
    """Flechas entre lugares: `place` dice en cuál está un módulo, o que en ninguno."""
    found: Arrows = {}
    for module in house.modules.values():
        origin = place(module.name)
        if origin is None:
            continue
        row = found.setdefault(origin, {})
        own = (imported.target for imported in module.imports if not imported.outside)
        for target in {place(name) for name in own} - {origin, None}:
            row[target] = row.get(target, 0) + 1
    return found


def folder_arrows(house: House) -> Arrows:
    """Flechas entre carpetas, sin lo que está en la raíz para arrancar."""
    return arrows(house, lambda name: None if name.startswith("__") else folder_of(name))


def shelf_arrows(house: House) -> Arrows:
    """Flechas entre las subcarpetas de una misma estantería."""

    def place(name: str) -> str | None:
        if folder_of(name) in WINGS or name not in house.modules:
            return None
        return name if house.modules[name].is_package else name.rpartition(".")[0] or None

    found = arrows(house, place)
    return {
        origin: {t: n for t, n in row.items() if folder_of(t) == folder_of(origin)}
        for origin, row in found.items()
    }


def room_arrows(house: House) -> Arrows:
    """Flechas entre cuartos."""
    return arrows(house, room_of)


def module_arrows(house: House) -> Arrows:
    """Flechas entre módulos."""
    return arrows(house, lambda name: name)


KINDS = {
    "carpetas": folder_arrows,
    "subcarpetas": shelf_arrows,
    "cuartos": room_arrows,
    "módulos": module_arrows,
}


def circles(arrows: Arrows) -> list[list[str]]:
    """Un camino que vuelve adonde empieza por cada grupo que da vueltas; ninguno, si no los hay."""
    found: list[list[str]] = []
    seen: set[str] = set()
    for start in sorted(arrows):
        path = None if start in seen else way_back(arrows, start)
        if path:
            found.append(path)
            seen.update(path)
    return found


def way_back(arrows: Arrows, start: str) -> list[str] | None:
    """El camino más corto que sale de un lugar y vuelve a él."""
    paths, visited = [[start]], set()
    for path in paths:  # crece mientras se recorre: primero, los cortos
        for following in sorted(arrows.get(path[-1], ())):
            if following == start:
                return [*path, start]
            if following not in visited:
                visited.add(following)
                paths.append([*path, following])
    return None
