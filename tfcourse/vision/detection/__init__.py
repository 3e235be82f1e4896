"""¿Cómo se predice un conjunto, que no tiene orden ni un tamaño conocido?"""
