"""Figuras que se mueven: hacen en el navegador la misma cuenta que Python, y con el teclado."""

import math
import re

import numpy as np
import pytest
import torch

from tests.site.static_page import open_page, overflow, widget_state, write_page
from tfcourse.decoding import keep_top_k, keep_top_p
from tfcourse.layers.attention import attention, attention_weights
from tfcourse.layers.positions import sinusoidal_positions
from tfcourse.tokenizers.bpe import learn_merges
from tfcourse.tokenizers.merging import PairIndex
from tfcourse.widgets import (
    HeadsExample,
    HeadsWidget,
    MergesWidget,
    PositionsWidget,
    SamplingWidget,
    SharpnessWidget,
    WeightedSumWidget,
)

KEYS = [[1.2, 0.3], [-0.4, 1.3], [-1.0, -0.8]]
VALUES = [[1.5, 1.5], [-1.6, 1.0], [0.2, -1.7]]
TEXT = "casa casa casa casa casa casas casas casas casas cosa cosa cosa pasa pasa"

LOGITS = np.random.default_rng(0).normal(scale=3, size=(2, 40)).round(2)


def heads_example(words=("i", "like", "trees"), target=("<inicio>", "me", "gustan")):
    generator = np.random.default_rng(0)
    sizes = {"codificador": (3, 3), "decodificador": (3, 3), "cruzada": (3, 3)}
    draw = {n: generator.random((2, 4, *size)) for n, size in sizes.items()}
    maps = {n: weights / weights.sum(-1, keepdims=True) for n, weights in draw.items()}
    return HeadsExample(words, target, maps)


WIDGETS = {
    "suma": WeightedSumWidget(KEYS, VALUES, "ABC"),
    "nitidez": SharpnessWidget(),
    "fusiones": MergesWidget(TEXT),
    "posiciones": PositionsWidget(),
    "muestreo": SamplingWidget(
        [f"t{i}" for i in range(40)], {"el": LOGITS[0].tolist(), "la casa": LOGITS[1].tolist()}
    ),
    "cabezas": HeadsWidget([heads_example()]),
}


@pytest.fixture
def show(browser, tmp_path):
    """Abre una página con una figura; al acabar, exige que quepa y que no haya errores ni red."""
    pages = []

    def show_widget(widget, width=360):
        models = {"m": widget_state(widget)}
        page = open_page(browser, write_page(tmp_path, models=models, views=models), width=width)
        page.wait_for_selector("[role=status]")
        pages.append(page)
        return page

    yield show_widget
    for page in pages:
        assert page.problems == [] and overflow(page) <= 0
        page.close()


def told(page):
    return page.get_by_role("status").first.inner_text()


def numbers(text):
    return [float(n.replace(",", ".").replace("−", "-")) for n in re.findall(r"−?\d+,\d+", text)]


def test_weighted_sum_is_attention(show):
    page = show(WIDGETS["suma"])
    handle = page.get_by_role("button", name="Consulta en")
    for _ in range(7):
        handle.press("ArrowLeft")
    handle.press("ArrowUp")
    query = torch.tensor([[[0.3, 0.6]]])
    keys, values = torch.tensor([KEYS]), torch.tensor([VALUES])
    mixed, weights = attention(query, keys, values), attention_weights(query, keys)
    shown = [numbers(row)[-1] for row in page.locator(".tfc-bar-row").all_inner_texts()]
    assert shown == pytest.approx(weights[0, 0].tolist(), abs=0.006)
    assert numbers(told(page))[-2:] == pytest.approx(mixed[0, 0].tolist(), abs=0.006)
    assert "(0,30; 0,60)" in handle.get_attribute("aria-label")


def test_weighted_sum_can_be_dragged_and_stays_in_the_plane(show):
    page = show(WIDGETS["suma"], width=900)
    handle = page.get_by_role("button", name="Consulta en")
    handle.hover()
    page.mouse.down()
    box = page.locator(".tfc-plane").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert "(0,00; 0,00)" in handle.get_attribute("aria-label")
    page.mouse.move(box["x"] + 3 * box["width"], box["y"])
    page.mouse.up()
    x, y = numbers(handle.get_attribute("aria-label"))
    assert 2 < x < 2.2 and 2 < y < 2.2


