"""La familia de BERT: cuántos parámetros y bytes salen de cada configuración, y qué se publicó."""

from dataclasses import dataclass

from tfcourse.models.bert import VARIANTS, BertConfig

BYTES_PER_PARAMETER = 4  # float32


@dataclass(frozen=True)
class ParameterCount:
    """Parámetros de un modelo, por partes; `head` es la cabeza con la que se entrenó."""

    embeddings: int
    blocks: int
    summary: int
    head: int

    @property
    def body(self) -> int:
        """Sin la cabeza: lo que se reutiliza."""
        return self.embeddings + self.blocks + self.summary

    @property
    def total(self) -> int:
        """Con la cabeza de huecos, que comparte la tabla de embeddings."""
        return self.body + self.head


def count_parameters(config: BertConfig) -> ParameterCount:
    """Cuenta los parámetros sin crear el modelo: solo multiplica las formas de sus matrices.

    Una capa lineal de n a m son nm + m; una normalización de anchura n, 2n.
    """
    d, e = config.d_model, config.embedding_width
    rows = config.n_tokens + config.max_length + config.n_segments
    widening = 0 if config.d_embedding is None else linear(e, d)
    attention = 4 * linear(d, d) + 2 * d
    feed_forward = linear(d, config.d_hidden) + linear(config.d_hidden, d) + 2 * d
    different_blocks = 1 if config.shared_layers else config.n_layers
    return ParameterCount(
        embeddings=rows * e + 2 * e + widening,
        blocks=different_blocks * (attention + feed_forward),
        summary=linear(d, d) if config.pooler else 0,
        head=linear(d, e) + 2 * e + config.n_tokens,
    )


def linear(n_inputs: int, n_outputs: int) -> int:
    """Parámetros de una capa lineal con sesgo."""
    return n_inputs * n_outputs + n_outputs


def xlnet_parameters(config: BertConfig) -> ParameterCount:
    """Los de XLNet: sin tabla de posiciones; a cambio, cada bloque proyecta las distancias.

    Sus proyecciones no llevan sesgo, y tiene tres sesgos y dos vectores de segmento por cabeza.
    Fuente: Yang et al. (2019), § 2.2 y 2.3, con la atención relativa de Dai et al. (2019).
    """
    d = config.d_model
    attention = 5 * d * d + 5 * d + 2 * d
    feed_forward = linear(d, config.d_hidden) + linear(config.d_hidden, d) + 2 * d
    return ParameterCount(
        embeddings=config.n_tokens * d + d,
        blocks=config.n_layers * (attention + feed_forward),
        summary=0,
        head=config.n_tokens,
    )


@dataclass(frozen=True)
class Published:
    """Lo que dice el artículo de un modelo: millones de parámetros, texto, lote y objetivo."""

    millions: float
    text: str
    batch: str
    objective: str
    source: str


# Los millones que dan los artículos; el de XLNet no lo da el suyo: es el de BERT-large, al que dice
# parecerse. El texto, en gigabytes sin comprimir; el lote, en secuencias.
PUBLISHED = {
    "BERT-base": Published(110, "16 GB", "256", "huecos + NSP", "Devlin et al. (2019), § 3"),
    "BERT-large": Published(340, "16 GB", "256", "huecos + NSP", "Devlin et al. (2019), § 3"),
    "RoBERTa-large": Published(355, "160 GB", "8000", "huecos", "Liu et al. (2019), § 5"),
    "DistilBERT": Published(66, "16 GB", "4000", "destilación", "Sanh et al. (2019), tabla 3"),
    "ALBERT-large": Published(18, "16 GB", "4096", "huecos + SOP", "Lan et al. (2020), tabla 1"),
}


def family_table() -> list[dict]:
    """Una fila por modelo publicado: parámetros calculados, publicados, diferencia y bytes."""
    rows = []
    for name, published in PUBLISHED.items():
        config = BertConfig(**VARIANTS[name])
        count = count_parameters(config)
        rows.append(
            {
                "name": name,
                "config": config,
                "body": count.body,
                "total": count.total,
                "published": published,
                "error": count.total / (published.millions * 1e6) - 1,
                "megabytes": count.total * BYTES_PER_PARAMETER / 1e6,
            }
        )
    return rows
