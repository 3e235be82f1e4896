"""«La casa», la página que dibuja con palabras los pisos del paquete y sus flechas."""

from workshop.house.circles import KINDS, Arrows, circles, folder_arrows, room_arrows
from workshop.house.plan import (
    APART,
    FLOOR_NAMES,
    FLOORS,
    LOOSE,
    NEIGHBOURS,
    ONLY,
    ROOM_FILES,
    WINGS,
    floor_of,
)
from workshop.house.reading import House
from workshop.reference.plan import groups
from workshop.reference.text import chapter_text, markdown, page_link

NOTHING = "nada del curso"


def house_text(house: House, chapters: dict[str, str]) -> str:
    """Las cuentas, y cada piso con sus carpetas, del tejado al suelo."""
    links, found = folder_links(house), folder_arrows(house)
    parts = [totals_text(house)]
    for floor in sorted(FLOORS, reverse=True):
        parts.append(f"## Piso {floor} · {FLOOR_NAMES[floor]}")
        for folder in FLOORS[floor]:
            parts.append(folder_text(house, folder, links, found))
            if folder in WINGS:
                parts.append(rooms_text(house, folder, chapters, links))
    parts.append("## Aparte")
    parts += [folder_text(house, folder, links, found) for folder in APART]
    return "\n\n".join(parts)


def folder_links(house: House) -> dict[str, str]:
    """El nombre de cada carpeta, y de cada cuarto, enlazado a su página de la referencia."""
    links: dict[str, str] = {}
    for group in groups(house):
        for page in group.pages:
            for module in page.modules:
                place = module.name.split(".")
                for known in (place[0], "/".join(place[:2])):
                    links.setdefault(known, page_link(f"`{known}`", page.name))
    return links | {wing: page_link(f"`{wing}`", wing) for wing in WINGS}


def totals(house: House) -> dict[str, int]:
    """Carpetas, cuartos, módulos y flechas; cuántas suben y cuántos círculos hay."""
    found = folder_arrows(house)
    upward = [
        (origin, target)
        for origin, row in found.items()
        for target in row
        if (floor_of(target) or 0) > (floor_of(origin) or len(FLOORS) + 1)
    ]
    return {
        "carpetas": len(set(found) - set(LOOSE)),
        "cuartos": len(house.rooms),
        "módulos": len(house.modules),
        "flechas": sum(map(len, found.values())),
        "suben": len(upward),
        "círculos": sum(len(circles(arrows(house))) for arrows in KINDS.values()),
    }


def totals_text(house: House) -> str:
    """Las cuentas, en una frase."""
    found = totals(house)
    return (
        f"Son **{found['carpetas']}** carpetas en {len(FLOORS)} pisos, con "
        f"**{found['cuartos']}** cuartos y {found['módulos']} módulos. Entre las carpetas hay "
        f"**{found['flechas']}** flechas: **{found['suben']}** suben de piso, y entre carpetas, "
        f"cuartos o módulos hay **{found['círculos']}** círculos.\n\nLos archivos de un cuarto "
        f"suelen llamarse igual: {_listed(f'{name}.py' for name in ROOM_FILES)}."
    )


def folder_text(house: House, folder: str, links: dict[str, str], found: Arrows) -> str:
    """Una carpeta: qué es, qué puede importar y qué importa."""
    allowed = may_import(folder)
    can = "No puede" if allowed == NOTHING else "Puede"
    return (
        f"{links.get(folder, f'`{folder}`')}\n: {markdown(house.modules[folder].summary)}\n\n"
        f"  {can} importar {allowed}. {does_import(found.get(folder, {}))}"
    )


def may_import(folder: str) -> str:
    """Lo que el plano deja importar a una carpeta."""
    if folder in ONLY:
        return "solo " + _listed(ONLY[folder]) if ONLY[folder] else NOTHING
    floor = floor_of(folder)
    pairs = [other for name, other in NEIGHBOURS if name == folder]
    below = NOTHING if floor == 1 else f"lo de los pisos 1 a {floor - 1}"
    below = "lo del piso 1" if floor == 2 else below
    if pairs and below == NOTHING:
        return "solo " + _listed(pairs)
    rooms = ", y entre cuartos, los de capítulos anteriores" if folder in WINGS else ""
    return below + (f" y {_listed(pairs)}" if pairs else "") + rooms


def does_import(row: dict[str, int]) -> str:
    """Lo que importa una carpeta: de cada otra, cuántos de sus módulos lo hacen."""
    if not row:
        return "No importa ninguna carpeta."
    told = [f"`{name}` ({count})" for name, count in sorted(row.items(), key=lambda x: -x[1])]
    return f"Importa (entre paréntesis, en cuántos de sus módulos): {', '.join(told)}."


def rooms_text(house: House, wing: str, chapters: dict[str, str], links: dict[str, str]) -> str:
    """Los cuartos de un ala: la pregunta de cada uno, su capítulo y a qué cuartos mira."""
    lines = []
    for room in sorted(name for name in house.rooms if name.startswith(f"{wing}/")):
        looked = room_arrows(house).get(room, {})
        summary = house.modules[room.replace("/", ".")].summary
        also = f" Mira a {_listed(sorted(looked))}." if looked else ""
        name = links.get(room, f"`{room}`")
        lines.append(f"- {name}: {markdown(summary)} {chapter_text(house, room, chapters)}{also}")
    return "\n".join(lines)


def _listed(names) -> str:
    return ", ".join(f"`{name}`" for name in names)
