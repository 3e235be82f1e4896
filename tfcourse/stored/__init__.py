"""Tablas medidas una vez, con su receta y su huella."""
