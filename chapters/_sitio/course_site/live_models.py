"""Figuras vivas: sus pesos, que solo se piden al pulsar, y la página que las reúne a todas."""

import json
import re
from pathlib import Path

from docutils import nodes
from sphinx.builders.html._assets import _JavaScript
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from course_site.chapters import ROOT, all_chapters, chapters, load_map
from course_site.course_map import page_link

FOLDER = "_static/pesos"
STATE, VIEW = (f"application/vnd.jupyter.widget-{kind}+json" for kind in ("state", "view"))
# Así se ve, en el estado guardado de una figura, el archivo que pedirá.
ASKED = re.compile(r'"file": "([\w.-]+\.safetensors)"')
SHOWN = re.compile(r'"model_id": "viva-(\w+)"')
VERSION = {"version_major": 2, "version_minor": 0}
# Después de que se elijan los guiones de la página y los estados que lleva (950).
LAST = 960


def widget_models(notebook: Path) -> dict[str, dict]:
    """Los modelos de las figuras que guarda un cuaderno, por su nombre."""
    text = notebook.read_text(encoding="utf-8")
    if '"weights":' not in text:
        return {}
    return json.loads(text)["metadata"].get("widgets", {}).get(STATE, {}).get("state", {})


def live_figure(slug: str) -> tuple[str, dict]:
    """La figura viva de un capítulo: su nombre y su modelo. Errores: `ExtensionError` sin ella."""
    models = widget_models(ROOT / f"{chapters()[slug].page}.ipynb") if slug in chapters() else {}
    for name, model in models.items():
        state = model["state"].get("state")
        if isinstance(state, dict) and "file" in state:
            return name, model
    raise ExtensionError(f"el capítulo «{slug}» no tiene ninguna figura que ejecute un modelo")


class LiveFigureDirective(SphinxDirective):
    """Directiva `{figura-viva} gpt`: la figura de un capítulo, y de cuál viene."""

    required_arguments = 1

    def run(self):
        """Deja el hueco de la figura; su estado lo pone `add_figures`."""
        slug = self.arguments[0]
        live_figure(slug)
        page = chapters()[slug].page
        self.env.note_dependency(str(ROOT / f"{page}.ipynb"))
        view = json.dumps({"model_id": f"viva-{slug}", **VERSION})
        line = nodes.paragraph("", "Del ")
        line += page_link(self, page, f"capítulo {all_chapters(load_map())[slug]['corto']}")
        line += nodes.Text(".")
        return [nodes.raw("", f'<script type="{VIEW}">{view}</script>', format="html"), line]


class LiveTableDirective(SphinxDirective):
    """Directiva `{tabla-de-pesos} gpt bert…`: lo que pesa y lo que tarda cada modelo al pulsar."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self):
        """Mide los archivos tal como van al sitio; lo que tardan está en su tabla guardada."""
        from tfcourse.stored.results import load_results

        times = {row["weights"]: row for row in load_results("figuras_vivas")}
        rows, total = [], [0, 0, 0]
        for slug in self.arguments[0].split():
            weights = live_figure(slug)[1]["state"]["state"]["weights"]
            sizes = weight_sizes(weights)
            total = [one + other for one, other in zip(total, sizes, strict=True)]
            first = [round(times[weights][f"first {path}"]) for path in ("SIMD", "JavaScript")]
            rows.append(f"| `{weights}` | {' | '.join(map(spaced, sizes + first))} |")
        rows.append(f"| en total | {' | '.join(map(spaced, total))} | | |")
        head = [
            "| pesos | números | kB en el paquete | kB en la página "
            "| ms con el núcleo | ms sin él |",
            "|---|---:|---:|---:|---:|---:|",
        ]
        return self.parse_text_to_nodes("\n".join(head + rows))


def weight_sizes(name: str) -> list[int]:
    """Cuántos números usa la página, los kB del paquete y los que viajan al pulsar."""
    from tfcourse.weights.joining import part_names
    from tfcourse.weights.packing import packed_tensors, packed_weights, unpack
    from tfcourse.weights.shipped import FOLDER as SHIPPED

    numbers = sum(tensor.numel() for tensor in unpack(packed_tensors(name)).values())
    before = sum((SHIPPED / f"{part}.safetensors").stat().st_size for part in part_names(name))
    return [numbers, round(before / 1000), round(len(packed_weights(name)) / 1000)]


def spaced(number: int) -> str:
    """Un número entero, con sus millares separados como en el resto del libro."""
    return f"{number:,}".replace(",", "\N{NO-BREAK SPACE}") if number >= 10_000 else str(number)


def add_figures(_app, _pagename, _template, context, _doctree) -> None:
    """En la página que las reúne: el estado de cada figura y el guion que las pone en marcha."""
    slugs = SHOWN.findall(context.get("body", ""))
    if not slugs:
        return
    # Un estado por figura: así cada una pide el suyo, y no los de todas, al acercarse a ella.
    states = [
        json.dumps({**VERSION, "state": {f"viva-{slug}": live_figure(slug)[1]}}) for slug in slugs
    ]
    escaped = [state.replace("</", "<\\/") for state in states]
    context["widget_states"] = [*context["widget_states"], *escaped]
    context["script_files"].append(_JavaScript("_static/widgets.js", defer="defer"))


def copy_weights(app, failure) -> None:
    """Escribe cada archivo que alguna página pide, y quita los de construcciones anteriores.

    Errores: `ExtensionError` si una página pide unos pesos que ya son otros.
    """
    if failure or app.builder.format != "html":
        return
    folder = Path(app.outdir) / FOLDER
    sources = (Path(app.env.doc2path(name)) for name in app.env.found_docs)
    notebooks = [path for path in sources if path.suffix == ".ipynb"]
    asked = {name for path in notebooks for name in ASKED.findall(json.dumps(widget_models(path)))}
    for old in set(folder.glob("*")) - {folder / name for name in asked}:
        old.unlink()
    for name in sorted(asked):
        write_weights(folder / name)


def write_weights(target: Path) -> None:
    """Escribe unos pesos si aún no están. Errores: los de `copy_weights`."""
    from tfcourse.weights.packing import packed_file, packed_weights

    weights = target.name.rpartition("-")[0]
    if packed_file(weights) != target.name:
        raise ExtensionError(
            f"una página pide «{target.name}» y los pesos de ahora son «{packed_file(weights)}»: "
            "vuelve a ejecutar su capítulo con «make ejecutar»"
        )
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(packed_weights(weights))


def setup_live(app) -> None:
    """Las directivas, lo que carga la página que las usa y, al final, los pesos."""
    app.add_directive("figura-viva", LiveFigureDirective)
    app.add_directive("tabla-de-pesos", LiveTableDirective)
    app.connect("html-page-context", add_figures, priority=LAST)
    app.connect("build-finished", copy_weights)
