"""Los pesos del curso y aprender: los nombres, la pérdida y el bucle que entrena."""

from collections.abc import Callable

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Mistake, Task
from tfcourse.projects.steps.drawing import PAD, drawn_tokens, drawn_weights, steady, with_flaw
from tfcourse.projects.steps.piece import Step
from tfcourse.projects.steps.traductor import sums
from tfcourse.projects.steps.traductor.training_sums import toy_training
from tfcourse.projects.steps.traductor.weights import rename

KINDS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
NAMES = (
    "encoder.embedding.weight",
    *(f"encoder.rnn.{kind}_l0{turned}" for turned in ("", "_reverse") for kind in KINDS),
    "decoder.start_proj.bias", "decoder.alignment.query_proj.weight",
    "decoder.alignment.score_proj.weight",
    *(f"decoder.cell.{kind}" for kind in KINDS), "decoder.output.weight",
)  # fmt: skip


def _weights_case(size: int, names: tuple[str, ...], seed: int) -> Callable:
    def make() -> tuple:
        shapes = [(size,) if "bias" in name else (size, size) for name in names]
        drawn = random_tensors(*shapes, seed=seed)
        return ({name: value.half() for name, value in zip(names, drawn, strict=True)},)

    return make


RENAME = Step(
    Card(
        "tr-pesos", "Los pesos del curso", "codigo", 1, 20, 2,
        "cargar en un modelo propio los pesos que guardó otro",
        (
            "Recorre `weights.items()` y haz un diccionario nuevo con el nombre cambiado y el "
            "valor en `float32`.",
            "`_reverse` dice que es la celda `back`; `ih`, que va con la entrada; `hh`, con el "
            "estado. Cambia antes los nombres largos: `weight_ih_l0` está dentro de "
            "`weight_ih_l0_reverse`.",
        ),
    ),
    Task(
        "rename",
        (
            Case("un modelo entero", _weights_case(3, NAMES, seed=580)),
            Case("solo las celdas", _weights_case(2, NAMES[1:9], seed=581)),
        ),
        lambda weights: rename(weights),
        (
            Mistake("direcciones", "has cambiado las dos direcciones: lo que acaba en `_reverse` "
                    "es de `back`", with_flaw(rename, "direcciones")),
            Mistake("entrada-y-estado", "`ih` va con `input_proj`, y `hh`, con `hidden_proj`",
                    with_flaw(rename, "entrada-y-estado")),
            Mistake("alineamiento", "lo que en el curso es `alignment` en tu modelo es `attention`",
                    with_flaw(rename, "alineamiento")),
            Mistake("traspuestas", "traspones las matrices: `nn.Linear` las guarda igual que el "
                    "curso", with_flaw(rename, "traspuestas")),
        ),
        tolerance=0.0, differentiable=False, fixed_type=True,
    ),
    wrong_dtype="los nombres están bien y el tipo de los números, no: pásalos a `float32` con "
    "`.float()`",
)  # fmt: skip


def _loss_case(batch: int, length: int, n_tokens: int, seed: int, factor: float = 1.0) -> Callable:
    def make() -> tuple:
        (logits,) = random_tensors((batch, length, n_tokens), seed=seed)
        target = 1 + drawn_tokens(batch, length, n_tokens=n_tokens - 1, seed=seed + 1)
        target[0, -2:] = PAD
        return factor * logits, target

    return make


LOSS = Step(
    Card(
        "tr-perdida", "La pérdida con máscara", "codigo", 1, 15, 2, "no aprender del relleno",
        (
            "`logits.log_softmax(-1).gather(-1, target[..., None])` da el logaritmo del token que "
            "tenía que salir.",
            "La suma y el número por el que divides son solo de los tokens que no son relleno.",
        ),
    ),
    Task(
        "masked_loss",
        (
            Case("3 frases de 5 tokens, con relleno", _loss_case(3, 5, 7, seed=590)),
            Case("logits de ±200: no se desborda", _loss_case(2, 4, 5, seed=592, factor=100.0)),
            Case("una frase de 3 tokens", _loss_case(1, 3, 4, seed=594)),
        ),
        lambda logits, target: sums.masked_loss(logits, target),
        (
            Mistake("relleno", "el relleno no cuenta: ni en la suma ni en el número por el que "
                    "divides",
                    with_flaw(sums.masked_loss, "cuenta-el-relleno", "divide-entre-todos")),
            Mistake("por-frase", "haces la media de cada frase y después la de las frases: todos "
                    "los tokens del lote pesan lo mismo",
                    with_flaw(sums.masked_loss, "por-frase")),
            Mistake("suma", "se pide la media por token, y sumas",
                    with_flaw(sums.masked_loss, "suma")),
            Mistake("base-dos", "el logaritmo es el neperiano: la pérdida se da en nats",
                    with_flaw(sums.masked_loss, "base-dos")),
        ),
        tolerance=1e-4,
    ),
)  # fmt: skip


