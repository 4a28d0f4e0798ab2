/**
 * Speech to text over `POST /v1/audio/transcriptions`, as documented by OpenAI and implemented by others (whisper.cpp,
 * vLLM, LocalAI, Groq): https://platform.openai.com/docs/api-reference/audio/createTranscription
 */
import { Agent, FormData, request, type Dispatcher } from 'undici';
import { isObject } from '../../domain/kernel/json.js';
import type { Clock } from '../../ports/clock.js';
import { codeOf } from '../../ports/thrown.js';
import type { Transcriber, TranscriptionResult } from '../../ports/transcriber.js';
import { systemClock } from '../clock/system.js';
import { withTimeout } from '../../ports/waiting.js';
import type { TranscriptionSettings } from './settings.js';

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Statuses below 500 that may pass with time or through an operator: wrong key, no credit, too many requests. */
const PASSING = new Set([401, 402, 403, 408, 409, 425, 429]);

export function createTranscriber(
  settings: TranscriptionSettings,
  clock: Pick<Clock, 'after'> = systemClock,
): Transcriber {
  const { url, apiKey, model, language, timeoutMs } = settings;
  const agent = new Agent({
    connections: 4,
    connect: { timeout: 10_000 },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  return {
    async transcribe({ bytes, filename, mimeType }): Promise<TranscriptionResult> {
      const body = new FormData();
      body.set('file', new Blob([bytes], { type: mimeType }), filename);
      body.set('model', model);
      body.set('response_format', 'json');
      if (language !== null) body.set('language', language);
      try {
        const { statusCode, headers, text } = await withTimeout(clock, timeoutMs, async (signal) => {
          const answer = await request(url, {
            dispatcher: agent,
            method: 'POST',
            headers: {
              accept: 'application/json',
              ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
            },
            body,
            signal,
          });
          return { ...answer, text: await readText(answer.body) };
        });
        if (statusCode === 200) {
          const transcript = text === null ? null : transcriptIn(text);
          return transcript === null
            ? later('HTTP 200 without a transcript')
            : { ok: true, value: { text: transcript, model } };
        }
        // The error text may repeat words of the audio or the key: only the status is kept.
        const final = statusCode >= 400 && statusCode < 500 && !PASSING.has(statusCode);
        return { ...later(`HTTP ${statusCode}`, seconds(headers['retry-after'])), final };
      } catch (error) {
        return later(nameOf(error, timeoutMs));
      }
    },
    close: () => agent.close(),
  };
}

/** Prefers codes such as ECONNREFUSED, which an operator can search for. */
function nameOf(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  return codeOf(error) ?? 'the connection failed';
}

const later = (
  reason: string,
  retryAfterSeconds: number | null = null,
): Extract<TranscriptionResult, { ok: false }> => ({ ok: false, final: false, reason, retryAfterSeconds });

/** At most an hour: a service that asks for more is called again after that, and finally given up. */
const seconds = (header: string | string[] | undefined): number | null =>
  typeof header === 'string' && /^\d{1,9}$/.test(header) ? Math.min(3600, Number(header)) : null;

async function readText(body: Dispatcher.ResponseData['body']): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  const read: AsyncIterable<Buffer> = body;
  for await (const chunk of read) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) {
      // A body that is cut off reports that as an error.
      body.on('error', () => undefined);
      body.destroy();
      return null;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function transcriptIn(text: string): string | null {
  try {
    const answer: unknown = JSON.parse(text);
    const said = isObject(answer) ? answer['text'] : undefined;
    // Half a surrogate pair is valid JSON, but not every store accepts it as text.
    return typeof said === 'string' ? Buffer.from(said).toString().trim() : null;
  } catch {
    return null;
  }
}
