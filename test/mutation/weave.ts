/**
 * The text of a source file with all its mutants in it. `__mutation.is(n)` is true when mutant n is switched on, and
 * `__mutation.loop()` ends loops that a mutant keeps from ending.
 */
import ts from 'typescript';
import type { MutatedFile, Place } from './mutants.js';

interface Insertion {
  readonly at: number;
  readonly text: string;
  readonly rank: number;
}

export function weave({ source, places }: MutatedFile): string {
  const insertions: Insertion[] = [...places.flatMap(switches), ...loopGuards(source)];
  insertions.sort((a, b) => a.at - b.at || a.rank - b.rank);
  let woven = '';
  let at = 0;
  for (const insertion of insertions) {
    woven += source.text.slice(at, insertion.at) + insertion.text;
    at = insertion.at;
  }
  return woven + source.text.slice(at);
}

/** At one position the ends of nodes come first, inner before outer; then the starts, outer before inner. */
const atEnd = (node: ts.Node): number => -node.getStart() - 1;
const atStart = (node: ts.Node): number => 1_000_000_000 - node.end;

function switches({ kind, node, versions }: Place): readonly Insertion[] {
  if (kind === 'expression') {
    const choices = versions.map(({ id, text }) => `__mutation.is(${id}) ? (${text}) : `).join('');
    return [
      { at: node.getStart(), text: `(${choices}(`, rank: atStart(node) },
      { at: node.end, text: '))', rank: atEnd(node) },
    ];
  }
  const off = versions.map(({ id }) => `__mutation.is(${id})`).join(' || ');
  const [start, end] =
    kind === 'block' ? blockEnds(node as ts.Block) : clauseEnds(node as ts.CaseOrDefaultClause);
  return [
    { at: start, text: `if (${off}) {} else {`, rank: atStart(node) },
    { at: end, text: '}', rank: atEnd(node) },
  ];
}

const blockEnds = (node: ts.Block): [number, number] => [node.getStart() + 1, node.end - 1];
const clauseEnds = (node: ts.CaseOrDefaultClause): [number, number] => [
  node.statements[0]!.getStart(),
  node.statements.at(-1)!.end,
];

function loopGuards(source: ts.SourceFile): readonly Insertion[] {
  const guards: Insertion[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIterationStatement(node, false)) {
      const body = node.statement;
      if (ts.isBlock(body)) {
        guards.push({ at: body.getStart() + 1, text: ' __mutation.loop();', rank: atStart(body) - 1 });
      } else {
        guards.push({ at: body.getStart(), text: '{ __mutation.loop(); ', rank: atStart(body) - 1 });
        guards.push({ at: body.end, text: '}', rank: atEnd(body) });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return guards;
}
