/** TRANSCRIPTION_* settings from the environment. Pure; the messages are for the operator. */
export interface TranscriptionSettings {
  /** Full address that audio is posted to. */
  readonly url: string;
  readonly apiKey: string | null;
  readonly model: string;
  /** ISO 639-1, such as `pt`; null lets the model detect the language. */
  readonly language: string | null;
  readonly timeoutMs: number;
}

type Env = Readonly<Record<string, string | undefined>>;

const NEEDS_URL = ['TRANSCRIPTION_API_KEY', 'TRANSCRIPTION_MODEL', 'TRANSCRIPTION_LANGUAGE'] as const;
const PATH = '/audio/transcriptions';

/**
 * Null when TRANSCRIPTION_URL is not set: audio messages then have no transcript.
 *
 * @throws Error with a sentence that names the variable and the values it accepts
 */
export function readTranscriptionSettings(env: Env): TranscriptionSettings | null {
  const given = (name: string): string | null => env[name]?.trim() || null;
  const url = given('TRANSCRIPTION_URL');
  if (url === null) {
    const alone = NEEDS_URL.find((name) => given(name) !== null);
    if (alone === undefined) return null;
    throw new Error(
      `${alone} is set, TRANSCRIPTION_URL is not. Set it to the speech service, such as https://api.openai.com/v1, or leave both out.`,
    );
  }
  const seconds = given('TRANSCRIPTION_TIMEOUT_SECONDS');
  if (seconds !== null && !(Number(seconds) >= 1 && Number(seconds) <= 300)) {
    throw new Error(`TRANSCRIPTION_TIMEOUT_SECONDS must be a number from 1 to 300; it is "${seconds}".`);
  }
  const language = given('TRANSCRIPTION_LANGUAGE');
  if (language !== null && !/^[a-z]{2,3}$/.test(language)) {
    throw new Error(
      `TRANSCRIPTION_LANGUAGE must be an ISO 639 code of two or three small letters, such as pt; it is "${language}".`,
    );
  }
  return {
    url: endpoint(url),
    apiKey: given('TRANSCRIPTION_API_KEY'),
    model: given('TRANSCRIPTION_MODEL') ?? 'whisper-1',
    language,
    timeoutMs: 1000 * Number(seconds ?? 120),
  };
}

/** Accepts the base address with or without `/v1`, or the full address: all three are common. */
function endpoint(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new Error(
      'TRANSCRIPTION_URL must be an http(s) address without a user or password, such as https://api.openai.com/v1.',
    );
  }
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith(PATH) ? path : `${path === '' ? '/v1' : path}${PATH}`;
  return url.href;
}
