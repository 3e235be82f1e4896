"""Piezas de visión: parches, posiciones, ventanas y cabezas."""
