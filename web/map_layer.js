// The map of a hunt under its plots: where no error counts (proved), where one was found, and what is open.

const layerWords = { safe: "safe (proved)", unsafe: "an error was found", open: "open" };

// Returns the colour of each point: that of the box that contains its value.
function layerOf(map, input, values) {
  const boxes = ["safe", "unsafe", "open"].flatMap((colour) =>
    (map[colour] || []).filter((box) => box[input]).map((box) => ({ colour, ends: box[input] })),
  );
  return values.map((text) => {
    const value = Number(text);
    const box = boxes.find(({ ends }) => value >= ends[0] && value <= ends[1]);
    return box ? box.colour : null;
  });
}

// The stretch of a point reaches halfway to its neighbours.
function drawLayer(plot, drawing) {
  if (!drawing.layer) return;
  const { ctx, bbox } = plot,
    { xs, layer } = drawing;
  const limit = (x) => Math.min(Math.max(x, bbox.left), bbox.left + bbox.width);
  ctx.save();
  layer.forEach((tone, i) => {
    if (!tone) return;
    const from = i ? (xs[i - 1] + xs[i]) / 2 : xs[i],
      to = i + 1 < xs.length ? (xs[i] + xs[i + 1]) / 2 : xs[i];
    const left = limit(plot.valToPos(from, "x", true)),
      right = limit(plot.valToPos(to, "x", true));
    ctx.fillStyle = colour(`--map-${tone}`);
    ctx.globalAlpha = 0.45;
    ctx.fillRect(left, bbox.top, right - left, bbox.height);
    ctx.globalAlpha = 1;
    ctx.fillRect(left, bbox.top + bbox.height - 6 * devicePixelRatio, right - left, 6 * devicePixelRatio);
  });
  ctx.restore();
}

// Returns the legend of the colours that occur.
function layerKey(map) {
  return Object.keys(layerWords)
    .filter((tone) => (map[tone] || []).length)
    .map((tone) => element("span", { class: "key-map" }, element("i", { class: "map-" + tone }), layerWords[tone]));
}
