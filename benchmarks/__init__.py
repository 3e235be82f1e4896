"""Medidas: lo nuestro y la referencia, en el mismo proceso y con los mismos datos.

No forman parte del paquete que se instala. Cada una guarda su última tabla con las del paquete,
con su receta, su versión de PyTorch y su huella, y `python -m benchmarks.page --escribir` la lleva
al libro.
"""
