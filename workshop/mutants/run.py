"""Sacar mutantes al azar, probarlos y contar cuántos se notan."""

import json
import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from workshop.mutants.known import Key, known_equivalents
from workshop.mutants.operators import Mutant, mutants
from workshop.mutants.overlay import Overlay, overlay
from workshop.mutants.relevant import ImportMap

FOLDERS = (
    "layers", "models", "tokenizers", "audio", "losses", "metrics", "decoding", "geometry",
    "training",
)  # fmt: skip
LIMIT = 100.0  # segundos de procesador de unos archivos de pruebas: más es que se cuelga
BATCH = 6  # archivos de pruebas de una vez
NOTHING = {"outcome": "pasa", "by": "", "seconds": 0.0}


@dataclass
class Result:
    """Qué pasó con un mutante: `muere`, `vive` o `equivale`, y la prueba que lo notó."""

    path: str
    line: int
    kind: str
    before: str
    after: str
    fate: str
    by: str = ""
    reason: str = ""

    @property
    def key(self) -> Key:
        """El módulo y los dos textos."""
        return self.path, self.before, self.after


def candidates(root: Path, folders: Iterable[str], aside: Iterable[str] = ()) -> list[Mutant]:
    """Todos los mutantes de unas carpetas o módulos de `tfcourse`, sin los de `aside`."""
    places = [root / "tfcourse" / folder for folder in folders]
    if missing := [str(place) for place in places if not place.exists()]:
        raise ValueError(f"no existe {', '.join(missing)}: da carpetas o archivos de tfcourse")
    left_out = {f"tfcourse/{name}" for name in aside}
    paths = {
        path
        for place in places
        for path in (place.rglob("*.py") if place.is_dir() else [place])
        if path.relative_to(root).as_posix() not in left_out
    }
    return [
        mutant
        for path in sorted(paths)
        for mutant in mutants(path.relative_to(root).as_posix(), path.read_text(encoding="utf-8"))
    ]


def draw(found: list[Mutant], seed: int, count: int) -> list[Mutant]:
    """`count` mutantes al azar, siempre los mismos con la misma semilla y el mismo código."""
    return random.Random(seed).sample(found, min(count, len(found)))


class Trial:
    """Prueba mutantes en una copia del curso y recuerda qué pruebas van bien sin ellos."""

    def __init__(self, copy: Overlay, tests: ImportMap, budget: float):
        self.copy, self.tests, self.budget = copy, tests, budget
        self.usual: dict[str, float | None] = {}

    def fate(self, mutant: Mutant) -> tuple[str, str]:
        """`muere` y la prueba que lo nota, o `vive` si se acaba el presupuesto sin que se note."""
        waiting, spent = self.tests.tests_of(mutant.path), 0.0
        size = 1  # la más cercana, sola; las demás, de varias en varias, que importan juntas
        while waiting and spent < self.budget:
            files = [file for file in waiting[:size] if self.usual.get(file, 0.0) is not None]
            with self.copy.mutated(mutant):
                answer = self.copy.test(files, LIMIT) if files else NOTHING
            by = answer["by"] or answer["outcome"]
            if answer["outcome"] != "pasa" and self._is_to_blame(answer, files):
                return "muere", by
            spent += answer["seconds"]
            if answer["outcome"] == "pasa" or not self._broken(files):
                waiting, size = waiting[size:], BATCH
        return "vive", ""

    def _is_to_blame(self, answer: dict, files: list[str]) -> bool:
        """Si lo que falló o se colgó va bien sin el mutante."""
        if answer["by"] and self.copy.test([answer["by"]], LIMIT)["outcome"] == "pasa":
            return True
        failed = [file for file in files if answer["by"].startswith(file)] or files
        usual = [self._without_mutant(file) for file in failed]
        return None not in usual and (answer["outcome"] == "falla" or 3 * sum(usual) < LIMIT)

    def _broken(self, files: list[str]) -> bool:
        return any(self.usual.get(file, 0.0) is None for file in files)

    def _without_mutant(self, file: str) -> float | None:
        """Lo que tarda un archivo de pruebas; nada, si no pasa."""
        if file not in self.usual:
            answer = self.copy.test([file], LIMIT)
            self.usual[file] = answer["seconds"] if answer["outcome"] == "pasa" else None
        return self.usual[file]


def run(
    root: Path, chosen: list[Mutant], report: Path, budget: float, resume: bool = False
) -> list[Result]:
    """Prueba unos mutantes, cuenta cómo va y escribe el informe a cada paso.

    Con `resume`, los que ya estaban en el informe se dan por probados.
    """
    known = known_equivalents()
    done = {row.key: row for row in read_report(report)} if resume and report.exists() else {}
    results: list[Result] = []
    report.parent.mkdir(parents=True, exist_ok=True)
    with overlay(root) as copy:
        trial = Trial(copy, ImportMap(root), budget)
        for number, mutant in enumerate(chosen, start=1):
            reason = known.get(mutant.key, "")
            if mutant.key in done and not reason:
                results.append(done[mutant.key])
                continue
            fate, by = ("equivale", "") if reason else trial.fate(mutant)
            fields = mutant.path, mutant.line, mutant.kind, mutant.before, mutant.after
            results.append(Result(*fields, fate, by, reason))
            print(f"{number}/{len(chosen)} {describe(results[-1])}", flush=True)
            rows = [asdict(result) for result in results]
            text = json.dumps(rows, ensure_ascii=False, indent=1)
            report.write_text(text + "\n", encoding="utf-8")
        failing = sorted(file for file, seconds in trial.usual.items() if seconds is None)
    if failing:
        print(f"no pasan sin mutantes, y no cuentan: {', '.join(failing)}")
    return results


def read_report(report: Path) -> list[Result]:
    """Lo que dice un informe."""
    return [Result(**row) for row in json.loads(report.read_text(encoding="utf-8"))]


def survivors(report: Path, found: list[Mutant]) -> list[Mutant]:
    """Los mutantes que vivían en un informe, para volver a probarlos."""
    alive = {row.key for row in read_report(report) if row.fate == "vive"}
    return list({mutant.key: mutant for mutant in found if mutant.key in alive}.values())


def describe(result: Result) -> str:
    """Una línea por mutante, y lo que cambia si nadie lo nota."""
    head = f"{result.fate}: {result.path}:{result.line} ({result.kind})"
    if result.fate == "muere":
        return f"{head}, por {result.by}"
    return f"{head}\n    - {result.before}\n    + {result.after}"


def summary(results: list[Result]) -> str:
    """Cuántos se notan, de los que se pueden notar."""
    fates = Counter(result.fate for result in results)
    total = fates["muere"] + fates["vive"]
    share = 100 * fates["muere"] / total if total else 100.0
    return (
        f"se notan {fates['muere']} de {total} ({share:.1f} %); "
        f"equivalentes, {fates['equivale']}; viven, {fates['vive']}"
    )
