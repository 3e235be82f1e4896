"""Los mutantes equivalentes: los que ninguna prueba puede notar, cada uno con su motivo."""

from pathlib import Path

import yaml

from workshop.mutants.operators import mutants

EQUIVALENTS = Path(__file__).with_name("equivalentes.yml")
Key = tuple[str, str, str]


def known_equivalents(file: Path = EQUIVALENTS) -> dict[Key, str]:
    """El motivo de cada uno, por su módulo y sus dos textos."""
    modules = yaml.safe_load(file.read_text(encoding="utf-8")) or {}
    return {
        (path, entry["antes"], entry["despues"]): entry["motivo"]
        for path, entries in modules.items()
        for entry in entries
    }


def forgotten(root: Path, file: Path = EQUIVALENTS) -> list[Key]:
    """Los que están en la lista y ya no salen del paquete: su línea cambió."""
    known = known_equivalents(file)
    born = {
        mutant.key
        for path in {path for path, _, _ in known}
        if (root / path).exists()
        for mutant in mutants(path, (root / path).read_text(encoding="utf-8"))
    }
    return sorted(set(known) - born)
