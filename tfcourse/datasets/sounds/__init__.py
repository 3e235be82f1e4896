"""Sonidos: voces sintéticas y grabadas, frases y mezclas."""