def _training_case(
    n_tokens: int, d_model: int, steps: int, lr: float, limit: float, seed: int, *shown: str
) -> Callable:
    def draw(seed: int) -> tuple:
        table = (n_tokens, d_model)
        shapes = {"source": table, "target": table, "output": table, "bias": (n_tokens,)}
        weights = drawn_weights(shapes, seed)
        # Todos los tokens salen en cada lote: con el gradiente en cero, Adam divide cero entre ε.
        every, batches = torch.arange(n_tokens).repeat(2, 1), []
        for step in range(steps):
            drawn = drawn_tokens(2, 6, n_tokens=n_tokens, seed=seed + 1 + step)
            target = torch.cat([every, drawn[:, :3]], dim=1)
            target[0, -1] = PAD
            batches.append((torch.cat([every, drawn[:, 3:]], dim=1), target))
        return weights, batches, lr, limit

    return lambda: steady(draw, toy_training, seed, shown)


TRAINER = Step(
    Card(
        "tr-entrenador", "El entrenador", "codigo", 2, 30, 3,
        "entrenar con el forzado del profesor y el gradiente recortado",
        (
            "El modelo lee `target[:, :-1]` y tiene que predecir `target[:, 1:]`.",
            "En cada lote, por este orden: pérdida, borrar gradientes, `backward`, recorte y "
            "`step`. `nn.utils.clip_grad_norm_` devuelve lo que medía el gradiente antes.",
        ),
    ),
    Task(
        "train",
        (
            Case("6 lotes", _training_case(6, 4, 6, 0.1, 0.3, 600)),
            Case("4 lotes, con otro ritmo y otro límite",
                    _training_case(5, 6, 4, 0.03, 0.2, 620)),
            Case("6 lotes, y no en todos se recorta",
                    _training_case(6, 4, 6, 0.1, 0.6, 610, "recorta-siempre")),
        ),
        lambda weights, batches, lr, limit: toy_training(weights, batches, lr, limit),
        (
            Mistake("sin-desplazar", "el modelo lee el mismo token que tiene que predecir: lee "
                    "`target[:, :-1]` y predice `target[:, 1:]`",
                    with_flaw(toy_training, "sin-desplazar")),
            Mistake("acumula", "no borras los gradientes, y cada paso suma los de los anteriores: "
                    "`optimizer.zero_grad()`", with_flaw(toy_training, "acumula")),
            Mistake("sin-recorte", "falta recortar el gradiente entre `backward` y `step`",
                    with_flaw(toy_training, "sin-recorte")),
            Mistake("recorta-siempre", "cambias siempre el tamaño del gradiente: solo se encoge si "
                    "pasa de `limit`", with_flaw(toy_training, "recorta-siempre")),
            Mistake("por-valor", "recortas cada número por su lado: se recorta el gradiente "
                    "entero, que conserva su dirección", with_flaw(toy_training, "por-valor")),
            Mistake("tamaño-recortado", "el tamaño que se devuelve es el de antes de recortar",
                    with_flaw(toy_training, "tamaño-recortado")),
            Mistake("sin-adam", "el optimizador es Adam, con sus betas por omisión",
                    with_flaw(toy_training, "sin-adam")),
            Mistake("modo", "entrena con el modelo en modo de aprendizaje, `model.train()`",
                    with_flaw(toy_training, "modo")),
            Mistake("modo-final", "al terminar, deja el modelo en modo de evaluación, "
                    "`model.eval()`", with_flaw(toy_training, "modo-final")),
        ),
        tolerance=1e-4, differentiable=False,
    ),
    driver="entrenador-de-parejas", needs=(LOSS,),
)  # fmt: skip
