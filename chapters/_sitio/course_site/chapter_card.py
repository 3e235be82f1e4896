"""La ficha de un capítulo: a lo que escribe su autor se añade cuánto hay y lo que costó ejecutarlo.

Los minutos de lectura son una estimación; las palabras, las líneas y las figuras se cuentan.
"""

from pathlib import Path

from docutils import nodes

from workshop.notebooks.budget import COSTS, load_costs

NOT_READ = (nodes.literal_block, nodes.raw, nodes.comment, nodes.math, nodes.math_block)
PICTURES = {"image/png", "image/svg+xml"}
THIN_SPACE = "\N{NARROW NO-BREAK SPACE}"


def add_cost(app, doctree) -> None:
    """Añade a la ficha los segundos y la memoria medidos, si el cuaderno se ha ejecutado."""
    source = Path(app.env.doc2path(app.env.docname))
    cost = load_costs(source.parent).get(source.stem)
    if cost is None:
        return
    app.env.note_dependency(str(source.with_name(COSTS)))
    for card in doctree.findall(nodes.admonition):
        if "ficha" in card["classes"]:
            card += extent(doctree)
            card += measured(cost)


def extent(doctree) -> nodes.paragraph:
    """Una línea con las palabras, las líneas de código y las figuras."""
    containers = list(doctree.findall(nodes.container))
    words = sum(len(text.split()) for text in doctree.findall(nodes.Text) if is_read(text))
    inputs = [cell for cell in containers if "cell_input" in cell["classes"]]
    lines = sum(1 for cell in inputs for line in cell.astext().splitlines() if line.strip())
    bundles = [cell for cell in containers if cell.get("nb_element") == "mime_bundle"]
    kinds = [{child.get("mime_type") for child in bundle.children} for bundle in bundles]
    figures = sum(not PICTURES.isdisjoint(kind) for kind in kinds)
    line = nodes.paragraph("", "", nodes.strong(text="Extensión"))
    told = f"{round(words, -2):,}".replace(",", THIN_SPACE if words >= 10_000 else "")
    line += nodes.Text(
        f": {told} palabras, {lines} líneas de código y {figures} figura{'s' * (figures != 1)}."
    )
    return line


def is_read(text: nodes.Text) -> bool:
    """Si es prosa: ni código, ni la salida de una celda, ni una fórmula."""
    node = text.parent
    while node is not None:
        if isinstance(node, NOT_READ) or "cell_output" in node.get("classes", ()):
            return False
        node = node.parent
    return True


def measured(cost: dict[str, int]) -> nodes.paragraph:
    """Una línea con lo medido, en unidades que se leen."""
    gigabytes = f"{cost['megabytes'] / 1000:.1f}".replace(".", ",")
    line = nodes.paragraph("", "", nodes.strong(text="Medido"))
    line += nodes.Text(f": {cost['segundos']} s y {gigabytes} GB de memoria, en un hilo de CPU.")
    return line


def setup_card(app) -> None:
    """Conecta la ficha con la lectura de cada página."""
    app.connect("doctree-read", add_cost)
