"""Oír: de la onda a los vectores que lee el codificador."""

from collections.abc import Callable

import torch
from torch import Tensor

from tfcourse.exercises.data import chance, random_tensors
from tfcourse.exercises.engine import Card, Case, Mistake, Task
from tfcourse.projects.steps.drawing import drawn_weights, with_flaw
from tfcourse.projects.steps.piece import Step
from tfcourse.projects.steps.whisper import sound_sums, sums
from tfcourse.projects.steps.whisper.shapes import input_shapes
from tfcourse.watch import Rules

CLOSE = 1e-4
OWN = Rules(banned=("stft", "tfcourse."))  # sin la transformada ya hecha ni lo que enseña el curso


def _waves_case(batch: int, length: int, n_fft: int, hop: int, seed: int) -> Callable:
    return lambda: (*random_tensors((batch, length), seed=seed), n_fft, hop)


POWER = Step(
    Card(
        "wh-potencia", "El espectrograma de potencia", "codigo", 2, 25, 3,
        "partir una onda en tramos y medir la energía de cada frecuencia",
        (
            "`F.pad(…, mode=\"reflect\")` refleja; con ondas (B, T) pide un eje más, que después "
            "se quita.",
            "`x.unfold(-1, n_fft, hop)` da los tramos, (B, tramos, N). La ventana se multiplica "
            "por cada uno.",
            "`torch.fft.rfft` de cada tramo da N/2 + 1 números complejos: su módulo al cuadrado es "
            "la energía. Después se intercambian los dos últimos ejes.",
        ),
    ),
    Task(
        "power_spectrogram",
        (
            Case("2 ondas de 40 muestras", _waves_case(2, 40, 16, 5, seed=710), OWN),
            Case("tramos que no se solapan", _waves_case(1, 33, 8, 8, seed=711), OWN),
            Case("3 ondas de 20", _waves_case(3, 20, 12, 3, seed=712), OWN),
        ),
        lambda waves, n_fft, hop: sound_sums.power_spectrogram(waves, n_fft, hop),
        (
            Mistake("sin-ventana", "falta la ventana: cada tramo se multiplica por ella antes de "
                    "la transformada", with_flaw(sound_sums.power_spectrogram, "sin-ventana")),
            Mistake("ventana-simetrica", "la ventana divide entre N, y no entre N − 1: la última "
                    "muestra no vuelve a 0",
                    with_flaw(sound_sums.power_spectrogram, "ventana-simetrica")),
            Mistake("sin-reflejar", "faltan los bordes: la onda se alarga N/2 muestras por cada "
                    "lado antes de partirla",
                    with_flaw(sound_sums.power_spectrogram, "sin-reflejar")),
            Mistake("con-ceros", "los bordes se rellenan con la onda reflejada, y no con ceros",
                    with_flaw(sound_sums.power_spectrogram, "con-ceros")),
            Mistake("modulo", "das el módulo: la potencia es su cuadrado",
                    with_flaw(sound_sums.power_spectrogram, "modulo")),
            Mistake("todas", "das las N frecuencias: de una onda real bastan las N/2 + 1 primeras",
                    with_flaw(sound_sums.power_spectrogram, "todas")),
            Mistake("traspuesto", "las frecuencias van por filas y los tramos por columnas: tú los "
                    "das al revés", with_flaw(sound_sums.power_spectrogram, "traspuesto")),
        ),
        tolerance=1e-3,
    ),
)  # fmt: skip


def _bank_case(n_fft: int, n_mels: int, seed: int) -> Callable:
    return lambda: (1_000 * chance(seed).randint(4, 16), n_fft, n_mels)


