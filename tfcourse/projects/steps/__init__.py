"""Los pasos de los proyectos: qué se pide en cada uno y cómo se comprueba."""
