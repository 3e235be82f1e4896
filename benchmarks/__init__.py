"""Medidas: lo nuestro y la referencia, en el mismo proceso y con los mismos datos.

No forman parte del paquete que se instala. Cada una guarda su última tabla en `resultados/`, con
su receta, su versión de PyTorch y su huella, y `python -m benchmarks.page --escribir` la lleva al
libro.
"""

from pathlib import Path

RESULTS = Path(__file__).parent / "resultados"
