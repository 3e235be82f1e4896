"""Órdenes para mantener el curso: `python -m workshop --ayuda`."""

from pathlib import Path
from typing import Annotated

import typer

from tfcourse.spanish_cli import SpanishCommand, build_app, run_app

app = build_app("Órdenes para mantener y comprobar el curso, en una copia del repositorio.")

Root = Annotated[Path, typer.Option("--raiz", help="Carpeta del curso.", show_default=False)]
Save = Annotated[bool, typer.Option("--escribir", help="Corrige los archivos, no solo los revisa.")]
SlidesFolder = Annotated[Path, typer.Option("--salida", help="Carpeta donde se escriben.")]
HERE = Path(".")


@app.command(cls=SpanishCommand)
def espejo(root: Root = HERE, save: Save = False) -> None:
    """Comprueba que los cuadernos enseñan el mismo código que tiene el paquete."""
    from workshop import mirror
    from workshop.notebooks import book_notebooks

    notebooks = book_notebooks(root)
    if save:
        for path in mirror.write(notebooks):
            print(f"actualizado: {path}")
    _report(mirror.check(notebooks), f"{len(notebooks)} cuadernos dicen lo mismo que el paquete")


@app.command(cls=SpanishCommand)
def ejecutar(
    chapters: Annotated[
        list[str] | None,
        typer.Argument(metavar="CAPÍTULOS", help="Número o nombre: 16 o detr. Sin él, todos."),
    ] = None,
    profile: Annotated[str, typer.Option("--perfil", help="rapido o completo.")] = "rapido",
    root: Root = HERE,
) -> None:
    """Vuelve a ejecutar los capítulos y guarda sus salidas (las de «completo», aparte)."""
    from tfcourse.profile import PROFILES
    from workshop.notebooks import execute_all

    chosen = _chosen(chapters, root)
    if profile not in PROFILES:
        raise ValueError(f"no existe el perfil «{profile}»: usa {' o '.join(PROFILES)}")
    execute_all(chosen, profile, None if profile == PROFILES[0] else root / "_build" / profile)


@app.command(cls=SpanishCommand)
def cualquier_cpu(
    chapters: Annotated[
        list[str] | None,
        typer.Argument(metavar="CAPÍTULOS", help="Número o nombre: 16 o detr. Sin él, todos."),
    ] = None,
    processors: Annotated[
        list[str] | None,
        typer.Option("--con", help="Qué procesador se imita: default, avx2 o «el de aquí»."),
    ] = None,
    root: Root = HERE,
) -> None:
    """Comprueba que los capítulos dicen lo guardado con las instrucciones de otros procesadores."""
    from workshop.notebooks.comparison import PROCESSORS, compare_all

    paths, processors = _chosen(chapters, root), processors or list(PROCESSORS)
    found = compare_all(paths, processors)
    if found:
        raise ValueError(
            f"hay {len(found)} diferencias entre procesadores: escribe menos cifras, calcula en "
            "float64 o, si la salida es de la máquina, ponle a la celda «nbval-ignore-output»"
        )
    print(f"bien: {len(paths)} capítulos dicen lo mismo con {', '.join(processors)}")


@app.command(cls=SpanishCommand)
def enlaces(root: Root = HERE, save: Save = False) -> None:
    """Lleva la dirección del repositorio, escrita en pyproject.toml, a todos los archivos."""
    from workshop.links import check_links, write_links

    if save:
        for path in write_links(root):
            print(f"actualizado: {path}")
    _report(check_links(root), "todos los archivos nombran el mismo repositorio")


@app.command(cls=SpanishCommand)
def figuras(root: Root = HERE, save: Save = False) -> None:
    """Comprueba que las figuras guardadas llevan el código de ahora, sin ejecutar nada."""
    from workshop.notebooks import book_notebooks
    from workshop.notebooks.figures import check_figures, write_figures

    notebooks = book_notebooks(root)
    if save:
        for path in write_figures(notebooks):
            print(f"actualizado: {path}")
    _report(check_figures(notebooks), "las figuras guardadas llevan el código del paquete")


@app.command(cls=SpanishCommand)
def ejercicios(root: Root = HERE, save: Save = False) -> None:
    """Genera los cuadernos del estudiante a partir de los maestros, o mira si están al día."""
    from workshop.student_notebooks import check_student_notebooks, write_student_notebooks

    if save:
        for path in write_student_notebooks(root):
            print(f"actualizado: {path}")
    _report(check_student_notebooks(root), "los cuadernos de ejercicios están al día")


@app.command(cls=SpanishCommand)
def capitulo(
    name: Annotated[str, typer.Argument(metavar="NOMBRE", help="El de su cuaderno: t5.")],
    title: Annotated[str, typer.Option("--titulo", help="«T5: texto a texto».")] = "",
    short: Annotated[str, typer.Option("--corto", help="Cómo se cita: «de T5».")] = "",
    question: Annotated[str, typer.Option("--pregunta", help="La que contesta.")] = "",
    part: Annotated[str, typer.Option("--parte", help="Su número o su carpeta.")] = "",
    wing: Annotated[str, typer.Option("--ala", help="text, vision, sound o multimodal.")] = "",
    room: Annotated[str, typer.Option("--cuarto", help="Una palabra en inglés: tasks.")] = "",
    requires: Annotated[str, typer.Option("--requiere", help="Capítulos, con comas.")] = "",
    after: Annotated[str, typer.Option("--tras", help="Tras cuál va; si no, al final.")] = "",
    root: Root = HERE,
) -> None:
    """Empieza un capítulo: crea sus archivos y lo apunta en el índice y en el mapa."""
    from workshop.new_chapter import NewChapter, add_chapter
    from workshop.new_chapter.skeleton import TO_WRITE

    needed = tuple(slug.strip() for slug in requires.split(",") if slug.strip())
    chapter = NewChapter(name, title, short, question, part, wing, room, needed, after)
    created, changed = add_chapter(root, chapter)
    print("\n".join(f"creado: {path}" for path in created))
    print("\n".join(f"cambiado: {path}" for path in changed))
    print(f"falta escribir lo que dice «{TO_WRITE}», y después: make ejecutar CAP={name}")


