"""TF-IDF y regresión logística: el clasificador de textos que no sabe de orden."""

import math
from collections import Counter
from collections.abc import Sequence

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from tfcourse.tokenizers.splitting import split_words_and_signs


class TfIdf:
    """TF-IDF: cada texto, un vector con cuánto se repite cada palabra y lo rara que es.

    Componente de la palabra w: n_w · (1 + ln((1 + N) / (1 + N_w))), con n_w las veces que sale en
    el texto y N_w en cuántos de los N textos; después, norma 1. Es la fórmula de scikit-learn.
    Fuente: Salton y Buckley (1988). Errores: `ValueError` si no hay textos.
    """

    def __init__(self, texts: Sequence[str]):
        if not texts:
            raise ValueError("no hay textos de los que sacar el vocabulario")
        found = Counter(word for text in texts for word in set(self.words(text)))
        self.ids = {word: number for number, word in enumerate(sorted(found))}
        self.idf = torch.tensor(
            [1 + math.log((1 + len(texts)) / (1 + found[word])) for word in self.ids]
        )

    @staticmethod
    def words(text: str) -> list[str]:
        """Las palabras de dos letras o más, en minúscula."""
        return [word for word in split_words_and_signs(text.lower()) if len(word) > 1]

    def vectors(self, texts: Sequence[str]) -> Float[Tensor, "N V"]:
        """Un vector de norma 1 por texto; las palabras que no se conocen no cuentan."""
        table = torch.zeros(len(texts), len(self.ids))
        for row, text in enumerate(texts):
            for word, count in Counter(self.words(text)).items():
                if word in self.ids:
                    table[row, self.ids[word]] = count
        return F.normalize(table * self.idf, dim=1)


class LogisticRegression:
    """Regresión logística de varias clases, resuelta hasta el mínimo.

    Minimiza C · Σ entropía cruzada + ½‖W‖², sin regularizar los sesgos: la misma cuenta que
    scikit-learn. Errores: `ValueError` si no hay una clase por
    texto.
    """

    def __init__(self, strength: float = 10.0):
        self.strength = strength

    def fit(
        self, x: Float[Tensor, "N V"], y: Int[Tensor, "M"], n_classes: int
    ) -> "LogisticRegression":
        """Encuentra los pesos con L-BFGS: el problema es convexo y tiene un solo mínimo."""
        if len(x) != len(y):
            raise ValueError(f"hay {len(x)} textos y {len(y)} clases: hace falta una por texto")
        self.weight = x.new_zeros(n_classes, x.shape[1], requires_grad=True)
        self.bias = x.new_zeros(n_classes, requires_grad=True)
        solver = torch.optim.LBFGS(
            [self.weight, self.bias], max_iter=100, line_search_fn="strong_wolfe"
        )

        def closure():
            solver.zero_grad()
            error = F.cross_entropy(x @ self.weight.T + self.bias, y, reduction="sum")
            loss = self.strength * error + 0.5 * self.weight.square().sum()
            loss.backward()
            return loss

        solver.step(closure)
        return self

    @torch.no_grad()
    def logits(self, x: Float[Tensor, "N V"]) -> Float[Tensor, "N C"]:
        """Puntaje de cada clase."""
        return x @ self.weight.T + self.bias


class TfIdfClassifier:
    """TF-IDF y regresión logística, juntos: aprende con unos textos y dice la clase de otros.

    Errores: los de `TfIdf` y `LogisticRegression`.
    """

    def __init__(
        self, texts: Sequence[str], labels: Int[Tensor, "N"], n_classes: int, strength: float = 10.0
    ):
        self.vectorizer = TfIdf(texts)
        self.regression = LogisticRegression(strength)
        self.regression.fit(self.vectorizer.vectors(texts), labels, n_classes)

    def classes(self, texts: Sequence[str]) -> Int[Tensor, "N"]:
        """La clase más probable de cada texto."""
        return self.regression.logits(self.vectorizer.vectors(texts)).argmax(dim=-1)
