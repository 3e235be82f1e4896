"""Reconstruir el sitio: lo leído solo se conserva si nada más que texto de capítulos cambió."""

import importlib.util
from types import SimpleNamespace

import pytest
from PIL import Image

from tests.conftest import ROOT

PAGE, OTHER = "chapters/1_recurrencia/01.ipynb", "chapters/glosario.md"
CODE = ("tfcourse/a.py", "workshop/a.py")


@pytest.fixture
def builder(tmp_path, monkeypatch):
    """El guion, ante un libro diminuto y con un constructor que apunta qué le piden."""
    spec = importlib.util.spec_from_file_location("construir", ROOT / ".ci/construir.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.chdir(tmp_path)
    for name in ("_config.yml", "_toc.yml", "CHANGELOG.md", PAGE, OTHER, *CODE):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("uno", encoding="utf-8")
    module.asked = []

    def main(arguments, **_):
        module.asked.append("--all" in arguments)
        module.READ.mkdir(parents=True, exist_ok=True)
        if module.fails:
            raise RuntimeError

    module.fails, module.main = False, main
    return module


def change(path):
    with open(path, "a", encoding="utf-8") as file:
        file.write(" y dos")


def test_the_text_of_a_chapter_keeps_what_was_read(builder):
    builder.build()
    change(PAGE)
    builder.build()
    assert builder.asked == [True, False]


@pytest.mark.parametrize("path", [OTHER, *CODE, "_config.yml"])
def test_anything_else_reads_everything_again(builder, path):
    builder.build()
    change(path)
    builder.build()
    assert builder.asked == [True, True]


def test_a_page_written_by_the_build_keeps_what_was_read(builder, tmp_path):
    """La referencia sale del código: si él no cambió, tampoco ella."""
    builder.build()
    page = tmp_path / builder.GENERATED / "piso_1.md"
    page.parent.mkdir(parents=True)
    page.write_text("escrita al construir", encoding="utf-8")
    builder.build()
    assert builder.asked == [True, False]


def test_a_new_page_reads_everything_again(builder, tmp_path):
    builder.build()
    (tmp_path / "chapters/1_recurrencia/02.ipynb").write_text("dos", encoding="utf-8")
    builder.build()
    assert builder.asked == [True, True]


def test_after_a_build_with_warnings_everything_is_read_again(builder):
    """Sphinx no repite los avisos de lo que ya leyó: darlo por bueno los callaría."""
    builder.build()
    builder.fails = True
    with pytest.raises(SystemExit, match="no se construye sin avisos"):
        builder.build()
    builder.fails = False
    builder.build()
    assert builder.asked == [True, False, True]


def test_pictures_of_the_home_are_written_even_if_it_is_not_read_again(tmp_path):
    """Lo que borra una reconstrucción lo vuelve a escribir la página, no quien la lee."""
    showcase = pytest.importorskip("course_site.showcase", reason="falta sphinx (extra «libro»)")
    nodes = pytest.importorskip("docutils.nodes")
    doctree = nodes.container()
    doctree += nodes.raw("", "", format="html", muestras=[("detr", "fig-detecciones")])
    showcase.write_samples(SimpleNamespace(outdir=tmp_path), doctree, "")
    (written,) = (tmp_path / "_images").iterdir()
    assert written.name == "muestra-fig-detecciones.webp"
    with Image.open(written) as sample:
        assert sample.format == "WEBP" and sample.height == showcase.TALL
    assert written.stat().st_size < 45_000  # hay seis en la portada
