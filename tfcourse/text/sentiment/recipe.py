"""Seis maneras de saber qué opina un texto, con la misma entrada, la misma salida y su coste."""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial

import torch
from jaxtyping import Int
from torch import Tensor, nn

from tfcourse.datasets.batching import minibatches
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.models.classifier import Classifier, mean_state
from tfcourse.models.readers import (
    AttentionEncoder,
    ConvolutionEncoder,
    RecurrentEncoder,
    end_states,
    max_state,
)
from tfcourse.models.transformer import TransformerConfig
from tfcourse.text.bert.fine_tuning import (
    Labelled,
    TuningRecipe,
    fine_tune,
    labelled_loss,
    most_likely_classes,
)
from tfcourse.text.bert.recipe import load as load_bert
from tfcourse.text.sentiment.texts import (
    MAX_LENGTH,
    encode_pieces,
    encode_words,
    spanish_scorer,
    word_tokenizer,
)
from tfcourse.tokenizers.base import Tokenizer
from tfcourse.training import fit, seed_everything
from tfcourse.training.budget import Budget, Steps
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.recipe import Trained
from tfcourse.training.schedules import cycle

LEXICON, SVM, RECURRENT, CONVOLUTION, ATTENTION, BERT = MODELS = (
    "léxico",
    "SVM + TF-IDF",
    "LSTM bidireccional",
    "CNN 1D",
    "1 bloque de Transformer",
    "BERT ajustado",
)
N_CLASSES = 3


