"""Interfaz en español: lo que el tema y las extensiones dejan en inglés o mal traducido.

Primero, los catálogos de mensajes; después, lo que está escrito a mano en sus plantillas, que
`finish.py` cambia en el sitio terminado. `tests/test_language.py` dice si queda algo.
"""

from sphinx import locale

# Mensajes que pasan por gettext, vengan del catálogo que vengan.
MESSAGES = {
    "Back to top": "Volver arriba",
    "By": "Por",
    "Collapse Sidebar": "Plegar el menú",
    "Color mode": "Tema claro, oscuro o el del sistema",
    "Contents": "En esta página",
    "Dark": "Tema oscuro",
    "Download notebook file": "Descargar el cuaderno",
    "Download source file": "Descargar la fuente",
    "Download this page": "Descargar esta página",
    "Expand Sidebar": "Desplegar el menú",
    "Fullscreen mode": "Pantalla completa",
    "General Index": "Índice alfabético",
    "Hide Search Matches": "Ocultar las coincidencias",
    "Index": "Índice alfabético",
    "Last updated on %(last_updated)s.": "Última actualización: %(last_updated)s.",
    "Launch interactive content": "Ejecutar este cuaderno",
    "Launch on": "Abrir en",
    "Light": "Tema claro",
    "Link to this code": "Enlace a este código",
    "Link to this definition": "Enlace a esta definición",
    "Link to this equation": "Enlace a esta ecuación",
    "Link to this heading": "Enlace a esta sección",
    "Link to this image": "Enlace a esta figura",
    "Link to this table": "Enlace a esta tabla",
    "Link to this term": "Enlace a este término",
    "On this page": "En esta página",
    "Open an issue": "Avisar de un error",
    "Open issue": "Avisar de un error",
    "Print to PDF": "Imprimir o guardar en PDF",
    "Proof": "Demostración",
    "Python Module Index": "Índice de módulos",
    "Repository": "Repositorio",
    "Search": "Buscar",
    "Section Navigation": "Capítulos",
    "Show source": "Ver la fuente",
    "Site navigation": "Menú del curso",
    "Source repositories": "Repositorio y avisos",
    "Source repository": "Repositorio",
    "Suggest edit": "Proponer un cambio",
    "System Settings": "Tema del sistema",
    "logo": "logotipo",
    "next": "siguiente",
    "next page": "Página siguiente",
    "previous": "anterior",
    "previous page": "Página anterior",
    "© Copyright %(copyright)s.": "© %(copyright)s.",
}

CATALOGS = ("sphinx", "booktheme", "togglebutton", "exercise", "proof")

# Lo que es cada nombre de la referencia, delante de él.
KIND = '<em class="property"><span class="pre">{}</span><span class="w"> </span></em>'
KINDS = {
    "abstract": "abstracto",
    "class": "clase",
    "classmethod": "método de clase",
    "exception": "excepción",
    "property": "propiedad",
    "static": "estático",
}
# Lo escrito a mano en las plantillas del tema.
HTML = {KIND.format(said): KIND.format(meant) for said, meant in KINDS.items()} | {
    'title="Toggle primary sidebar"': 'title="Menú del curso" aria-label="Menú del curso"',
    'title="Toggle secondary sidebar"': 'title="En esta página" aria-label="En esta página"',
    'aria-label="Main"': 'aria-label="Capítulos"',
    'aria-label="Page"': 'aria-label="Secciones de esta página"',
    '<summary aria-label="Toggle hidden content">': "<summary>",
}


def use_spanish_messages(app) -> None:
    """Pone nuestros mensajes por delante de los de cada catálogo."""
    for catalog in CATALOGS:
        translator = locale.get_translator(catalog)
        # Las plantillas ya tienen este mismo objeto: sustituirlo por otro no les llegaría.
        translator._catalog.update(MESSAGES)
        locale.translators["general", catalog] = translator
