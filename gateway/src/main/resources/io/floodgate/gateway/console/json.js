// JSON as text: numbers stay what they are, however large.

/** What a text says; null if it is not JSON: a proxy's page, or half of an answer. */
export const parsed = text => { try { return JSON.parse(text); } catch { return null; } };

/** The members of an object, each as the text that the server has sent. */
export function members(text) {
  const found = {};
  let depth = 0;
  let from = -1;
  let name = null;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '"') {
      const end = endOfString(text, i);
      if (depth === 1 && name === null) {
        name = JSON.parse(text.slice(i, end));
        from = text.indexOf(':', end) + 1;
        i = from - 1;
      } else i = end - 1;
      continue;
    }
    if (c === '{' || c === '[') depth++;
    const closes = c === '}' || c === ']';
    if (depth === 1 && name !== null && (c === ',' || closes)) {
      found[name] = text.slice(from, i).trim();
      name = null;
    }
    if (closes) depth--;
  }
  return found;
}

function endOfString(text, from) {
  let i = from + 1;
  while (i < text.length && text[i] !== '"') i += text[i] === '\\' ? 2 : 1;
  return i + 1;
}

/** Indented; strings, numbers and all else unchanged. */
export function pretty(text) {
  let out = '';
  let indent = 0;
  const line = () => { out += '\n' + '  '.repeat(indent); };
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '"') {
      const end = endOfString(text, i);
      out += text.slice(i, end);
      i = end - 1;
    } else if (c === '{' || c === '[') {
      const rest = text.slice(i + 1).trimStart();
      if (rest[0] === '}' || rest[0] === ']') {
        out += c + rest[0];
        i = text.indexOf(rest[0], i + 1);
      } else {
        out += c;
        indent++;
        line();
      }
    } else if (c === '}' || c === ']') {
      indent--;
      line();
      out += c;
    } else if (c === ',') {
      out += c;
      line();
    } else if (c === ':') out += ': ';
    else if (c.trim() !== '') out += c;
  }
  return out;
}
