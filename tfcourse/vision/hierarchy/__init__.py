"""¿Cómo se lee una imagen grande sin comparar todos sus parches?"""
