"""¿Cómo se saca una imagen nueva de un puñado de ruido, y cómo se sabe que es nueva?"""
