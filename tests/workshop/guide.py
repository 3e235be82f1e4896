"""Los recorridos de `CONTRIBUIR.md`: de cada uno, los archivos que dice que se tocan."""

import re

from tests.conftest import ROOT

GUIDE = ROOT / "CONTRIBUIR.md"
FILE = re.compile(r"^- `(?P<path>[\w./<>]+)`", re.MULTILINE)
GAP = re.compile(r"<(\w+)>")


def walks() -> dict[str, list[str]]:
    """Recorrido → sus archivos, con huecos como `<tema>`: los puntos de «Archivos»."""
    text = GUIDE.read_text(encoding="utf-8")
    found = {}
    for section in text.split("\n### ")[1:]:
        title, _, body = section.partition("\n")
        _, mark, listed = body.partition("\n**Archivos**")
        if mark:
            found[title] = FILE.findall(listed.partition("\n## ")[0])
    return found


def walk_files(title: str, names: dict[str, str]) -> set[str]:
    """Los archivos de un recorrido, con los huecos rellenos."""
    return {GAP.sub(lambda gap: names[gap[1]], path) for path in walks()[title]}
