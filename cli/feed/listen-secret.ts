/**
 * The secret that `recado listen` signs with. It is this machine's own: the integration's secret stays on the server.
 * It is kept, so that a receiver that knows it is not configured again at each start.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newWebhookSecret } from '../../domain/policies/webhook-signature.js';
import { codeOf, messageOf } from '../../ports/thrown.js';
import { maybe, part, text } from '../answer.js';
import { unreadable, usage } from '../failure.js';
import { writeWhole } from '../files.js';
import { say, type Io } from '../io.js';

/** @throws Failure when the kept one can't be read */
export function listenSecret(io: Io): string {
  const file = fileOf(io);
  const kept = file === null ? null : read(file);
  if (kept !== null) return kept;
  const secret = newWebhookSecret();
  try {
    if (file === null) throw new Error('neither HOME nor XDG_CONFIG_HOME is set');
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeWhole(file, { secret });
  } catch (error) {
    say(io, `The signing secret is new at each start, because it can't be kept: ${messageOf(error)}.`);
  }
  return secret;
}

function fileOf({ env }: Io): string | null {
  const home = env['HOME'];
  const folder = env['XDG_CONFIG_HOME'] || env['APPDATA'] || (home ? join(home, '.config') : '');
  return folder === '' ? null : join(folder, 'recado', 'listen.json');
}

function read(file: string): string | null {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw unreadable(file, error);
  }
  try {
    return maybe(part(JSON.parse(content))['secret'], text);
  } catch {
    throw usage(`${file} does not hold a signing secret.`, 'Delete it: the next start makes another.');
  }
}
