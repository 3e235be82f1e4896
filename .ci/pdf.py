"""Imprime el sitio con Chromium: un PDF por página del índice y otro con el libro entero.

Los capítulos se imprimen tal como se leen, con los desplegables abiertos. En el libro, cada uno es
una entrada del índice del documento, con sus apartados dentro.
"""

import re
import shutil
import sys
from pathlib import Path

from playwright.sync_api import Error, sync_playwright
from pypdf import PdfWriter

from workshop.notebooks import book_chapters, find_chapter

SITE, OUTPUT = Path("_build/html"), Path("_build/pdf")
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
FOOTER = (
    '<div style="width:100%;font:8px sans-serif;color:#555;padding:0 16mm;display:flex;'
    'justify-content:space-between"><span>{title}</span>'
    '<span><span class="pageNumber"></span> de <span class="totalPages"></span></span></div>'
)
PAPER = {"format": "A4", "display_header_footer": True, "header_template": "<span></span>"}
PAPER |= {"margin": {"top": "18mm", "bottom": "20mm", "left": "16mm", "right": "16mm"}}
PAPER |= {"print_background": True, "outline": True, "tagged": True}
READY = """async () => {
  document.documentElement.dataset.theme = "light";
  if ("cargando" in document.documentElement.dataset) {
    await new Promise((done) => document.addEventListener("tfc:lista", done));
  }
  for (const picture of document.images) picture.loading = "eager";
  window.dispatchEvent(new Event("beforeprint"));
  await window.tfcourseShowFigures?.();
  await Promise.all([...document.images].map((picture) => picture.decode().catch(() => null)));
  await document.fonts.ready;
}"""


def listed() -> list[str]:
    """Las páginas de `_toc.yml`, por su orden y sin la referencia del paquete."""
    names = re.findall(r"(?:file|root): (\S+)", Path("_toc.yml").read_text(encoding="utf-8"))
    return [name for name in names if not name.startswith("chapters/referencia/")]


def matching(wanted: str) -> list[str]:
    """Las páginas de un capítulo, por su nombre o su número; si no lo es, las que lo contienen."""
    chapter = find_chapter(wanted, book_chapters(Path()))
    return [
        name
        for name in listed()
        if (name in (chapter.page, chapter.exercises) if chapter else wanted in name)
    ]


def chromium() -> str:
    """La ruta del navegador."""
    path = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if path is None:
        sys.exit("Error: falta Chromium: en Debian y Ubuntu, «apt-get install chromium»")
    return path


def print_page(browser, name: str) -> Path:
    """Imprime una página y devuelve su PDF."""
    page = browser.new_page(reduced_motion="reduce", color_scheme="light")
    page.goto((SITE / f"{name}.html").resolve().as_uri(), wait_until="load")
    page.evaluate(READY)
    target = OUTPUT / f"{Path(name).name}.pdf"
    title = page.title().split(" — ")[0]
    page.pdf(path=target, footer_template=FOOTER.format(title=title), **PAPER)
    page.close()
    return target


def join(parts: list[tuple[str, Path]], target: Path) -> None:
    """Junta los documentos, cada uno con su entrada en el índice."""
    writer = PdfWriter()
    for title, path in parts:
        writer.append(path, outline_item=title)
    writer.add_metadata({"/Title": "Aprende Transformers desde cero", "/Author": "tfcourse"})
    writer.write(target)


def main(wanted: str) -> None:
    """Imprime un capítulo o las páginas cuyo nombre contiene `wanted`; sin él, todas y el libro."""
    names = matching(wanted)
    if not names:
        sys.exit(f"Error: ninguna página del índice se llama «{wanted}»")
    OUTPUT.mkdir(parents=True, exist_ok=True)
    parts = []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for name in names:
            html = (SITE / f"{name}.html").read_text(encoding="utf-8")
            title = re.search(r"<title>(.*?)(?: (?:—|&#8212;) |</title>)", html)[1]
            try:
                parts.append((title, print_page(browser, name)))
            except Error as error:
                sys.exit(f"Error: no se ha podido imprimir {name}: {error}")
            print(f"» {parts[-1][1]}")
        browser.close()
    if not wanted:
        join(parts, OUTPUT / "tfcourse.pdf")
        print(f"» {OUTPUT / 'tfcourse.pdf'}: el libro entero")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
