"""Relojes: qué comprobaciones dependen de lo que tarda algo, y así de lo ocupado del equipo."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from workshop.clocks.reading import Library, Timed, read_page, read_tests

__all__ = ["Exempt", "Timed", "problems", "timed_checks"]


@dataclass(frozen=True)
class Exempt:
    """Una comprobación que sí se deja: dónde está, cómo empieza y por qué no depende del equipo."""

    place: str
    start: str
    why: str

    def covers(self, check: Timed) -> bool:
        """Si habla de esa comprobación."""
        return check.place.startswith(self.place) and check.source.startswith(self.start)


def timed_checks(root: Path, pages: Sequence[Path], tests: Sequence[Path]) -> list[Timed]:
    """Comprobaciones de las páginas y de las pruebas que dependen de un reloj.

    Se lee el código sin ejecutarlo y se sigue cada tiempo desde que se mide hasta que alguien lo
    afirma: a través de nombres, colecciones y funciones, también las del paquete y las de la página
    que se prueba. Lo entrenado con `CpuSeconds` depende de un reloj, salvo con el de mentira.
    """
    library = Library(root)
    read = {page: read_page(page, library) for page in pages}
    names = {page.relative_to(root / "chapters").as_posix(): r.names for page, r in read.items()}
    found = [check for reader in read.values() for check in reader.found]
    for path in tests:
        found += read_tests(path, root, library, names)
    return found


def problems(found: Sequence[Timed], exempt: Sequence[Exempt]) -> list[str]:
    """Lo que hay que arreglar: lo que depende de un reloj y las excepciones que ya sobran."""
    free = [str(check) for check in found if not any(rule.covers(check) for rule in exempt)]
    idle = [f"{rule.place}: «{rule.start}» ya no depende de un reloj: quita su excepción"
            for rule in exempt if not any(rule.covers(check) for check in found)]  # fmt: skip
    return free + idle
