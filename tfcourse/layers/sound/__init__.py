"""Piezas de sonido: de la onda a los vectores y vuelta."""
