/** A client in Python: pydantic's models from the contract, and what mypy says of programs. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fromPyPI } from '../../real/servers/pypi.js';
import { run } from '../../real/servers/local.js';
import type { Complaint, Program } from './programs.js';

const PACKAGES = ['datamodel-code-generator==0.89.0', 'mypy==2.4.1', 'pydantic[email]==2.14.3'];

/** Returns a Python that has them. @throws Error without Python 3 with venv, or without PyPI */
export async function pythonTools(): Promise<string> {
  const name = 'python-client-1';
  const { python } = await fromPyPI("A Python client can't be generated here", name, ...PACKAGES);
  return python;
}

export const generatePython = (python: string, contract: string, folder: string): Promise<unknown> =>
  run(python, [
    ...['-m', 'datamodel_code_generator'],
    ...['--input', contract, '--input-file-type', 'openapi', '--output', join(folder, 'model.py')],
    ...['--output-model-type', 'pydantic_v2.BaseModel', '--target-python-version', '3.11'],
    ...['--enum-field-as-literal', 'all', '--use-annotated'],
  ]);

/** Checks both versions of all programs at once. @returns what mypy says of one */
export async function checkedByMypy(
  python: string,
  folder: string,
  programs: readonly Program[],
): Promise<(name: string, version: 'right' | 'wrong') => readonly Complaint[]> {
  const numbers = new Map(programs.map(({ name }, index) => [name, index]));
  await mkdir(folder, { recursive: true });
  for (const [index, program] of programs.entries()) {
    await writeFile(join(folder, `program_${index}_right.py`), program.right);
    await writeFile(join(folder, `program_${index}_wrong.py`), program.wrong);
  }
  const said = await mypy(python, folder);
  const complaints = [...said.matchAll(/^(\S+\.py):(\d+): error: (.*)$/gm)].map(([, file, line, text]) => ({
    file: file!,
    line: Number(line),
    text: text!,
  }));
  const everywhere = complaints.filter(({ file }) => !file.startsWith('program_'));
  return (name, version) => [
    ...everywhere,
    ...complaints.filter(({ file }) => file === `program_${numbers.get(name)}_${version}.py`),
  ];
}

/** The recorded samples, read by the models; a later version of the API and a new error code are no fault. */
const READER = `
import json, sys
from model import Message, Operation, WebhookEvent
samples = json.load(open(sys.argv[1]))
for name, sample in samples['messages'].items():
    read = Message.model_validate(sample).root
    assert type(read).__name__ == name.split(' ')[0], (name, type(read))
for name, sample in samples['operations'].items():
    read = Operation.model_validate(sample).root
    assert type(read).__name__ == name, (name, type(read))
for name, sample in samples['events'].items():
    assert WebhookEvent.model_validate({**sample, 'api_version': '1.9.0'}).root.type == name
failed = samples['operations']['OperationFailed']
Operation.model_validate({**failed, 'error': {**failed['error'], 'code': 'code_of_tomorrow'}})
print(sum(len(part) for part in samples.values()))
`;

/** @returns how many samples were read. @throws Error with the first that the models do not take, or take for another */
export async function samplesRead(python: string, folder: string, samples: string): Promise<number> {
  const { stdout } = await run(python, ['-c', READER, samples], { cwd: folder });
  return Number(stdout);
}

/** mypy ends with 1 when it has found something, which is no failure here. */
async function mypy(python: string, folder: string): Promise<string> {
  try {
    return (await run(python, ['-m', 'mypy', '--no-error-summary', '--strict', '.'], { cwd: folder })).stdout;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 1 && 'stdout' in error) {
      return String(error.stdout);
    }
    throw error;
  }
}
