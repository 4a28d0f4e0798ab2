import { join } from 'node:path';
import { cached, must, run } from './local.js';

const FETCH_TIMEOUT_MS = 600_000;

export interface PythonEnvironment {
  readonly python: string;
  /** Folder of its packages. */
  readonly packages: string;
}

/**
 * A virtual environment with packages from PyPI, created once on a machine.
 * @param what "Kafka can't be started here" or the like
 * @param requirements pinned: `moto[server]==5.2.5`
 */
export async function fromPyPI(
  what: string,
  name: string,
  ...requirements: readonly string[]
): Promise<PythonEnvironment> {
  const folder = await cached(name, async (work) => {
    const made = join(work, 'made');
    await must(
      what,
      'it needs Python 3 with venv ("python3" in the PATH)',
      run('python3', ['-m', 'venv', made]),
    );
    await must(
      what,
      `pip could not install ${requirements.join(' ')}`,
      run(join(made, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', ...requirements], {
        timeout: FETCH_TIMEOUT_MS,
      }),
    );
  });
  const python = join(folder, 'bin', 'python');
  const { stdout } = await run(python, ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))']);
  return { python, packages: stdout.trim() };
}
