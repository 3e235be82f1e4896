"""El menú del curso: partes y capítulos; las páginas de dentro, solo las del que se lee.

Sustituye al del tema, que recorre el índice entero, con todos sus apartados, una vez por página.
"""

from dataclasses import dataclass, field

from sphinx import addnodes


@dataclass(frozen=True)
class Page:
    """Una página del menú, con las que cuelgan de ella."""

    name: str
    title: str
    inside: list["Page"] = field(default_factory=list)

    def opens(self, name: str) -> bool:
        """Si se lee esta página o una de las de dentro."""
        return name == self.name or any(page.opens(name) for page in self.inside)


def add_sidebar(app, _pagename, _template, context, _doctree) -> None:
    """Da a la plantilla las partes del curso, cada una con su título y sus páginas."""
    context["course_parts"] = course_parts(app.env)


def course_parts(env) -> list[tuple[str, list[Page]]]:
    """Las partes del índice, en su orden."""
    return [
        (part["caption"], [menu_page(env, name) for _, name in part["entries"]])
        for part in env.master_doctree.findall(addnodes.toctree)
    ]


def menu_page(env, name: str) -> Page:
    """Una página, con su título sin marcas y las que el índice le pone debajo."""
    inside = [menu_page(env, child) for child in env.toctree_includes.get(name, ())]
    return Page(name, env.titles[name].astext(), inside)


def setup_sidebar(app) -> None:
    """Conecta el menú con la escritura de cada página."""
    app.connect("html-page-context", add_sidebar)
