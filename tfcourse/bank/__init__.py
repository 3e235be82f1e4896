"""El banco: los ejercicios del curso, cada tema en su carpeta; se cargan por identificador."""
