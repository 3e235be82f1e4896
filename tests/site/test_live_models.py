"""Los pesos de las figuras vivas en el sitio: los que alguna página pide, y ninguno más."""

import json
import re
import shutil
from types import SimpleNamespace

import pytest

from tests.conftest import ROOT
from tests.site.pages import page_paths, parse
from tfcourse.weights.packing import packed_file, packed_weights

live = pytest.importorskip("course_site.live_models", reason="falta sphinx (extra «libro»)")
PAGE = "chapters/4_vision/detr"
SITE_BYTES = 10_000_000


def book(tmp_path, *notebooks):
    """Un libro con esos cuadernos, a punto de acabar de construirse."""
    paths = {path.stem: path for path in notebooks}
    env = SimpleNamespace(found_docs=set(paths), doc2path=paths.__getitem__)
    builder = SimpleNamespace(format="html")
    return SimpleNamespace(outdir=tmp_path / "sitio", env=env, builder=builder)


def figure_models(page, script) -> dict:
    """Los modelos de las figuras de una página, que van en un archivo aparte."""
    text = (page.parent / script["data-archivo"]).read_text(encoding="utf-8")
    return json.loads(re.fullmatch(r".*?, \.\.\.(\{.*\}) \};\n", text, re.DOTALL)[1])


def test_only_what_a_page_asks_for_is_copied(tmp_path):
    notebook = tmp_path / "detr.ipynb"
    shutil.copy(ROOT / f"{PAGE}.ipynb", notebook)
    plain = tmp_path / "llano.ipynb"
    plain.write_text('{"cells": [], "metadata": {}}', encoding="utf-8")
    folder = tmp_path / "sitio" / live.FOLDER
    folder.mkdir(parents=True)
    (folder / "viejo-0123.safetensors").write_bytes(b"de otra vez")
    live.copy_weights(book(tmp_path, notebook, plain), None)
    assert [path.name for path in folder.iterdir()] == [packed_file("detr_figuras")]
    assert (folder / packed_file("detr_figuras")).read_bytes() == packed_weights("detr_figuras")


def test_a_page_with_old_weights_is_an_error(tmp_path):
    notebook = tmp_path / "detr.ipynb"
    text = (ROOT / f"{PAGE}.ipynb").read_text(encoding="utf-8")
    old = "detr_figuras-000000000000.safetensors"
    notebook.write_text(text.replace(packed_file("detr_figuras"), old), encoding="utf-8")
    with pytest.raises(live.ExtensionError, match=f"pide «{old}» y los pesos de ahora son"):
        live.copy_weights(book(tmp_path, notebook), None)


def test_a_chapter_without_a_live_figure_is_an_error():
    assert live.live_figure("gpt")[1]["state"]["state"]["weights"] == "gpt_espanol"
    with pytest.raises(live.ExtensionError, match="«mapa» no tiene ninguna figura"):
        live.live_figure("mapa")


@pytest.mark.lento
def test_site_keeps_the_asked_weights_and_its_gallery_has_every_figure(site):
    folder, asked, slugs = site / live.FOLDER, set(), set()
    for page in page_paths(site):
        for script in parse(page).select(f'script[type="{live.STATE}"]'):
            states = [model["state"] for model in figure_models(page, script).values()]
            found = {s["state"]["file"] for s in states if "file" in (s.get("state") or {})}
            asked |= found
            if found and page.stem not in ("modelos_vivos", "intro"):
                slugs.add(page.stem)
    assert asked == {path.name for path in folder.iterdir()} and len(asked) > 5
    assert sum(path.stat().st_size for path in folder.iterdir()) < SITE_BYTES
    gallery = (site / "chapters/referencia/modelos_vivos.html").read_text(encoding="utf-8")
    assert set(live.SHOWN.findall(gallery)) == slugs
    assert "en total" in gallery and "tabla-de-pesos" not in gallery
