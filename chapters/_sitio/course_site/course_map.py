"""Mapa del curso: el dibujo accesible de la portada y las rutas por semanas, desde `mapa.yml`."""

from docutils import nodes
from sphinx import addnodes
from sphinx.util.docutils import SphinxDirective

from course_site.chapters import DATA, all_chapters, load_map, numbered, published
from course_site.map_drawing import drawing, reference


class course_map(nodes.General, nodes.Element):
    """Envoltura del mapa: una zona de navegación con su nombre."""


def visit_course_map(writer, node):
    """Abre la zona de navegación."""
    writer.body.append(f'<nav class="mapa" aria-label="{node["label"]}">')


def depart_course_map(writer, _node):
    """Cierra la zona de navegación."""
    writer.body.append("</nav>")


class MapDirective(SphinxDirective):
    """Directiva `{mapa-del-curso}`: partes, capítulos, preguntas y en qué se apoya cada uno."""

    def run(self):
        """Construye el árbol; la página se rehace si cambian los datos o el índice."""
        self.env.note_dependency(str(DATA))
        data = load_map()
        self.known, self.pages = all_chapters(data), published(self.env.found_docs)
        tree = course_map(label="Mapa del curso")
        tree += nodes.raw("", drawing(data, self.address), format="html")
        for number, part in enumerate(data["partes"], start=1):
            tree += self.part(number, part)
        return [tree]

    def address(self, slug):
        """Dirección de un capítulo desde esta página, si está publicado."""
        page = self.pages.get(slug, {}).get("capitulo")
        return page and self.env.app.builder.get_relative_uri(self.env.docname, page)

    def part(self, number, part):
        """Una parte: su título, lo que cuenta y la lista de sus capítulos."""
        section = nodes.section(ids=[f"parte-{number}"], classes=["mapa-parte"])
        section += nodes.title(text=f"{number} · {part['titulo']}")
        section += nodes.paragraph(text=part["resumen"], classes=["mapa-resumen"])
        chapters = nodes.bullet_list(classes=["mapa-capitulos"])
        for chapter in part["capitulos"]:
            chapters += self.chapter(chapter)
        section += chapters
        return section

    def chapter(self, chapter):
        """La tarjeta de un capítulo."""
        slug, pages = chapter["slug"], self.pages.get(chapter["slug"], {})
        state = "disponible" if "capitulo" in pages else "en-preparacion"
        card = nodes.list_item(ids=[anchor(slug)], classes=["mapa-capitulo", state])
        title = nodes.paragraph(classes=["mapa-titulo"])
        title += number_mark(chapter)
        title += self.heading(chapter)
        card += title
        card += nodes.paragraph(text=chapter["pregunta"], classes=["mapa-pregunta"])
        card += self.footer([self.known[name] for name in chapter["requiere"]], pages)
        return card

    def heading(self, chapter):
        """El título: un enlace si el capítulo ya está publicado."""
        page = self.pages.get(chapter["slug"], {}).get("capitulo")
        return page_link(self, page, chapter["titulo"]) if page else nodes.Text(chapter["titulo"])

    def footer(self, required, pages):
        """En qué capítulos se apoya y si ya se puede leer."""
        line = nodes.paragraph(classes=["mapa-pie"])
        line += nodes.inline("", "", *requirements(required), classes=["mapa-requiere"])
        state = nodes.inline(classes=["mapa-estado"])
        if "ejercicios" in pages:
            state += page_link(self, pages["ejercicios"], "Ejercicios")
        elif "capitulo" in pages:
            state += nodes.Text("Disponible")
        else:
            state += nodes.Text("En preparación")
        line += [nodes.Text(" "), state]
        return line


def requirements(chapters):
    """«Se apoya en el 5 y el 6», con un enlace a cada tarjeta."""
    if not chapters:
        return [nodes.Text("Para empezar")]
    parts = []
    for place, chapter in enumerate(chapters):
        last = place == len(chapters) - 1
        parts.append(nodes.Text((" y el " if last else ", el ") if parts else "Se apoya en el "))
        target = anchor(chapter["slug"])
        parts.append(nodes.reference("", reference(chapter), internal=True, refid=target))
    return parts


def anchor(slug):
    """El ancla de la tarjeta de un capítulo."""
    return nodes.make_id(f"capitulo-{slug}")


def number_mark(chapter):
    """El número de un capítulo, en su círculo; nada, mientras no esté en el índice."""
    if chapter["numero"] is None:
        return []
    return [nodes.inline(text=str(chapter["numero"]), classes=["mapa-numero"]), nodes.Text(" ")]


def page_link(directive, docname, text):
    """Enlace a otra página del libro, que Sphinx comprueba."""
    reference = addnodes.pending_xref(
        "",
        nodes.inline(text=text),
        refdomain="std",
        reftype="doc",
        reftarget=f"/{docname}",
        refdoc=directive.env.docname,
        refexplicit=True,
        refwarn=True,
    )
    directive.set_source_info(reference)
    return reference


class PathsDirective(SphinxDirective):
    """Directiva `{rutas-del-curso}`: una tabla por ruta, semana a semana."""

    def run(self):
        """Construye una sección por ruta."""
        self.env.note_dependency(str(DATA))
        data = load_map()
        self.chapters, self.pages = all_chapters(data), published(self.env.found_docs)
        return [self.path(path) for path in data["rutas"]]

    def path(self, path):
        """Una ruta: para quién es y qué se estudia cada semana."""
        section = nodes.section(ids=[nodes.make_id(path["nombre"])], classes=["ruta"])
        section += nodes.title(text=path["nombre"])
        section += nodes.paragraph(text=path["para"])
        weeks = nodes.bullet_list(classes=["semanas"])
        for week, names in enumerate(path["semanas"], start=1):
            item = nodes.list_item()
            item += nodes.paragraph(text=f"Semana {week}", classes=["semana"])
            for name in names:
                item += self.line(name)
            weeks += item
        section += weeks
        return section

    def line(self, slug):
        """Un capítulo dentro de una semana."""
        line = nodes.paragraph()
        line += number_mark(self.chapters[slug])
        title, pages = self.chapters[slug]["titulo"], self.pages.get(slug, {})
        line += page_link(self, pages["capitulo"], title) if pages else nodes.inline(text=title)
        return line


class FiguresDirective(SphinxDirective):
    """Directiva `{figuras-del-curso}`: las figuras que se mueven y el capítulo de cada una."""

    def run(self):
        """Construye la lista."""
        self.env.note_dependency(str(DATA))
        data = load_map()
        chapters, pages = all_chapters(data), published(self.env.found_docs)
        figures = nodes.bullet_list(classes=["mapa-figuras"])
        for figure in data["figuras"]:
            slug = figure["capitulo"]
            line = nodes.paragraph(text=f"{figure['titulo']}. ")
            title = numbered(chapters[slug]["numero"], chapters[slug]["titulo"])
            if "capitulo" in pages.get(slug, {}):
                line += page_link(self, pages[slug]["capitulo"], title)
            else:
                line += nodes.inline(text=f"{title}, en preparación")
            figures += nodes.list_item("", line)
        return [figures]


def setup_map(app) -> None:
    """Da de alta el nodo y las directivas."""
    app.add_node(course_map, html=(visit_course_map, depart_course_map))
    app.add_directive("mapa-del-curso", MapDirective)
    app.add_directive("rutas-del-curso", PathsDirective)
    app.add_directive("figuras-del-curso", FiguresDirective)
