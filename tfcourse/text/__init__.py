"""Lenguaje: un cuarto por tema."""
