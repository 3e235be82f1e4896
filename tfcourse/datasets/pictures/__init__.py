"""Imágenes pequeñas: cifras, dibujos y fotos."""
