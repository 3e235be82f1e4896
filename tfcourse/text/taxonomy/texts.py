"""Los textos: la oración intrusa y las palabras que no están en el diccionario."""

from collections.abc import Callable
from functools import cache

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tfcourse.datasets.puzzles.intruders import (
    N_TRIGRAMS,
    TOPICS,
    UNKNOWN_ID,
    IntruderDocument,
    count_words,
    intruder_documents,
    number_trigrams,
    number_words,
    opening_words,
)
from tfcourse.datasets.text.articles import Article, split_articles
from tfcourse.layers.alignment.distributions import entmax
from tfcourse.layers.alignment.hierarchical import AttentivePooling, HierarchicalAttention
from tfcourse.layers.alignment.representations import RepresentationAttention
from tfcourse.layers.attention import masked_softmax
from tfcourse.text.taxonomy.recipe import Recipe
from tfcourse.training import default_device

Batch = tuple[Tensor, ...]


def on_device(*tensors: Tensor) -> Batch:
    """Los mismos tensores, en el dispositivo de trabajo."""
    return tuple(tensor.to(default_device()) for tensor in tensors)


@cache
def documents(new: bool = False) -> list[IntruderDocument]:
    """Tres biografías y una intrusa: cuatro mil para entrenar o, si `new`, cuatrocientos nuevos."""
    known, held_out = split_articles()
    if new:
        return intruder_documents(held_out, 400, seed=1)
    return intruder_documents(known, 4_000, seed=0)


@cache
def word_numbers(min_count: int) -> dict[str, int]:
    """Número de cada palabra que sale al menos `min_count` veces en los artículos de entrenar."""
    return count_words([opening_words(article) for article in split_articles()[0]], min_count)


@cache
def intruders(new: bool = False) -> Batch:
    """Números de palabra (N, S, W), tema y lugar de la intrusa."""
    told, numbers = documents(new), word_numbers(min_count=3)
    ids = torch.stack([number_words(document.sentences, numbers) for document in told])
    topics = torch.tensor([document.topic for document in told])
    return on_device(ids, topics, torch.tensor([document.place for document in told]))


class MeanPooling(nn.Module):
    """Control: resume con pesos iguales."""

    def forward(
        self, x: Float[Tensor, "B L D"], mask: Bool[Tensor, "B L"]
    ) -> tuple[Float[Tensor, "B D"], Float[Tensor, "B L"]]:
        """La media de lo que existe, y sus pesos."""
        weights = masked_softmax(torch.zeros_like(x[..., 0]), mask)
        return (weights[:, None] @ x)[:, 0], weights


class TopicReader(nn.Module):
    """Lee un documento y dice el tema de la oración que desentona."""

    def __init__(
        self,
        kind: str = "jerárquica",
        distribution: Callable = masked_softmax,
        d_model: int = 32,
    ):
        super().__init__()
        self.embedding = nn.Embedding(len(word_numbers(3)) + 2, d_model)
        d_level, readers = d_model, ()
        if kind == "con GRU":
            d_level = 2 * d_model
            readers = tuple(
                nn.GRU(size, d_model, batch_first=True, bidirectional=True)
                for size in (d_model, d_level)
            )
        levels = [
            MeanPooling() if kind == "control" else AttentivePooling(d_level, d_level, share)
            for share in (distribution, masked_softmax)
        ]
        self.attention = HierarchicalAttention(*levels, *readers)
        self.output = nn.Linear(d_level, len(TOPICS))

    def forward(self, ids: Int[Tensor, "B S W"]) -> tuple[Tensor, Tensor, Tensor]:
        """Logits de los temas, pesos de las palabras en su oración y pesos de las oraciones."""
        document, word_weights, sentence_weights = self.attention(self.embedding(ids), ids > 0)
        return self.output(document), word_weights, sentence_weights


def topic_loss(model: TopicReader, batch: Batch) -> Float[Tensor, ""]:
    """Entropía cruzada del tema de la intrusa; su lugar no se usa."""
    return F.cross_entropy(model(batch[0])[0], batch[1])


# Lector → tipo de red, cómo reparte entre las palabras y ritmo; la GRU diverge con el de las demás.
READERS: dict[str, tuple[str, Callable, float]] = {
    "control": ("control", masked_softmax, 2e-2),
    "jerárquica": ("jerárquica", masked_softmax, 2e-2),
    "con GRU": ("con GRU", masked_softmax, 1e-2),
    "con 1,5-entmax": ("jerárquica", entmax, 2e-2),
}


