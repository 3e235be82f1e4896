"""El motor de las figuras, ejecutado en Node: lo que calculan las pruebas de paridad."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from course_site.node import NodeError, program

from tests.conftest import ROOT

FOLDER = ROOT / "tfcourse/widgets/modelos"
FILES = (
    "weights",
    "kernel",
    "layers",
    "tokenizers",
    "gpt",
    "bert",
    "search",
    "seq2seq",
    "translators",
    "convolutions",
    "detr",
    "anchored",
    "gato",
    "vit",
    "dialogue",
    "mask2former",
    "pose",
    "whisper",
    "sepformer",
    "pix2seq",
    "dit",
)
START = """
import fs from "node:fs";
const FOLDER = process.argv[2];
const INPUT = JSON.parse(fs.readFileSync(`${FOLDER}/entrada.json`, "utf8"));
/** Los octetos de un archivo, en un ArrayBuffer propio. */
function readBytes(name) {
  const bytes = fs.readFileSync(`${FOLDER}/${name}`);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
}
const ANSWER = { kernel: typeof KERNEL !== "undefined" && KERNEL !== null };
"""
# Las dos maneras de hacer las cuentas: con el núcleo de WebAssembly y como si no hubiera SIMD.
PATHS = {"con el núcleo": "", "sin él": "WebAssembly.validate = () => false;\n"}
END = "\nfs.writeFileSync(`${FOLDER}/salida.json`, JSON.stringify(ANSWER));\n"


def engine_source() -> str:
    """El motor entero, en un solo texto."""
    paths = [FOLDER.parent / "fourier.js", *(FOLDER / f"{name}.js" for name in FILES)]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def run_engine(
    folder: Path,
    script: str,
    given: dict,
    files: dict[str, bytes],
    source: str | None = None,
    path: str = "con el núcleo",
) -> dict:
    """Ejecuta `script` detrás del motor, con `INPUT` y unos archivos; devuelve `ANSWER`.

    Con otra `source`, ese texto va en lugar del motor, y puede no haber núcleo que mirar.
    """
    try:
        node = program("node")
    except NodeError as missing:
        pytest.skip(str(missing))
    for name, content in files.items():
        (folder / name).write_bytes(content)
    (folder / "entrada.json").write_text(json.dumps(given), encoding="utf-8")
    module = folder / "prueba.mjs"
    source = engine_source() if source is None else source
    text = source + START + script + END
    module.write_text(PATHS[path] + text, encoding="utf-8")
    done = subprocess.run([node, module, folder], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    answer = json.loads((folder / "salida.json").read_text(encoding="utf-8"))
    assert answer["kernel"] == (path == "con el núcleo" and "const KERNEL" in source)
    return answer


def as_bytes(numbers) -> bytes:
    """Unos números, en 32 bits, para que Node los lea de un archivo."""
    return np.asarray(numbers, dtype=np.float32).tobytes()
