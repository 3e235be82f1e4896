"""¿Qué ha cambiado dentro de un bloque desde GPT-2, y qué pone cada cambio?"""
