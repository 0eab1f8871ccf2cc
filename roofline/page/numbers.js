// Numbers for people: three digits, decimal prefixes, a dash for what is not known.

const unknown = '–';

function isNumber(x) {
  return typeof x === 'number' && Number.isFinite(x);
}

/** 0.0123, 1.23, 12.3, 123, 1234: `digits` digits at least, never an exponent. */
function plain(x, digits = 3) {
  if (!isNumber(x)) return unknown;
  if (x === 0) return '0';
  const rounded = Number(x.toPrecision(digits));
  const magnitude = Math.floor(Math.log10(Math.abs(rounded)));
  return rounded.toFixed(Math.max(0, digits - 1 - magnitude));
}

/** 1.01×10¹² */
function power(x, digits = 3) {
  if (!isNumber(x)) return unknown;
  if (x === 0) return '0';
  const [mantissa, exponent] = x.toExponential(digits - 1).split('e');
  const raised = String(Number(exponent)).replaceAll('-', '⁻')
                   .replaceAll(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[digit]);
  return `${mantissa}×10${raised}`;
}

function general(x) {
  if (!isNumber(x)) return unknown;
  const size = Math.abs(x);
  return size !== 0 && (size < 1e-3 || size >= 1e6) ? power(x) : plain(x);
}

/** 24.4 ms, 3.50 TB/s. Seconds have no large prefixes. */
function withUnit(x, unit, digits = 3) {
  if (!isNumber(x)) return unknown;
  if (x === 0) return `0 ${unit}`;
  const prefixes = ['p', 'n', 'µ', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
  const rounded = Number(x.toPrecision(digits));
  let step = Math.floor(Math.log10(Math.abs(rounded)) / 3);
  step = Math.max(-4, Math.min(step, unit === 's' ? 0 : 6));
  return `${plain(x / 1000 ** step, digits)} ${prefixes[step + 4]}${unit}`;
}

function percent(x, digits = 3) {
  return isNumber(x) ? `${plain(x, digits)}%` : unknown;
}

function times(x) {
  return isNumber(x) ? `${x.toFixed(2)}×` : unknown;
}

function integer(x) {
  return isNumber(x) ? x.toLocaleString('en-US') : unknown;
}

/** 1 ms, 200 GFLOP/s, 5×, 0.1 FLOP/B: a round value on an axis. Ratios have no prefixes. */
function tickLabel(x, unit) {
  const short = (text) => text.replace(/(\.\d*?)0+(?=\D|$)/, '$1').replace(/\.(?=\D|$)/, '');
  if (unit === '×') return `${short(general(x))}×`;
  return short(/\/(B|txn)$/.test(unit) ? `${general(x)} ${unit}` : withUnit(x, unit));
}

/** A metric's value in its own unit; those of unit 1 are shares of a whole. */
function inUnit(x, unit) {
  if (unit === '%') return percent(x);
  if (unit === '1') return percent(100 * x);
  if (unit === 'FLOP' || unit === 'OP' || unit === 'B' || unit === 'Hz') return withUnit(x, unit);
  if (unit.endsWith(' instruction')) return `${general(x)} ${unit}s`;
  return unit ? `${general(x)} ${unit}` : general(x);
}
