/** Runs schemathesis, from PyPI, against a product and checks it against one contract. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContractName } from '../../api/contract.js';
import { projectFile } from '../support/root.js';

export const SCHEMATHESIS = 'schemathesis==4.32.5';

export interface Run {
  readonly contract: ContractName;
  /** Base address of the product, without a trailing slash. */
  readonly url: string;
  readonly token: string;
  /** Identifiers of existing resources, by the name of the path parameter. */
  readonly known: Readonly<Record<string, string>>;
  /** Number of examples for each operation. */
  readonly examples: number;
  readonly seed: number;
  readonly seconds: number;
  /** Folder for the files of the run; the caller removes it. */
  readonly folder: string;
}

const CONTRACTS: Readonly<Record<ContractName, { readonly file: string; readonly base: string }>> = {
  public: { file: 'api/openapi.yaml', base: '/api/v1' },
  admin: { file: 'api/admin/openapi.yaml', base: '/admin/v1' },
};

/** Share of requests in which an identifier in a path is that of an existing resource. */
const KNOWN_SHARE = 0.5;

/**
 * @returns how many requests were sent
 * @throws Error with the findings, or after the time limit
 */
export async function runSchemathesis(python: string, run: Run): Promise<string> {
  const { file, base } = CONTRACTS[run.contract];
  const config = join(run.folder, `${run.contract}.toml`);
  await writeFile(config, await configOf(run.known));
  const args = [
    ...['-m', 'schemathesis.cli', '--config-file', config, 'run', projectFile(file)],
    ...['--url', run.url + base, '--header', `Authorization: Bearer ${run.token}`],
    ...['--seed', String(run.seed), '--max-examples', String(run.examples)],
    ...['--no-color', '--warnings', 'off'],
  ];
  const output = join(run.folder, `${run.contract}.txt`);
  const log = createWriteStream(output);
  await once(log, 'open');
  const child = spawn(python, args, {
    cwd: run.folder,
    env: {
      ...process.env,
      SCHEMATHESIS_HOOKS: projectFile('test/contract/rules.py'),
      // Writes no bytecode files beside the sources.
      PYTHONDONTWRITEBYTECODE: '1',
    },
    stdio: ['ignore', log, log],
    timeout: run.seconds * 1000,
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  log.close();
  const said = await readFile(output, 'utf8');
  if (code === null)
    throw new Error(`schemathesis was ended after ${run.seconds} s, its limit.\n${findingsIn(said)}`);
  if (code !== 0) throw new Error(`schemathesis ended with ${code}.\n${findingsIn(said)}`);
  return /^\s*(\d+) generated/m.exec(said)?.[1] ?? 'no';
}

/** Returns the findings without the progress bars; without findings, the end of the output. */
export function findingsIn(said: string): string {
  // eslint-disable-next-line no-control-regex -- colours and moves of the cursor
  const text = said.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, '');
  const from = text.search(/^=+ (ERRORS|FAILURES) =+$/m);
  return from < 0 ? text.slice(-2_000) : text.slice(from);
}

/** The TOML configuration: rules that are the same in every run, and the identifiers of existing resources. */
async function configOf(known: Run['known']): Promise<string> {
  const rules = await readFile(projectFile('test/contract/schemathesis.toml'), 'utf8');
  const dictionaries = Object.entries(known).map(
    ([name, value]) => `[dictionaries.${name}]\nvalues = [${JSON.stringify(value)}]\n`,
  );
  const parameters = Object.keys(known).map(
    (name) => `"path.${name}" = { dictionary = "${name}", probability = ${KNOWN_SHARE} }`,
  );
  return [rules, ...dictionaries, '[parameters]', ...parameters, ''].join('\n');
}
