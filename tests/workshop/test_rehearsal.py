"""Los experimentos a escala real: dónde se enseñan, qué piden y qué hacen sus órdenes."""

import json
from dataclasses import dataclass, replace

import pytest

from tfcourse.stored import full
from tfcourse.stored.full import FullRun, Source
from tfcourse.stored.results import save_results
from workshop.reference.full_page import full_text
from workshop.rehearsal import orders, registry
from workshop.rehearsal.registry import cells_of_runs, rehearsal_environment


@dataclass(frozen=True)
class Settings:
    steps: int = 100


PHOTOS = Source("Fotos", "https://ejemplo.es/fotos", "CC BY 4.0", 1.25, "TFCOURSE_FOTOS")
SOUNDS = Source("Sonidos", "https://ejemplo.es/sonidos", "CC0", 0.5)
SEEN: list = []


def measure(settings, folder):
    SEEN.append((settings, folder, PHOTOS.folder()))
    return [{"red": "ViT", "acierto": settings.steps / 1000}]


RUN = FullRun(
    "fotos", "Fotos, acierto", (PHOTOS, SOUNDS), Settings(), Settings(2), measure, 6, 1.5
)  # fmt: skip


@pytest.fixture
def made(monkeypatch):
    """Quién hace los conjuntos de mentira, y qué carpetas ha recibido."""
    folders: dict = {}
    known = {name: lambda folder, name=name: folders.update({name: folder}) for name in
             ("Fotos", "Sonidos")}  # fmt: skip
    monkeypatch.setattr(registry, "makers", lambda: known)
    return folders


def test_a_rehearsal_puts_each_source_where_it_is_looked_for(made, tmp_path):
    found = dict(rehearsal_environment(RUN, tmp_path))
    assert found["TFCOURSE_PERFIL"] == "completo" and found["TFCOURSE_ENSAYO"] == "1"
    assert found["TFCOURSE_FOTOS"] == str(made["Fotos"]) != found["TFCOURSE_DATOS"]
    assert found["TFCOURSE_DATOS"] == str(made["Sonidos"])
    other = replace(RUN, sources=(replace(SOUNDS, name="Nadie"),))
    with pytest.raises(KeyError, match="nadie hace «Nadie» de mentira"):
        dict(rehearsal_environment(other, tmp_path))


def test_the_orders_measure_and_rehearse(made, monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("TFCOURSE_SALIDA", str(tmp_path / "salida"))
    monkeypatch.setenv("TFCOURSE_FOTOS", str(tmp_path))
    orders.measure_run(RUN)
    assert SEEN[-1] == (Settings(), tmp_path / "salida" / "fotos", tmp_path)
    shown = capsys.readouterr().out
    assert "Fotos, acierto" in shown and "0,1" in shown and "fotos.json" in shown
    orders.rehearse_run(RUN)
    assert SEEN[-1][0] == Settings(2) and not SEEN[-1][2].exists()
    assert "fotos: ensayado, 1 filas" in capsys.readouterr().out
    assert orders.list_runs([RUN]) == "fotos: Fotos, acierto"


def test_cells_are_found_where_they_are_shown(tmp_path):
    path = tmp_path / "capítulo.ipynb"
    show = 'from x import full\n\nshow_full(full.RUNS["fotos"])'
    cells = [
        {"cell_type": "code", "source": [show]},
        {"cell_type": "markdown", "source": ['show_full(full.RUNS["otra"])']},
        {"cell_type": "code", "source": ['# show_full(full.RUNS["otra"])']},
    ]
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    assert cells_of_runs([path]) == {"fotos": [(path, show)]}


def test_the_page_says_what_is_estimated_and_what_is_measured(monkeypatch, tmp_path):
    monkeypatch.setattr(full, "STORED", tmp_path)
    other = replace(RUN, name="sonidos", title="Otro", sources=(SOUNDS,))
    pages = {"sonidos": "chapters/5_audio/uno", "fotos": "chapters/4_vision/dos"}
    text = full_text([RUN, other], pages)
    assert text.index("5_audio/uno") < text.index("4_vision/dos")
    assert "6 GB (estimado) | 1,5 (estimado) | sin medir" in text
    assert "[Fotos](https://ejemplo.es/fotos) | 1,25 GB | CC BY 4.0 | `TFCOURSE_FOTOS`" in text
    assert "0,5 GB | CC0 | se descarga solo" in text and text.count("ejemplo.es/sonidos") == 1
    save_results("fotos", {}, [{"acierto": 0.5}], tmp_path, device="GPU", hours=2.25)
    assert "| 2,25 | medida en GPU |" in full_text([RUN, other], pages)
