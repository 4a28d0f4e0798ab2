/**
 * How plain the words of the project are: of its pages, of the comments in its sources, of its commits and change log.
 * `npm run words`, or `npm run words -- FOLDER` for another copy of the project.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { projectFile } from '../support/root.js';

interface Counted {
  /** The forms, as a regular expression over plain text. */
  readonly forms: string;
  /** The field's word, or a plain one. */
  readonly instead: string;
}

/**
 * Words that the project once used for things that the field has words for. Readers who know the field have to guess
 * what they mean, and several of them stand for more than one thing. `show`, `step` and `lane` are ordinary words or
 * terms of the glossary, so they are not counted; nor is what stands in code spans, such as names on disk.
 */
export const COUNTED: readonly Counted[] = [
  { forms: 'tell|tells|told|telling', instead: 'notify, report, return, log' },
  { forms: 'turn|turns|turned|turning', instead: 'event-loop tick, slot, order, or the name of what waits' },
  { forms: 'look|looks|looked|looking', instead: 'check, attempt, poll' },
  { forms: 'hear|hears|heard|unheard|hearing', instead: 'receive, received, not received' },
  { forms: 'whoever|whatever|whichever', instead: 'the caller, any, or the name of the subject' },
  { forms: 'intakes?', instead: 'webhook inbox; send scheduler' },
  { forms: 'wish|wishes|wished', instead: 'signal, request' },
  { forms: '(?:in|at) hand', instead: 'cached, claimed, in progress' },
  { forms: '(?:goes|go|going|went|gone) on', instead: 'continues, resumes, remains' },
  { forms: '(?:takes?|took|taken|taking) up', instead: 'resumes, starts' },
  { forms: '(?:is|are|was|were) none', instead: 'is not, does not exist, null' },
  { forms: 'shelf|shelves|ledgers?', instead: 'product quota, quota' },
  { forms: 'appetite', instead: 'claim limit' },
  { forms: 'meant', instead: 'candidates' },
  { forms: 'patient|patiently', instead: 'waiting for read models' },
  { forms: '(?:come|comes|came|coming) (?:by|upon)', instead: 'finds, checks' },
  { forms: '(?:become|becomes|became) of', instead: 'outcome of' },
  { forms: '(?:lies?|lay|lying) in', instead: 'is in, is stored in' },
  { forms: '(?:is|are|was|were) away', instead: 'is unavailable' },
  { forms: 'held for', instead: 'treated as' },
  { forms: '(?:find|finds|found|finding) out', instead: 'learn, learned, auto-detected' },
];

