"""Escenas dibujadas, con objetos o figuras, y lo que se cuenta de ellas."""
