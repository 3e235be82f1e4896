"""Las piezas de GPT: la norma, el giro, la atención y la red."""

from collections.abc import Callable

from torch import Tensor

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Mistake, Task
from tfcourse.projects.steps.drawing import FILLS, SMALL, drawn_weights, low_scores, with_flaw
from tfcourse.projects.steps.gpt import maths
from tfcourse.projects.steps.gpt.shapes import attention_shapes, network_shapes
from tfcourse.projects.steps.piece import Step

CLOSE = 1e-4


# La norma


def _norm(sizes: dict, weights: dict, x: Tensor, flaw: str = "") -> Tensor:
    return maths.norm(x, weights["gain"], flaw)


def _norm_case(*shape: int, seed: int, factor: float = 1.0) -> Callable:
    def make() -> tuple:
        (x,) = random_tensors(shape, seed=seed)
        d_model = shape[-1]
        return (
            {"d_model": d_model},
            drawn_weights({"gain": (d_model,)}, seed + 1),
            (x + 0.5) * factor,
        )

    return make


NORM = Step(
    Card(
        "gpt-norma", "La norma", "codigo", 1, 15, 2, "escribir una capa con su parámetro",
        (
            "En `__init__`, `super().__init__()` y un parámetro: "
            "`nn.Parameter(torch.ones(d_model))`.",
            "La media de los cuadrados es de las componentes de **cada** vector: el último eje, "
            "con "
            "`keepdim=True` para poder dividir.",
        ),
    ),
    Task(
        "RMSNorm",
        (
            Case("un lote de 2 textos de 3 vectores", _norm_case(2, 3, 8, seed=10)),
            Case("vectores diminutos, del tamaño de ε", _norm_case(1, 4, 6, seed=11, factor=1e-3)),
            Case("un solo vector", _norm_case(1, 1, 4, seed=12)),
        ),
        lambda sizes, weights, x: _norm(sizes, weights, x),
        (
            Mistake("resta-la-media", "tu capa resta la media, como LayerNorm: la norma "
                    "cuadrática no "
                    "centra", with_flaw(_norm, "media")),
            Mistake("suma", "sumas los cuadrados en vez de hacer su media: divide entre el "
                    "número de "
                    "componentes", with_flaw(_norm, "suma")),
            Mistake("epsilon", "ε vale 1e-6 y se suma a la media, dentro de la raíz: se nota en "
                    "los vectores pequeños",
                    with_flaw(_norm, "epsilon", "epsilon-ausente", "epsilon-otro")),
            Mistake("sin-raiz", "divides entre la media de los cuadrados y falta su raíz",
                    with_flaw(_norm, "sin-raiz")),
            Mistake("ganancia", "la ganancia multiplica, componente a componente, al vector ya "
                    "normalizado: la sumas o no la usas", with_flaw(_norm, "ganancia-sumada",
                    "sin-ganancia")),
            Mistake("eje", "mezclas las posiciones: la media es de las componentes de cada "
                    "vector, el "
                    "último eje", with_flaw(_norm, "eje")),
        ),
        tolerance=CLOSE, differentiable=False,
    ),
    driver="norma-cuadratica",
)  # fmt: skip

# El giro


def _turn_case(*shape: int, start: int, seed: int) -> Callable:
    return lambda: (*random_tensors(shape, seed=seed), start)


