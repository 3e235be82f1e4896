"""El taller: lo que mantiene el curso al día y no se instala con él."""