@app.command(cls=SpanishCommand)
def diapositivas(
    chapters: Annotated[
        list[str] | None,
        typer.Argument(metavar="CAPÍTULOS", help="Número o nombre: 16 o detr. Sin él, todos."),
    ] = None,
    folder: SlidesFolder = HERE / "_build/diapositivas",
    root: Root = HERE,
) -> None:
    """Escribe las diapositivas de los capítulos y sus figuras sueltas, sin ejecutar nada."""
    from workshop.notebooks import book_chapters, find_chapter
    from workshop.slides import write_slides

    book = book_chapters(root)
    names = [path.stem for path in _chosen(chapters, root)]
    for chapter in filter(None, (find_chapter(name, book) for name in names)):
        for path in write_slides(root, chapter, folder):
            print(f"escrito: {path}")


@app.command(cls=SpanishCommand)
def completo(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NOMBRES", help="Los de sus tablas; sin ellos, los enumera."),
    ] = None,
    rehearse: Annotated[
        bool, typer.Option("--ensayo", help="Con conjuntos diminutos, sin GPU ni red.")
    ] = False,
) -> None:
    """Mide los experimentos a escala real, o los ensaya; si se cortan, siguen donde estaban."""
    from workshop.rehearsal.orders import list_runs, measure_run, rehearse_run
    from workshop.rehearsal.registry import every_full_run

    runs = every_full_run()
    if unknown := [name for name in names or [] if name not in runs]:
        raise ValueError(
            f"ningún experimento se llama {', '.join(unknown)}: usa {', '.join(sorted(runs))}"
        )
    if not names and not rehearse:
        return print(list_runs(runs.values()))
    for name in names or runs:
        (rehearse_run if rehearse else measure_run)(runs[name])


def _chosen(names: list[str] | None, root: Path) -> list[Path]:
    """Los cuadernos de esos capítulos; sin nombres, los de todos. Errores: `ValueError`."""
    from workshop.notebooks import book_chapters, find_chapter

    book = book_chapters(root)
    found = {name: find_chapter(name, book) for name in names or []}
    if unknown := [name for name, chapter in found.items() if chapter is None]:
        raise ValueError(f"ningún capítulo es {', '.join(unknown)}: mira _toc.yml")
    return [root / f"{chapter.page}.ipynb" for chapter in found.values() or book]


@app.command(cls=SpanishCommand)
def mutantes(
    places: Annotated[
        list[str] | None,
        typer.Argument(metavar="LUGARES", help="Carpetas o archivos de tfcourse: layers."),
    ] = None,
    seed: Annotated[int, typer.Option("--semilla", help="La del sorteo.")] = 1,
    count: Annotated[int, typer.Option("--cuantos", help="Cuántos se sacan.")] = 200,
    aside: Annotated[str, typer.Option("--menos", help="Archivos, con comas.")] = "",
    budget: Annotated[
        float, typer.Option("--segundos", help="De procesador, por mutante que nadie nota.")
    ] = 40.0,
    again: Annotated[
        Path | None, typer.Option("--repetir", help="Informe del que se prueban los que viven.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--seguir", help="Sigue el informe que se quedó a medias.")
    ] = False,
    root: Root = HERE,
) -> None:
    """Estropea el paquete al azar, en una copia, y cuenta cuántas veces lo notan las pruebas."""
    from workshop.mutants import run as trials

    found = trials.candidates(root, places or trials.FOLDERS, filter(None, aside.split(",")))
    chosen = trials.survivors(again, found) if again else trials.draw(found, seed, count)
    name = f"{again.stem}-otra-vez" if again else f"semilla-{seed}"
    report = root / f"_build/mutantes/{name}.json"
    print(f"{len(chosen)} mutantes de {len(found)}; el informe, en {report}")
    print(trials.summary(trials.run(root, chosen, report, budget, resume)))


@app.command(cls=SpanishCommand)
def mutantes_de_soluciones(
    seed: Annotated[int, typer.Option("--semilla", help="La del sorteo.")] = 1,
    count: Annotated[int, typer.Option("--cuantos", help="Cuántos se sacan; 0, todos.")] = 200,
    only: Annotated[
        str, typer.Option("--solo", help="Los que empiezan así: gpt-, los de un proyecto.")
    ] = "",
    root: Root = HERE,
) -> None:
    """Estropea las soluciones de ejercicios y proyectos, y dice qué cambios se dan por buenos."""
    from workshop.mutants.answers import run_answers

    run_answers(root, seed, count or None, only)


def _report(problems: list, all_well: str) -> None:
    """Escribe los problemas y falla, o dice que todo va bien."""
    for problem in problems:
        print(problem)
    if problems:
        raise ValueError(f"hay {len(problems)} cosas que arreglar (con --escribir se corrigen)")
    print(f"bien: {all_well}")


if __name__ == "__main__":
    run_app(app)
