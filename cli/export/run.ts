/** Runs an export from its start, or from where it was interrupted, up to writing its manifest. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { maybe, number, parts, text, type Resource } from '../answer.js';
import { usage } from '../failure.js';
import { diskFailure } from '../files.js';
import { progressBar } from '../progress-bar.js';
import { counted } from '../readable.js';
import type { Session } from '../session.js';
import { download, type Downloaded } from './download.js';
import { describeFile, writeManifest, type Manifest } from './manifest.js';
import {
  forgetState,
  FORMAT_VERSION,
  MANIFEST,
  readState,
  writeState,
  type ExportRequest,
  type ExportState,
} from './state.js';
import { writeTables, type WrittenFile } from './table-files.js';
import type { EventType, FieldKind } from './tables.js';

const LINES = 'events.ndjson';
const KEYS = 'keys.ndjson';
/** Temporary lines, from which the tables are made. */
const PART = `${LINES}.part`;
const KEY_PAGE = 500;

/** @throws Failure */
export async function runExport(...asked: Parameters<typeof exportAll>): Promise<Manifest> {
  const [, folder] = asked;
  try {
    return await exportAll(...asked);
  } catch (error) {
    throw diskFailure(error, folder) ?? error;
  }
}

async function exportAll(
  session: Session,
  folder: string,
  request: ExportRequest,
  resume: boolean,
): Promise<Manifest> {
  const state = resume ? resumed(folder, request) : await begin(session, folder, request);
  const lines = join(folder, state.request.format === 'ndjson' ? LINES : PART);
  const downloaded = await receiveLines(session, state, lines);
  if (!state.downloaded) writeState(folder, { ...state, downloaded: true });
  const { bytes, sha256 } = downloaded;
  const written = await writeFiles(session, folder, lines, state, downloaded);
  const files = await Promise.all(
    written.map(async ({ name, rows }) =>
      // The lines were hashed during the download, so they need not be read again.
      name === LINES ? { name, bytes, sha256, rows } : describeFile(folder, name, rows),
    ),
  );
  const manifest = {
    made_at: new Date(session.io.clock.now()).toISOString(),
    source: state.source,
    request: state.request,
    positions: {
      after: state.after,
      up_to: state.up_to,
      first: downloaded.first,
      last: downloaded.last,
    },
    events: downloaded.events,
    types: [...downloaded.types]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([type, events]) => ({ type, version: versionOf(state.catalogue, type), events })),
    files,
    ...(request.kind === 'exact' ? { master_key_proof: await proofOf(session) } : {}),
  };
  writeManifest(folder, manifest);
  if (state.request.format !== 'ndjson') rmSync(lines, { force: true });
  forgetState(folder);
  return { what: 'recado-events', format_version: FORMAT_VERSION, ...manifest };
}

async function begin({ client }: Session, folder: string, request: ExportRequest): Promise<ExportState> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const there = readdirSync(folder);
  if (there.length > 0) {
    throw usage(
      there.includes(MANIFEST) ? `${folder} holds an export already.` : `${resolve(folder)} is not empty.`,
      readState(folder)
        ? 'Finish the interrupted export there with --resume.'
        : 'Name another folder with --out.',
    );
  }
  const range = await client.get('/events/range', {
    from: request.from ?? undefined,
    to: request.to ?? undefined,
  });
  const { data } = await client.page('/events/types', {});
  const state: ExportState = {
    format_version: FORMAT_VERSION,
    request,
    source: client.address,
    after: maybe(range['after'], text),
    up_to: maybe(range['up_to'], text),
    expected: number(range['to_sequence']) - number(range['from_sequence']),
    catalogue: data.map(eventType),
    downloaded: false,
  };
  writeState(folder, state);
  return state;
}

function resumed(folder: string, request: ExportRequest): ExportState {
  const state = readState(folder);
  if (state === null) throw usage(`${folder} holds no interrupted export.`);
  if (JSON.stringify(state.request) === JSON.stringify(request)) return state;
  throw usage(
    `The export in ${folder} was started with another request: ${JSON.stringify(state.request)}.`,
    'Repeat its command as it was, with --resume.',
  );
}

async function receiveLines(session: Session, state: ExportState, file: string): Promise<Downloaded> {
  const bar = progressBar(session.io);
  const { request, after, up_to } = state;
  let events = 0;
  try {
    return await download({
      client: session.client,
      clock: session.io.clock,
      path: '/events/export',
      query: {
        to: up_to ?? undefined,
        types: request.types?.join(','),
        company: request.company ?? undefined,
        include_personal: request.kind === 'personal' ? 'true' : undefined,
        exact: request.kind === 'exact' ? 'true' : undefined,
      },
      after,
      // A complete file is only counted: there may be nothing to download after its end.
      complete: state.downloaded || up_to === null,
      file,
      onProgress(count) {
        events = count;
        bar.show(count, request.types === null && request.company === null ? state.expected : null);
      },
      onTrouble(message) {
        bar.clear();
        session.say(message);
      },
    });
  } catch (error) {
    bar.clear();
    session.say(`Stopped after ${counted(events, 'event')}. Resume with --resume.`);
    throw error;
  } finally {
    bar.clear();
  }
}

async function writeFiles(
  session: Session,
  folder: string,
  lines: string,
  { request, catalogue }: ExportState,
  { events }: Downloaded,
): Promise<readonly WrittenFile[]> {
  if (request.format === 'ndjson') {
    const keys = request.kind === 'exact' ? [await receiveKeys(session, folder)] : [];
    return [{ name: LINES, rows: events }, ...keys];
  }
  const bar = progressBar(session.io);
  try {
    return await writeTables({
      folder,
      lines,
      format: request.format,
      catalogue,
      types: request.types,
      personal: request.kind === 'personal',
      onProgress: (done) => bar.show(done, events),
    });
  } finally {
    bar.clear();
  }
}

/** Runs after the events, so that a key destroyed meanwhile is exported as destroyed. */
async function receiveKeys({ client }: Session, folder: string): Promise<WrittenFile> {
  const file = join(folder, KEYS);
  writeFileSync(file, '', { mode: 0o600 });
  let rows = 0;
  for (let after: string | undefined; ;) {
    const page = await client.page('/events/export/keys', { after, limit: KEY_PAGE });
    writeFileSync(file, page.data.map((key) => `${JSON.stringify(key)}\n`).join(''), { flag: 'a' });
    rows += page.data.length;
    if (page.next === null) return { name: KEYS, rows };
    after = page.next;
  }
}

const proofOf = async ({ client }: Session): Promise<string> =>
  text((await client.get('/events/export/proof'))['master_key_proof']);

const eventType = (entry: Resource): EventType => ({
  type: text(entry['type']),
  version: number(entry['version']),
  fields: parts(entry['fields']).map(({ name, type, personal }) => ({
    name: text(name),
    type: text(type) as FieldKind,
    personal: personal === true,
  })),
});

const versionOf = (catalogue: readonly EventType[], type: string): number | null =>
  catalogue.find((one) => one.type === type)?.version ?? null;
