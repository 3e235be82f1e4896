"""Lo que un cuaderno escribe se compara con lo que guarda, y como si el procesador fuera otro."""

import nbformat
import pytest
import torch

from workshop.notebooks import comparison
from workshop.notebooks.comparison import (
    CAPABILITY,
    OWN,
    PROCESSORS,
    Difference,
    compare_all,
    differences,
    processor_variables,
)


def notebook(folder, *cells):
    """Un cuaderno con esas celdas y lo que cada una tiene guardado."""
    written = [nbformat.v4.new_markdown_cell("Un párrafo")]
    for source, stored in cells:
        outputs = [nbformat.v4.new_output("stream", name="stdout", text=stored)] if stored else []
        written.append(nbformat.v4.new_code_cell(source, outputs=outputs, execution_count=1))
    path = folder / "uno.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=written), path)
    return path


def test_the_processor_is_asked_to_pytorch(monkeypatch):
    monkeypatch.setenv(CAPABILITY, "otra")
    assert processor_variables("avx2")[CAPABILITY] == "avx2"
    assert processor_variables("default")[CAPABILITY] == "default"
    assert CAPABILITY not in processor_variables(OWN)
    assert processor_variables(OWN)["TFCOURSE_PERFIL"] == "rapido"
    with pytest.raises(ValueError, match="no se imita «neon»: usa default, avx2, el de aquí"):
        processor_variables("neon")


@pytest.mark.lento
def test_a_cell_that_depends_on_the_processor_is_found(tmp_path):
    same = ("import os\nprint(6 * 7)", "42\n")
    own = torch.backends.cpu.get_cpu_capability()
    other = ("import torch\n\nprint(torch.backends.cpu.get_cpu_capability())", f"{own}\n")
    path = notebook(tmp_path, same, other)
    before = path.read_bytes()
    assert differences(path, OWN) == []
    processor = "default" if own != "DEFAULT" else "avx2"
    (found,) = differences(path, processor)
    assert found.cell == 3 and found.processor == processor
    assert str(found) == (
        f"uno, celda 3, con «{processor}»: print(torch.backends.cpu.get_cpu_capability())"
    )
    assert path.read_bytes() == before


@pytest.mark.lento
def test_a_notebook_that_does_not_run_is_told(tmp_path):
    path = tmp_path / "roto.ipynb"
    path.write_text("{", encoding="utf-8")
    with pytest.raises(ValueError, match="roto.ipynb no se ha podido ejecutar"):
        differences(path, OWN)


def test_every_notebook_is_compared_in_every_processor(tmp_path, monkeypatch, capsys):
    paths = [tmp_path / "uno.ipynb", tmp_path / "dos.ipynb"]

    def find(path, processor):
        is_one = (path.stem, processor) == ("dos", "avx2")
        return [Difference(path, processor, 4, "print(x)")] if is_one else []

    monkeypatch.setattr(comparison, "differences", find)
    (found,) = compare_all(paths, list(PROCESSORS))
    shown = capsys.readouterr().out
    assert found.notebook == paths[1] and "  dos, celda 4, con «avx2»: print(x)" in shown
    assert shown.count("…") == 6
