"""Sonido: un cuarto por tema."""
