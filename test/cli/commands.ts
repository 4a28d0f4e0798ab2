/** Runs `recado` as an operator types it: whole command lines, in this process. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { ADMIN_TOKEN, newCompany, openAdmin, type AdminServer } from '../api/admin/server.js';
import { tempFolder } from '../support/temp-folder.js';
import { run, start, type Ran, type Running, type RunOptions } from './run.js';

type Environment = Readonly<Record<string, string>>;

/** A word of a command line; one with spaces is quoted. */
const WORD = /'([^']*)'|"([^"]*)"|(\S+)/g;
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(WORD)].map(([, single, double, plain]) => single ?? double ?? plain!);

export interface Commands {
  /** Runs a command line, after the prefix that all of them share. */
  readonly recado: (line: string, options?: RunOptions) => Promise<Ran>;
  /** Starts a command in this process, with a clock that the test advances. */
  readonly begin: (line: string, options?: RunOptions) => Running;
  /** Runs a command that must exit with 0. */
  readonly done: (line: string, options?: RunOptions) => Promise<Ran>;
  /** Runs a command that must exit with this code and print this on stderr. */
  readonly ends: (line: string, code: number, said?: string | RegExp, options?: RunOptions) => Promise<Ran>;
}

/**
 * @param prefix words at the start of every line
 * @param program runs the words; by default in this process
 */
export function commands(environment: () => Environment, prefix = '', program = run): Commands {
  const asked = (line: string, options: RunOptions = {}) =>
    [wordsOf(`${prefix} ${line}`), { ...options, env: { ...environment(), ...options.env } }] as const;
  const recado: Commands['recado'] = (line, options) => program(...asked(line, options));
  return {
    recado,
    begin: (line, options) => start(...asked(line, options)),
    async done(line, options) {
      const ran = await recado(line, options);
      expect(ran.code, ran.stderr).to.equal(0);
      return ran;
    },
    async ends(line, code, said = '', options) {
      const ran = await recado(line, options);
      expect(ran.code, ran.stderr).to.equal(code);
      if (typeof said === 'string') expect(ran.stderr).to.include(said);
      else expect(ran.stderr).to.match(said);
      return ran;
    },
  };
}

export const adminEnv = (url: string): Environment => ({
  RECADO_ADMIN_URL: url,
  RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
});

/** The environment for a started product. */
export const credentialsEnv = (credentials: Readonly<Record<string, string | undefined>>): Environment => ({
  RECADO_ADMIN_URL: credentials['admin_url']!,
  RECADO_ADMIN_TOKEN: credentials['admin_token']!,
});

/** A server with a company, and a folder whose credentials.json names both. */
export interface Office {
  readonly server: AdminServer;
  readonly company: string;
  readonly integration: string;
  readonly folder: string;
  readonly env: Environment;
  /** Writes a file with this content, and returns its path. */
  file(name: string, content: string | Buffer): Promise<string>;
  close(): Promise<void>;
}

export async function openOffice(name = 'Loja'): Promise<Office> {
  const server = await openAdmin();
  const folder = await tempFolder();
  const company = await newCompany(server, name);
  const made = await server.call('POST', `/companies/${company}/integrations`, { name: 'ERP' });
  const integration = made.data['uuid'] as string;
  const file = async (path: string, content: string | Buffer): Promise<string> => {
    await writeFile(join(folder.path, path), content);
    return join(folder.path, path);
  };
  const credentials = {
    admin_url: server.url,
    admin_token: ADMIN_TOKEN,
    company_uuid: company,
    integration_uuid: integration,
  };
  await file('credentials.json', JSON.stringify(credentials));
  return {
    server,
    company,
    integration,
    folder: folder.path,
    env: { RECADO_DATA_DIR: folder.path },
    file,
    async close() {
      await server.close();
      await folder.close();
    },
  };
}

type Row = Readonly<Record<string, unknown>>;
/** The output of a command with --json that prints a line for each row. */
export const rowsOf = ({ stdout }: Ran): readonly Row[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);
