"""Atribuciones: cuánto puso cada palabra en la respuesta de un clasificador, según sus gradientes.

No miran los pesos de atención: preguntan cómo cambia la salida si cambia la entrada.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tfcourse.models.classifier import Classifier
from tfcourse.tokenizers.base import Tokenizer

Score = Callable[[Float[Tensor, "S *N"]], Float[Tensor, "S"]]


def gradient_times_input(score: Score, x: Float[Tensor, "*N"]) -> Float[Tensor, "*N"]:
    """Gradiente por entrada: x ⊙ ∂f/∂x, la recta tangente en x.

    `score` lleva un lote de entradas a un número cada una. Fuente: Shrikumar et al. (2016), § 1.
    """
    x = x.detach().requires_grad_()
    (gradient,) = torch.autograd.grad(score(x[None]).sum(), x)
    return (x * gradient).detach()


def integrated_gradients(
    score: Score, x: Float[Tensor, "*N"], baseline: Float[Tensor, "..."], n_steps: int = 64
) -> Float[Tensor, "*N"]:
    """Gradientes integrados: (x − x₀) ⊙ la media de ∂f/∂x a lo largo del camino recto de x₀ a x.

    La integral se aproxima con `n_steps` puntos, en el centro de cada tramo. La suma de todo es
    f(x) − f(x₀), salvo por esa aproximación: es el axioma de completitud.
    Fuente: Sundararajan, Taly y Yan (2017), ec. 1 y 3, y proposición 1.
    Errores: `ValueError` si `n_steps` no es positivo o la base no tiene la forma de la entrada.
    """
    if n_steps < 1 or baseline.shape != x.shape:
        raise ValueError(
            f"n_steps={n_steps}, entrada {tuple(x.shape)} y base {tuple(baseline.shape)}: hace "
            "falta al menos un paso, y que la base tenga la forma de la entrada"
        )
    steps = (torch.arange(n_steps, dtype=x.dtype, device=x.device) + 0.5) / n_steps
    path = baseline + steps.view(-1, *[1] * x.dim()) * (x - baseline)
    path = path.detach().requires_grad_()
    (gradients,) = torch.autograd.grad(score(path).sum(), path)
    return ((x - baseline) * gradients.mean(dim=0)).detach()


def word_table(model: nn.Module) -> nn.Embedding:
    """La tabla de palabras de un modelo: su primer embedding.

    Errores: `ValueError` si no tiene ninguno.
    """
    for layer in model.modules():
        if isinstance(layer, nn.Embedding):
            return layer
    raise ValueError("el modelo no tiene ninguna tabla de palabras (nn.Embedding) que mirar")


@contextmanager
def reading(table: nn.Embedding, vectors: Float[Tensor, "B L D"]) -> Iterator[None]:
    """Mientras dura, la tabla devuelve esos vectores, sean cuales sean los tokens."""
    handle = table.register_forward_hook(lambda layer, inputs, output: vectors)
    try:
        yield
    finally:
        handle.remove()


def class_score(model: Classifier, length: int, label: int) -> Score:
    """Lo que se explica: de los vectores de las palabras, `(S, L, D)`, al logit de `label`."""
    table = word_table(model)

    def score(vectors: Float[Tensor, "S L D"]) -> Float[Tensor, "S"]:
        tokens = torch.zeros(vectors.shape[:2], dtype=torch.long, device=vectors.device)
        lengths = torch.full((len(vectors),), length, device=vectors.device)
        with reading(table, vectors):
            return model(tokens, lengths)[:, label]

    return score


def word_attributions(
    model: Classifier, tokens: Int[Tensor, "L"], label: int, n_steps: int = 64
) -> tuple[Float[Tensor, "L"], Float[Tensor, "L"]]:
    """Cuánto puso cada token a favor de `label`: con gradiente por entrada y con la integral.

    La base son vectores de ceros: un texto de la misma longitud que no dice nada.
    """
    model.eval()
    x = word_table(model).weight[tokens].detach()
    score = class_score(model, len(tokens), label)
    integrated = integrated_gradients(score, x, torch.zeros_like(x), n_steps)
    return gradient_times_input(score, x).sum(dim=-1), integrated.sum(dim=-1)


def received_attention(model: Classifier, tokens: Int[Tensor, "L"]) -> Float[Tensor, "L"]:
    """Cuánta atención recibe cada token: la media de cabezas y de posiciones que miran.

    Es del último bloque de un lector de atención, y no tiene signo.
    """
    lengths = torch.tensor([len(tokens)], device=tokens.device)
    return model.encoder.attention_maps(tokens[None], lengths)[-1][0].mean(dim=(0, 1))


@torch.no_grad()
def erasure_drops(
    model: Classifier,
    tokens: Int[Tensor, "L"],
    label: int,
    places: Sequence[int],
    unknown_id: int = Tokenizer.unknown_id,
) -> tuple[Float[Tensor, "P"], Bool[Tensor, "P"]]:
    """Prueba de borrado: cuánto baja la confianza en `label` al tapar cada sitio, y si ya no gana.

    Cada sitio se tapa por separado, con la palabra desconocida. Fuente: DeYoung et al. (2020), § 4.
    """
    places = torch.as_tensor(places, device=tokens.device)
    rows = tokens.repeat(len(places) + 1, 1)
    rows[torch.arange(1, len(rows), device=tokens.device), places] = unknown_id
    lengths = torch.full((len(rows),), len(tokens), device=tokens.device)
    shares = model(rows, lengths).softmax(dim=-1)
    return shares[0, label] - shares[1:, label], shares[1:].argmax(dim=-1) != label
