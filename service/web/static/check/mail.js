// @ts-check
/** A saved mail (RFC 5322, RFC 2045): its headers, those of mails inside it, and what its parts say. */

/** @typedef {{headers: [string, string][], body: string}} Entity its bytes as signs of latin1 */

const DEEPEST = 20;
const MOST = 500; // parts of one mail that are looked at
/** @type {Record<string, string>} */
const SIGNS = { nbsp: " ", amp: "&", lt: "<", gt: ">", quot: '"', shy: "", ndash: "-", mdash: "-" };

/**
 * All that a mail is made of, itself first, mails that were forwarded in it included.
 * @param {Uint8Array} bytes
 * @returns {Entity[]}
 */
export function entitiesOf(bytes) {
  const text = latinOf(bytes).replace(/^\ufeff|^\xef\xbb\xbf/, "").replace(/^(?:From [^\n]*|\d+\s*)\r?\n/, "").replace(/^\s+/, "");
  /** @type {Entity[]} */
  const found = [];
  gather(text, 0, found);
  return found;
}

/**
 * The headers of this name, unfolded, of all entities.
 * @param {Entity[]} entities
 * @param {string} name
 */
export function headersNamed(entities, name) {
  const wanted = name.toLowerCase();
  return entities.flatMap(({ headers }) => headers.filter(([given]) => given === wanted).map(([, value]) => withoutWords(value)));
}

/**
 * A header without encoded words (RFC 2047), which some programs make of a long one when they forward it.
 * @param {string} value
 */
function withoutWords(value) {
  return value.replace(/=\?[^?]+\?([qb])\?([^?]*)\?=/gi, (whole, encoding, text) => {
    if (encoding.toLowerCase() === "q") return unquoted(text.replace(/_/g, " "));
    try {
      return atob(text);
    } catch {
      return whole;
    }
  });
}

/**
 * What the parts with text say, marks of HTML left out.
 * @param {Entity[]} entities
 */
export function textsOf(entities) {
  const texts = [];
  for (const entity of entities) {
    const { kind, named } = contentOf(entity);
    if (!kind.startsWith("text/")) continue;
    const text = decoded(bytesIn(entity), named("charset") ?? "utf-8");
    texts.push(kind === "text/html" ? withoutMarks(text) : text);
  }
  return texts;
}

/**
 * @param {string} text
 * @param {number} depth
 * @param {Entity[]} found
 */
function gather(text, depth, found) {
  if (depth > DEEPEST || found.length >= MOST) return;
  const end = /\r?\n\r?\n/.exec(text);
  const head = end ? text.slice(0, end.index) : text;
  const entity = { headers: headersIn(head), body: end ? text.slice(end.index + end[0].length) : "" };
  found.push(entity);
  const { kind, named } = contentOf(entity);
  const boundary = named("boundary");
  if (kind.startsWith("multipart/") && boundary) for (const part of between(entity.body, boundary)) gather(part, depth + 1, found);
  if (kind.startsWith("message/")) gather(latinOf(bytesIn(entity)), depth + 1, found);
}

/**
 * @param {string} head
 * @returns {[string, string][]}
 */
function headersIn(head) {
  /** @type {[string, string][]} */
  const headers = [];
  for (const line of head.split(/\r?\n/)) {
    const field = /^([!-9;-~]+)[ \t]*:(.*)$/.exec(line);
    const last = headers.at(-1);
    if (/^[ \t]/.test(line) && last) last[1] += line;
    else if (field) headers.push([field[1].toLowerCase(), field[2]]);
  }
  return headers;
}

/**
 * The content type of an entity, and its parameters by name.
 * @param {Entity} entity
 */
function contentOf({ headers }) {
  const value = headers.find(([name]) => name === "content-type")?.[1] ?? "text/plain";
  const kind = value.split(";")[0].trim().toLowerCase();
  const named = (/** @type {string} */ name) => {
    const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]+))`, "i").exec(value);
    return found?.[1]?.replace(/\\(.)/g, "$1") ?? found?.[2];
  };
  return { kind, named };
}

/**
 * The parts between lines of a boundary.
 * @param {string} body
 * @param {string} boundary
 */
function between(body, boundary) {
  /** @type {string[][]} */
  const parts = [];
  let isOpen = false;
  for (const line of body.split(/(?<=\n)/)) {
    const bare = line.trimEnd();
    if (bare === `--${boundary}--`) isOpen = false;
    else if (bare === `--${boundary}`) isOpen = parts.push([]) > 0;
    else if (isOpen) parts.at(-1)?.push(line);
  }
  return parts.map((lines) => lines.join(""));
}

/**
 * The bytes of a body, as its transfer encoding has them.
 * @param {Entity} entity
 * @returns {Uint8Array}
 */
function bytesIn({ headers, body }) {
  const encoding = headers.find(([name]) => name === "content-transfer-encoding")?.[1].trim().toLowerCase();
  if (encoding === "quoted-printable") return latinBytes(unquoted(body));
  if (encoding !== "base64") return latinBytes(body);
  try {
    return latinBytes(atob(body.replace(/[^A-Za-z0-9+/]/g, "")));
  } catch {
    return latinBytes(body);
  }
}

/** @param {string} body */
function unquoted(body) {
  const whole = body.replace(/[ \t]+(?=\r?\n)/g, "").replace(/=\r?\n/g, "");
  return whole.replace(/=([0-9A-Fa-f]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
}

/**
 * @param {Uint8Array} bytes
 * @param {string} charset
 */
function decoded(bytes, charset) {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** @param {string} text */
function withoutMarks(text) {
  const bare = text.replace(/<(style|script)\b[^]*?<\/\1\s*>/gi, " ").replace(/<br\b[^>]*>|<\/(?:p|div|td|tr|li)\s*>/gi, "\n").replace(/<[^>]*>/g, "");
  return bare.replace(/&(#\d+|#x[0-9a-f]+|[a-z]+);/gi, (whole, sign) => {
    if (sign[0] !== "#") return SIGNS[sign.toLowerCase()] ?? whole;
    const code = /^#x/i.test(sign) ? parseInt(sign.slice(2), 16) : Number(sign.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/**
 * A sign for each byte.
 * @param {Uint8Array} bytes
 */
function latinOf(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}

/** @param {string} text */
function latinBytes(text) {
  return Uint8Array.from(text, (sign) => sign.charCodeAt(0));
}
