"""Pruebas del cuarto."""
