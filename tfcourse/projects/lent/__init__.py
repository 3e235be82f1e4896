"""Las piezas que presta el curso."""
