/** How the program ends when it does not do what it was asked. Scripts rely on these codes; see docs/cli.md. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  refused: 3,
  unauthorised: 4,
  unreachable: 5,
  interrupted: 130,
} as const;

export class Failure extends Error {
  override readonly name = 'Failure';
  /** @param next what to do about it */
  constructor(
    readonly exitCode: number,
    message: string,
    readonly next?: string,
    readonly requestId?: string,
  ) {
    super(message);
  }
}

export const usage = (message: string, next?: string): Failure => new Failure(EXIT.usage, message, next);

/** The error envelope of the admin API as an end of the program. */
export function fromAnswer(status: number, body: unknown, requestId: string | null): Failure {
  const { code, message, details, request_id } = errorOf(body);
  const lines = [message ?? `The server answered ${status}.`];
  for (const field of fieldsOf(details)) lines.push(`  ${field.path}: ${field.message}`);
  return new Failure(
    exitCodeOf(status, code),
    lines.join('\n'),
    nextStep(status, code),
    request_id ?? requestId ?? undefined,
  );
}

interface WireError {
  readonly code?: string;
  readonly message?: string;
  readonly details?: unknown;
  readonly request_id?: string;
}

function errorOf(body: unknown): WireError {
  const error = typeof body === 'object' && body !== null ? (body as { error?: unknown }).error : undefined;
  return typeof error === 'object' && error !== null ? error : {};
}

function fieldsOf(details: unknown): readonly { readonly path: string; readonly message: string }[] {
  const { fields, problems } = (details ?? {}) as { readonly fields?: unknown; readonly problems?: unknown };
  if (Array.isArray(fields)) return fields as { path: string; message: string }[];
  if (!Array.isArray(problems)) return [];
  // Of a flow: the block, and what of it.
  return (problems as { block: string | null; path: string | null; message: string }[]).map(
    ({ block, path, message }) => ({
      path: [block, path].filter((part) => part !== null).join('.') || 'flow',
      message,
    }),
  );
}

const BAD_INPUT = new Set(['validation_failed', 'invalid_cursor', 'invalid_json']);

function exitCodeOf(status: number, code: string | undefined): number {
  if (status === 401 || status === 403) return EXIT.unauthorised;
  if (status === 429 || status === 502 || status === 503 || status === 504) return EXIT.unreachable;
  if (code !== undefined && BAD_INPUT.has(code)) return EXIT.usage;
  if (status === 404 || status === 409 || status === 422) return EXIT.refused;
  return EXIT.failed;
}

function nextStep(status: number, code: string | undefined): string | undefined {
  if (status === 401) {
    return 'Set RECADO_ADMIN_TOKEN, or RECADO_DATA_DIR to the data folder whose credentials.json holds it.';
  }
  if (status === 404) return 'List what there is with the "list" command of the same noun.';
  if (status === 429 || status === 503) return 'Try again in a few seconds.';
  if (status >= 500) return 'Look for the request id in the log of the server.';
  return code === 'provider_rejected'
    ? 'Check the token and the ids in the WhatsApp Manager, then repeat the command.'
    : undefined;
}
