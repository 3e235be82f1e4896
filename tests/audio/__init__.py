"""Pruebas de las señales de audio."""
