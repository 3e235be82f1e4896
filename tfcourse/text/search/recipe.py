"""El buscador del curso: un BERT pequeño que aprende con InfoNCE a juntar cada pareja."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from tfcourse.datasets.text.article_topics import encode_texts, plain_text
from tfcourse.losses.contrastive import info_nce
from tfcourse.models.bert import VARIANTS, Bert, BertConfig
from tfcourse.models.inverted import Bm25
from tfcourse.models.sentence import MeanEncoder
from tfcourse.text.bert.recipe import load as load_bert
from tfcourse.text.search.trials import collection, described, pair_articles
from tfcourse.tokenizers.base import Tokenizer
from tfcourse.training.budget import Budget
from tfcourse.training.loop import seed_everything
from tfcourse.training.recipe import MuonRecipe, Trained, trained

Search = Callable[[Sequence[str]], Tensor]  # (Q, N): lo que puntúa cada documento

SHIPPED = "bert_espanol"
BEGINNING = 300  # caracteres: de ahí salen de sobra los tokens que se leen


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Cómo se entrena un buscador: tamaño, lote, temperatura y ritmos.

    Con `pretrained`, empieza en el BERT del curso, y `size` no cuenta; con `hard`, cada consulta
    lleva además el documento que BM25 pone delante y no vale.
    """

    size: dict = field(default_factory=lambda: dict(VARIANTS["diminuto"]))
    pretrained: bool = False
    hard: bool = False
    temperature: float = 0.05
    steps: int = 150
    batch_size: int = 48
    max_query: int = 20
    max_document: int = 32
    muon_lr: float = 0.02
    adam_lr: float = 1e-2


LIVE = Recipe()  # la que se entrena en la página, en unos segundos
# Los que se comparan: el de la página y, cambiando una cosa, otros dos.
OWN = {
    "del curso": LIVE,
    "del curso, τ = 1": replace(LIVE, temperature=1.0),
    "del curso, con difíciles": replace(LIVE, hard=True),
}
UNTRAINED = "sin entrenar"  # el de la página con los pesos con que empieza: el suelo
# Los ritmos que se prueban con τ = 1: los de la receta, por estos factores.
RATE_FACTORS = (0.015625, 0.0625, 0.25, 1.0)
RAW = replace(LIVE, pretrained=True)  # el BERT del curso, para mirarlo sin ajustar


def at_rate(recipe: Recipe, factor: float) -> Recipe:
    """La misma receta con los dos ritmos multiplicados por un factor."""
    return replace(recipe, muon_lr=factor * recipe.muon_lr, adam_lr=factor * recipe.adam_lr)


class PairBatch(NamedTuple):
    """Un lote de parejas: consultas, documentos (y negativos difíciles) y cuáles valen también."""

    queries: Int[Tensor, "B L"]
    query_lengths: Int[Tensor, "B"]
    documents: Int[Tensor, "M D"]
    document_lengths: Int[Tensor, "M"]
    also_right: Bool[Tensor, "B M"]


@dataclass(frozen=True)
class Pairs:
    """Las parejas de entrenar, en números; `group` es igual en las que comparten descripción.

    `documents` es la colección entera; `own`, el lugar del de cada pareja, y `hard`, el del
    negativo difícil.
    """

    queries: Int[Tensor, "N L"]
    query_lengths: Int[Tensor, "N"]
    documents: Int[Tensor, "C D"]
    document_lengths: Int[Tensor, "C"]
    own: Int[Tensor, "N"]
    hard: Int[Tensor, "N"] | None
    right: Bool[Tensor, "N C"]


@cache
def shared_tokenizer() -> Tokenizer:
    """El WordPiece del BERT del curso, que se aprendió solo con los artículos de entrenar."""
    return load_bert(SHIPPED)[1]


@cache
def encoded_collection(max_length: int) -> tuple[Int[Tensor, "C D"], Int[Tensor, "C"]]:
    """El principio de cada documento, en números."""
    return encode_texts([text[:BEGINNING] for text in collection()], shared_tokenizer(), max_length)


def read_beginning(text: str, max_length: int = LIVE.max_document) -> str:
    """Lo que el buscador del curso lee de un documento, en letras: sin los dos especiales."""
    tokenizer = shared_tokenizer()
    return tokenizer.decode(tokenizer.encode(plain_text(text[:BEGINNING]))[: max_length - 2])


def own_tokens(text: str) -> int:
    """Los tokens de un texto entero para el buscador del curso, con los dos especiales."""
    return len(shared_tokenizer().encode(plain_text(text))) + 2


