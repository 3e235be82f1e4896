// Corrige los cuestionarios que aún no lo hacen; es el mismo texto para todos y no deja nada
// en el ámbito global.
(() => {
  const FIRST_TRY = "firstTry";

  function showFeedback(form, chosen) {
    const feedback = form.querySelector(".tfc-feedback");
    const item = chosen && form.querySelector(`[data-option="${chosen.value}"]`);
    const right = item?.dataset.correct === "si";
    const verdict = document.createElement("strong");
    verdict.textContent = !item ? "Elige antes una opción." : right ? "✓ ¡Correcto!" : "✗ No es esa.";
    feedback.replaceChildren(verdict);
    if (item) feedback.append(" ", item.querySelector(".tfc-why").cloneNode(true));
    feedback.dataset.verdict = !item ? "" : right ? "right" : "wrong";
    if (item && !(FIRST_TRY in form.dataset)) form.dataset[FIRST_TRY] = right ? "right" : "wrong";
  }

  function showScore(quiz, forms) {
    const answered = forms.filter((form) => FIRST_TRY in form.dataset);
    const right = forms.filter((form) => form.dataset[FIRST_TRY] === "right").length;
    const finished = answered.length === forms.length;
    quiz.querySelector(".tfc-score").textContent = finished
      ? `Aciertos a la primera: ${right} de ${forms.length}.`
      : answered.length ? `Respondidas: ${answered.length} de ${forms.length}.` : "";
    quiz.querySelector(".tfc-again").hidden = !finished;
  }

  function restart(quiz, forms) {
    for (const form of forms) {
      form.reset();
      delete form.dataset[FIRST_TRY];
      form.querySelector(".tfc-feedback").replaceChildren();
      form.querySelector(".tfc-feedback").dataset.verdict = "";
      form.querySelector(".tfc-answer").open = false;
    }
    showScore(quiz, forms);
    forms[0].querySelector("input").focus();
  }

  function prepare(quiz) {
    quiz.dataset.ready = "";
    // Sin esta marca en el elemento con el foco, JupyterLab usa las flechas para cambiar de celda.
    quiz.addEventListener("focusin", (event) => {
      event.target.setAttribute("data-lm-suppress-shortcuts", "true");
    });
    const forms = [...quiz.querySelectorAll("form")];
    for (const form of forms) {
      const button = form.querySelector("button");
      button.hidden = button.disabled = false;
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        showFeedback(form, form.querySelector("input:checked"));
        showScore(quiz, forms);
      });
    }
    quiz.querySelector(".tfc-again").addEventListener("click", () => restart(quiz, forms));
  }

  document.querySelectorAll(".tfc-quiz:not([data-ready])").forEach(prepare);
})();
