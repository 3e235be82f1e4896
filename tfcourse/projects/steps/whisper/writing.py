"""Los pesos del curso, la pérdida y escribir con caché."""

from collections.abc import Callable

import torch

from tfcourse.exercises.data import chance, random_tensors
from tfcourse.exercises.engine import Card, Case, Mistake, Task
from tfcourse.projects.steps.drawing import drawn_tokens, with_flaw
from tfcourse.projects.steps.piece import Step
from tfcourse.projects.steps.whisper import sums
from tfcourse.projects.steps.whisper.hearing import CLOSE
from tfcourse.projects.steps.whisper.script import STOP, write
from tfcourse.projects.steps.whisper.weights import rename

ENCODING = tuple(
    f"encoder.{name}"
    for name in (
        "stem.first.weight", "stem.second.bias", "blocks.0.around_attention.norm.weight",
        "blocks.0.around_feed_forward.norm.bias", "blocks.1.attention.k_proj.weight",
        "blocks.1.attention.k_proj.bias", "blocks.1.feed_forward.hidden.weight", "norm.weight",
    )
)  # fmt: skip
DECODING = tuple(
    f"decoder.{name}"
    for name in (
        "table.weight", "places.weight", "blocks.0.around_attention.norm.weight",
        "blocks.0.around_cross_attention.norm.weight", "blocks.0.around_feed_forward.norm.bias",
        "blocks.1.cross_attention.k_proj.bias", "blocks.1.cross_attention.q_proj.bias",
        "blocks.1.feed_forward.output.weight", "norm.bias",
    )
)  # fmt: skip


def _weights_case(size: int, names: tuple[str, ...], seed: int) -> Callable:
    def make() -> tuple:
        flat = ("bias", "norm.weight")
        shapes = [(size,) if name.endswith(flat) else (size, size) for name in names]
        drawn = random_tensors(*shapes, seed=seed)
        return ({name: value.half() for name, value in zip(names, drawn, strict=True)},)

    return make


RENAME = Step(
    Card(
        "wh-pesos", "Los pesos del curso", "codigo", 2, 25, 3,
        "cargar en un modelo propio los pesos que guardó otro",
        (
            "Recorre `weights.items()`, salta lo que no va y haz un diccionario nuevo con el "
            "nombre cambiado y el valor en `float32`.",
            "Casi todo son `replace` seguidos. La norma de la red es la única que depende de dónde "
            "está: `norm2` en el codificador y `norm3` en el decodificador.",
        ),
    ),
    Task(
        "rename",
        (
            Case("las dos redes y la cabeza",
                    _weights_case(3, (*ENCODING, *DECODING, "ctc.weight", "ctc.bias"), seed=800)),
            Case("solo lo que escribe", _weights_case(2, DECODING, seed=801)),
        ),
        lambda weights: rename(weights),
        (
            Mistake("cabeza-ctc", "lo de `ctc.` no está en tu modelo: se salta",
                    with_flaw(rename, "con-ctc")),
            Mistake("sesgo-de-las-claves", "tus claves no llevan sesgo: los `k_proj.bias` se "
                    "saltan", with_flaw(rename, "con-sesgo")),
            Mistake("norma-de-la-red", "la norma de la red es `norm2` en el codificador y `norm3` "
                    "en el decodificador",
                    with_flaw(rename, "una-para-las-dos", "normas-cambiadas")),
            Mistake("red", "en tus bloques la red no tiene nombre: `feed_forward.hidden` es "
                    "`hidden`", with_flaw(rename, "con-red")),
            Mistake("traspuestas", "traspones las matrices: `nn.Linear` las guarda igual que el "
                    "curso", with_flaw(rename, "traspuestas")),
        ),
        tolerance=0.0, differentiable=False, fixed_type=True,
    ),
    wrong_dtype="los nombres están bien y el tipo de los números, no: pásalos a `float32` con "
    "`.float()`",
)  # fmt: skip


def _loss_case(n_prompt: int, words: tuple[int, ...], n_tokens: int, seed: int, factor=1.0):
    """Unas frases de tantas palabras, con su comienzo, su fin y el fin repetido de relleno."""

    def make() -> tuple:
        length = n_prompt + max(words) + 1
        tokens = 1 + drawn_tokens(len(words), length, n_tokens=n_tokens - 1, seed=seed)
        for row, count in enumerate(words):
            tokens[row, n_prompt + count :] = STOP
        (logits,) = random_tensors((len(words), length - 1, n_tokens), seed=seed + 1)
        return factor * logits, tokens, n_prompt, STOP

    return make


