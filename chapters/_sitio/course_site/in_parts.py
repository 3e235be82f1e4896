"""Las páginas largas se colocan por partes: primero lo que cabe en la pantalla.

Colocar de una vez una página con cientos de fórmulas deja a un móvil medio segundo sin responder.
Aquí se marca lo que puede esperar; `al_abrir.js`, que va en la cabecera, lo va descubriendo.
"""

from collections.abc import Iterator

from docutils import nodes
from sphinx import addnodes

# Lo que se coloca bloque a bloque por dentro; el glosario es una sola lista, y larguísima, y la
# página de un módulo, la de lo que trae.
SPLIT = (nodes.section, addnodes.glossary, nodes.definition_list, nodes.definition_list_item)
SPLIT += (addnodes.desc, addnodes.desc_content)
# Lo que seguro que ocupa sitio: un código, un ejercicio o una solución pueden ir plegados.
PROSE = (nodes.paragraph, nodes.title, nodes.bullet_list, nodes.enumerated_list)
PROSE += (nodes.term, nodes.definition, addnodes.desc_signature, nodes.field_list)
WAITS = "tras"
SHOWN = 3000  # letras que se colocan de entrada: más de las que caben en una pantalla estrecha


def mark(_app, doctree, _docname) -> None:
    """Marca los bloques que vienen después de la primera pantalla.

    Lo escrito en HTML, no: con una marca, docutils le pone una caja, y puede ser media etiqueta.
    """
    letters = 0
    for block in blocks(doctree):
        if letters > SHOWN and not isinstance(block, nodes.raw):
            block["classes"].append(WAITS)
        letters += len(block.astext()) if isinstance(block, PROSE) else 0


def blocks(tree: nodes.Element) -> Iterator[nodes.Element]:
    """Los títulos, párrafos, figuras… de una página, por su orden."""
    for child in tree.children:
        if isinstance(child, SPLIT):
            yield from blocks(child)
        elif isinstance(child, nodes.Element) and not isinstance(child, nodes.Invisible):
            yield child


def setup_parts(app) -> None:
    """Conecta la marca con la escritura de cada página, cuando ya no cambia."""
    app.connect("doctree-resolved", mark, priority=950)
