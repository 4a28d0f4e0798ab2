/** The package as `npm pack` makes it: its content, and its programs run outside of the checkout. */
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { eventually } from '../support/e2e/eventually.js';
import { freePort } from '../support/free-port.js';
import { opened } from '../support/opened.js';
import { projectFile } from '../support/root.js';
import { tempFolder } from '../support/temp-folder.js';

const run = promisify(execFile);

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}
interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

describe('the package', () => {
  const folder = opened(tempFolder);
  let paths: readonly string[];
  let home: string;

  /**
   * Unpacked beside the packages that it declares, and no others: a program that imports another one fails. Their files
   * are those of the checkout, because an installation from the registry takes minutes.
   */
  before(async () => {
    const into = ['--json', '--ignore-scripts', '--pack-destination', folder.path];
    const { stdout } = await run('npm', ['pack', ...into], { cwd: projectFile('.') });
    const [packed] = JSON.parse(stdout) as readonly Packed[];
    paths = packed!.files.map(({ path }) => path);
    const modules = join(folder.path, 'app/node_modules');
    home = join(modules, 'recado');
    await mkdir(home, { recursive: true });
    await run('tar', ['-xzf', join(folder.path, packed!.filename), '-C', home, '--strip-components=1']);
    const manifest = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as Manifest;
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
      const from = projectFile(`node_modules/${name}`);
      if (!existsSync(from)) continue;
      await mkdir(dirname(join(modules, name)), { recursive: true });
      await symlink(from, join(modules, name));
    }
  });

  const recado = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    run(process.execPath, [join(home, 'dist/cli/main.js'), ...args], {
      cwd: folder.path,
      env: { PATH: process.env['PATH'], HOME: folder.path, ...env },
    });

  it('holds the build and what it reads, and nothing else', () => {
    const tops = new Set(
      paths.map((path) =>
        path
          .split('/')
          .slice(0, path.startsWith('dist/') ? 2 : 1)
          .join('/'),
      ),
    );
    expect([...tops].sort()).to.deep.equal([
      'CHANGELOG.md',
      'README.md',
      ...[
        'adapters',
        'api',
        'application',
        'cli',
        'console',
        'domain',
        'ports',
        'projections',
        'read-models',
        'runtime',
      ]
        .concat(['sandbox', 'store-page', 'workers'])
        .map((name) => `dist/${name}`),
      'package.json',
    ]);
    expect(paths).to.include.members([
      'dist/cli/main.js',
      'dist/runtime/main.js',
      'dist/api/openapi.json',
      'dist/api/admin/openapi.json',
      'dist/api/docs/index.html',
      'dist/store-page/assets/store-page.css',
    ]);
    expect(paths.filter((path) => /(^|\/)\.|\.ts$|credentials\.json|\.db$/.test(path))).to.deep.equal([]);
  });

  it('has a bin that runs as it is, and builds nothing', async () => {
    expect(
      (await readFile(join(home, 'dist/cli/main.js'), 'utf8')).startsWith('#!/usr/bin/env node\n'),
    ).to.equal(true);
    expect((await recado(['--version'])).stdout).to.equal('0.1.0\n');
    expect((await recado(['--help'])).stdout).to.include('listen');
    const secret = { RECADO_WEBHOOK_SECRET: 'whsec_eA==' };
    const signed = await recado(['signature', 'sign', join(home, 'package.json'), '--id', 'e'], secret);
    expect(signed.stdout).to.match(/^Service-Signature: v1=[0-9a-f]{64}$/m);
    expect((await recado(['listen', '--print-secret'])).stdout).to.match(/^whsec_/);
  });

  it('starts the product, which answers its own commands', async () => {
    const port = await freePort();
    const data = join(folder.path, 'data');
    const env = { PATH: process.env['PATH'], DATA_DIR: data, PORT: String(port) };
    const server = spawn(process.execPath, [join(home, 'dist/runtime/main.js')], {
      env,
      cwd: folder.path,
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => server.once('exit', resolve));
    try {
      const base = `http://127.0.0.1:${port}`;
      await eventually(async () => (await fetch(`${base}/readyz`)).ok, { what: 'the product' });
      expect((await fetch(`${base}/docs`)).status).to.equal(200);
      expect((await fetch(`${base}/loja/loja-demo`)).status).to.equal(200);
      const send = ['messages', 'send', '--to', '+5511987654321', '--template', 'order_confirmation'];
      const words = ['--language', 'pt_BR', '--param', 'Maria', '--param', '4711', '--wait', '60', '--json'];
      const { stdout } = await recado([...send, ...words], { RECADO_DATA_DIR: data });
      expect(JSON.parse(stdout)).to.include({ status: 'succeeded' });
    } finally {
      server.kill();
      await ended;
    }
  });
});
