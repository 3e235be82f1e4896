"""A igual texto: la tabla guardada tiene tres semillas y dice lo que la página cuenta de ella."""

from statistics import mean

from benchmarks import generation_equal_text as table
from tfcourse.datasets.text.articles import Corpus, spanish_corpus
from tfcourse.stored.results import load_results


def bits(rows, name, equal):
    return [r["bits"] for r in rows if (r["recipe"], r["equal"]) == (name, equal)]


def test_every_recipe_has_three_seeds():
    rows = load_results(table.NAME, table.settings())
    for name in (*table.RECIPES, table.RECURRENT):
        assert {r["seed"] for r in rows if r["recipe"] == name} == {0, 1, 2}, name
    assert len([r for r in rows if r["recipe"] == table.COUNTING]) == 3


def test_all_read_the_same():
    rows = load_results(table.NAME, table.settings())
    assert {r["tokens"] for r in rows if r["equal"] == "tokens"} == {table.TOKENS}
    same_text = {r["characters"] for r in rows if r["equal"] == "caracteres"}
    ours = {r["characters"] for r in rows if r["recipe"] == table.CHOSEN}
    assert same_text == ours and len(ours) == 1


def test_the_order_is_the_one_told():
    """Contar gana con el mismo texto; el BPE, a iguales caracteres; y «sin BPE» no gana siempre."""
    rows = load_results(table.NAME, table.settings())
    ours = bits(rows, table.CHOSEN, "tokens")
    for equal in ("tokens", "caracteres"):
        assert bits(rows, table.COUNTING, equal)[0] < min(ours)
        assert max(ours) < min(bits(rows, "sin BPE", equal))
        assert max(bits(rows, "sin BPE", equal)) < min(bits(rows, table.BASELINE, equal))
    assert max(bits(rows, "sin BPE", "caracteres")) < min(bits(rows, table.RECURRENT, "caracteres"))
    ahead = [
        a < b
        for a, b in zip(
            bits(rows, "sin BPE", "tokens"), bits(rows, table.RECURRENT, "tokens"), strict=True
        )
    ]
    assert any(ahead) and not all(ahead)
    for name in ("sin Muon", "sin RoPE"):
        assert min(bits(rows, name, "tokens")) > max(ours) + 0.1
    assert abs(mean(bits(rows, "sin RMSNorm", "tokens")) - mean(ours)) < 0.02


def test_the_measures_run(monkeypatch):
    full = spanish_corpus(1_000)
    small = Corpus(full.train[:20_000], full.test)
    recipes = {name: table.RECIPES[name] for name in (table.BASELINE, table.CHOSEN)}
    monkeypatch.setattr(table, "spanish_corpus", lambda _: small)
    monkeypatch.setattr(table, "RECIPES", recipes)
    rows = list(table.measure([0], tokens=1_600, test_characters=1_000))
    assert [(r["recipe"], r["equal"]) for r in rows] == [
        (table.COUNTING, "tokens"), (table.COUNTING, "caracteres"), (table.COUNTING, "nada"),
        (table.BASELINE, "tokens"), (table.BASELINE, "caracteres"), (table.CHOSEN, "tokens"),
        (table.RECURRENT, "tokens"), (table.RECURRENT, "caracteres"),
    ]  # fmt: skip
    assert all(1 < r["bits"] < 8 for r in rows) and {len(r) for r in rows} == {7}