def gradients_of(widget, divisor):
    """Gradiente de cada consulta con el tamaño mayor, con las mismas matrices sorteadas aquí."""
    generator, norms = np.random.default_rng(0), []
    for _ in widget.state["draws"]:
        q, k = generator.normal(size=512), generator.normal(size=(8, 512))
        q, k = torch.tensor(q), torch.tensor(k)
        by_softmax = torch.autograd.functional.jacobian(
            lambda query, k=k: (k @ query / divisor).softmax(0), q
        )
        norms.append(float(by_softmax.norm()))
    return norms


def test_sharpness_follows_the_scale(show):
    page = show(WIDGETS["nitidez"])
    page.get_by_label("Tamaño de consulta y claves").press("End")
    scores = np.array(WIDGETS["nitidez"].state["draws"][0][-1]["scores"])

    def peak(values):
        powers = np.exp(values - values.max())
        return powers.max() / powers.sum()

    def check(divisor):
        top, mine, limit, mean, most = numbers(told(page))
        count, little = map(int, re.search(r"De las (\d+), (\d+) reciben", told(page)).groups())
        expected = gradients_of(WIDGETS["nitidez"], divisor)
        assert top == pytest.approx(peak(scores / divisor), abs=0.006)
        assert mine == pytest.approx(expected[0], abs=0.002)
        assert (count, limit) == (len(expected), 0.03)
        assert little == sum(each < limit for each in expected)
        assert mean == pytest.approx(np.mean(expected), abs=0.02)
        assert most == pytest.approx(max(expected), abs=0.02)
        return little

    assert check(1) >= 6
    page.get_by_label("q·k / √dₖ").check()
    assert check(math.sqrt(512)) == 0
    page.get_by_label("Temperatura").press("Home")
    check(math.sqrt(512) / 10)
    page.get_by_label("Consulta", exact=False).last.press("End")
    last = np.array(WIDGETS["nitidez"].state["draws"][-1][-1]["scores"])
    assert numbers(told(page))[0] == pytest.approx(peak(last / math.sqrt(512) * 10), abs=0.006)


def test_merges_are_those_of_the_package(show):
    page = show(WIDGETS["fusiones"])
    counts = {word: TEXT.split().count(word) for word in dict.fromkeys(TEXT.split())}
    tokens = sorted(set("".join(counts)))
    index = PairIndex(([tokens.index(c) for c in word], n) for word, n in counts.items())
    merges = learn_merges(index, tokens, n_tokens=len(tokens) + 5)
    for left, right in merges:
        page.get_by_role("button", name="Fusionar").click()
        assert f"«{tokens[left]}» y «{tokens[right]}»" in told(page)
    page.get_by_role("button", name="Deshacer").click()
    assert told(page).startswith("Fusión 4")
    page.get_by_label("Texto del que aprender").fill("ñu")
    assert "2 trozos" in told(page)
    page.get_by_role("button", name="Fusionar").press("Enter")
    assert "1 trozo." in told(page)
    assert page.get_by_role("button", name="Fusionar").is_disabled()


def test_positions_are_those_of_the_package(show):
    page = show(WIDGETS["posiciones"])
    slider = page.get_by_role("slider").first
    slider.press("Home")
    slider.press("ArrowRight")
    table = sinusoidal_positions(48, 32).double()
    products = table @ table[1]
    shown = numbers(told(page))
    wanted = [16.0, products[2].item(), products[47].item(), 2 * math.pi * 10_000 ** (2 / 32)]
    assert shown[:4] == pytest.approx(wanted, abs=0.06)


