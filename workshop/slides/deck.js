// Una diapositiva a la vez: teclado, botones y la dirección, que recuerda por dónde se iba.
const slides = [...document.querySelectorAll("section")];
const nav = document.querySelector("nav");
const steps = {
  ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1, Enter: 1,
  ArrowLeft: -1, ArrowUp: -1, PageUp: -1, Backspace: -1,
  Home: -Infinity, End: Infinity,
};
let current = 0;

function show(place) {
  current = Math.max(0, Math.min(slides.length - 1, place));
  slides.forEach((slide, i) => slide.classList.toggle("a-la-vista", i === current));
  nav.querySelector("output").textContent = `${current + 1} de ${slides.length}`;
  history.replaceState(null, "", `#${current + 1}`);
}

function fromAddress() {
  show((Number.parseInt(location.hash.slice(1), 10) || 1) - 1);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const onControl = event.target.closest("summary, a, button");
  if (onControl && (event.key === " " || event.key === "Enter")) return;
  if (event.key === "f") return void document.documentElement.requestFullscreen?.();
  if (!(event.key in steps)) return;
  event.preventDefault();
  show(current + steps[event.key]);
});
nav.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) show(current + Number(button.dataset.step));
});
addEventListener("hashchange", fromAddress);
document.documentElement.classList.add("una");
nav.hidden = false;
fromAddress();
