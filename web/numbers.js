// Formats measures and numbers. The report has infinity as the largest double, and undefined values as null.

const isInfinite = (measure) => Math.abs(measure) >= 1e300;

// Three digits: 7.99e-4, 0.250, 12.0, ∞
function measureText(measure) {
  if (measure === null || measure === undefined || Number.isNaN(measure)) return "unknown";
  if (isInfinite(measure)) return measure < 0 ? "−∞" : "∞";
  if (measure === 0) return "0";
  const size = Math.abs(measure);
  return size >= 0.001 && size < 1000 ? measure.toPrecision(3) : measure.toExponential(2).replace("e+", "e");
}

function countText(count) {
  if (count === null || count === undefined) return "unknown";
  if (isInfinite(count)) return "∞";
  return Math.abs(count) < 1e6 ? Math.round(count).toLocaleString("en") : count.toExponential(1).replace("e+", "e");
}

const counted = (count, thing) => `${countText(count)} ${thing}${count === 1 ? "" : "s"}`;

function percentText(share) {
  const percent = 100 * share;
  if (share !== 0 && Math.abs(percent) < 1) return percent < 0 ? "> −1 %" : "< 1 %";
  return Math.round(percent) + " %";
}

// Splits "-0.0123e-5" into its sign, its digits without leading zeros, the exponent of the first digit, and the
// position of each digit in the text. Nothing for inf and nan.
function digitsOf(text) {
  const match = /^([-+]?)(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/.exec(text);
  if (!match) return null;
  const mantissa = text.replace(/[eE].*$/, "");
  const places = [];
  let digits = "";
  for (let i = 0; i < mantissa.length; ++i) {
    if (!/\d/.test(mantissa[i]) || (digits === "" && mantissa[i] === "0")) continue;
    digits += mantissa[i];
    places.push(i);
  }
  const point = mantissa.indexOf(".") < 0 ? mantissa.length : mantissa.indexOf(".");
  const first = places.length ? places[0] : 0;
  const exponent = (first < point ? point - first - 1 : point - first) + Number(match[4] || 0);
  return { negative: match[1] === "-", digits, exponent, places };
}

// Returns how many leading digits of the computed number are right: those it shares with the reference, or those that
// its relative error allows; 0.49999 and 0.50001 share none.
function rightDigits(computed, reference, relative) {
  const ours = digitsOf(computed);
  const theirs = reference ? digitsOf(reference) : null;
  if (!ours || !theirs || ours.negative !== theirs.negative) return 0;
  let same = 0;
  if (ours.exponent === theirs.exponent)
    while (same < ours.digits.length && ours.digits[same] === (theirs.digits[same] || "0")) ++same;
  const byError = relative > 0 && relative < 1 ? Math.floor(-Math.log10(relative)) : relative === 0 ? Infinity : 0;
  return Math.max(same, byError);
}

// Returns the computed number with its wrong digits marked.
function markedNumber(computed, reference, relative) {
  const ours = digitsOf(computed);
  if (!ours) return element("span", { class: "number" }, element("mark", { class: "wrong" }, computed));
  const right = rightDigits(computed, reference, relative);
  const begin = right < ours.places.length ? ours.places[right] : computed.length;
  const whole = ours.digits === "" && relative !== 0 ? 0 : begin; // a zero where the exact value is not zero
  const mantissa = computed.replace(/[eE].*$/, "").length;
  return element(
    "span",
    { class: "number" },
    computed.slice(0, whole),
    whole < mantissa && element("mark", { class: "wrong" }, computed.slice(whole, mantissa)),
    computed.slice(Math.max(whole, mantissa)),
  );
}

// Writes numbers in any text in the usual form: 1e9 for 1e+09.
const typedNumber = (text) =>
  text.replace(/(\d)e(?:\+|(-))0*([1-9])/g, (all, digit, minus, first) => `${digit}e${minus || ""}${first}`);