const HITS = new RegExp(`(?<![\\w-])(?:${COUNTED.map(({ forms }) => forms).join('|')})(?![\\w-])`, 'gi');
const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’_-]*/gu;
const SENTENCE_END = /(?<=[.!?]["”)]?)\s+(?=["“(]?[\p{Lu}\p{N}])/u;
const SUBJECT_LAST = /^["“(]*(?:who|what|which|whoever|whatever|whichever)\b/i;
/** Function words that no English sentence has three of. */
const PORTUGUESE = /(?<!\p{L})(?:não|uma|você|seu|sua|para|com|que|dos|das|ção|está|pedido)(?!\p{L})/giu;
/** A test that a page cites: its title is a string of the sources. */
const CITED_TEST = /`test\/[^`]+\.ts` "[^"]*"/g;
const LONG_SENTENCE = 30;
/** Fewer words than this are a label, such as a cell of a table. */
const SENTENCE_WORDS = 4;
const LONG_SUBJECT = 72;

/** A piece of prose; headings and the heads of tables have words, but no sentences. */
interface Block {
  readonly text: string;
  readonly title?: boolean;
}

export interface Counts {
  words: number;
  hits: number;
  sentences: number;
  long: number;
  subjectLast: number;
}

const nothing = (): Counts => ({ words: 0, hits: 0, sentences: 0, long: 0, subjectLast: 0 });

function plain(text: string): string {
  return text
    .replaceAll(CITED_TEST, 'Code')
    .replaceAll(/(`+)[\s\S]*?\1/g, 'Code')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<?https?:\/\/[^\s>)]+>?/g, 'Address')
    .replaceAll(/\*+|(?<!\w)_+|_+(?!\w)/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

export function countIn(blocks: readonly Block[]): Counts {
  const counts = nothing();
  for (const block of blocks) {
    const text = plain(block.text);
    if ((text.match(PORTUGUESE)?.length ?? 0) > 2) continue;
    counts.words += text.match(WORD)?.length ?? 0;
    counts.hits += text.match(HITS)?.length ?? 0;
    if (block.title) continue;
    for (const sentence of text.split(SENTENCE_END)) {
      const words = sentence.match(WORD)?.length ?? 0;
      if (words < SENTENCE_WORDS) continue;
      counts.sentences += 1;
      if (words > LONG_SENTENCE) counts.long += 1;
      if (SUBJECT_LAST.test(sentence) && !sentence.endsWith('?')) counts.subjectLast += 1;
    }
  }
  return counts;
}

const ITEM = /^\s*(?:[-*+]|\d+\.)\s+/;
const FENCE = /^\s*(?:```|~~~)/;
const RULE = /^\s*\|[\s:|-]+\|\s*$/;

/** Paragraphs, items of lists and cells of tables, without code blocks. */
export function blocksOfPage(page: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: string[] = [];
  let inCode = false;
  const close = (): void => {
    if (open.length > 0) blocks.push({ text: open.join(' ') });
    open = [];
  };
  const lines = page.replaceAll(/<!--[\s\S]*?-->/g, '').split('\n');
  for (const [at, line] of lines.entries()) {
    const fence = FENCE.test(line);
    if (fence) inCode = !inCode;
    if (inCode || fence || RULE.test(line)) {
      close();
    } else if (/^\s*\|/.test(line)) {
      close();
      const title = RULE.test(lines[at + 1] ?? '');
      for (const cell of line.split(/(?<!\\)\|/)) if (cell.trim() !== '') blocks.push({ text: cell, title });
    } else if (line.startsWith('#')) {
      close();
      blocks.push({ text: line.replace(/^#+/, ''), title: true });
    } else {
      if (line.trim() === '' || ITEM.test(line)) close();
      if (line.trim() !== '') open.push(line.replace(ITEM, ''));
    }
  }
  close();
  return blocks;
}

/** Where strings, templates and regular expressions are: they may hold `//` that starts no comment. */
function literalsOf(source: ts.SourceFile): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const visit = (node: ts.Node): void => {
    if (
      ts.isStringLiteralLike(node) ||
      ts.isRegularExpressionLiteral(node) ||
      ts.isTemplateLiteralToken(node)
    ) {
      ends.set(node.getStart(source), node.getEnd());
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return ends;
}

const DIRECTIVE = /^(?:\/\/\/|\/\/#|\/\*\s*eslint|\/\/\s*(?:eslint|@ts-|prettier-))/;

/** The comments of a source: lines that follow each other are one, paragraphs are several. */
export function blocksOfSource(text: string, name = 'file.ts'): readonly Block[] {
  const literals = literalsOf(ts.createSourceFile(name, text, ts.ScriptTarget.Latest));
  const comments: string[] = [];
  let lineEnd = -1;
  let at = 0;
  while (at < text.length) {
    const literal = literals.get(at);
    if (literal !== undefined && literal > at) {
      at = literal;
      continue;
    }
    const opening = text.slice(at, at + 2);
    if (opening !== '//' && opening !== '/*') {
      at += 1;
      continue;
    }
    const close = text.indexOf(opening === '//' ? '\n' : '*/', at);
    const end = close === -1 ? text.length : close + (opening === '//' ? 0 : 2);
    const comment = text.slice(at, end);
    const follows = opening === '//' && lineEnd !== -1 && text.slice(lineEnd, at).trim() === '';
    at = end;
    lineEnd = -1;
    if (DIRECTIVE.test(comment)) continue;
    const bare = comment.replaceAll(/^\s*(?:\/\*\*?|\/\/|\*(?!\/))|\*\/$/gm, '');
    comments.push(follows ? `${comments.pop()!}\n${bare}` : bare);
    if (opening === '//') lineEnd = end;
  }
  return comments.flatMap((one) => one.split(/\n\s*\n|\n\s*(?=@\w|[-*] )/)).map((one) => ({ text: one }));
}

/** How many words an entry of the change log has in the median: items of its lists. */
export function medianEntry(page: string): number {
  const items: string[] = [];
  for (const line of page.split('\n')) {
    if (ITEM.test(line)) items.push(line.replace(ITEM, ''));
    else if (/^\s+\S/.test(line) && items.length > 0) items.push(`${items.pop()!} ${line.trim()}`);
  }
  const lengths = items.map((one) => plain(one).match(WORD)?.length ?? 0).sort((a, b) => a - b);
  return lengths[Math.floor(lengths.length / 2)] ?? 0;
}

const SOURCES = [
  'adapters',
  'api',
  'application',
  'cli',
  'domain',
  'ports',
  'projections',
  'read-models',
  'runtime',
  'sandbox',
  'store-page',
  'workers',
  'test',
];
const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md'];

const add = (sum: Counts, more: Counts): Counts => ({
  words: sum.words + more.words,
  hits: sum.hits + more.hits,
  sentences: sum.sentences + more.sentences,
  long: sum.long + more.long,
  subjectLast: sum.subjectLast + more.subjectLast,
});

function filesIn(folder: string, ending: string, recursive: boolean): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive, withFileTypes: true })
    .filter((one) => one.isFile() && one.name.endsWith(ending))
    .filter(({ name }) => !name.endsWith('.d.ts') && !/\bpt(?:-br)?\.md$/i.test(name))
    .map((one) => join(one.parentPath, one.name));
}

const countPages = (files: readonly string[]): Counts =>
  files.map((file) => countIn(blocksOfPage(readFileSync(file, 'utf8')))).reduce(add, nothing());

const countSources = (files: readonly string[]): Counts =>
  files.map((file) => countIn(blocksOfSource(readFileSync(file, 'utf8'), file))).reduce(add, nothing());

const LATEST = 100;

/** Of all commits and of the latest ones; null where there is no git, or no history. */
function shortSubjects(root: string): readonly [string, string] | null {
  if (!existsSync(join(root, '.git'))) return null;
  try {
    const asked = ['log', '--no-merges', '--format=%s'];
    const log = execFileSync('git', asked, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
    const subjects = log.split('\n').filter((line) => line !== '');
    const short = (among: readonly string[]): string =>
      percent(among.filter((one) => one.length <= LONG_SUBJECT).length, among.length);
    return [short(subjects), short(subjects.slice(0, LATEST))];
  } catch {
    return null;
  }
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;

function print(root: string): void {
  const rows: (readonly [string, Counts])[] = [
    ['README …', countPages(PAGES.map((name) => join(root, name)).filter((file) => existsSync(file)))],
    ['docs', countPages(filesIn(join(root, 'docs'), '.md', false))],
    ['docs/adr', countPages(filesIn(join(root, 'docs/adr'), '.md', false))],
    ...SOURCES.map((name) => [name, countSources(filesIn(join(root, name), '.ts', true))] as const),
  ];
  const all = rows.map(([, counts]) => counts).reduce(add, nothing());
  const line = (name: string, cells: readonly (string | number)[]): string =>
    name.padEnd(14) + cells.map((cell) => String(cell).padStart(13)).join('');
  console.log(line('', ['words', 'counted', 'per 10,000', 'over 30', 'who/what']));
  for (const [name, counts] of [...rows, ['all', all] as const]) {
    const { words, hits, sentences, long, subjectLast } = counts;
    const share = words === 0 ? '–' : ((hits * 10_000) / words).toFixed(1);
    console.log(line(name, [words, hits, share, percent(long, sentences), percent(subjectLast, sentences)]));
  }
  const subjects = shortSubjects(root);
  if (subjects !== null)
    console.log(line(`commit subjects of at most ${LONG_SUBJECT} characters; latest ${LATEST}`, subjects));
  const log = join(root, 'CHANGELOG.md');
  if (existsSync(log))
    console.log(line('median words of a CHANGELOG entry', [medianEntry(readFileSync(log, 'utf8'))]));
}

if (process.argv[1]?.endsWith('words.ts')) print(process.argv[2] ?? projectFile('./'));
