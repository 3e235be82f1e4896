"""Extensión local del libro: mapa del curso, español de la interfaz, glosario y referencia."""

from course_site import bibliography, course_map, glossary, numbering, reference, spanish

# Después de lo que hacen el tema (500) y las demás extensiones.
LATE = 900


def setup(app):
    """Conecta cada pieza con el momento de la construcción en que actúa."""
    bibliography.register()
    course_map.setup_map(app)
    glossary.setup_glossary(app)
    reference.setup_reference(app)
    app.connect("builder-inited", spanish.use_spanish_messages, priority=LATE)
    app.connect("env-get-updated", numbering.number_by_chapter, priority=LATE)
    app.connect("build-finished", spanish.finish_pages, priority=0)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
