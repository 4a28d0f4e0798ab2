/**
 * Runs tests on Node 24, independently of the developer's Node version. Usage:
 *
 *     npm run test:node24                            npm test
 *     npm run test:node24 -- test/domain/x.unit.ts   some of it
 *
 * Node comes from npm's registry, into the user's cache folder. The working tree is copied and gets packages of its
 * own, as the image has them. The developer's node_modules stays unchanged.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { cached, must, run } from '../real/servers/local.js';

const VERSION = '24.21.0';
const WHAT = "Node 24 can't be had here";
const INSTALL_TIMEOUT_MS = 900_000;

/** Returns the folder that contains the program `node`. */
async function node24(): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = await cached(`node-${VERSION}`, async (work) => {
    const { stdout } = await must(
      WHAT,
      `npm could not fetch ${name}@${VERSION}`,
      run('npm', ['pack', '--silent', `${name}@${VERSION}`], { cwd: work, timeout: INSTALL_TIMEOUT_MS }),
    );
    await must(WHAT, 'tar could not unpack it', run('tar', ['xzf', stdout.trim()], { cwd: work }));
    await rename(join(work, 'package'), join(work, 'made'));
  });
  return join(folder, 'bin');
}

/** Packages of package-lock.json, without install scripts: every native package is prebuilt for this Node version. */
async function packagesFor(env: NodeJS.ProcessEnv): Promise<string> {
  const lock = createHash('sha256')
    .update(await readFile('package-lock.json'))
    .digest('hex');
  const folder = await cached(`packages-node-${VERSION}-${lock.slice(0, 12)}`, async (work) => {
    const made = join(work, 'made');
    await mkdir(made);
    for (const name of ['package.json', 'package-lock.json']) await copyFile(name, join(made, name));
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
    await must(
      WHAT,
      'npm ci could not install the packages',
      run('npm', args, { cwd: made, env, timeout: INSTALL_TIMEOUT_MS }),
    );
  });
  return join(folder, 'node_modules');
}

/** Copies every file that git tracks or would add, in its current state. */
async function copyTree(copy: string): Promise<void> {
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const path of stdout.split('\0')) {
    if (path !== '' && path !== 'node_modules' && existsSync(path)) await cp(path, join(copy, path));
  }
}

async function main(tests: readonly string[]): Promise<number> {
  const bin = await node24();
  const env = { ...process.env, PATH: [bin, process.env['PATH']].join(delimiter) };
  const packages = await packagesFor(env);
  const copy = await mkdtemp(join(tmpdir(), 'recado-node24-'));
  try {
    await copyTree(copy);
    await symlink(packages, join(copy, 'node_modules'));
    const node = join(bin, 'node');
    const { stdout } = await run(node, ['--version']);
    process.stdout.write(`Node ${stdout.trim()}\n`);
    const [program, args] =
      tests.length === 0 ? ['npm', ['test']] : [node, ['node_modules/mocha/bin/mocha.js', ...tests]];
    // Tests start built programs.
    await run(node, ['deploy/build.mjs', '--quiet'], { cwd: copy });
    const child = spawn(program, args, { cwd: copy, env, stdio: 'inherit' });
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => resolve(code ?? 1));
    });
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

process.exitCode = await main(process.argv.slice(2));