LOSS = Step(
    Card(
        "wh-perdida", "La pérdida de lo que se escribe", "codigo", 2, 25, 3,
        "aprender solo de lo que había que decidir",
        (
            "Los logits del lugar t son los de `tokens[:, t + 1]`: lo que se compara es "
            "`tokens[:, 1:]`.",
            "Cuenta, de cada fila, cuántos fines ha habido **antes** de cada lugar: con `cumsum` y "
            "restando el propio. Donde es 0, todavía se escribe.",
            "El primer token ni se predice: en `tokens[:, 1:]`, los símbolos del comienzo son los "
            "`n_prompt − 1` primeros lugares.",
        ),
    ),
    Task(
        "writing_loss",
        (
            Case("3 frases con 4 símbolos delante", _loss_case(4, (3, 1, 5), 9, seed=810)),
            Case("un solo símbolo delante", _loss_case(1, (2, 4), 7, seed=812)),
            Case("logits de ±200: no se desborda", _loss_case(2, (3, 0), 6, 814, factor=100.0)),
        ),
        lambda logits, tokens, n_prompt, stop: sums.writing_loss(logits, tokens, n_prompt, stop),
        (
            Mistake("cuenta-lo-dado", "los símbolos del comienzo se dan ya escritos: no cuentan",
                    with_flaw(sums.writing_loss, "cuenta-lo-dado")),
            Mistake("salta-una", "te saltas la primera palabra: la predice el último símbolo del "
                    "comienzo", with_flaw(sums.writing_loss, "salta-una")),
            Mistake("relleno", "detrás del primer fin todo es relleno, y no cuenta: ni en la suma "
                    "ni en el número por el que divides",
                    with_flaw(sums.writing_loss, "cuenta-el-relleno", "divide-entre-todos")),
            Mistake("sin-fin", "el primer fin sí cuenta: si no, nunca aprende a callar",
                    with_flaw(sums.writing_loss, "sin-fin")),
            Mistake("sin-desplazar", "los logits de un lugar predicen el token **siguiente**",
                    with_flaw(sums.writing_loss, "sin-desplazar")),
            Mistake("por-frase", "haces la media de cada frase y después la de las frases: todos "
                    "los tokens que cuentan pesan igual",
                    with_flaw(sums.writing_loss, "por-frase")),
            Mistake("suma", "devuelves la suma: se pide la media",
                    with_flaw(sums.writing_loss, "suma")),
        ),
        tolerance=CLOSE,
    ),
)  # fmt: skip


def _write_case(ends: tuple[int, ...], prompt: tuple[int, ...], limit: int, seed: int) -> Callable:
    """Unos sonidos de guion: el primer número de cada uno dice cuántos tokens se escriben."""

    def make() -> tuple:
        order = [*ends]
        chance(seed).shuffle(order)
        (table,) = random_tensors((31, 9), seed=seed)
        mels = drawn_tokens(len(order), 2, 4, n_tokens=30, seed=seed + 1).float()
        mels[:, 0, 0] = torch.tensor(order)
        return table, mels, [*prompt], limit

    return make


GREEDY = Step(
    Card(
        "wh-voraz", "Escribir con caché", "codigo", 2, 35, 4,
        "escribir lo oído sin volver a leer lo ya escrito",
        (
            "Fuera del bucle, `heard = model.start(model.encode(mels))` y el comienzo, repetido en "
            "cada fila.",
            "En cada vuelta, `logits, past = model.step(tokens, heard, past)`: el token es el de "
            "más puntos de `logits[:, -1]`, y lo único que se lee después.",
            "Se acaba cuando todas las filas han escrito `stop` o al llegar a `max_length`. Al "
            "final, cada fila se corta en su primer `stop`.",
        ),
    ),
    Task(
        "write",
        (
            Case("4 sonidos: unos acaban y otro no",
                    _write_case((2, 3, 0, 9), (5, 3, 4, 7), 6, seed=820)),
            Case("todos acaban antes del límite", _write_case((1, 4, 2), (6,), 8, seed=822)),
        ),
        lambda table, mels, prompt, limit: write(table, mels, prompt, limit),
        (
            Mistake("relee", "lo escrito está bien, y cada vez lo lees todo otra vez: con la caché "
                    "basta con el último token", with_flaw(write, "relee")),
            Mistake("de-una-vez", "lo escrito está bien, y cada vez oyes y lees todo otra vez: usa "
                    "`encode`, `start` y `step`, con su caché", with_flaw(write, "de-una-vez")),
            Mistake("relee-con-cache", "la caché ya tiene lo de antes: si se lo das otra vez, lo "
                    "lee dos veces. Dale solo el último token",
                    with_flaw(write, "relee-con-cache")),
            Mistake("sin-cache", "das solo el último token y no le pasas la caché: devuelve `past` "
                    "a `step` en cada vuelta", with_flaw(write, "sin-cache")),
            Mistake("repite-el-comienzo", "en cada vuelta lees el comienzo: se lee el token que se "
                    "acaba de escribir", with_flaw(write, "repite-el-comienzo")),
            Mistake("sin-comienzo", "al empezar se lee el comienzo entero, y no solo su último "
                    "símbolo", with_flaw(write, "sin-comienzo")),
            Mistake("oye-otra-vez", "el sonido se oye una sola vez, y lo que se mirará de él se "
                    "prepara una sola vez: fuera del bucle",
                    with_flaw(write, "oye-otra-vez", "oye-de-mas", "prepara-otra-vez")),
            Mistake("fila-a-fila", "escribes cada sonido por separado: se oyen, se preparan y se "
                    "escriben todos a la vez", with_flaw(write, "fila-a-fila")),
            Mistake("no-corta", "cada fila acaba en su primer `stop`: lo que va detrás no se "
                    "devuelve", with_flaw(write, "no-corta", "sigue")),
            Mistake("para-en-la-primera", "se para cuando **todas** las filas han escrito `stop`, "
                    "y no cuando lo escribe la primera", with_flaw(write, "para-en-la-primera")),
            Mistake("con-fin", "devuelve lo escrito sin `stop`", with_flaw(write, "con-fin")),
            Mistake("con-comienzo", "devuelve lo escrito sin el comienzo",
                    with_flaw(write, "con-comienzo")),
            Mistake("sin-parar", "lees tokens de más: se para en cuanto todas las filas han "
                    "acabado, y el último token no hace falta leerlo",
                    with_flaw(write, "sin-parar", "lee-el-ultimo")),
        ),
        differentiable=False,
    ),
    driver="voraz-que-oye",
)  # fmt: skip