def test_heads_show_the_chosen_map(show):
    page = show(WIDGETS["cabezas"])
    maps = heads_example().maps
    place, layer, head = (page.locator("select").nth(i) for i in (1, 2, 3))
    place.select_option(label="a la memoria")
    layer.select_option("1")
    head.select_option("2")
    shown = [numbers(text)[0] for text in page.locator(".tfc-weight").all_inner_texts() if text]
    assert shown == pytest.approx(maps["cruzada"][1, 2, 0].tolist(), abs=0.006)
    head.select_option(label="media de todas")
    shown = [numbers(text)[0] for text in page.locator(".tfc-weight").all_inner_texts() if text]
    assert shown == pytest.approx(maps["cruzada"][1, :, 0].mean(0).tolist(), abs=0.012)


@pytest.mark.parametrize("name", WIDGETS)
def test_dark_and_wide(show, name):
    page = show(WIDGETS[name], width=1200)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    paper = "getComputedStyle(document.querySelector('.tfc')).backgroundColor"
    assert page.evaluate(paper) == "rgb(27, 34, 43)"


def test_bad_arguments_are_explained():
    with pytest.raises(ValueError, match="cada clave lleva un valor y un nombre"):
        WeightedSumWidget(KEYS, VALUES[:2], "ABC")
    with pytest.raises(ValueError, match="al menos dos claves"):
        SharpnessWidget(n_keys=1)
    with pytest.raises(ValueError, match="hace falta alguna palabra"):
        MergesWidget("¡!")
    with pytest.raises(ValueError, match="número par de componentes"):
        PositionsWidget(size=7)
    with pytest.raises(ValueError, match="con los mismos sitios"):
        HeadsWidget([])
    with pytest.raises(ValueError, match="usa alguno de codificador"):
        HeadsExample(["a"], ["b"], {"salida": np.ones((1, 1, 1, 1))})
    with pytest.raises(ValueError, match="se esperaba"):
        HeadsExample(["a"], ["b"], {"cruzada": np.ones((1, 1, 2, 1))})


def test_summaries_do_not_change():
    assert [repr(widget) for widget in WIDGETS.values()] == [
        "WeightedSumWidget(3 claves)",
        "SharpnessWidget(12 consultas, 8 claves, hasta 512 componentes)",
        "MergesWidget(14 palabras)",
        "PositionsWidget(48 posiciones de 32 componentes)",
        "SamplingWidget(2 comienzos, 40 tokens)",
        "HeadsWidget(1 oraciones)",
    ]


def test_sampling_is_that_of_the_package(show):
    page = show(WIDGETS["muestreo"])
    page.get_by_label("«la casa»").check()
    expected = torch.tensor(LOGITS[1:]).softmax(-1).sort(descending=True).values[0]
    shown = [numbers(row)[-1] for row in page.locator(".tfc-bar-row").all_inner_texts()]
    assert shown == pytest.approx(expected[:10].tolist(), abs=0.006)
    assert "Quedan 40 tokens posibles" in told(page)
    for label, presses in (("Temperatura", 1), ("Top-k", 3), ("Top-p", 3)):
        for _ in range(presses):
            page.get_by_label(label).press("ArrowLeft")
    # Temperatura 0,9, k = 5 y p = 0,85, en ese orden.
    logits = keep_top_p(keep_top_k(torch.tensor(LOGITS[1:]) / 0.9, 5), 0.85)[0]
    kept = logits.softmax(-1).sort(descending=True).values
    kept = kept[kept > 0]
    shown = [numbers(row)[-1] for row in page.locator(".tfc-bar-row").all_inner_texts()]
    assert shown == pytest.approx(kept.tolist(), abs=0.006)
    assert numbers(told(page))[0] == pytest.approx(float(-(kept * kept.log2()).sum()), abs=0.006)
    page.get_by_label("Top-k").press("Home")
    assert "Queda un token posible" in told(page)


def test_sampling_needs_a_logit_per_token():
    with pytest.raises(ValueError, match=r"hay 2 tokens y logits de tamaño \[3\]"):
        SamplingWidget(["a", "b"], {"el": [0.0, 1.0, 2.0]})
