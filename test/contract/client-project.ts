/** A project of an integrator: a folder with the package `@recado/client` installed, as others get it. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectFile } from '../support/root.js';

const run = promisify(execFile);
export const PACKAGE = projectFile('clients/typescript/');

export interface ClientProject {
  readonly folder: string;
  readonly remove: () => void;
}

export async function openClientProject(): Promise<ClientProject> {
  const place = mkdtempSync(join(tmpdir(), 'recado-client-'));
  const folder = join(place, 'project');
  mkdirSync(folder);
  await run('npm', ['pack', '--silent', '--pack-destination', place], { cwd: PACKAGE });
  const [tarball] = readdirSync(place).filter((name) => name.endsWith('.tgz'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const offline = ['--offline', '--no-audit', '--no-fund', '--no-package-lock'];
  await run('npm', ['install', ...offline, join(place, tarball!)], { cwd: folder });
  return { folder, remove: () => rmSync(place, { recursive: true, force: true }) };
}
