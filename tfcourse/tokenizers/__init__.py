"""De texto a números y vuelta."""
