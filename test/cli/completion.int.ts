/** Completion is printed from the tree of commands, and bash completes lines with it. */
import { execFile, execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { opened } from '../support/opened.js';
import { tempFolder } from '../support/temp-folder.js';
import { run } from './run.js';
import { allOf, bareProgram } from './tree.js';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

const isHere = (shell: string): boolean => {
  try {
    execFileSync(shell, ['-c', 'exit 0'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const pathOf = (command: ReturnType<typeof bareProgram>): string =>
  command.parent === null ? '' : `${pathOf(command.parent)} ${command.name()}`.trim();

describe('cli: completion', () => {
  const folder = opened(tempFolder);
  const script = async (shell: string): Promise<string> => {
    const ran = await run(['completion', shell]);
    expect([ran.code, ran.stderr]).to.deep.equal([0, '']);
    return ran.stdout;
  };

  for (const shell of SHELLS) {
    it(`${shell}: has every command, option and choice of the tree`, async () => {
      const text = await script(shell);
      const missing: string[] = [];
      for (const command of allOf(bareProgram())) {
        const path = pathOf(command);
        if (path !== '' && !text.includes(`'${path}'`)) missing.push(path);
        for (const { long, argChoices } of command.options) {
          const flag = shell === 'fish' ? `-l ${long!.slice(2)}` : long!;
          if (!text.includes(flag)) missing.push(`${path} ${long}`);
          for (const choice of argChoices ?? [])
            if (!text.includes(choice)) missing.push(`${long} ${choice}`);
        }
      }
      expect(missing).to.deep.equal([]);
    });

    it(`${shell}: is a script that the shell can read`, async function () {
      if (!isHere(shell)) return this.skip();
      const file = join(folder.path, `recado.${shell}`);
      await writeFile(file, await script(shell));
      await promisify(execFile)(shell, [shell === 'fish' ? '--no-execute' : '-n', file]);
    });
  }

  it('asks no server and needs no token', async () => {
    const ran = await run(['completion', 'bash'], { env: { RECADO_DATA_DIR: join(folder.path, 'none') } });
    expect(ran.code).to.equal(0);
    expect((await run(['completion', 'tcsh'])).code).to.equal(2);
  });

  describe('in bash', function () {
    before(async function () {
      if (!isHere('bash')) return this.skip();
      await writeFile(join(folder.path, 'recado.bash'), await script('bash'));
      await writeFile(join(folder.path, 'a file.csv'), '');
    });

    /** The words that bash offers at the end of a line; a line that ends in a space asks for the next word. */
    async function offered(line: string): Promise<readonly string[]> {
      const words = line
        .split(' ')
        .flatMap((word) => word.split(/(=)/))
        .filter((word, n, all) => word !== '' || n === all.length - 1);
      const program =
        'source ./recado.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _recado; printf "%s\\n" "${COMPREPLY[@]}"';
      const { stdout } = await promisify(execFile)('bash', ['-c', program, 'bash', ...words], {
        cwd: folder.path,
      });
      return stdout.split('\n').filter(Boolean);
    }

    for (const [line, has, hasNot] of [
      ['recado ', ['companies', 'store', 'completion'], ['list', '--json']],
      ['recado comp', ['companies', 'completion'], ['store']],
      ['recado store ', ['show', 'categories', 'orders'], ['companies']],
      ['recado store orders pl', ['place'], ['list']],
      ['recado --', ['--json', '--version'], ['--limit']],
      ['recado --admin-url http://x/ --json operations ', ['list', 'watch'], ['companies']],
      ['recado operations list --st', ['--status'], ['--limit']],
      ['recado operations list --', ['--held', '--json', '--help'], ['--version']],
      ['recado operations list --status ', ['queued', 'failed'], ['list', 'a file.csv']],
      ['recado operations list --status=fa', ['failed'], ['queued']],
      ['recado operations list --status failed --', ['--limit'], ['queued']],
      ['recado operations list --limit ', [], ['list', 'queued']],
      ['recado conversations team add ', ['agent', 'group'], ['list']],
      ['recado store plan ', ['on', 'off'], []],
      ['recado projections drop messages --version ', [], ['list']],
      ['recado contacts import ', ['a file.csv'], ['list']],
      ['recado --token-file ', ['recado.bash'], ['companies']],
      ['recado completion ', ['bash', 'zsh', 'fish'], []],
      ['recado companies create --name list --ti', ['--timezone', '--timeout'], []],
    ] as const) {
      it(`offers after "${line}"`, async () => {
        const words = await offered(line);
        expect(words).to.include.members([...has]);
        for (const word of hasNot) expect(words).to.not.include(word);
      });
    }
  });
});
