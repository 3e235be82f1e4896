"""Figuras vivas en Firefox: contestan al pulsar, como PyTorch, y no piden nada fuera."""

import pytest
import torch

from benchmarks.live_figures import FIGURES, serve, stored_figure, write_page
from tests.site.firefox import open_firefox
from tests.widgets.test_engine import with_page_weights
from tfcourse.decoding import continue_tokens
from tfcourse.models.gpt import GPT, GPTConfig
from tfcourse.tokenizers.bpe import BPETokenizer
from tfcourse.weights.shipped import weights_card
from tfcourse.widgets import WritingWidget

pytestmark = pytest.mark.lento
LOAD = "document.querySelector('.tfc-load button')"
TOLD = "document.querySelector('.tfc-told').textContent"
ASKED = "return performance.getEntriesByType('resource').map((one) => one.name)"
WITHIN = "export default { render };"


@pytest.fixture(scope="module")
def firefox(tmp_path_factory):
    with open_firefox(tmp_path_factory.mktemp("perfil")) as browser:
        yield browser


@pytest.fixture
def show(firefox, tmp_path):
    """Abre una figura, pulsa y espera su primera respuesta; al acabar, solo ha pedido lo suyo."""
    served = []

    def show_figure(figure: dict):
        told = f"globalThis.usesKernel = KERNEL !== null;\n{WITHIN}"
        source = figure["_esm"].replace(WITHIN, told)
        write_page(tmp_path, {"state": figure["state"], "_esm": source})
        server = serve(tmp_path)
        address = server.__enter__()
        served.append((server, address))
        firefox.go(address)
        firefox.wait(f"!!{LOAD}")
        assert not [url for url in firefox.run(ASKED) if "pesos" in url]
        firefox.run(f"{LOAD}.click()")
        firefox.wait(f"!{LOAD} || {TOLD}.startsWith('No se ha podido')")
        return firefox

    yield show_figure
    for server, address in served:
        root = address.removesuffix("pagina.html")
        asked = firefox.run(ASKED)
        assert len([url for url in asked if "pesos" in url]) == 1
        assert all(url.startswith(root) for url in asked)
        server.__exit__(None, None, None)


@torch.no_grad()
def test_gpt_writes_what_torch_writes(show):
    letters = "abcdefghijklmnopqrstuvwxyz áéíóúñ\n"
    pairs = [(a, b) for a in letters for b in letters][: 1024 - 4 - len(letters)]
    tokenizer = BPETokenizer([*letters, *map("".join, pairs)], pairs, byte_level=False)
    model = with_page_weights("gpt_espanol", GPT(GPTConfig(**weights_card("gpt_espanol").config)))
    start = "la ciudad de"
    ids = torch.tensor([tokenizer.encode(start)])
    expected = start + tokenizer.decode(continue_tokens(model, ids, max_length=12)[0])
    widget = WritingWidget(tokenizer, [start])
    page = show({"state": widget.state, "_esm": widget._esm})
    for _ in range(12):
        page.run("document.querySelector('.tfc-pick').click()")
    assert page.run("return document.querySelector('textarea').value") == expected


@pytest.mark.parametrize("slug", FIGURES)
def test_every_figure_answers(show, slug):
    page = show(stored_figure(slug))
    assert page.run("return usesKernel") is True
    told = page.run(f"return {TOLD}")
    assert told and not told.startswith(
        ("No se ha podido", "Hasta que pulses", "Cargando", "El arch")
    )
    assert page.run("return document.querySelector('.tfc').textContent.length") > 200