@dataclass(frozen=True)
class Recipe:
    """Cómo se entrena un lector: tamaños, vueltas a los datos y ritmo.

    Con pocos datos se dan más vueltas, hasta llegar a `min_steps` pasos. `drop_words` es la parte
    de las palabras que, al entrenar, se lee como desconocida: así el modelo aprende qué hacer con
    las que no ha visto.
    """

    d_model: int = 64
    d_hidden: int = 64
    dropout: float = 0.2
    epochs: int = 10
    batch_size: int = 32
    lr: float = 2e-3
    drop_words: float = 0.1
    min_steps: int = 150
    # Sin anotar no es un campo: es la misma en todas y no se escribe en la tabla guardada.
    warmup = 0.15

    def rounds(self, n_examples: int) -> tuple[int, int]:
        """Vueltas y pasos que se dan con esos ejemplos."""
        per_epoch = max(1, n_examples // min(self.batch_size, n_examples))
        epochs = max(self.epochs, math.ceil(self.min_steps / per_epoch))
        return epochs, epochs * per_epoch


RECIPES = {
    RECURRENT: Recipe(),
    CONVOLUTION: Recipe(d_hidden=96, epochs=8, lr=4e-3),
    ATTENTION: Recipe(d_hidden=128, dropout=0.1),
    BERT: Recipe(epochs=3, lr=1e-3),
}


@dataclass(frozen=True)
class Outcome:
    """Lo que sale de un entrenamiento: parámetros, vueltas, segundos por vuelta y respuestas.

    `latency` son los milisegundos que tarda en contestar un texto, de mil en mil. Todos los tiempos
    son de procesador. Lo que no procede es `None`. `answer` contesta otros textos.
    """

    parameters: int | None
    epochs: int | None
    seconds: float | None
    latency: float
    guesses: Int[Tensor, "N"]
    answer: Callable[[Sequence[str]], Tensor]
    trained: object = None


def build(
    recipe: Recipe,
    name: str,
    n_tokens: int,
    n_classes: int = N_CLASSES,
    max_length: int = MAX_LENGTH,
) -> Classifier:
    """El clasificador de cada lector, con su manera de resumir.

    Errores: `ValueError` si el nombre no es el de un lector.
    """
    width, hidden, dropout = recipe.d_model, recipe.d_hidden, recipe.dropout
    if name == RECURRENT:
        encoder, size, pool = RecurrentEncoder(n_tokens, width, hidden), 2 * hidden, end_states
    elif name == CONVOLUTION:
        encoder, size, pool = ConvolutionEncoder(n_tokens, width, hidden), hidden, max_state
    elif name == ATTENTION:
        config = TransformerConfig(
            n_tokens, n_tokens, width, n_heads=4, n_layers=1, d_hidden=hidden,
            dropout=dropout, max_length=max_length,
        )  # fmt: skip
        encoder, size, pool = AttentionEncoder(config), width, mean_state
    else:
        known = ", ".join((RECURRENT, CONVOLUTION, ATTENTION))
        raise ValueError(f"no hay ningún lector {name!r}: usa uno de {known}")
    return Classifier(encoder, size, n_classes, pool=pool, dropout=dropout)


def batches(recipe: Recipe, seed: int, data: Labelled) -> Iterator[tuple[Tensor, ...]]:
    """Lotes sin fin de textos de longitud parecida, con sus clases."""
    size = min(recipe.batch_size, len(data.labels))
    return minibatches(*data.tensors(), batch_size=size, seed=seed, group_by=data.lengths)


def forgetful_loss(drop_words: float, unknown_id: int) -> Callable[[nn.Module, tuple], Tensor]:
    """Entropía cruzada tras tapar como desconocida una parte de las palabras de cada lote."""

    def loss(model: nn.Module, batch: tuple) -> Tensor:
        tokens, lengths, labels = batch
        hidden = (torch.rand(tokens.shape, device=tokens.device) < drop_words) & (
            tokens > unknown_id
        )
        return labelled_loss(model, (tokens.masked_fill(hidden, unknown_id), lengths, labels))

    return loss


def train(
    recipe: Recipe,
    seed: int,
    budget: Budget | None = None,
    *,
    name: str,
    data: Labelled,
    n_tokens: int,
    n_classes: int = N_CLASSES,
    max_length: int = MAX_LENGTH,
    checkpoint: Checkpoint | None = None,
) -> Trained:
    """Entrena un lector desde cero, con AdamW y un ritmo de un ciclo."""
    seed_everything(seed)
    model = build(recipe, name, n_tokens, n_classes, max_length)
    _, steps = recipe.rounds(len(data.labels))
    budget = budget or Steps(steps)
    history = fit(
        model,
        batches(recipe, seed, data),
        forgetful_loss(recipe.drop_words, Tokenizer.unknown_id),
        optimizer=torch.optim.AdamW(model.parameters(), lr=recipe.lr, weight_decay=0.01),
        budget=budget,
        schedule=cycle(budget, recipe.warmup),
        checkpoint=checkpoint,
        description=name,
    )
    return Trained(model, recipe, history)


@cache
def _pretrained():
    model, tokenizer = load_bert("bert_espanol")
    return model.bert, tokenizer


def run_model(
    name: str,
    examples: tuple[Sequence[str], Tensor],
    test: Sequence[str],
    seed: int = 0,
    recipe: Recipe | None = None,
    n_classes: int = N_CLASSES,
) -> Outcome:
    """Entrena uno de los seis con `(textos, clases)` y contesta los textos de evaluar.

    Errores: `ValueError` si el nombre no está en `MODELS`.
    """
    if name not in MODELS:
        raise ValueError(f"no hay ningún modelo {name!r}: usa uno de {', '.join(MODELS)}")
    parameters = epochs = seconds = None
    started = time.process_time()
    if name == LEXICON:
        trained = spanish_scorer()
        answer = lambda texts: torch.tensor(trained.classify(texts))  # noqa: E731
    elif name == SVM:
        trained = fit_svm(*examples)
        answer = lambda texts: torch.from_numpy(trained.predict(list(texts))).long()  # noqa: E731
        epochs, seconds = 1, time.process_time() - started
    else:
        recipe = recipe or RECIPES[name]
        trained = _fitted(name, examples, recipe, seed, n_classes)
        model, encode = trained
        answer = lambda texts: most_likely_classes(model, *encode(texts))  # noqa: E731
        epochs, _ = recipe.rounds(len(examples[1]))
        seconds = (time.process_time() - started) / epochs
        parameters = n_parameters(model)
    started = time.process_time()
    guesses = answer(test)
    latency = 1000 * (time.process_time() - started) / len(test)
    return Outcome(parameters, epochs, seconds, latency, guesses, answer, trained)


def _fitted(name, examples, recipe, seed, n_classes):
    """Un modelo entrenado y la función que pasa sus textos a números."""
    texts, labels = examples
    if name == BERT:
        encoder, tokenizer = _pretrained()
        encode = partial(encode_pieces, tokenizer)
        _, steps = recipe.rounds(len(labels))
        tuning = TuningRecipe(steps=steps, lr=recipe.lr, batch_size=recipe.batch_size)
        return fine_tune(encoder, Labelled(*encode(texts), labels), n_classes, tuning, seed), encode
    tokenizer = word_tokenizer(texts)
    encode = partial(encode_words, tokenizer)
    data = Labelled(*encode(texts), labels)
    reader = train(recipe, seed, name=name, data=data, n_tokens=len(tokenizer), n_classes=n_classes)
    return reader.model, encode


def fit_svm(texts: Sequence[str], labels: Int[Tensor, "N"], *, linear: bool = False, **options):
    """SVM sobre TF-IDF, con scikit-learn; `options` va al vectorizador.

    El núcleo gaussiano compara cada texto con todos: con muchos miles, mejor `linear`.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import SVC, LinearSVC

    vectors = TfidfVectorizer(token_pattern=r"\w+|[^\w\s]", **({"lowercase": False} | options))
    machine = LinearSVC(random_state=0) if linear else SVC(kernel="rbf", C=10.0)
    return make_pipeline(vectors, machine).fit(list(texts), labels.numpy())
