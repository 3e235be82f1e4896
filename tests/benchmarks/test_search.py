"""La tabla de los buscadores: está entera y su fila barata se vuelve a medir."""

from statistics import mean

import pytest

from benchmarks import search as table
from tfcourse.stored.results import load_results
from tfcourse.text.search.metrics import hits_at, measured
from tfcourse.text.search.recipe import OWN, RATE_FACTORS, UNTRAINED

SEEDS = {0, 1, 2}
CUT = tuple(f"{name} {table.CUT}" for name in table.WORDS)
FIXED = ("TF-IDF", "BM25", *CUT, table.SHORT, table.UNTUNED, "E5", "BM25 + E5")
TRAINED = (UNTRAINED, *OWN, f"BM25 + {table.FUSED}")


def rows(part):
    return [row for row in load_results(table.NAME) if row["part"] == part]


def test_every_searcher_has_every_kind_of_query_and_its_seeds():
    for part in ("consultas", "negación"):
        for who in (*FIXED, *TRAINED):
            own = [row for row in rows(part) if row["who"] == who]
            assert {row["seed"] for row in own} == (SEEDS if who in TRAINED else {0}), who
    n_right = {kind: trial.right.sum(dim=1).tolist() for kind, trial in table.trials().items()}
    for row in rows("consultas"):
        assert [len(places) for places in row["places"]] == n_right[row["kind"]]
        assert all(places == sorted(places) and places[0] >= 1 for places in row["places"])


def test_cells_and_labels_are_whole():
    cells, labels = rows("celdas"), rows("etiquetas")
    assert {(row["seed"], row["n_probes"]) for row in cells} == {
        (seed, n) for seed in SEEDS for n in table.PROBES
    }
    assert len(labels) == 3 * 2 * len(table.PER_TOPIC) * len(table.STRENGTHS)
    for seed in SEEDS:
        kept = [row["kept"] for row in cells if row["seed"] == seed]
        assert kept == sorted(kept)


def test_every_rate_has_its_seeds_and_lengths_are_of_every_set():
    assert {(row["seed"], row["factor"]) for row in rows("ritmos")} == {
        (seed, round(factor, 4)) for seed in SEEDS for factor in RATE_FACTORS
    }
    found = {row["what"]: row for row in rows("tokens")}
    assert set(found) == {"documentos", table.OWN_READ, *table.trials()}
    assert found["documentos"]["n"] == len(table.collection())
    assert all(row["longer"] <= row["n"] and 0 < row["read"] <= 1 for row in found.values())


@pytest.mark.lento
@pytest.mark.por_turnos(por="archivo")
def test_a_row_is_measured_again():
    """BM25, con las descripciones: no se entrena nada."""
    found = {
        row["kind"]: row for row in table.rows_of("BM25", 0, table.counted("BM25")) if "kind" in row
    }
    for stored in rows("consultas"):
        if stored["who"] != "BM25":
            continue
        again, before = (
            measured(hits_at(row["places"], len(table.collection())))
            for row in (found[stored["kind"]], stored)
        )
        for name in again:
            assert mean(again[name]) == pytest.approx(mean(before[name]), abs=0.005)