FILTERS = Step(
    Card(
        "wh-filtros", "Los filtros mel", "codigo", 2, 25, 3,
        "repartir las frecuencias como las reparte el oído",
        (
            "En mels, los vértices están a la misma distancia: `torch.linspace(0, tope, M + 2)`, y "
            "de vuelta a hercios.",
            "El filtro i sube del vértice i al i + 1 y baja hasta el i + 2. Con los vértices en "
            "columna, (M, 1), y las casillas en fila, las dos rampas salen de una vez; el "
            "triángulo es la menor de las dos, y nunca menos de 0.",
        ),
    ),
    Task(
        "mel_filters",
        (
            Case("5 filtros sobre 17 casillas", _bank_case(32, 5, seed=720), OWN),
            Case("8 filtros sobre 33", _bank_case(64, 8, seed=721), OWN),
        ),
        lambda sample_rate, n_fft, n_mels: sound_sums.mel_filters(sample_rate, n_fft, n_mels),
        (
            Mistake("en-hercios", "los vértices están a la misma distancia en mels, y no en "
                    "hercios", with_flaw(sound_sums.mel_filters, "en-hercios")),
            Mistake("sin-cortar", "fuera de su triángulo, un filtro vale 0, y no menos",
                    with_flaw(sound_sums.mel_filters, "sin-cortar")),
            Mistake("hasta-fs", "el último vértice es la mitad de `sample_rate`: por encima no hay "
                    "casillas", with_flaw(sound_sums.mel_filters, "hasta-fs")),
            Mistake("separados", "los filtros se solapan: cada uno empieza en el centro del "
                    "anterior", with_flaw(sound_sums.mel_filters, "separados")),
            Mistake("area", "aquí no se dividen entre su anchura: todos llegan a 1",
                    with_flaw(sound_sums.mel_filters, "area")),
            Mistake("casillas", "la casilla k es la frecuencia `k * sample_rate / n_fft`",
                    with_flaw(sound_sums.mel_filters, "casillas")),
            Mistake("traspuesto", "va un filtro por fila: tú los das por columnas",
                    with_flaw(sound_sums.mel_filters, "traspuesto")),
        ),
        tolerance=1e-3, differentiable=False, fixed_type=True,
    ),
    wrong_dtype="los valores están bien, y se piden en `float32`: haz la cuenta como quieras y "
    "acaba con `.float()`",
)  # fmt: skip


def _flat_case(contrast: float, seed: int) -> Callable:
    """Dos ondas casi constantes, con filtros que dan a todas las bandas casi lo mismo.

    Con tan poco contraste, lo que se suma a la desviación pesa tanto como ella.
    """

    def make() -> tuple:
        noise, spread = random_tensors((2, 24), (6,), seed=seed)
        waves = torch.tensor([[1.0], [2.0]]) * (1 + contrast * noise)
        filters = torch.zeros(6, 5)
        filters[:, 0] = (1 + contrast * spread) / 16  # la energía de la casilla 0 es 16
        return waves, filters, 4

    return make


def _log_mel_case(batch: int, length: int, n_mels: int, hop: int, seed: int, quiet: float):
    """Unas ondas que a mitad de camino bajan de volumen `quiet` veces, y unos filtros al azar.

    Con `quiet` 0, la segunda mitad es silencio y la primera suena tan poco que el suelo se nota.
    """

    def make() -> tuple:
        waves, filters = random_tensors((batch, length), (n_mels, 9), seed=seed)
        volume = torch.linspace(1.0, 5.0, batch)[:, None] * (1.0 if quiet else 3e-5)
        later = torch.arange(length) >= length // 2
        return volume * torch.where(later, quiet, 1.0) * waves, filters.abs() + 0.1, hop

    return make


