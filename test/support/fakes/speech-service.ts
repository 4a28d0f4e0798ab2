/** A speech service with `POST /v1/audio/transcriptions` as OpenAI documents it. A test can set its answers. */
import { type IncomingMessage } from 'node:http';
import { serve, bodyOf } from '../servers.js';

export interface Spoken {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly fields: Readonly<Record<string, string>>;
  readonly file: { readonly name: string; readonly type: string; readonly bytes: Buffer };
}

export interface SpeechService {
  readonly url: string;
  readonly heard: Spoken[];
  /** The next answers, in order; after them, the transcript. `hang` never answers. */
  answerNext(
    ...answers: ('hang' | { readonly status: number; readonly body: string; readonly retryAfter?: number })[]
  ): void;
  close(): Promise<void>;
}

export async function startSpeechService(transcript: string): Promise<SpeechService> {
  const heard: Spoken[] = [];
  const answers: Parameters<SpeechService['answerNext']>[number][] = [];
  const server = await serve((req, res) => {
    void readForm(req).then(async (form) => {
      const file = form.get('file') as File;
      heard.push({
        path: req.url ?? '',
        authorization: req.headers.authorization,
        fields: Object.fromEntries([...form].filter(([, value]) => typeof value === 'string')) as Record<
          string,
          string
        >,
        file: { name: file.name, type: file.type, bytes: Buffer.from(await file.arrayBuffer()) },
      });
      const answer = answers.shift() ?? { status: 200, body: JSON.stringify({ text: transcript }) };
      if (answer === 'hang') return;
      const retryAfter = answer.retryAfter === undefined ? {} : { 'retry-after': String(answer.retryAfter) };
      res.writeHead(answer.status, { 'content-type': 'application/json', ...retryAfter }).end(answer.body);
    });
  });
  return {
    url: server.origin,
    heard,
    answerNext: (...next) => void answers.push(...next),
    close: () => server.close(),
  };
}

async function readForm(req: IncomingMessage): Promise<FormData> {
  const headers = { 'content-type': req.headers['content-type'] ?? '' };
  return new Response(await bodyOf(req), { headers }).formData();
}
