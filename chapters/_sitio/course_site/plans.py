"""Los planes de curso: qué se estudia, se hace en clase y se entrega cada semana."""

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from course_site.chapters import DATA, ROOT, all_chapters, load_map, numbered, published
from course_site.course_map import page_link

HEADINGS = "Semana", "Capítulos", "En clase", "Para entregar"


class PlansDirective(SphinxDirective):
    """Directiva `{planes-de-curso}`: un apartado por ruta, con su tabla, y dentro, las semanas."""

    def run(self):
        """Construye los apartados; la página se rehace si cambian los datos."""
        from tfcourse.exercises.masters import masters
        from tfcourse.teaching.plans import read_chapters

        for path in (DATA, *masters(ROOT)):
            self.env.note_dependency(str(path))
        data = load_map()
        self.known, self.pages = all_chapters(data), published(self.env.found_docs)
        self.read = read_chapters(ROOT)
        return [self.plan(path) for path in data["rutas"]]

    def plan(self, path):
        """Una ruta entera."""
        name = path["nombre"]
        section = nodes.section(ids=[nodes.make_id(name)])
        section += nodes.title(text=name)
        section += nodes.paragraph(text=path["para"])
        section += self.summary(name, path["semanas"])
        for number, chapters in enumerate(path["semanas"], start=1):
            week = nodes.section(ids=[week_id(name, number)])
            week += nodes.title(text=f"Semana {number}")
            week += self.week(number, chapters)
            section += week
        return section

    def summary(self, name: str, weeks: list[list[str]]):
        """La ruta en una pantalla: una fila por semana, que lleva a la suya."""
        rows = [table_row([[nodes.Text(title)] for title in HEADINGS])]
        for number, chapters in enumerate(weeks, start=1):
            rows.append(table_row(self.week_cells(name, number, chapters)))
        group = nodes.tgroup(cols=len(HEADINGS))
        group += [nodes.colspec(colwidth=width) for width in (1, 6, 2, 3)]
        group += nodes.thead("", rows[0])
        group += nodes.tbody("", *rows[1:])
        return nodes.table("", group, classes=["plan-en-una-pantalla"])

    def week_cells(self, name: str, number: int, chapters: list[str]) -> list[list]:
        """Semana, capítulos y lo que llevan los ejercicios de clase y los de entregar."""
        from tfcourse.teaching.plans import weekly_cards

        ready = [self.read[chapter] for chapter in chapters if chapter in self.read]
        link = nodes.reference("", str(number), refid=week_id(name, number), internal=True)
        in_class = sum(card.minutes for chapter in ready for card in chapter.in_class)
        handed = weekly_cards(ready)
        minutes = sum(card.minutes for card in handed)
        points = sum(card.points + card.manual_points for card in handed)
        return [
            [link],
            self.links(chapters),
            [nodes.Text(f"{in_class} min")],
            [nodes.Text(f"{minutes} min, {points} puntos")],
        ]

    def week(self, number: int, chapters: list[str]):
        """Capítulos, requisitos, objetivos, ejercicios de clase y tarea."""
        from tfcourse.teaching.plans import command, weekly_cards

        ready = [self.read[chapter] for chapter in chapters if chapter in self.read]
        items = nodes.bullet_list()
        items += self.item("Capítulos: ", self.links(chapters))
        wanted = {name for c in chapters for name in self.known[c]["requiere"]} - {*chapters}
        needed = [name for name in self.known if name in wanted]
        items += self.item("Antes: ", self.links(needed) or [nodes.Text("nada")])
        if not ready:
            items += self.item("", [nodes.Text("Sus ejercicios están en preparación.")])
            return [items]
        goals = nodes.bullet_list()
        for goal in (goal for chapter in ready for goal in chapter.goals):
            parsed, _ = self.state.inline_text(goal, self.lineno)
            goals += nodes.list_item("", nodes.paragraph("", "", *parsed))
        entry = self.item("Objetivos:", [])
        entry += goals
        items += entry
        items += self.exercises("En clase: ", [c for r in ready for c in r.in_class])
        handed = weekly_cards(ready)
        items += self.exercises("Para entregar: ", handed)
        code = nodes.literal_block(text=command(number, handed), language="bash")
        return [items, code]

    def item(self, label: str, content: list):
        """Una línea de la lista, con su rótulo en negrita."""
        line = nodes.paragraph()
        if label:
            line += nodes.strong(text=label)
        line += content
        return nodes.list_item("", line)

    def links(self, names: list[str]) -> list:
        """Los capítulos con su enlace, separados por comas."""
        parts = []
        for name in names:
            title = numbered(self.known[name]["numero"], self.known[name]["titulo"])
            pages = self.pages.get(name, {})
            found = page_link(self, pages["capitulo"], title) if pages else nodes.Text(title)
            parts += [found, nodes.Text("; ")]
        return parts[:-1]

    def exercises(self, label: str, cards: list):
        """Los ejercicios con sus minutos y lo que valen."""
        minutes = sum(card.minutes for card in cards)
        points = sum(card.points + card.manual_points for card in cards)
        parts = []
        for card in cards:
            parts += [nodes.literal(text=card.id), nodes.Text(f", «{card.title}»; ")]
        parts.append(nodes.Text(f"en total, {minutes} minutos y {points} puntos."))
        return self.item(label, parts)


def week_id(name: str, number: int) -> str:
    """El ancla de una semana de una ruta."""
    return f"{nodes.make_id(name)}-{number}"


def table_row(cells: list[list]):
    """Una fila de una tabla, con un párrafo por casilla."""
    row = nodes.row()
    row += [nodes.entry("", nodes.paragraph("", "", *cell)) for cell in cells]
    return row


def setup_plans(app) -> None:
    """Da de alta la directiva."""
    app.add_directive("planes-de-curso", PlansDirective)
