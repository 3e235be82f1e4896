"""La ficha de un capítulo: a lo que escribe su autor se añade lo que costó ejecutarlo."""

from pathlib import Path

from docutils import nodes

from workshop.notebooks.budget import COSTS, load_costs


def add_cost(app, doctree) -> None:
    """Añade a la ficha los segundos y la memoria medidos, si el cuaderno se ha ejecutado."""
    source = Path(app.env.doc2path(app.env.docname))
    cost = load_costs(source.parent).get(source.stem)
    if cost is None:
        return
    app.env.note_dependency(str(source.with_name(COSTS)))
    for card in doctree.findall(nodes.admonition):
        if "ficha" in card["classes"]:
            card += measured(cost)


def measured(cost: dict[str, int]) -> nodes.paragraph:
    """Una línea con lo medido, en unidades que se leen."""
    gigabytes = f"{cost['megabytes'] / 1000:.1f}".replace(".", ",")
    line = nodes.paragraph("", "", nodes.strong(text="Medido"))
    line += nodes.Text(f": {cost['segundos']} s y {gigabytes} GB de memoria, en un hilo de CPU.")
    return line


def setup_card(app) -> None:
    """Conecta la ficha con la lectura de cada página."""
    app.connect("doctree-read", add_cost)
