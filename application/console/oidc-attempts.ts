/**
 * What an answer of the identity provider is checked by. It travels in the browser, sealed: so an answer counts in the
 * browser that began it only, and visitors write nothing to the store.
 */
import { randomBytes } from 'node:crypto';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { IdentityRequest } from '../../ports/identity-provider.js';
import { oidcAnswers } from '../../read-models/oidc.js';
import type { App } from '../app.js';
import { exclusively } from '../exclusively.js';
import { removeOld } from './remove-old.js';

/** How long a person may take at the provider. */
export const ATTEMPT_MS = 600_000;
/** Of the page that the provider sends browsers back to. */
export const RETURN_PATH = '/console/signed-in';

const PURPOSES = ['sign_in', 'invitation', 'link', 'confirm'] as const;
export type OidcPurpose = (typeof PURPOSES)[number];

/** What a sign-in was begun for. `of` and `mark`: the account and the invitation, or the session. */
export interface Aim {
  readonly purpose: OidcPurpose;
  readonly of?: string;
  readonly mark?: string;
}

export interface Attempt extends Required<Aim> {
  readonly uuid: string;
  readonly beganAt: number;
  readonly request: IdentityRequest;
}

export interface OidcAttempts {
  create(aim: Aim): Attempt;
  /** As the browser keeps it. */
  sealed(attempt: Attempt): string;
  /** @throws Refusal oidc_answer_invalid */
  opened(sealed: string, answer: string): Attempt;
  /** Before the provider is asked: only the first of two calls with one answer may ask it. @throws Refusal oidc_answer_invalid */
  useUp(attempt: Attempt): Promise<void>;
}

/** @param consoleUrl of the console, as browsers reach it */
export async function createOidcAttempts(
  app: Pick<App, 'readModels' | 'clock' | 'leases' | 'executor' | 'secrets' | 'newId'>,
  consoleUrl: () => string,
): Promise<OidcAttempts> {
  const { readModels, clock, secrets } = app;
  await readModels.define(oidcAnswers);
  const time = (ms = clock.now()): string => new Date(ms).toISOString();

  function opened(sealed: string, answer: string): Attempt {
    const attempt = read(unsealed(sealed), consoleUrl());
    if (attempt === null || attempt.beganAt + ATTEMPT_MS <= clock.now()) throw invalidAnswer();
    if (new URLSearchParams(answer).get('state') !== attempt.request.state) throw invalidAnswer();
    return attempt;
  }

  function unsealed(text: string): string {
    try {
      return secrets.open(text, SEALED_FOR);
    } catch {
      throw invalidAnswer();
    }
  }

  const useUp = ({ uuid, beganAt }: Attempt): Promise<void> =>
    exclusively(app, `oidc-answer:${uuid}`, invalidAnswer, async () => {
      if ((await readModels.get(oidcAnswers.name, uuid)) !== undefined) throw invalidAnswer();
      await removeOld(readModels, oidcAnswers.name, time());
      const doc = { attempt_uuid: uuid, created_at: time(), expires_at: time(beganAt + ATTEMPT_MS) };
      await readModels.write(oidcAnswers.name, [{ id: uuid, doc, version: '1' }]);
    });

  return {
    create: (aim) => ({
      of: '-',
      mark: '-',
      ...aim,
      uuid: app.newId(),
      beganAt: clock.now(),
      request: requestOf(consoleUrl(), aim.purpose, [random(), random(), random()]),
    }),
    sealed: (attempt) => secrets.seal(written(attempt), SEALED_FOR),
    opened,
    useUp,
  };
}

const SEALED_FOR = 'oidc-attempt';
const RANDOM_BYTES = 32;
const random = (): string => randomBytes(RANDOM_BYTES).toString('base64url');

const requestOf = (
  consoleUrl: string,
  purpose: OidcPurpose,
  [state, nonce, verifier]: readonly [string, string, string],
): IdentityRequest => ({
  redirectUri: consoleUrl + RETURN_PATH,
  state,
  nonce,
  verifier,
  anew: purpose === 'confirm',
});

/** None of its parts has a space in it. */
const written = ({ uuid, beganAt, purpose, of, mark, request }: Attempt): string =>
  [uuid, beganAt, purpose, of, mark, request.state, request.nonce, request.verifier].join(' ');

function read(text: string, consoleUrl: string): Attempt | null {
  const [uuid, beganAt, name, of, mark, state, nonce, verifier] = text.split(' ');
  const purpose = PURPOSES.find((one) => one === name);
  if (!uuid || !purpose || !of || !mark || !state || !nonce || !verifier) return null;
  const request = requestOf(consoleUrl, purpose, [state, nonce, verifier]);
  return { uuid, beganAt: Number(beganAt), purpose, of, mark, request };
}

export const invalidAnswer = (): Refusal =>
  new Refusal(
    'oidc_answer_invalid',
    'This answer belongs to no sign-in that this browser has open: it was used already, is older than ten minutes, or was altered. Start again.',
  );
