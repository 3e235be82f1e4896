"""Visión: un cuarto por tema."""
