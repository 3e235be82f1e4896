"""¿Cómo se convierte un modelo que continúa textos en uno que hace lo que se le pide?"""