@cache
def pairs(max_query: int, max_document: int, hard: bool) -> Pairs:
    """Las parejas de entrenar; con `hard`, cada una con su negativo difícil."""
    articles = pair_articles()["entrenar"]
    trial = described(articles)
    places = {text: number for number, text in enumerate(collection())}
    own = torch.tensor([places[article.text] for article in articles])
    tokens, lengths = encode_texts(trial.queries, shared_tokenizer(), max_query)
    found = hardest(trial.queries, trial.right) if hard else None
    documents = encoded_collection(max_document)
    return Pairs(tokens, lengths, *documents, own, found, trial.right)


def hardest(queries: Sequence[str], right: Bool[Tensor, "N C"]) -> Int[Tensor, "N"]:
    """De cada consulta, el documento que BM25 pone más arriba de los que no valen."""
    counter = Bm25(collection())
    best = [
        counter.scores(query).masked_fill(valid, -1.0).argmax()
        for query, valid in zip(queries, right, strict=True)
    ]
    return torch.stack(best)


def build(recipe: Recipe) -> MeanEncoder:
    """El buscador de la receta, con pesos al azar o con los del BERT del curso."""
    if recipe.pretrained:
        return MeanEncoder(load_bert(SHIPPED)[0].bert)
    return MeanEncoder(Bert(BertConfig(len(shared_tokenizer()), **recipe.size)))


def batches(recipe: Recipe, seed: int, data: Pairs) -> Iterator[PairBatch]:
    """Lotes sin fin de parejas sorteadas."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        chosen = torch.randperm(len(data.own), generator=generator)[: recipe.batch_size]
        places = data.own[chosen]
        if data.hard is not None:
            places = torch.cat([places, data.hard[chosen]])
        yield PairBatch(
            *trimmed(data.queries[chosen], data.query_lengths[chosen]),
            *trimmed(data.documents[places], data.document_lengths[places]),
            data.right[chosen][:, places],
        )


def trimmed(
    tokens: Int[Tensor, "B L"], lengths: Int[Tensor, "B"]
) -> tuple[Int[Tensor, "B M"], Int[Tensor, "B"]]:
    """Sin las columnas que son relleno en todo el lote."""
    return tokens[:, : int(lengths.max())], lengths


def pair_loss(temperature: float, model: MeanEncoder, batch: PairBatch) -> Float[Tensor, ""]:
    """InfoNCE de un lote de parejas."""
    queries = model(batch.queries, batch.query_lengths)
    documents = model(batch.documents, batch.document_lengths)
    return info_nce(queries, documents, temperature, batch.also_right)


def train(
    recipe: Recipe, seed: int, budget: Budget | None = None, *, data: Pairs | None = None
) -> Trained:
    """Entrena el buscador; sin `budget`, los pasos de la receta; sin `data`, con los artículos."""
    data = data or pairs(recipe.max_query, recipe.max_document, recipe.hard)
    loss = partial(pair_loss, recipe.temperature)
    return trained(
        partial(build, recipe), batches(recipe, seed, data), loss, recipe, seed, budget,
        description="Juntando parejas",
    )  # fmt: skip


def untrained(recipe: Recipe, seed: int = 0) -> MeanEncoder:
    """El buscador antes de entrenar."""
    shared_tokenizer()  # antes de sembrar: la primera vez se construye un modelo, y gasta azar
    seed_everything(seed)
    return build(recipe).eval()


@torch.no_grad()
def encode(
    model: MeanEncoder, tokens: Int[Tensor, "N L"], lengths: Int[Tensor, "N"], batch_size: int = 256
) -> Float[Tensor, "N D"]:
    """Un vector por texto, por lotes de longitudes parecidas."""
    device = next(model.parameters()).device
    order, found = lengths.argsort(), []
    for some in order.split(batch_size):
        found.append(model(*(x.to(device) for x in trimmed(tokens[some], lengths[some]))))
    return torch.cat(found)[order.argsort().to(device)]


def searcher(model: MeanEncoder, recipe: Recipe) -> Search:
    """Quien da el coseno de cada consulta con cada documento: lee la colección una sola vez."""
    documents = encode(model, *encoded_collection(recipe.max_document))

    def search(queries: Sequence[str]) -> Float[Tensor, "Q N"]:
        tokens = encode_texts(queries, shared_tokenizer(), recipe.max_query)
        return encode(model, *tokens) @ documents.T

    return search
