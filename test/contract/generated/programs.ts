/** Programs for generated clients: each as it should be written, and with one wrong line. */
import { readFileSync } from 'node:fs';
import { projectFile } from '../../support/root.js';

export interface Program {
  /** The fault of its twin. */
  readonly name: string;
  readonly right: string;
  readonly wrong: string;
  /** The line, from 1, in which the two differ. */
  readonly line: number;
}

/** The compiler's complaint about a program. */
export interface Complaint {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** @param comment how the language begins a comment */
export function programsOf(file: string, comment: '//' | '#'): readonly Program[] {
  const [, ...blocks] = readFileSync(projectFile(`test/contract/generated/${file}`), 'utf8').split(
    `\n${comment} == `,
  );
  return blocks.map((block) => {
    const [name = '', ...lines] = block.trimEnd().split('\n');
    const marked = lines.flatMap((line, index) => (line.includes(` ${comment} wrong: `) ? [index] : []));
    const [index] = marked;
    if (index === undefined || marked.length > 1) throw new Error(`${file}: ${name} needs one marked line`);
    const [right = '', wrong = ''] = lines[index]!.split(` ${comment} wrong: `);
    const having = (line: string): string => `${lines.with(index, line.trimEnd()).join('\n')}\n`;
    return { name, right: having(right), wrong: having(wrong), line: index + 1 };
  });
}

/** Everything that is not as it should be; empty when each right program compiles and each wrong one is refused. */
export function unexpected(
  programs: readonly Program[],
  complaintsOf: (name: string, version: 'right' | 'wrong') => readonly Complaint[],
): readonly string[] {
  const shown = (complaints: readonly Complaint[]): string =>
    complaints.map(({ line, text }) => `line ${line}: ${text}`).join('; ');
  return programs.flatMap(({ name, line }) => {
    const right = complaintsOf(name, 'right');
    if (right.length > 0) return [`${name}: the right program is refused: ${shown(right)}`];
    const wrong = complaintsOf(name, 'wrong');
    if (wrong.length === 0) return [`${name}: the wrong program is taken`];
    const elsewhere = wrong.filter((one) => one.line !== line);
    return elsewhere.length > 0 ? [`${name}: another line is refused: ${shown(elsewhere)}`] : [];
  });
}
