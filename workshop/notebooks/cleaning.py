"""Limpieza de un cuaderno ejecutado: que dos ejecuciones den el mismo archivo, y pequeño."""

import io
import tempfile
from base64 import b64decode, b64encode
from pathlib import Path

import nbformat

from tfcourse.notebook import FIRST_CELL_TAGS, first_cell

MAX_PICTURE, MAX_NOTEBOOK = 100_000, 1_000_000

KERNELSPEC = {"display_name": "Python 3", "language": "python", "name": "python3"}
KEPT_METADATA = ("widgets", "mystnb", "accelerator")
KEPT_CELL_METADATA = ("tags", "nbgrader", "mystnb", "jupyter", "editable", "deletable")


def clean(notebook) -> None:
    """Deja el cuaderno igual en cada ejecución: sin tiempos, sin azar y con figuras pequeñas.

    Errores: `ValueError` si una celda escribe por la salida de errores, nombra carpetas del equipo
    o acaba en «;», o si una figura o el cuaderno pesan demasiado.
    """
    from tfcourse.widgets.stored import stabilize_widgets

    notebook.metadata = nbformat.from_dict(
        {"kernelspec": KERNELSPEC, "language_info": {"name": "python"}}
        | _only(notebook.metadata, KEPT_METADATA)
    )
    stabilize_widgets(notebook)
    for number, cell in enumerate(notebook.cells, start=1):
        cell.id = f"celda-{number:03d}"
        cell.metadata = nbformat.from_dict(_only(cell.metadata, KEPT_CELL_METADATA))
        if cell.cell_type == "code":
            _clean_code_cell(cell, number)
    size = len(nbformat.writes(notebook).encode())
    if size > MAX_NOTEBOOK:
        raise ValueError(
            f"el cuaderno pesa {size / 1e6:.1f} MB y el máximo es {MAX_NOTEBOOK / 1e6:.0f} MB: "
            "guarda menos figuras o más sencillas"
        )


def _only(metadata: dict, names: tuple[str, ...]) -> dict:
    return {name: value for name, value in metadata.items() if name in names}


def _clean_code_cell(cell, number: int) -> None:
    if cell.source.rstrip().endswith(";"):
        raise ValueError(
            f"la celda {number} acaba en «;», que nbval no entiende: acábala en «plt.show()» o "
            "guarda el resultado en una variable"
        )
    if "preparacion" in cell.metadata.get("tags", []):
        cell.source = first_cell()
        cell.metadata["tags"] = list(FIRST_CELL_TAGS)
    cell.outputs = _join_streams(cell.outputs)
    for output in cell.outputs:
        _refuse(output, number)
        _clean_output(output)


def _join_streams(outputs: list) -> list:
    """Une lo que la misma celda imprime en varias tandas: el corte depende del reloj."""
    joined = []
    for output in outputs:
        previous = joined[-1] if joined else {}
        same = "name" in output and output.name == previous.get("name")
        if same and output.output_type == "stream":
            previous.text += output.text
        else:
            joined.append(output)
    return joined


def _refuse(output, number: int) -> None:
    """Errores: `ValueError` si la salida no debe verse en la página."""
    if output.output_type == "stream" and output.name == "stderr":
        raise ValueError(
            f"la celda {number} escribe por la salida de errores:\n{output.text[:400]}"
        )
    text = output.get("text", "") + str(output.get("data", {}).get("text/plain", ""))
    for folder in _machine_folders():
        if folder in text:
            raise ValueError(f"la celda {number} escribe una carpeta de este equipo: {folder}")


def _machine_folders() -> tuple[str, ...]:
    """Carpetas que no significan nada en el equipo de quien lee."""
    repository = Path(__file__).resolve().parents[2]
    return tuple(f"{path}/" for path in (repository, Path.home(), tempfile.gettempdir()))


def _clean_output(output) -> None:
    if output.output_type == "error":
        # Las líneas del rastro están en inglés y nombran archivos de este equipo.
        output.traceback = [f"{output.ename}: {output.evalue}"]
    data = output.get("data", {})
    if "image/png" in data:
        data["image/png"] = b64encode(shrink_png(b64decode(data["image/png"]))).decode()


def shrink_png(content: bytes, limit: int = MAX_PICTURE) -> bytes:
    """Guarda una figura con 256 colores, que a la vista son todos, y más pequeña si no cabe.

    Errores: `ValueError` si ni así cabe.
    """
    from PIL import Image

    picture = _on_white(Image.open(io.BytesIO(content)))
    for scale in (1.0, 0.8, 0.6):
        size = [max(1, round(side * scale)) for side in picture.size]
        smaller = picture.resize(size, Image.Resampling.LANCZOS) if scale < 1 else picture
        packed = _packed(smaller.quantize(256, dither=Image.Dither.NONE))
        if len(packed) <= limit:
            return packed
    raise ValueError(f"la figura ocupa {len(packed)} bytes y el máximo es {limit}: simplifícala")


def _on_white(picture):
    """La figura sin transparencia, sobre papel blanco."""
    from PIL import Image

    picture = picture.convert("RGBA")
    paper = Image.new("RGBA", picture.size, "white")
    return Image.alpha_composite(paper, picture).convert("RGB")


def _packed(picture) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()
