"""De dónde vienen las entregas y adónde vuelven las notas: un adaptador por plataforma."""
