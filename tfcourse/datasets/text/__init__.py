"""Textos: generados y los que traen los paquetes."""
