"""Buscar contando palabras: un índice invertido, y dos maneras de pesar lo que se cuenta."""

import math
from collections import Counter
from collections.abc import Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor

from tfcourse.models.tfidf import TfIdf


class InvertedIndex:
    """Índice invertido: de cada palabra, en qué documentos sale y cuánto pesa en cada uno.

    Para puntuar una consulta solo se tocan los documentos que tienen alguna de sus palabras;
    `touched` lleva la cuenta de esas sumas. Cada clase dice cómo se pesa.
    Errores: `ValueError` si no hay documentos.
    """

    def __init__(self, texts: Sequence[str]):
        if not texts:
            raise ValueError("no hay documentos que indexar: pasa al menos uno")
        counts = [Counter(TfIdf.words(text)) for text in texts]
        self.n_documents, self.touched = len(texts), 0
        self.lengths = torch.tensor([float(count.total()) for count in counts])
        places: dict[str, tuple[list[int], list[int]]] = {}
        for number, count in enumerate(counts):
            for word, times in count.items():
                documents, found = places.setdefault(word, ([], []))
                documents.append(number)
                found.append(times)
        self.postings = {
            word: (torch.tensor(documents), torch.tensor(found, dtype=torch.float32))
            for word, (documents, found) in places.items()
        }
        self.weights = {
            word: self.weigh(times, documents) for word, (documents, times) in self.postings.items()
        }

    def weigh(self, times: Float[Tensor, "P"], documents: Int[Tensor, "P"]) -> Float[Tensor, "P"]:
        """El peso de una palabra en los documentos en que sale, `times` veces en cada uno."""
        raise NotImplementedError

    def in_query(self, word: str, times: int) -> float:
        """Cuánto pesa la palabra en la consulta, si sale `times` veces."""
        return float(times)

    def scores(self, query: str) -> Float[Tensor, "N"]:
        """La puntuación de cada documento; cero si no comparte ninguna palabra."""
        total = torch.zeros(self.n_documents)
        for word, times in Counter(TfIdf.words(query)).items():
            if word in self.postings:
                documents = self.postings[word][0]
                total[documents] += self.in_query(word, times) * self.weights[word]
                self.touched += len(documents)
        return total


class TfIdfIndex(InvertedIndex):
    """El coseno de los vectores TF-IDF, palabra a palabra: lo mismo que `TfIdf`, sin la matriz.

    Fuente: Salton y Buckley (1988).
    """

    def __init__(self, texts: Sequence[str]):
        super().__init__(texts)
        squares = torch.zeros(self.n_documents)
        for word, (documents, _) in self.postings.items():
            squares[documents] += self.weights[word].square()
        norms = squares.sqrt()
        for word, (documents, _) in self.postings.items():
            self.weights[word] = self.weights[word] / norms[documents]

    def idf(self, n_with_it: int) -> float:
        """Lo rara que es una palabra que sale en `n_with_it` documentos."""
        return 1 + math.log((1 + self.n_documents) / (1 + n_with_it))

    def weigh(self, times: Float[Tensor, "P"], documents: Int[Tensor, "P"]) -> Float[Tensor, "P"]:
        """Las veces que sale, por lo rara que es."""
        return times * self.idf(len(documents))

    def in_query(self, word: str, times: int) -> float:
        """Lo mismo, en la consulta."""
        return times * self.idf(len(self.postings[word][0]))

    def scores(self, query: str) -> Float[Tensor, "N"]:
        """El coseno de la consulta con cada documento; las palabras que no conoce no cuentan."""
        known = {w: n for w, n in Counter(TfIdf.words(query)).items() if w in self.postings}
        norm = math.sqrt(sum(self.in_query(word, times) ** 2 for word, times in known.items()))
        return super().scores(query) / (norm or 1.0)


class Bm25(InvertedIndex):
    """BM25: TF-IDF en el que repetir una palabra da cada vez menos y lo largo se descuenta.

    De cada palabra, idf · n (k₁ + 1) / (n + k₁ (1 − b + b · longitud / longitud media)), con
    idf = ln(1 + (N − N_w + 0,5) / (N_w + 0,5)).
    Fuente: Robertson y Zaragoza (2009), § 3; el 1 del logaritmo, de Lucene, evita los negativos.
    Errores: `ValueError` si `k1` es negativo o `b` no está entre 0 y 1.
    """

    def __init__(self, texts: Sequence[str], k1: float = 1.2, b: float = 0.75):
        if k1 < 0 or not 0 <= b <= 1:
            raise ValueError(f"k1={k1}, b={b}: usa k1 ≥ 0 y b entre 0 y 1")
        self.k1, self.b = k1, b
        super().__init__(texts)

    def weigh(self, times: Float[Tensor, "P"], documents: Int[Tensor, "P"]) -> Float[Tensor, "P"]:
        """Lo rara que es, por las veces que sale, que se saturan."""
        with_it = len(documents)
        idf = math.log(1 + (self.n_documents - with_it + 0.5) / (with_it + 0.5))
        relative = self.lengths[documents] / self.lengths.mean()
        return idf * times * (self.k1 + 1) / (times + self.k1 * (1 - self.b + self.b * relative))
