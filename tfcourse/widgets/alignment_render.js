// Alineamiento: la figura que se sostiene sola.

function render({ model, el }) {
  const draw = () => el.replaceChildren(new AlignmentView(model.get("examples")).node);
  model.on("change:examples", draw);
  draw();
  return () => model.off("change:examples", draw);
}

export default { render };
