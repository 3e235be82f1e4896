"""¿Cómo se localiza una articulación que está tapada?"""
