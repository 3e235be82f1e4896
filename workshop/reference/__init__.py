"""La referencia del paquete: qué páginas tiene y qué dice cada una, leído del código."""
