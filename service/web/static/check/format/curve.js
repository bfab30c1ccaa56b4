// @ts-check
/** The curve of Ed25519 (RFC 8032) in whole numbers: what public keys are, and signatures where a browser knows none. */

/** @typedef {[bigint, bigint, bigint, bigint]} Point X, Y, Z, T with x = X/Z, y = Y/Z, xy = T/Z */

const P = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const D = mod(-121665n * power(121666n, P - 2n));
const ROOT = power(2n, (P - 1n) / 4n);
const BASE_Y = mod(4n * power(5n, P - 2n));
/** @type {Point} */
const NEUTRAL = [0n, 1n, 1n, 0n];

/** @param {bigint} number */
function mod(number) {
  const rest = number % P;
  return rest < 0n ? rest + P : rest;
}

/**
 * @param {bigint} base
 * @param {bigint} exponent
 */
function power(base, exponent) {
  let result = 1n;
  for (let square = mod(base), left = exponent; left; left >>= 1n, square = (square * square) % P)
    if (left & 1n) result = (result * square) % P;
  return result;
}

/**
 * @param {Point} one
 * @param {Point} other
 * @returns {Point}
 */
function sum(one, other) {
  const a = (one[1] - one[0]) * (other[1] - other[0]) % P;
  const b = (one[1] + one[0]) * (other[1] + other[0]) % P;
  const c = one[3] * other[3] % P * 2n * D % P;
  const d = one[2] * other[2] * 2n % P;
  return [mod((b - a) * (d - c)), mod((d + c) * (b + a)), mod((d - c) * (d + c)), mod((b - a) * (b + a))];
}

/**
 * @param {bigint} scalar
 * @param {Point} point
 */
function times(scalar, point) {
  let total = NEUTRAL;
  for (let double = point, left = scalar; left; left >>= 1n, double = sum(double, double))
    if (left & 1n) total = sum(total, double);
  return total;
}

/**
 * A number of little-endian bytes.
 * @param {Uint8Array} bytes
 */
function numberOf(bytes) {
  return bytes.reduceRight((number, byte) => (number << 8n) | BigInt(byte), 0n);
}

/**
 * The point with this y, and an x that is odd or even; null where there is none.
 * @param {bigint} y
 * @param {bigint} odd
 * @returns {Point | null}
 */
function pointAt(y, odd) {
  const square = mod((y * y - 1n) * power(D * y * y + 1n, P - 2n));
  const first = power(square, (P + 3n) / 8n);
  const root = mod(first * first) === square ? first : mod(first * ROOT);
  const x = (root & 1n) === odd ? root : P - root;
  return y >= P || mod(x * x) !== square ? null : [x, y, 1n, mod(x * y)];
}

/**
 * The point of a public key; null where it signs nothing: its bytes encode no point, or one of small order.
 * @param {Uint8Array} key 32 bytes
 */
export function publicPoint(key) {
  if (key.length !== 32) return null;
  const number = numberOf(key);
  const point = pointAt(number & ((1n << 255n) - 1n), number >> 255n);
  return point === null || times(8n, point)[0] === 0n ? null : point;
}

/**
 * Whether a signature is that of a message, by the equation itself: its R, in its one encoding, is what S gives.
 * @param {Point} point of the public key
 * @param {Uint8Array} signature 64 bytes
 * @param {Uint8Array} hashed SHA-512 of R, the public key and the message
 */
export function isSigned(point, signature, hashed) {
  const s = numberOf(signature.subarray(32));
  const base = /** @type {Point} */ (pointAt(BASE_Y, 0n));
  const [x, y, z, t] = point;
  const [right, up, scale] = sum(times(s, base), times(numberOf(hashed) % ORDER, [mod(-x), y, z, mod(-t)]));
  const inverse = power(scale, P - 2n);
  const encoded = mod(up * inverse) | ((mod(right * inverse) & 1n) << 255n);
  return s < ORDER && encoded === numberOf(signature.subarray(0, 32));
}
