"""El mapa del curso: cada modelo, una fila, con lo que lee, a qué mira, qué aprende y qué da."""
