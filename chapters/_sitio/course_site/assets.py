"""Lo que cada página carga: solo los estilos y los guiones de lo que hay en ella."""

import re
import shutil
from pathlib import Path
from urllib.parse import quote, urlsplit

from sphinx.builders.html._assets import _JavaScript
from sphinx.errors import ExtensionError

from course_site import maths, styles

# Estilos aparte, que solo cargan las páginas cuyo cuerpo contiene el texto; los demás van juntos.
STYLES = {
    maths.STYLE: 'class="katex',
    "_static/mapa.css": 'class="mapa"',
}
# Guiones, igual. Los que no están aquí (el buscador de Sphinx, sus atajos, MathJax…) no se cargan.
SCRIPTS = {
    "_static/sitio.js": "",
    "_static/terminos.js": 'class="termino',
    "_static/lectura.js": "",
    "_static/figuras.js": "<figure",
    "_static/scripts/sphinx-book-theme.js": "",
    "_static/clipboard.min.js": 'class="highlight',
    "_static/copybutton.js": 'class="highlight',
    "_static/widgets.js": "jupyter.widget-view+json",
    "_static/design-tabs.js": 'class="sd-tab-set',
}
# Lo que el tema copia al sitio y ninguna página carga.
UNUSED = (
    "_static/scripts/bootstrap*",
    "_static/scripts/fontawesome*",
    "_static/**/*.map",
    "_static/vendor",
    "_static/locales",
    "_static/images",
    "_static/*.png",
    "_static/*macros.html",
    "_static/*stemmer.js",
    "_static/doctools.js",
    "_static/documentation_options.js",
    "_static/language_data.js",
    "_static/searchtools.js",
    "_static/sphinx_highlight.js",
    "_static/togglebutton.*",
    "_static/translations.js",
    "_static/styles/theme.css",
)
# Lo que se quita de los guiones ajenos. El del tema mide la página mientras se coloca: de lo que se
# desliza con el teclado y de señalar el apartado que se lee se ocupa sitio.js, y aquí no hay avisos
# que lleguen después. El de las pestañas espera un momento que, cuando llega, ya ha pasado.
CHANGES = {
    "_static/scripts/pydata-sphinx-theme.js": {
        ',"complete"===document.readyState?I():window.addEventListener("load",I)': "",
        'document.querySelector("#pst-page-toc-nav");if(!e)return;': "null;if(!e)return;",
        'document.querySelector(".pst-async-banner-revealer");if(!e)return;': "null;if(!e)return;",
    },
    "_static/design-tabs.js": {
        'document.addEventListener("DOMContentLoaded", ready, false);': "ready();",
    },
}
WIDGET_STATE = "application/vnd.jupyter.widget-state+json"


def choose(app, _pagename, _template, context, _doctree) -> None:
    """Deja en cada página los estilos y los guiones que usa, y los guiones para el final."""
    body = context.get("body", "")
    context["css_files"] = [styles.NAME, *(name for name, mark in STYLES.items() if mark in body)]
    context["math_letters"] = [name for name, mark in maths.LETTERS.items() if mark in body]
    scripts = [
        _JavaScript(script.filename, priority=script.priority, defer="defer")
        for script in context["script_files"]
        if is_used(script, body)
    ]
    # El estado de las figuras interactivas pesa: al final, para no retrasar el texto.
    context["widget_states"] = [
        script.attributes["body"]
        for script in context["script_files"]
        if script.attributes.get("type") == WIDGET_STATE
    ]
    context["script_files"] = scripts


def add_links(app, _pagename, _template, context, _doctree) -> None:
    """Da a las plantillas las direcciones que dependen del repositorio."""
    context["colab_url"] = lambda source: colab_url(app.config, source)
    context["issue_url"] = lambda page: issue_url(app.config, page)
    context["issues"] = f"{repository(app.config)}/issues"
    context["root"] = urlsplit(app.config.html_baseurl).path


def is_used(script, body: str) -> bool:
    """Si la página tiene algo de lo que se ocupa el guion."""
    mark = SCRIPTS.get(str(script.filename or ""))
    return mark is not None and mark in body


def repository(config) -> str:
    """La dirección del repositorio, que `make enlaces` lleva a `_config.yml`."""
    return config.html_theme_options["repository_url"]


def colab_url(config, source: str) -> str:
    """El cuaderno, en Colab."""
    base = config.html_theme_options["launch_buttons"]["colab_url"]
    where = re.sub(r"^https://github\.com/", "", repository(config))
    branch = config.html_theme_options.get("repository_branch") or "main"
    return f"{base}/github/{where}/blob/{branch}/{source}"


def issue_url(config, page: str) -> str:
    """Un aviso nuevo, con el título y la página ya puestos."""
    title = quote(f"Error en «{page}»")
    body = quote("Qué dice la página y qué debería decir:\n\n")
    return f"{repository(config)}/issues/new?title={title}&body={body}"


def image_sizes(page: Path, text: str) -> str:
    """Da a cada figura sus medidas, para que nada salte; se carga cuando se acerca."""
    # Pillow viene con matplotlib, pero tarda en cargarse: solo si hay imágenes.
    from PIL import Image

    def measured(match):
        path = page.parent / match["src"]
        if match["src"].startswith(("http", "data:")) or path.suffix == ".svg" or not path.exists():
            return match[0]
        with Image.open(path) as picture:
            width, height = picture.size
        return f'<img loading="lazy" decoding="async" width="{width}" height="{height}"{match[1]}'

    return re.sub(r'<img(?=[^>]*_images/)([^>]*?src="(?P<src>[^"]+)")', measured, text)


def bundle_styles(app, failure) -> None:
    """Junta los estilos comunes cuando las páginas ya están escritas."""
    if failure or app.builder.format != "html":
        return
    folder = Path(app.outdir)
    remove_unused(folder)
    change_scripts(folder)
    ours = {str(style.filename): None for style in app.builder._css_files}
    names = [name for name in ours if name not in STYLES and (folder / name).exists()]
    styles.bundle(folder, names)
    for name in (*names, *styles.FIRST):
        (folder / name).unlink(missing_ok=True)


def change_scripts(folder: Path) -> None:
    """Quita de los guiones ajenos lo que estorba.

    Errores: `ExtensionError` si alguno ya no lo dice así, para que nadie crea que sigue quitado.
    """
    for name, changes in CHANGES.items():
        script = folder / name
        text = script.read_text(encoding="utf-8")
        if missing := [old for old in changes if old not in text]:
            raise ExtensionError(f"{name} ha cambiado: ya no dice {missing}")
        for old, new in changes.items():
            text = text.replace(old, new)
        script.write_text(text, encoding="utf-8")


def remove_unused(folder: Path) -> None:
    """Quita del sitio lo que ninguna página carga."""
    for pattern in UNUSED:
        for path in list(folder.glob(pattern)):
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def setup_assets(app) -> None:
    """Añade nuestros archivos y conecta la elección, después de la del tema."""
    app.add_js_file("sitio.js")
    app.add_js_file("terminos.js")
    app.add_js_file("figuras.js")
    app.add_js_file("lectura.js")
    # El tema prueba las plantillas en este mismo momento: antes, los enlaces; después, la elección.
    app.connect("html-page-context", add_links, priority=100)
    app.connect("html-page-context", choose, priority=950)
    # Después de que el tema escriba los colores del código para el tema claro y el oscuro.
    app.connect("build-finished", bundle_styles, priority=950)
