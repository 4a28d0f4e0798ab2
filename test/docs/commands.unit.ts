/** Every command that a page names exists, with its options: in code blocks and in the text. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { projectFile } from '../support/root.js';
import { bareProgram } from '../cli/tree.js';
import type { Command } from 'commander';

const PAGES = [
  'README.md',
  'clients/typescript/README.md',
  'examples/README.md',
  ...readdirSync(projectFile('docs'), { recursive: true, encoding: 'utf8' })
    // Decisions tell what was so when they were made.
    .filter((name) => name.endsWith('.md') && !name.startsWith('adr/'))
    .map((name) => `docs/${name}`),
];

/** `recado a b --c` in code, also as `npm run cli -- a b --c`, whole lines of blocks and spans in the text. */
function commandsOf(page: string): readonly string[] {
  const blocks = [...page.matchAll(/^```(?:sh|text)?\n([\s\S]*?)^```$/gm)].map(([, text]) =>
    text!.replaceAll(/ *\\\n\s*/g, ' '),
  );
  const paragraphs = page.replaceAll(/^```[\s\S]*?^```$/gm, '').split(/\n\n|\n(?=\||- )/);
  const spans = paragraphs.flatMap((text) =>
    [...text.matchAll(/`([^`]+)`/g)].map(([, span]) => span!.replaceAll('\n', ' ')),
  );
  const lines = [...blocks.flatMap((text) => text.split('\n')), ...spans];
  return lines.flatMap((line) => {
    const text = line.replace(/ {2,}#.*$/, '').trim();
    const found = /^(?:\$ )?(?:npx )?(?:recado|npm run (?:--silent )?cli --) ([a-z][a-z-]*(?: .*)?)$/.exec(
      text,
    );
    return found ? [found[1]!] : [];
  });
}

/** Null if the words lead to a command, and each option is one of it or of the program. */
function faultOf(line: string): string | null {
  let command: Command = bareProgram();
  const globals = command.options;
  const words = line
    .split(/[|>&;]/)[0]!
    .trim()
    .split(/\s+/);
  while (command.commands.length > 0 && words.length > 0) {
    const next = command.commands.find((one) => one.name() === words[0]);
    if (next === undefined) break;
    words.shift();
    command = next;
  }
  const [first] = words;
  if (command.commands.length > 0 && first !== undefined && /^[a-z]/.test(first) && first !== 'help')
    return `${line}: "${command.name()}" has no command ${first}`;
  for (const word of words.filter((one) => /^--[a-z]/.test(one))) {
    const option = word.replace(/[=,.].*$/, '');
    if (option !== '--help' && ![...command.options, ...globals].some(({ long }) => long === option))
      return `${line}: ${command.name()} has no option ${option}`;
  }
  return null;
}

describe('the pages', () => {
  it('name commands that exist, with options that exist', () => {
    const faults: string[] = [];
    let count = 0;
    for (const name of PAGES) {
      for (const line of commandsOf(readFileSync(projectFile(name), 'utf8'))) {
        count += 1;
        const fault = faultOf(line);
        if (fault !== null) faults.push(`${name}: ${fault}`);
      }
    }
    expect(faults).to.deep.equal([]);
    expect(count).to.be.greaterThan(200);
  });

  it('are read for commands', () => {
    expect(
      commandsOf('```sh\nrecado keys create --scopes \\\n  all   # a key\n```\nUse `recado webhooks\nshow`.'),
    ).to.deep.equal(['keys create --scopes all', 'webhooks show']);
    expect(faultOf('store allow')).to.include('has no command allow');
    expect(faultOf('store show --colour')).to.include('has no option --colour');
  });
});
