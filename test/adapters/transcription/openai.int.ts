import { expect } from 'chai';
import { createTranscriber } from '../../../adapters/transcription/openai.js';
import { readTranscriptionSettings } from '../../../adapters/transcription/settings.js';
import { startSpeechService, type SpeechService } from '../../support/fakes/speech-service.js';

const AUDIO = { bytes: Buffer.from('OggS'), filename: 'audio.ogg', mimeType: 'audio/ogg' };

describe('transcription', () => {
  let speech: SpeechService;
  before(async () => {
    speech = await startSpeechService(' Oi! ');
  });
  after(() => speech.close());

  const transcriber = (env: Record<string, string> = {}, timeoutMs = 20_000) =>
    createTranscriber({
      ...readTranscriptionSettings({ TRANSCRIPTION_URL: speech.url, ...env })!,
      timeoutMs,
    });

  it('posts the audio as a form and answers the words', async () => {
    const service = transcriber({
      TRANSCRIPTION_API_KEY: 'k',
      TRANSCRIPTION_MODEL: 'gpt-4o-transcribe',
      TRANSCRIPTION_LANGUAGE: 'pt',
    });
    const result = await service.transcribe(AUDIO);
    expect(result).to.deep.equal({ ok: true, value: { text: 'Oi!', model: 'gpt-4o-transcribe' } });
    expect(speech.heard.pop()).to.deep.equal({
      path: '/v1/audio/transcriptions',
      authorization: 'Bearer k',
      fields: { model: 'gpt-4o-transcribe', response_format: 'json', language: 'pt' },
      file: { name: 'audio.ogg', type: 'audio/ogg', bytes: AUDIO.bytes },
    });
    await service.close();
  });

  for (const [what, answer, expected] of [
    [
      'an audio that it can not read',
      { status: 400, body: '{"error":{"message":"secret words"}}' },
      { final: true, reason: 'HTTP 400' },
    ],
    [
      'too much at once',
      { status: 429, body: '{}', retryAfter: 20 },
      { final: false, retryAfterSeconds: 20 },
    ],
    [
      'a wait of days',
      { status: 503, body: '', retryAfter: 999_999 },
      { final: false, retryAfterSeconds: 3600 },
    ],
    ['a wrong key', { status: 401, body: '{}' }, { final: false, reason: 'HTTP 401' }],
    ['a page', { status: 200, body: '<html>' }, { final: false, reason: 'HTTP 200 without a transcript' }],
    ['an answer without end', { status: 200, body: 'x'.repeat(6_000_000) }, { final: false }],
    ['no text', { status: 200, body: '{"text":null}' }, { final: false }],
    ['a redirect', { status: 302, body: '' }, { final: false, reason: 'HTTP 302' }],
    ['nothing', 'hang', { final: false, reason: 'no answer within 200 ms' }],
  ] as const) {
    it(`${what} is ${expected.final ? 'final' : 'tried again'}`, async () => {
      const service = transcriber({}, answer === 'hang' ? 200 : 10_000);
      speech.answerNext(answer);
      expect(await service.transcribe(AUDIO)).to.deep.include({ ok: false, ...expected });
      await service.close();
    });
  }

  it('is off without an address, and says what is missing', () => {
    expect(readTranscriptionSettings({})).to.equal(null);
    expect(() => readTranscriptionSettings({ TRANSCRIPTION_API_KEY: 'k' })).to.throw(
      'TRANSCRIPTION_API_KEY is set, TRANSCRIPTION_URL is not.',
    );
    for (const url of ['nonsense', 'ftp://x', 'https://user:pass@x']) {
      expect(() => readTranscriptionSettings({ TRANSCRIPTION_URL: url })).to.throw(
        'TRANSCRIPTION_URL must be',
      );
    }
    const withUrl = { TRANSCRIPTION_URL: 'https://x' };
    expect(() => readTranscriptionSettings({ ...withUrl, TRANSCRIPTION_LANGUAGE: 'Portuguese' })).to.throw(
      'ISO 639',
    );
    expect(() => readTranscriptionSettings({ ...withUrl, TRANSCRIPTION_TIMEOUT_SECONDS: '0' })).to.throw(
      '1 to 300',
    );
  });

  it('takes the address of the service in every usual form', () => {
    const at = (url: string) => readTranscriptionSettings({ TRANSCRIPTION_URL: url })!.url;
    expect(at('https://api.openai.com')).to.equal('https://api.openai.com/v1/audio/transcriptions');
    expect(at('https://api.groq.com/openai/v1/')).to.equal(
      'https://api.groq.com/openai/v1/audio/transcriptions',
    );
    const whole = 'https://speech.example/audio/transcriptions?api-version=1';
    expect(at(whole)).to.equal(whole);
  });
});
