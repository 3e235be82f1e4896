"""Qué se ha probado contra las órdenes del docente y qué pasa: de aquí sale la página que lo dice.

`python -m tests.teaching.attacks` la escribe.
"""

from tests.conftest import ROOT

PAGE = ROOT / "chapters/docencia/que_se_ha_probado.md"
INTRO = """\
# Qué se ha probado

Cada fila es algo que puede hacer una entrega, otro programa o un descuido, y lo que hacen \
entonces las órdenes de [Dar este curso](index.md). Detrás de cada una hay una prueba que lo \
intenta y comprueba el resultado, en {repo}`las pruebas del docente <tests/teaching>`; si alguna \
dejara de cumplirse, esta versión del curso no se publicaría. Una fila no dice que no haya otras \
maneras de atacar.
"""
SECTIONS = {
    "Una entrega no para a las demás": {
        "test_a_failure_in_any_step_of_grading_is_one_note": (
            "un error cualquiera, también una interrupción falsa, en cada paso de corregir",
            "«fallo del corrector» con el nombre; las demás notas, iguales"),
        "test_a_failure_in_any_step_after_grading_is_one_note": (
            "un error al reunir, apuntar, puntuar, devolver o exportar lo de una persona",
            "un aviso con su nombre; las demás notas, iguales a las de una clase en paz"),
        "test_the_instructors_own_interrupt_gets_through": (
            "Ctrl+C de quien corrige", "se para y no deja archivos a medias"),
        "test_a_forged_interrupt_does_not_interrupt": (
            "una respuesta que finge una interrupción del teclado", "un error más de esa entrega"),
        "test_an_exit_in_the_gradient_is_a_diagnosis": (
            "`sys.exit()` al calcular el gradiente", "un diagnóstico de esa respuesta"),
        "test_lone_surrogates_do_not_come_in": (
            "un mensaje con caracteres que no se pueden guardar", "se rechaza el mensaje"),
        "test_a_submission_with_lone_surrogates_is_stored": (
            "esos caracteres en el cuaderno", "se cambian por «?» y se corrige"),
        "test_a_folder_without_its_notebook_is_unreadable": (
            "una carpeta sin su cuaderno", "entrega ilegible, con el motivo"),
        "test_a_check_moved_before_its_answer_still_checks": (
            "la celda de prueba delante de su respuesta", "se comprueba después y se anota"),
        "test_a_diagnosis_never_shows_the_graders_code": (
            "un bucle sin fin", "se detiene, y la página no enseña código del corrector"),
    },
    "Lo que cuesta mirar una entrega tiene un tope": {
        "test_each_exercise_has_its_own_time": (
            "llamadas lentas, una tras otra", "el ejercicio entero tiene su tiempo"),
        "test_a_huge_table_is_shown_as_text": (
            "una tabla de Markdown de diez millones de celdas", "va como texto"),
        "test_what_is_slow_to_draw_is_cut": (
            "un texto que tarda en dibujarse", "va sin formato"),
        "test_time_and_memory_outside_are_bounded": (
            "gastar tiempo o memoria fuera del recinto", "se corta, y el siguiente no lo nota"),
        "test_overlapping_tensors_are_refused": (
            "tensores solapados o miles de valores en una respuesta", "se rechaza el mensaje"),
        "test_forged_names_cost_nothing": (
            "nombres de un millón de letras", "se recortan"),
        "test_what_a_page_can_carry_is_bounded": (
            "sacar datos ocultos en un mensaje de error", "unos cientos de letras por campo"),
        "test_a_notebook_of_200000_cells_is_refused_before_reading_it": (
            "un cuaderno de 200 000 celdas o de más de 20 MB", "ilegible, con el motivo"),
        "test_threads_and_files_are_bounded": (
            "miles de hilos o de archivos dentro del recinto", "se detiene el recinto"),
        "test_what_is_printed_gives_no_orders": (
            "órdenes para la terminal en un nombre", "se quitan"),
    },
    "Ninguna nota caduca en silencio": {
        "test_merging_keeps_the_newest_valid": (
            "reunir resultados viejos, rotos o de otra entrega", "queda el último que vale"),
        "test_who_is_missing_is_said": (
            "reunir sin una de las partes", "se dice quién falta, y no se exporta ni se devuelve"),
        "test_a_mark_is_of_the_text_it_was_given_to": (
            "otro texto después de puntuarlo a mano", "la nota se quita y se avisa"),
        "test_a_blank_that_becomes_an_answer_loses_its_zero": (
            "contestar después de haber entregado en blanco", "el cero se quita"),
        "test_a_text_that_lost_its_name_is_found": (
            "una respuesta escrita sin el nombre de su celda",
            "se busca por su sitio; nunca un cero"),
        "test_an_old_mark_is_not_exported": (
            "volver a entregar y exportar sin corregir", "sin nota, y se dice de quién"),
        "test_a_mark_of_another_task_or_correction_is_stale": (
            "cambiar la tarea o un corrector", "todas las notas se repiten"),
        "test_a_failure_of_the_grader_is_never_a_zero": (
            "un fallo del corrector", "sin nota; nunca un cero"),
        "test_what_is_graded_and_not_recorded_is_said": (
            "exportar lo que no está en el libro", "sin nota, y se dice de quién"),
        "test_the_sheet_and_the_extension_count_whenever_they_come": (
            "la hoja de Moodle o una prórroga, después de corregir", "el retraso se recalcula"),
    },
    "Recoger": {
        "test_an_older_zip_does_not_replace_newer_work": (
            "un zip más antiguo que lo recogido", "se queda lo nuevo; lo otro se guarda"),
        "test_who_is_recognised_later_is_the_same_person": (
            "dar la lista de la clase después de recoger", "la misma persona no sale dos veces"),
        "test_bad_entries_are_one_note_each": (
            "fecha a cero, contenido estropeado, nombre de 280 letras, bomba de compresión",
            "un aviso cada una; los demás se recogen"),
        "test_a_deadline_with_its_offset_works": (
            "un plazo con su diferencia horaria", "se pasa a la hora del equipo"),
        "test_the_second_copy_is_the_newer": (
            "dos copias con la misma fecha", "la de número más alto"),
        "test_rosters_in_utf16_are_read": ("la lista en UTF-16", "se lee"),
        "test_zips_of_any_system_say_the_names": (
            "un zip de Windows o de macOS que no dice cómo escribe las tildes",
            "los nombres se entienden"),
        "test_canvas_without_its_book_uses_the_roster": (
            "dos personas con el mismo nombre, sin nada que las distinga",
            "cada una aparte, y se avisa"),
        "test_columns_that_are_not_clear_are_asked_for": (
            "un libro con varias tareas y ninguna con ese título", "se pregunta cuál es"),
    },
    "Un cuatrimestre": {
        "test_a_mark_by_hand_is_of_the_answer_it_was_given_to": (
            "otra respuesta después de una nota puesta a mano", "esa nota no cuenta, y se avisa"),
        "test_who_changes_when_an_exercise_is_mended": (
            "arreglar un ejercicio ya corregido", "se dice a quién le cambia la nota, y de cuánto"),
        "test_a_new_deadline_moves_the_lateness_and_no_mark": (
            "mover un plazo", "cambian los retrasos y ninguna nota"),
        "test_who_is_late_without_a_date_is_named": (
            "descontar a quien llegó tarde sin que se sepa cuándo",
            "no se hace, y se dice quién es"),
        "test_one_hands_in_for_the_group": (
            "dos del mismo grupo entregan cosas distintas", "cuenta lo más reciente, y se avisa"),
        "test_structure_is_what_counts": (
            "copiar un código y cambiarle los nombres y los comentarios", "se parece igual"),
        "test_the_summary_is_safe_from_what_students_write": (
            "insultos, enlaces o etiquetas en un mensaje de error",
            "no llegan a lo que va a clase"),
    },
    "El libro de notas y el equipo": {
        "test_another_programs_lock_is_respected": (
            "otro programa escribiendo en el libro", "se espera o se dice; lo suyo no se pierde"),
        "test_a_draft_does_not_lose_what_another_program_wrote": (
            "otro programa cambia el libro al crear una tarea", "se dice; lo suyo no se pierde"),
        "test_recording_again_writes_nothing": (
            "corregir cuando no ha cambiado nada", "el libro no se toca"),
        "test_recording_a_big_class_reads_the_book_once": (
            "apuntar a trescientas personas de golpe", "el libro no se relee por cada una"),
        "test_a_full_disk_is_said_in_spanish": (
            "el disco lleno", "se dice en español y no queda nada a medias"),
        "test_nobody_survives_who_grades": (
            "matar a quien corrige", "sus procesos se acaban con él"),
        "test_a_submission_that_kills_its_grader_spares_the_rest": (
            "una entrega que mata al proceso que la corrige", "se aparta y las demás siguen"),
    },
}  # fmt: skip


def page() -> str:
    """La página, en Markdown."""
    parts = [INTRO]
    for title, rows in SECTIONS.items():
        parts.append(f"## {title}\n\n| Se intenta | Qué pasa |\n|---|---|")
        parts[-1] += "".join(f"\n| {attempt} | {outcome} |" for attempt, outcome in rows.values())
        parts[-1] += "\n"
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