def reader_recipe(name: str) -> Recipe:
    """La oración intrusa, leída de una de las cuatro maneras."""
    kind, share, rate = READERS[name]
    return Recipe(
        lambda: TopicReader(kind, share), intruders, lambda: topic_loss, 140,
        batch_size=32, lr=rate,
    )  # fmt: skip


@torch.no_grad()
def score_reader(model: TopicReader) -> tuple[float, float, float]:
    """Aciertos en el tema, masa sobre la intrusa y parte de las palabras que reciben algo."""
    ids, topic, place = intruders(new=True)
    logits, words, sentences = model(ids)
    mass = sentences.gather(1, place[:, None]).mean()
    used = (words > 1e-4).sum() / (ids > 0).sum()
    return float((logits.argmax(-1) == topic).float().mean()), float(mass), float(used)


def opening_articles(new: bool = False) -> list[Article]:
    """Los artículos de entrenar o, si `new`, los de evaluar, sin biografías."""
    return [article for article in split_articles()[new] if article.topic in TOPICS]


def opening_texts(new: bool = False) -> list[tuple[str, ...]]:
    """Las primeras palabras de cada uno."""
    return [opening_words(article) for article in opening_articles(new)]


@cache
def openings(new: bool = False) -> Batch:
    """Números de palabra (N, W), de sus grupos de letras (N, W, G) y tema, sin biografías."""
    chosen, sentences = opening_articles(new), opening_texts(new)
    topics = torch.tensor([TOPICS.index(article.topic) for article in chosen])
    words = number_words(sentences, word_numbers(min_count=15))
    return on_device(words, number_trigrams(sentences), topics)


class OpeningReader(nn.Module):
    """Tema de una oración: mezcla las representaciones de cada palabra y resume."""

    def __init__(self, use: tuple[str, ...] = ("palabra", "letras"), d_model: int = 32):
        super().__init__()
        self.use = use
        self.word = nn.Embedding(len(word_numbers(15)) + 2, d_model, padding_idx=0)
        self.trigram = nn.Embedding(N_TRIGRAMS + 1, d_model, padding_idx=0)
        self.mix = RepresentationAttention((d_model,) * len(use), d_model)
        nn.init.zeros_(self.mix.score_proj.weight)  # empieza fiándose por igual de todas
        self.pooling = AttentivePooling(d_model, d_model)
        self.output = nn.Linear(d_model, len(TOPICS))

    def forward(
        self, words: Int[Tensor, "B W"], trigrams: Int[Tensor, "B W G"]
    ) -> tuple[Float[Tensor, "B K"], Float[Tensor, "B W R"]]:
        """Logits de los temas y peso de cada representación en cada palabra."""
        n_groups = (trigrams > 0).sum(dim=-1, keepdim=True).clamp(min=1)
        known = {"palabra": self.word(words), "letras": self.trigram(trigrams).sum(2) / n_groups}
        mixed, weights = self.mix(tuple(known[name] for name in self.use))
        return self.output(self.pooling(mixed, words > 0)[0]), weights


def opening_loss(model: OpeningReader, batch: Batch) -> Float[Tensor, ""]:
    """Entropía cruzada del tema."""
    return F.cross_entropy(model(*batch[:2])[0], batch[2])


USES = (("palabra",), ("letras",), ("palabra", "letras"))


def opening_recipe(use: tuple[str, ...]) -> Recipe:
    """El tema de un comienzo de artículo, con esas representaciones de cada palabra."""
    return Recipe(
        lambda: OpeningReader(use), openings, lambda: opening_loss, 150,
        lr=2e-2, weight_decay=0.1, one_cycle=False,
    )  # fmt: skip


@torch.no_grad()
def score_openings(model: OpeningReader) -> tuple[float, float, float]:
    """Aciertos, y peso de la última representación en palabras desconocidas y conocidas."""
    words, trigrams, topic = openings(new=True)
    logits, weights = model(words, trigrams)
    last = weights[..., -1]
    hit = float((logits.argmax(-1) == topic).float().mean())
    return hit, float(last[words == UNKNOWN_ID].mean()), float(last[words > UNKNOWN_ID].mean())
