"""¿Qué números guarda un sonido, y cómo se sabe qué frecuencias hay en ellos?"""
