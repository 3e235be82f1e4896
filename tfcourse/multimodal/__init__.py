"""Varias modalidades a la vez: un cuarto por tema."""