ROTATION = Step(
    Card(
        "gpt-giro", "El giro de las posiciones", "codigo", 2, 25, 3,
        "girar consultas y claves un ángulo que dice su posición",
        (
            "Calcula los ángulos con un producto exterior: posiciones en columna por frecuencias "
            "en "
            "fila, de forma (L, Dh/2).",
            "Con `first, second = x.chunk(2, dim=-1)`, el giro da `first cos − second sen` y "
            "`second cos + first sen`, y se vuelven a juntar en ese orden.",
        ),
    ),
    Task(
        "rotate",
        (
            Case("2 textos, 3 cabezas, 5 posiciones", _turn_case(2, 3, 5, 8, start=0, seed=20)),
            Case("desde la posición 7", _turn_case(1, 2, 4, 6, start=7, seed=21)),
            Case("una sola posición, la 100", _turn_case(1, 1, 1, 4, start=100, seed=22)),
        ),
        lambda x, start: maths.turn(x, start),
        (
            Mistake("vecinas", "emparejas componentes vecinas, (2i, 2i + 1), como en el "
                    "artículo: los "
                    "pesos del curso emparejan una de cada mitad, (i, i + Dh/2)",
                    with_flaw(maths.turn, "vecinas")),
            Mistake("al-reves", "giras hacia el otro lado: cambia el signo de los dos senos",
                    with_flaw(maths.turn, "al-reves")),
            Mistake("start", "la primera posición no es `start`",
                    with_flaw(maths.turn, "desde-cero",
                    "desde-uno")),
            Mistake("frecuencias", "las frecuencias bajan demasiado despacio: el exponente es "
                    "−2i/Dh, "
                    "con i de 0 a Dh/2 − 1", with_flaw(maths.turn, "paso")),
        ),
        tolerance=CLOSE,
    ),
)  # fmt: skip

# La atención


def _attend(sizes: dict, weights: dict, x: Tensor, flaw: str = "") -> dict[str, Tensor]:
    n_heads = sizes["n_heads"]
    q, k, v = maths.heads(x, weights, n_heads, 0, flaw)
    late_q, late_k, _ = maths.heads(x, weights, n_heads, 5, flaw)
    return {
        "consultas": q, "claves": k, "valores": v,
        "salida": maths.mix(q, k, v, weights, flaw),
        "mezcla de las dos últimas consultas": maths.mix(q[:, :, -2:], k, v, weights, flaw),
        "consultas desde la posición 5": late_q, "claves desde la posición 5": late_k,
    }  # fmt: skip


