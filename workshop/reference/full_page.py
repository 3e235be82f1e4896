"""«Perfil completo», la página que dice qué pide y qué mide cada experimento a escala real."""

from collections.abc import Mapping, Sequence

from tfcourse.stored.full import FullRun, Source, decimal, measured_with
from workshop.reference.text import markdown

ESTIMATED, UNMEASURED = "estimado", "sin medir"
HEAD = """\
| capítulo | experimento | orden | conjuntos | memoria de GPU | horas | tabla |
|---|---|---|---|---|---|---|"""
SOURCES_HEAD = """\
| conjunto | tamaño | licencia | dónde se indica |
|---|---|---|---|"""


def full_text(runs: Sequence[FullRun], pages: Mapping[str, str]) -> str:
    """Los experimentos, en el orden de `pages` (la página de cada uno), y sus conjuntos."""
    in_order = sorted(runs, key=lambda run: list(pages).index(run.name))
    rows = "\n".join(run_row(run, pages[run.name]) for run in in_order)
    sources = {source.name: source for run in in_order for source in run.sources}
    listed = "\n".join(source_row(source) for source in sources.values())
    return f"{HEAD}\n{rows}\n\n## Los conjuntos\n\n{SOURCES_HEAD}\n{listed}"


def run_row(run: FullRun, page: str) -> str:
    """Un experimento: lo que se espera que pida y, si se ha medido, lo que pidió."""
    measured = measured_with(run)
    hours = f"{decimal(run.hours)} ({ESTIMATED})"
    state = UNMEASURED
    if measured is not None:
        hours, state = decimal(measured["hours"]), f"medida en {markdown(measured['device'])}"
    cells = [
        f"[](/{page}.ipynb)", markdown(run.title), f"`make completo NOMBRE={run.name}`",
        ", ".join(markdown(source.name) for source in run.sources) or "ninguno",
        f"{decimal(run.gpu_gigabytes)} GB ({ESTIMATED})", hours, state,
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def source_row(source: Source) -> str:
    """Un conjunto: su ficha, lo que ocupa, su licencia y cómo se dice dónde está."""
    where = f"`{source.variable}`" if source.variable else "se descarga solo"
    name = f"[{markdown(source.name)}]({source.page})"
    return f"| {name} | {decimal(source.gigabytes)} GB | {markdown(source.licence)} | {where} |"
