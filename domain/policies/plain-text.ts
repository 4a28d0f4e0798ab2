/**
 * The plain text of a value that may be text or HTML: the sender does not say which. Linear in the length of any input.
 */
import { decodeHTMLStrict } from 'entities';

/** Matches a tag at the current position; a `<` without its `>` is not a tag: `a<b`. */
const TAG = /<\/?([a-z][a-z0-9-]*)[^<>]*>/iy;
/** Elements whose content is dropped. */
const SILENT = new Set(['script', 'style']);
const BREAKS = new Set(['br', 'hr']);
/** Elements that begin and end on a line of their own. */
const LINES = new Set([
  ...['address', 'article', 'aside', 'blockquote', 'dd', 'div', 'dl', 'dt', 'figure', 'footer', 'form'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'header', 'li', 'main', 'nav', 'ol', 'p', 'pre', 'section'],
  ...['table', 'tbody', 'tfoot', 'thead', 'tr', 'ul'],
]);
const GAPS = new Set(['td', 'th', 'option', 'img']);

/** The text without markup, with `&eacute;` as é. Separate paragraphs, lines and cells stay separate. */
export function plainText(given: string): string {
  const parts: string[] = [];
  let last = '\n';
  const add = (part: string): void => {
    parts.push(part);
    last = part.at(-1) ?? last;
  };
  let at = 0;
  const unclosed = new Set<string>();
  while (at < given.length) {
    const open = given.indexOf('<', at);
    if (open === -1) break;
    add(given.slice(at, open));
    if (given.startsWith('<!--', open)) {
      const end = given.indexOf('-->', open + 4);
      at = end === -1 ? given.length : end + 3;
      continue;
    }
    TAG.lastIndex = open;
    const name = TAG.exec(given)?.[1]?.toLowerCase();
    if (name === undefined) {
      add('<');
      at = open + 1;
      continue;
    }
    at = TAG.lastIndex;
    if (BREAKS.has(name)) add('\n');
    else if (LINES.has(name)) add(last === '\n' ? '' : '\n');
    else if (GAPS.has(name)) add(' ');
    else if (SILENT.has(name) && given[open + 1] !== '/' && !unclosed.has(name)) {
      const end = endOf(name, given, at);
      if (end === null) unclosed.add(name);
      else at = end;
      add(' ');
    }
  }
  add(given.slice(at));
  return decodeHTMLStrict(parts.join('')).trim();
}

/** The position after the closing tag, such as `</script>`; null where it is missing. */
function endOf(name: string, given: string, from: number): number | null {
  const closing = new RegExp(`</${name}\\s*>`, 'gi');
  closing.lastIndex = from;
  return closing.exec(given) === null ? null : closing.lastIndex;
}
