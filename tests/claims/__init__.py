"""Lo que cada capítulo afirma, con varias semillas: un archivo por capítulo."""
