"""Reglas: con qué nombre y con qué forma está cada tensor publicado en nuestra clase.

Una conversión es una tabla de reglas, y la escribe cada familia con estas palabras: `linear`,
`norm`, `table`… El motor que las aplica es uno, `tfcourse.official.conversion`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from torch import Tensor

Change = Callable[..., Tensor | Sequence[Tensor]]
Pairs = tuple[tuple[str, str], ...]


def same(tensor: Tensor) -> Tensor:
    """El mismo tensor."""
    return tensor


@dataclass(frozen=True)
class Rule:
    """De unos tensores publicados a unos nuestros; `{n}` es un número, el mismo en los dos lados.

    `change` recibe los publicados, en su orden, y devuelve los nuestros.
    """

    ours: tuple[str, ...]
    theirs: tuple[str, ...]
    change: Change = same


@dataclass(frozen=True)
class Table:
    """La conversión de una familia.

    `renames` son expresiones regulares que llevan los nombres de cada versión de la biblioteca a
    los publicados; `ignored`, los nombres que se dejan fuera a sabiendas; `blank`, los nuestros que
    valen cero si el original no los tiene.
    """

    rules: tuple[Rule, ...]
    renames: Pairs = ()
    ignored: tuple[str, ...] = ()
    blank: tuple[str, ...] = ()


def bare(ours: str, theirs: str, change: Change = same) -> tuple[Rule, ...]:
    """Un tensor suelto."""
    return (Rule((ours,), (theirs,), change),)


def linear(ours: str, theirs: str, *, bias: bool = True) -> tuple[Rule, ...]:
    """Una capa lineal o una convolución: la matriz y, si lo tiene, el sesgo."""
    kinds = ("weight", "bias") if bias else ("weight",)
    return tuple(rule for kind in kinds for rule in bare(f"{ours}.{kind}", f"{theirs}.{kind}"))


def transposed(ours: str, theirs: str) -> tuple[Rule, ...]:
    """Una capa lineal guardada al revés, por columnas, como en los GPT de OpenAI."""
    weight = bare(f"{ours}.weight", f"{theirs}.weight", lambda matrix: fresh(matrix.T))
    return weight + bare(f"{ours}.bias", f"{theirs}.bias")


def norm(ours: str, theirs: str, *, bias: bool = True) -> tuple[Rule, ...]:
    """Una normalización: nuestra ganancia es su `weight`."""
    gain = bare(f"{ours}.gain", f"{theirs}.weight")
    return gain + bare(f"{ours}.bias", f"{theirs}.bias") if bias else gain


def table(ours: str, theirs: str) -> tuple[Rule, ...]:
    """Una tabla de embeddings."""
    return bare(f"{ours}.weight", f"{theirs}.weight")


def patches(ours: str, theirs: str) -> tuple[Rule, ...]:
    """La convolución de los parches, que aquí es una matriz."""
    weight = bare(f"{ours}.weight", f"{theirs}.weight", lambda kernel: fresh(kernel.flatten(1)))
    return weight + bare(f"{ours}.bias", f"{theirs}.bias")


def fused(
    ours: str, theirs: str, *, joint: str = "{kind}", transpose: bool = False
) -> tuple[Rule, ...]:
    """Consulta, clave y valor en una sola matriz: se parte en tres.

    `joint` es lo que sigue a `theirs`: `in_proj_{kind}` en la atención de PyTorch.
    """

    def split(tensor: Tensor) -> list[Tensor]:
        rows = tensor.T if transpose and tensor.ndim == 2 else tensor
        return [fresh(part) for part in rows.chunk(3)]

    return tuple(
        Rule(
            tuple(f"{ours}.{name}_proj.{kind}" for name in "qkv"),
            (f"{theirs}.{joint.replace('{kind}', kind)}",),
            split,
        )
        for kind in ("weight", "bias")
    )


def attention(
    ours: str, theirs: str, names: Sequence[str], *, bias: bool = True
) -> tuple[Rule, ...]:
    """Las cuatro matrices de una atención; `names` son las suyas, la de salida la última."""
    each = zip(("q_proj", "k_proj", "v_proj", "out_proj"), names, strict=True)
    return tuple(
        rule
        for mine, other in each
        for rule in linear(f"{ours}.{mine}", f"{theirs}.{other}", bias=bias)
    )


def under(prefix: str, rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """Las mismas reglas, para un modelo nuestro que cuelga de otro."""
    return tuple(replace(rule, ours=tuple(prefix + name for name in rule.ours)) for rule in rules)


def fresh(tensor: Tensor) -> Tensor:
    """Una copia con su propia memoria: una vista no se podría volver a guardar."""
    return tensor.clone().contiguous()
