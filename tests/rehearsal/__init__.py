"""Pruebas de los experimentos de `completo`, ensayados con conjuntos diminutos."""
