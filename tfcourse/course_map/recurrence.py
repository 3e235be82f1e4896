"""Las filas del mapa: de la recurrencia a la atención."""

from tfcourse.course_map.rows import Row
from tfcourse.datasets.puzzles.gaps import COMMON_WORDS
from tfcourse.datasets.text.streams import SPANISH_CHARACTERS
from tfcourse.layers.alignment.aligned import AlignedAttention
from tfcourse.layers.alignment.products import ScaledDotAlignment
from tfcourse.models.attentive import AttentiveDecoder
from tfcourse.models.gap_filling import GapFiller
from tfcourse.models.language import LanguageConfig, RecurrentLM
from tfcourse.models.ngrams import CountModel
from tfcourse.models.recurrent import RecurrentConfig, RecurrentReader
from tfcourse.models.seq2seq import Seq2Seq, Seq2SeqConfig
from tfcourse.models.wirings import OutputEachStep, OutputFeedback, SingleOutput, VectorToSequence
from tfcourse.tokenizers.vocabulary import Vocabulary

N_CHARACTERS = len(Vocabulary(SPANISH_CHARACTERS))
N_CAPTION_WORDS = 21  # las de las frases con las que se describe un dibujo
DATES = (41, 14)  # los caracteres de una fecha en español y los de una fecha ISO
STATE = "un estado que pasa de cada paso al siguiente"
FIRST, GATES = "1_recurrencia/redes_recurrentes", "1_recurrencia/lstm_gru"
SEQ2SEQ = "1_recurrencia/secuencia_a_secuencia"
ALIGNED = "1_recurrencia/alineamiento"


def with_alignment() -> Seq2Seq:
    """El modelo de fechas con una función de alineamiento de las once."""
    decoder = AttentiveDecoder(DATES[1], 32, 64, 64, AlignedAttention(ScaledDotAlignment()))
    return Seq2Seq(Seq2SeqConfig(*DATES, d_hidden=32), decoder)


def date_row(name: str, decoder: str, **more) -> Row:
    """Un modelo de fechas con uno de los tres decodificadores."""
    return Row(
        name, SEQ2SEQ, lambda: Seq2Seq(Seq2SeqConfig(*DATES, decoder)), "caracteres",
        "el carácter siguiente de la fecha ISO", "una clase por carácter",
        reads="encoder.embedding", writes="decoder.output", **more,
    )  # fmt: skip


ROWS = (
    Row(
        "Modelo de n-gramas", FIRST, lambda: CountModel(6, N_CHARACTERS), "caracteres",
        "contar qué sigue a qué", "una probabilidad por carácter",
        instead="los cinco caracteres anteriores, tal cual",
    ),
    Row(
        "Red de Elman", FIRST, lambda: OutputEachStep(1, 16, 1), "bits", "la paridad, paso a paso",
        "un sí o un no por paso", instead=STATE, reads="cell.input_proj", writes="output",
    ),
    Row(
        "Red de una salida", FIRST, lambda: SingleOutput(1, 16, 1), "bits",
        "una respuesta al final", "un sí o un no", instead=STATE,
        reads="cell.input_proj", writes="output",
    ),
    Row(
        "Red de Jordan", FIRST, lambda: OutputFeedback(1, 16, 1), "bits",
        "la paridad, paso a paso, con profesor", "un sí o un no por paso",
        instead="la salida anterior, que vuelve a entrar", reads="hidden", writes="output",
    ),
    Row(
        "De un vector a una frase", FIRST,
        lambda: VectorToSequence(16 * 4 * 4, N_CAPTION_WORDS, d_embedding=32, d_hidden=64),
        "palabras, y el resumen de un dibujo", "la palabra siguiente", "una clase por palabra",
        instead=STATE, reads="embedding", writes="output",
    ),
    Row(
        "Modelo de lenguaje recurrente", FIRST, lambda: RecurrentLM(LanguageConfig(N_CHARACTERS)),
        "caracteres", "el carácter siguiente", "una clase por carácter",
        instead=STATE, reads="embedding", writes="output",
    ),
    Row(
        "Red bidireccional", FIRST,
        lambda: GapFiller(
            N_CHARACTERS, len(COMMON_WORDS), d_embedding=32, d_before=96, d_after=96
        ),
        "caracteres", "la palabra que falta", "una clase por palabra",
        instead="dos estados, uno en cada sentido", reads="embedding", writes="output",
    ),
    Row(
        "LSTM", GATES, lambda: RecurrentReader(RecurrentConfig("lstm")), "números con una marca",
        "sumar los dos marcados", "un número", instead="un estado y una memoria con compuertas",
        writes="output",
    ),
    date_row("Secuencia a secuencia", "fijo", instead="un vector resume la entrada entera"),
    date_row("Con atención de Bahdanau", "bahdanau", looks=(("el que escribe", "una consulta"),)),
    date_row("Con atención de Luong", "luong", looks=(("el que escribe", "una consulta"),)),
    Row(
        "Con otra función de alineamiento", ALIGNED, with_alignment, "caracteres",
        "el carácter siguiente de la fecha ISO", "una clase por carácter",
        looks=(("el que escribe", "una consulta"),),
        reads="encoder.embedding", writes="decoder.output",
    ),
)  # fmt: skip