LOG_MEL = Step(
    Card(
        "wh-logmel", "Lo que oye el modelo", "codigo", 2, 25, 3,
        "pasar la energía a logaritmos sin que el silencio ni el volumen manden",
        (
            "N sale de los filtros: tienen N/2 + 1 columnas.",
            "El orden: filtros por potencia, sin su última columna; suelo; logaritmo decimal; "
            "recorte; media 0 y desviación 1.",
            "`x.amax((1, 2), keepdim=True)` es el máximo de cada clip; con `mean` y `std`, los "
            "mismos ejes, y `correction=0`.",
        ),
    ),
    Task(
        "log_mel",
        (
            Case("2 ondas que acaban muy bajas", _log_mel_case(2, 96, 5, 6, 730, quiet=1e-5)),
            Case("muy bajas y con silencio: el suelo se nota",
                    _log_mel_case(2, 80, 4, 5, 732, quiet=0.0)),
            Case("3 ondas sin apenas contraste", _log_mel_case(3, 48, 6, 8, 734, quiet=0.5)),
            Case("ondas casi constantes: el 1e-5 se nota", _flat_case(3e-3, 736)),
        ),
        lambda waves, filters, hop: sound_sums.log_mel(waves, filters, hop),
        (
            Mistake("suelo", "la menor energía de la que se toma el logaritmo es 1e-10, con "
                    "`clamp(min=1e-10)`",
                    with_flaw(sound_sums.log_mel, "sin-suelo", "suma-el-suelo")),
            Mistake("ultima-columna", "sobra una columna: la última del espectrograma se descarta",
                    with_flaw(sound_sums.log_mel, "ultima-columna")),
            Mistake("logaritmo", "el logaritmo es decimal, y sin multiplicarlo por 10: si no, el "
                    "recorte de 5 es otro",
                    with_flaw(sound_sums.log_mel, "neperiano", "decibelios")),
            Mistake("sin-recortar", "falta el recorte: nada queda a más de 5 por debajo del máximo "
                    "de su clip", with_flaw(sound_sums.log_mel, "sin-recortar")),
            Mistake("del-lote", "el máximo, la media y la desviación son de cada clip, y no del "
                    "lote", with_flaw(sound_sums.log_mel, "maximo-del-lote", "nivel-del-lote")),
            Mistake("ejes", "la media y la desviación son de todo el clip: de sus bandas y de sus "
                    "columnas a la vez", with_flaw(sound_sums.log_mel, "por-banda", "por-columna")),
            Mistake("sin-nivelar", "al final, cada clip lleva media 0 y desviación 1",
                    with_flaw(sound_sums.log_mel, "sin-nivelar", "solo-centrar")),
            Mistake("epsilon", "se divide entre la desviación **más** 1e-5: ni dentro de la raíz, "
                    "ni como suelo, ni sin él",
                    with_flaw(sound_sums.log_mel, "sin-epsilon", "dentro-de-la-raiz", "de-suelo")),
        ),
        tolerance=2e-3,
    ),
    needs=(POWER,),
)  # fmt: skip


def _enter(sizes: dict, weights: dict, mels: Tensor, flaw: str = "") -> Tensor:
    return sums.entrance(mels, weights, flaw)


def _input_case(batch: int, frames: int, sizes: tuple[int, int], seed: int) -> Callable:
    def make() -> tuple:
        weights = drawn_weights(input_shapes(*sizes), seed)
        (mels,) = random_tensors((batch, sizes[0], frames), seed=seed + 1)
        return dict(zip(("n_mels", "d_model"), sizes, strict=True)), weights, mels

    return make


INPUT = Step(
    Card(
        "wh-entrada", "La entrada", "codigo", 2, 25, 3,
        "acortar el sonido a la mitad y decir dónde está cada vector",
        (
            "Las dos son `nn.Conv1d(…, 3, padding=1)`, y la segunda, además, `stride=2`; tras cada "
            "una, `F.gelu`. Al final, el eje del tiempo pasa a ser el segundo.",
            "Las frecuencias: `torch.exp(-math.log(10_000) / (half - 1) * torch.arange(half))`, "
            "con `half` la mitad de D. Cada posición, por todas: senos y, detrás, cosenos.",
        ),
    ),
    Task(
        "AudioInput",
        (
            Case("2 sonidos de 9 columnas", _input_case(2, 9, (5, 8), seed=740)),
            Case("otros tamaños", _input_case(3, 6, (3, 6), seed=742)),
            Case("un sonido de 700 columnas", _input_case(1, 700, (3, 6), seed=744)),
        ),
        lambda sizes, weights, mels: _enter(sizes, weights, mels),
        (
            Mistake("activacion", "tras cada convolución va una GELU, la exacta",
                    with_flaw(_enter, "relu", "tanh", "una-gelu")),
            Mistake("zancada", "la que avanza de dos en dos es la segunda convolución",
                    with_flaw(_enter, "sin-zancada", "zancada-primera")),
            Mistake("sin-relleno", "las dos convoluciones llevan una columna de relleno por cada "
                    "lado, `padding=1`", with_flaw(_enter, "sin-relleno")),
            Mistake("sin-posiciones", "falta sumar los senos y los cosenos",
                    with_flaw(_enter, "sin-posiciones")),
            Mistake("orden", "primero van todos los senos y después todos los cosenos",
                    with_flaw(_enter, "intercalados", "cosenos-delante")),
            Mistake("frecuencias", "la última frecuencia es 1/10 000: el exponente se divide entre "
                    "D/2 − 1, y no entre D/2", with_flaw(_enter, "divide-entre-mitad")),
        ),
        tolerance=CLOSE, differentiable=False,
    ),
    driver="capa",
)  # fmt: skip