def _attention_case(
    batch: int, length: int, d_model: int, n_heads: int, seed: int, low: bool = False
) -> Callable:
    def make() -> tuple:
        weights = drawn_weights(attention_shapes(d_model), seed)
        sizes = {"d_model": d_model, "n_heads": n_heads}
        (x,) = random_tensors((batch, length, d_model), seed=seed + 1)
        if low:
            weights, x = low_scores(weights, d_model // n_heads), SMALL * x
        return sizes, weights, x

    return make


ATTENTION = Step(
    Card(
        "gpt-atencion", "La atención causal", "codigo", 3, 40, 4,
        "repartir en cabezas, girar, tapar el futuro y mezclar",
        (
            "`x.unflatten(-1, (n_heads, -1)).transpose(1, 2)` reparte en cabezas: (B, H, L, Dh).",
            "En `mix` puede haber menos consultas que claves: la consulta i está en la posición "
            "i + Lk − Lq. `torch.ones(Lq, Lk, dtype=torch.bool).triu(Lk - Lq + 1)` es el futuro.",
            "El orden es: puntuaciones, escala, −∞ donde está el futuro, softmax sobre las claves, "
            "mezcla de valores, juntar cabezas y `out_proj`.",
        ),
    ),
    Task(
        "CausalAttention",
        (
            Case("2 textos de 6 tokens, 2 cabezas", _attention_case(2, 6, 8, 2, seed=30)),
            Case("3 cabezas de 4", _attention_case(1, 5, 12, 3, seed=31)),
            Case("un texto de 2 tokens", _attention_case(1, 2, 4, 1, seed=32)),
            Case("puntuaciones muy bajas: lo tapado no pesa",
                 _attention_case(2, 4, 8, 2, seed=33, low=True)),
        ),
        lambda sizes, weights, x: _attend(sizes, weights, x),
        (
            Mistake("futuro", "tu atención mira al futuro: la consulta de la posición i no ve "
                    "claves "
                    "posteriores", with_flaw(_attend, "futuro")),
            Mistake("a-si-misma", "tu máscara tapa también la posición propia: solo se tapa lo "
                    "posterior", with_flaw(_attend, "estricta")),
            Mistake("tapa-despues", "tapas después del softmax y los pesos ya no suman 1: pon −∞ "
                    "en las "
                    "puntuaciones antes", with_flaw(_attend, "despues")),
            Mistake("tapado-con-un-numero", "tapas con un número, y si las demás puntuaciones son "
                    "aún más bajas, lo tapado pesa: pon −∞",
                    with_flaw(_attend, *FILLS)),
            Mistake("ultimas", "con menos consultas que claves, la máscara las trata como las "
                    "primeras: "
                    "son las últimas posiciones", with_flaw(_attend, "primeras")),
            Mistake("escala", "las puntuaciones se multiplican por 1/√Dh, con Dh lo que mide una "
                    "cabeza", with_flaw(_attend, "sin-escala", "escala-entera")),
            Mistake("softmax-eje", "el softmax reparte entre las consultas: debe repartir entre "
                    "las "
                    "claves, el último eje", with_flaw(_attend, "eje")),
            Mistake("reparto", "repartes mal las cabezas: cada una se lleva Dh componentes "
                    "seguidas de "
                    "cada token; parte el último eje y después intercambia",
                    with_flaw(_attend, "reparto", "entrelazadas")),
            Mistake("junta-mal", "al juntar las cabezas mezclas posiciones: intercambia los ejes "
                    "antes "
                    "de aplanar", with_flaw(_attend, "junta-mal")),
            Mistake("que-se-gira", "se giran las consultas y las claves, las dos, y los valores no",
                    with_flaw(_attend, "gira-valores", "sin-giro", "solo-consultas")),
            Mistake("start", "`heads` no le pasa `start` al giro", with_flaw(_attend, "sin-start")),
            Mistake("sin-salida", "falta `out_proj` al final de `mix`",
                    with_flaw(_attend, "sin-salida")),
        ),
        tolerance=CLOSE, differentiable=False,
    ),
    driver="atencion-rotatoria", needs=(ROTATION,),
)  # fmt: skip

# La red por posición


def _network(sizes: dict, weights: dict, x: Tensor, flaw: str = "") -> Tensor:
    return maths.feed_forward(x, weights, flaw)


def _network_case(batch: int, length: int, d_model: int, d_hidden: int, seed: int) -> Callable:
    def make() -> tuple:
        sizes = {"d_model": d_model, "d_hidden": d_hidden}
        weights = drawn_weights(network_shapes(d_model, d_hidden), seed)
        return sizes, weights, *random_tensors((batch, length, d_model), seed=seed + 1)

    return make


FEED_FORWARD = Step(
    Card(
        "gpt-red", "La red por posición", "codigo", 1, 10, 1,
        "encadenar dos capas lineales y una GELU",
        (
            "Dos `nn.Linear`, `hidden` y `output`, y entre ellas la GELU.",
            "Los GPT usan la aproximada: `F.gelu(h, approximate=\"tanh\")`.",
        ),
    ),
    Task(
        "FeedForward",
        (
            Case("2 textos de 3 vectores", _network_case(2, 3, 6, 24, seed=40)),
            Case("una capa oculta más estrecha", _network_case(1, 2, 8, 5, seed=41)),
        ),
        lambda sizes, weights, x: _network(sizes, weights, x),
        (
            Mistake("gelu-exacta", "usas la GELU exacta; los pesos del curso se entrenaron con la "
                    'aproximada: `approximate="tanh"`', with_flaw(_network, "exacta")),
            Mistake("activacion", "la activación es una GELU, entre las dos capas lineales",
                    with_flaw(_network, "relu", "lineal")),
            Mistake("residuo", "el residuo lo pone el bloque: aquí no se suma la entrada",
                    with_flaw(_network, "residuo")),
        ),
        tolerance=2e-5, differentiable=False,
    ),
    driver="capa",
)  # fmt: skip
