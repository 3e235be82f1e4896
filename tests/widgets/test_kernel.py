"""El núcleo de WebAssembly multiplica como numpy, con cualquier forma, y un fallo en él se nota."""

import numpy as np
import pytest

from tests.conftest import ROOT
from tests.widgets.engine import as_bytes, engine_source, run_engine

TOLERANCE = 1e-4
RNG = np.random.default_rng(0)
# Filas, entradas y salidas: una de cada, justo 16, una más, una menos, y al azar.
SHAPES = [
    (1, 1, 1), (3, 1, 5), (1, 7, 3), (2, 4, 16), (5, 16, 32), (4, 15, 17), (7, 33, 15),
    (1, 160, 1024),
    *(tuple(int(n) for n in RNG.integers(1, 70, 3)) for _ in range(50)),
]  # fmt: skip
MULTIPLY = """
const numbers = new Float32Array(readBytes("numeros"));
let at = 0;
const take = (count) => numbers.slice(at, (at += count));
const cases = INPUT.shapes.map(([rows, width, outputs], n) => ({
  x: take(rows * width),
  rows,
  weight: { shape: [outputs, width], data: take(outputs * width) },
  bias: n % 2 ? { data: take(outputs) } : undefined,
}));
cases.forEach(({ weight }, n) => (weight.passing = n % 5 === 0));
const multiply = ({ x, rows, weight, bias }) => linear(x, rows, weight, bias);
const first = cases.map(multiply);
// Otra vez, con los pesos ya copiados y en otro orden.
const again = [...cases].reverse().map(multiply).reverse();
ANSWER.found = first.map((y) => [...y]);
ANSWER.same = first.every((y, n) => y.every((value, i) => value === again[n][i]));
ANSWER.bytes = kernelBytes().length;
"""


def draw_cases() -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Los números de cada caso, en fila, y lo que dan según numpy, con 64 bits."""
    rng = np.random.default_rng(1)
    numbers, expected = [], []
    for n, (rows, width, outputs) in enumerate(SHAPES):
        x, w, b = (rng.standard_normal(s) for s in ((rows, width), (outputs, width), outputs))
        x, w, b = (part.astype(np.float32) for part in (x, w / np.sqrt(width), b))
        numbers += [x.ravel(), w.ravel(), *([b] if n % 2 else [])]
        product = x.astype(np.float64) @ w.T.astype(np.float64)
        expected.append(product + b if n % 2 else product)
    return numbers, expected


def multiply(folder, source=None, path="con el núcleo") -> dict:
    numbers, _ = draw_cases()
    files = {"numeros": as_bytes(np.concatenate(numbers))}
    return run_engine(folder, MULTIPLY, {"shapes": SHAPES}, files, source, path)


def check(answer: dict) -> None:
    """Todos los casos, contra numpy; y repetir una cuenta da lo mismo."""
    _, expected = draw_cases()
    for shape, mine, theirs in zip(SHAPES, answer["found"], expected, strict=True):
        assert np.allclose(mine, theirs.ravel(), rtol=0, atol=TOLERANCE), shape
    assert answer["same"]


def test_shapes_are_not_all_round():
    assert len(SHAPES) > 50 and {width % 4 for _, width, _ in SHAPES} == {0, 1, 2, 3}
    assert {outputs % 16 for *_, outputs in SHAPES} >= {0, 1, 15}


@pytest.mark.parametrize("path", ["con el núcleo", "sin él"])
def test_it_multiplies_like_numpy(tmp_path, path):
    answer = multiply(tmp_path, path=path)
    check(answer)
    assert path == "sin él" or answer["bytes"] < 500


BUGS = {
    "solo cuenta una de las cuatro": ("[0xfd, 0x09, 2, 0]", "[0xfd, 0x5c, 2, 0]"),
    "las cuatro leen números seguidos": ("[0xfd, 0x09, 2, 0]", "[0xfd, 0x00, 2, 0]"),
    "el último vector pisa al primero": (
        "[get(y), get(total), store(offset)]",
        "[get(y), get(total), store(offset % 48)]",
    ),
    "sin los sesgos": ("bias ? bias.data[o] : 0", "0"),
    "sin el último número de cada fila": (
        "plusLocal(xRow), set(rowEnd)",
        "plusLocal(xRow), [0x41, 0x7c, 0x6a], set(rowEnd)",
    ),
    "cada tramo olvida el anterior": (
        "[get(total), get(sum), add, set(total)]",
        "[get(sum), set(total)]",
    ),
    "el último tramo se sale de su fila": (", smaller(runEnd, rowEnd), set(runEnd)", ""),
    "sin las salidas que sobran": (
        "Math.ceil(weight.shape[0] / PANEL)",
        "Math.floor(weight.shape[0] / PANEL)",
    ),
    "la matriz siguiente pisa a esta": ("this.used += size;", "this.used += size - 1;"),
    "la memoria de antes de crecer": (
        "    this.numbers = new Float32Array(this.memory.buffer);\n  }\n\n  /** Dónde",
        "  }\n\n  /** Dónde",
    ),
    "una matriz de paso, donde se escribe x": (
        "Math.max(this.used, at + ",
        "Math.max(this.used, 0 * ",
    ),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_in_the_kernel_is_noticed(tmp_path, bug):
    right, wrong = BUGS[bug]
    source = engine_source()
    assert source.count(right) == 1
    with pytest.raises(AssertionError):
        check(multiply(tmp_path, source.replace(right, wrong)))


ABSENT = {
    "sin WebAssembly": "delete globalThis.WebAssembly;\n",
    "sin SIMD": "WebAssembly.validate = () => false;\n",
    "la página no lo deja compilar": (
        "WebAssembly.Module = class { constructor() { throw new Error('prohibido'); } };\n"
    ),
}


@pytest.mark.parametrize("reason", ABSENT)
def test_without_it_the_sums_are_done_in_javascript(tmp_path, reason):
    source = ABSENT[reason] + engine_source()
    check(multiply(tmp_path, source, path="sin él"))


def test_the_module_is_only_a_function_and_its_memory(tmp_path):
    """Nada de fuera: no importa nada, y lo que ofrece es lo que se dice en la página."""
    script = """
    const module = new WebAssembly.Module(kernelBytes());
    ANSWER.asked = WebAssembly.Module.imports(module);
    ANSWER.given = WebAssembly.Module.exports(module).map(({ name, kind }) => [name, kind]);
    """
    answer = run_engine(tmp_path, script, {}, {})
    assert answer["asked"] == []
    assert answer["given"] == [["memory", "memory"], ["panel", "function"]]


def test_what_is_passing_takes_no_room(tmp_path):
    script = """
    const weight = { shape: [500], data: new Float32Array(10000), passing: true };
    const multiply = () => linear(new Float32Array(60).fill(1), 3, weight);
    multiply();
    const before = KERNEL.memory.buffer.byteLength;
    for (let n = 0; n < 50; n++) multiply();
    ANSWER.grown = KERNEL.memory.buffer.byteLength - before;
    ANSWER.used = KERNEL.used;
    """
    answer = run_engine(tmp_path, script, {}, {})
    assert answer["grown"] == answer["used"] == 0


def test_every_live_figure_carries_it():
    source = (ROOT / "tfcourse/widgets/modelos/kernel.js").read_text(encoding="utf-8")
    from tfcourse.widgets import DetectingWidget, WritingWidget

    assert source in DetectingWidget._esm and source in WritingWidget._esm
