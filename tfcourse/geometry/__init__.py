"""Geometría de la imagen: cajas y recortes."""
