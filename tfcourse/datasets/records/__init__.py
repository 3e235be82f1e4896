"""Historias clínicas sintéticas."""
