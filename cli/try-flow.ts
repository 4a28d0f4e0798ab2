/** A rehearsal of a flow on a terminal, or from a script: a line of input for each block that waits. */
import { createInterface } from 'node:readline/promises';
import { maybe, part, parts, text } from './answer.js';
import type { Resource } from './client.js';
import type { Io } from './io.js';
import type { Output } from './output.js';

interface Scene {
  readonly block: string;
  readonly effect: Readonly<Record<string, unknown>> & { readonly do: string };
  readonly way: string | null;
}

/**
 * @param play runs the whole rehearsal with the inputs so far
 */
export async function tryFlow(
  io: Io,
  out: Output,
  play: (inputs: readonly object[]) => Promise<Resource>,
): Promise<void> {
  const lines = createInterface({ input: io.stdin, output: io.stderr, terminal: false });
  const given = lines[Symbol.asyncIterator]();
  const inputs: object[] = [];
  let shown = 0;
  try {
    for (;;) {
      const played = await play(inputs);
      const scenes = played['scenes'] as readonly Scene[];
      const waiting = maybe(played['waiting'], text);
      if (!out.json) {
        // A waiting scene is shown at once, and not again when it ends.
        for (const scene of scenes.slice(shown)) io.stdout.write(`${inWords(scene)}\n`);
      }
      shown = scenes.length;
      if (waiting === null) return ending(io, out, played);
      if (!out.json) io.stderr.write(PROMPTS[waiting] ?? '> ');
      const line = await given.next();
      if (line.done === true) return ending(io, out, played);
      inputs.push(inputOf(waiting, line.value));
    }
  } finally {
    lines.close();
  }
}

const PROMPTS: Readonly<Record<string, string>> = {
  ask: 'you (empty: silence) > ',
  wait_for_callback: 'the call-back brings, as JSON (empty: silence) > ',
  http_request: 'it answers, as JSON (empty: it fails) > ',
};

function inputOf(waiting: string, line: string): object {
  if (waiting === 'ask') return line === '' ? { silence: true } : { reply: line };
  if (line === '') return waiting === 'http_request' ? { error: 'unreachable' } : { silence: true };
  try {
    const answer: unknown = JSON.parse(line);
    return { answer };
  } catch {
    return { answer: line };
  }
}

function ending(io: Io, out: Output, played: Resource): void {
  if (out.json) return out.one(played);
  const ended = maybe(played['ended'], part);
  if (ended === null) {
    const at = (played['scenes'] as readonly Scene[]).at(-1)?.block ?? 'its start';
    return void io.stdout.write(`the flow is not over: it waits at ${at}, and there was no more input\n`);
  }
  const how = [ended['status'], ended['outcome'], ended['reason']].filter(Boolean).join(': ');
  io.stdout.write(`the flow ended: ${how}\n`);
}

function inWords({ block, effect, way }: Scene): string {
  const { do: what, ...rest } = effect;
  const said = typeof rest['text'] === 'string' ? rest['text'] : summary(rest);
  const choices = maybe(rest['choices'], parts) ?? [];
  const buttons = choices.map(({ title }) => ` [${String(title)}]`).join('');
  return `${block}  ${what}${said === '' ? '' : `  ${said}`}${buttons}${way === null || way === 'next' ? '' : `  → ${way}`}`;
}

const summary = (rest: Readonly<Record<string, unknown>>): string =>
  Object.entries(rest)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
