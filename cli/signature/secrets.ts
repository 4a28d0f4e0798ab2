/** Webhook secrets, never from the command line: every user of the machine could read it there. */
import { usage } from '../failure.js';
import { readText, type Io } from '../io.js';

const MOST = { most: 16_384, tooLong: 'What came from stdin is no webhook secret: it is too long.' };

/**
 * From a file (`-` is stdin) with one secret on each line, or from RECADO_WEBHOOK_SECRET. During a rotation there are
 * two. @throws Failure when there is none
 */
export async function readWebhookSecrets(io: Io, file: string | undefined): Promise<readonly string[]> {
  const text = file === undefined ? io.env['RECADO_WEBHOOK_SECRET'] : await readText(io, file, MOST);
  const secrets = (text ?? '').split(/\s+/).filter((secret) => secret !== '');
  if (secrets.length > 0) return secrets;
  throw usage(
    file === undefined
      ? 'There is no webhook secret.'
      : `${file === '-' ? 'stdin' : file} holds no webhook secret.`,
    'Set RECADO_WEBHOOK_SECRET, or give a file with --secret-file (- is stdin).',
  );
}
