"""Figuras vivas: lo que guardan, lo que contestan en un cuaderno y lo que dice su página."""

import json

import nbformat
import pytest
import torch

from tests.conftest import ROOT
from tfcourse.datasets.agents.generalist import SPACE
from tfcourse.text.bert.recipe import load as load_bert
from tfcourse.tokenizers.bpe import BPETokenizer
from tfcourse.tokenizers.token_rows import TokenRow
from tfcourse.tokenizers.vocabulary import Vocabulary
from tfcourse.weights.packing import packed_file, packed_weights
from tfcourse.widgets import (
    AskingWidget,
    BalancingWidget,
    DetectingWidget,
    FillingWidget,
    FormingWidget,
    HandwritingWidget,
    PosingWidget,
    SegmentingWidget,
    SeparatingWidget,
    TasksWidget,
    TellingWidget,
    TranscribingWidget,
    TranslatingWidget,
    WritingWidget,
)
from tfcourse.widgets.stored import STATE_MIME
from workshop.notebooks.figures import check_figures, write_figures

CHAPTERS = {
    "3_lenguaje/gpt": "gpt_espanol",
    "3_lenguaje/bert": "bert_espanol",
    "2_transformer/transformer_completo": "traductor",
    "3_lenguaje/t5": "t5_tareas",
    "4_vision/detr": "detr_figuras",
    "4_vision/anclas": "anclas_figuras",
    "6_multimodal/gato": "gato",
    "6_multimodal/generar": "dit_cifras",
    "6_multimodal/dialogo": "dialogo",
    "4_vision/vision_transformer": "vit_cifras",
    "4_vision/segmentacion": "mask2former",
    "4_vision/pose": "pose_simcc",
    "4_vision/pix2seq": "pix2seq_figuras",
    "5_audio/whisper": "whisper_cifras",
    "5_audio/sepformer": "sepformer_cifras",
}
KINDS = (
    AskingWidget, BalancingWidget, DetectingWidget, FillingWidget, FormingWidget, HandwritingWidget,
    PosingWidget, SegmentingWidget, SeparatingWidget, TasksWidget, TellingWidget,
    TranscribingWidget, TranslatingWidget, WritingWidget,
)  # fmt: skip


def stored_figure(page: str) -> dict:
    """El estado de la figura viva que guarda un capítulo."""
    notebook = nbformat.read(ROOT / f"chapters/{page}.ipynb", as_version=4)
    models = notebook.metadata["widgets"][STATE_MIME]["state"].values()
    (found,) = [
        model["state"]
        for model in models
        if isinstance(model["state"].get("state"), dict) and "file" in model["state"]["state"]
    ]
    return found


@pytest.mark.parametrize("page", CHAPTERS)
def test_stored_page_asks_for_the_weights_of_today(page):
    """Si cambian los pesos, hay que volver a ejecutar la página."""
    stored, weights = stored_figure(page), CHAPTERS[page]
    assert stored["state"]["weights"] == weights
    assert stored["state"]["file"] == packed_file(weights)
    assert stored["state"]["bytes"] == len(packed_weights(weights))


def test_stored_figures_carry_the_code_of_today():
    """Si falla: `python -m workshop figuras --escribir`."""
    assert not check_figures([ROOT / f"chapters/{page}.ipynb" for page in CHAPTERS])


def test_old_code_is_noticed_and_renewed(tmp_path):
    path = tmp_path / "detr.ipynb"
    notebook = nbformat.read(ROOT / "chapters/4_vision/detr.ipynb", as_version=4)
    for model in notebook.metadata["widgets"][STATE_MIME]["state"].values():
        if "file" in (model["state"].get("state") or {}):
            model["state"]["_esm"] += "// viejo"
    nbformat.write(notebook, path)
    assert check_figures([path]) == [
        f"{path}: DetectingWidget lleva un código que ya no es el del paquete"
    ]
    assert write_figures([path]) == [path] and write_figures([path]) == []
    assert path.read_text() == (ROOT / "chapters/4_vision/detr.ipynb").read_text()


def test_python_gives_the_weights_when_asked(monkeypatch):
    widget, sent = DetectingWidget(), []
    monkeypatch.setattr(widget, "send", lambda content, buffers: sent.append((content, buffers)))
    widget._handle_custom_msg({"kind": "otra cosa"}, [])
    assert sent == []
    widget._handle_custom_msg({"kind": "pesos"}, [])
    assert sent == [({"kind": "pesos"}, [packed_weights("detr_figuras")])]


def test_state_says_what_the_page_needs():
    tokenizer = load_bert("bert_espanol")[1]
    state = FillingWidget(tokenizer, {"Es una ciudad.": 2}).state
    assert state["marks"] == {
        "cls": tokenizer.token_id("[CLS]"), "sep": tokenizer.token_id("[SEP]"),
        "mask": tokenizer.token_id("[MASK]"),
    }  # fmt: skip
    assert json.loads(state["tokenizer"])["tokens"].split(" ") == tokenizer.state()["tokens"]
    row = SPACE.action([1])
    assert BalancingWidget(row, len(SPACE.words)).state["demonstration"] == [row.ids, row.places]
    assert repr(DetectingWidget()) == "DetectingWidget(detr_figuras)"
    assert TranslatingWidget(["Open"]).state["config"] == {
        "d_model": 128, "n_heads": 4, "n_layers": 2,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: WritingWidget(BPETokenizer.train("uno dos", 260), ["a"]), "1 comienzos y 260"),
        (lambda: FillingWidget(load_bert("bert_espanol")[1], {"hola": 40}), "no existe el trozo"),
        (lambda: FillingWidget(load_bert("bert_espanol")[1], {}), "hay 0 frases"),
        (lambda: TranslatingWidget([]), "al menos un texto"),
        (lambda: TasksWidget(["plural"], []), "al menos un ejemplo"),
        (lambda: TranscribingWidget({"voz": []}), "llegaron las voces {'voz': 0}"),
        (lambda: SeparatingWidget({"voz": torch.zeros(80)}), "llegaron 1 voces"),
        (lambda: BalancingWidget(TokenRow(), 5), "la demostración está vacía"),
        (lambda: AskingWidget(Vocabulary(["cruz"])), "hay 4 palabras y el modelo conoce 42"),
    ],
)
def test_usage_errors(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize("kind", KINDS)
def test_module_asks_nobody_else(kind):
    """Ni otras direcciones ni bibliotecas: lo único que pide es el archivo de pesos."""
    assert "http" not in kind._esm and "import(" not in kind._esm
    assert kind._esm.count("fetch(") == 1
    assert len(kind._esm) < 60_000
