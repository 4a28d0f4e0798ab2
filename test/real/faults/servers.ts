/**
 * Servers of a system are killed and paused under load, and the API is checked meanwhile. Writes that cannot be stored
 * are answered with 503 in bounded time. Reads continue from the servers that are up. `/readyz` names the failed ones.
 * All of it recovers by itself.
 */
import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import type { SeenAnswer } from '../../crash/integrator.js';
import { eventually } from '../../support/e2e/eventually.js';
import type { ServerName } from '../servers/server.js';
import { faultyServer, type FaultyServer } from '../support/servers.js';
import { startAndEnd } from '../support/start-and-end.js';
import type { Load, ProcessName, System } from '../support/system.js';

/** A request to the event store times out after 10 s; the rest is a margin for a busy machine. */
const LONGEST_ANSWER_MS = 30_000;
/** Time until everything works again after a server has come back. */
const RECOVERY_MS = 300_000;
/** A pause longer than every timeout: request 10 s, publication 15 s, session 7 s, lease 6 s. */
const PAUSE_MS = 20_000;
/** Two lost pings, 2 s apart, with 5 s each to answer; the rest is a margin as above. */
const NOTICED_MS = 120_000;
/** More errors than this within one outage count as a flood. */
const ERRORS_PER_OUTAGE = 300;

type Part = 'event_store' | 'read_models' | 'topics';
const PART: Readonly<Record<string, Part>> = {
  eventstore: 'event_store',
  mongodb: 'read_models',
  kafka: 'topics',
};

/** The system and its load start before these tests, and outlast them. */
export function serverOutages(
  started: () => {
    readonly system: System;
    readonly load: Load;
    /** Answers to the integrators so far, which these tests empty. */
    readonly answers: SeenAnswer[];
  },
): void {
  let system: System;
  let load: Load;
  let answers: SeenAnswer[];
  let known: string;

  before(async () => {
    ({ system, load, answers } = started());
    await system.flows(load, RECOVERY_MS);
    known = load.integrators.accepted[0]!.operationUuid;
    expect((await get(`/operations/${known}`)).status).to.equal(200);
  });

  async function ask(name: ProcessName, path: string, init: RequestInit = {}) {
    const headers = { authorization: `Bearer ${system.workspace.apiKey}`, ...init.headers };
    const signal = AbortSignal.timeout(LONGEST_ANSWER_MS);
    const answer = await fetch(`${system.process(name).url}${path}`, { ...init, headers, signal });
    const body = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
    return { status: answer.status, body };
  }
  const get = (path: string) => ask('api1', `/api/v1${path}`);
  const ready = (name: ProcessName) => ask(name, '/readyz');

  /** A signed webhook without content. */
  function webhook(n: number) {
    const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [], n });
    const signature = createHmac('sha256', system.env['WHATSAPP_APP_SECRET']!).update(body).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` };
    return ask('api2', '/providers/whatsapp/webhooks', { method: 'POST', headers, body });
  }

  const named = async (name: ProcessName, part: Part): Promise<number> => {
    const { status, body } = await eventually(
      async () => {
        const found = await ready(name);
        return (found.body['parts'] as Record<string, string>)[part] !== 'ok' && found;
      },
      { what: `/readyz of ${name} to name ${part}`, timeoutMs: NOTICED_MS },
    );
    expect(body['status']).to.equal(status === 200 ? 'degraded' : 'not_ready');
    return status;
  };

  /** The status that operators get during an outage: the parts that are up, and the reasons for the others. */
  async function status(): Promise<Record<string, unknown>> {
    const authorization = `Bearer ${system.env['RECADO_ADMIN_TOKEN']!}`;
    const { status: code, body } = await ask('api1', '/admin/v1/status', { headers: { authorization } });
    expect(code).to.equal(200);
    return body['data'] as Record<string, unknown>;
  }

  /** Expected statuses of the API's answers while each server is down. */
  const whileOut: Readonly<Record<string, () => Promise<void>>> = {
    async eventstore() {
      expect(await named('api1', 'event_store'), 'reads go on').to.equal(200);
      expect(await named('workers1', 'event_store'), 'no work without the history').to.equal(503);
      answers.length = 0;
      for (const path of ['/channels', '/contacts', '/conversations', '/templates', `/operations/${known}`]) {
        expect((await get(path)).status, path).to.equal(200);
      }
      expect((await status())['positions']).to.include({ history: null });
      expect((await webhook(1)).status).to.equal(503);
      await seen(503);
    },
    async mongodb() {
      expect(await named('api1', 'read_models')).to.equal(503);
      answers.length = 0;
      expect(await status()).to.include({ leases: null });
      // Folded from its stream while the cached keys of its people still count as valid, which is a few seconds.
      expect((await get(`/operations/${known}`)).status).to.be.oneOf([200, 503]);
      expect((await get('/contacts')).status).to.equal(503);
      await seen(503);
    },
    async kafka() {
      expect(await named('api1', 'topics')).to.equal(200);
      answers.length = 0;
      for (const path of ['/channels', `/operations/${known}`])
        expect((await get(path)).status, path).to.equal(200);
      const { parts, lags } = await status();
      expect(lags).to.equal(null);
      expect((parts as Record<string, string>)['topics']).to.match(/does not answer|did not answer/);
      expect((await webhook(2)).status).to.equal(200);
      await seen(202);
    },
  };

  /** Integrators get this status every time and within the time limit. */
  async function seen(status: 202 | 503): Promise<void> {
    const posts = (): SeenAnswer[] => answers.filter(({ method }) => method === 'POST');
    await eventually(() => posts().length >= 3, { what: 'answers', timeoutMs: 4 * LONGEST_ANSWER_MS });
    for (const post of posts()) {
      expect(post.status).to.equal(status);
      expect(post.ms).to.be.below(LONGEST_ANSWER_MS);
      if (status === 503) expect(post.retryAfter).to.match(/^[1-9]\d*$/);
    }
  }

  async function recovers(errorsBefore: number): Promise<void> {
    await system.flows(load, RECOVERY_MS);
    for (const name of ['api1', 'api2', 'projections1', 'workers1', 'workers2'] as const) {
      await eventually(async () => (await ready(name)).body['status'] === 'ready', {
        what: `${name} to be ready`,
        timeoutMs: NOTICED_MS,
      });
      expect((await ask(name, '/healthz')).status).to.equal(200);
    }
    expect(errorCount() - errorsBefore).to.be.below(ERRORS_PER_OUTAGE);
  }

  const errorCount = (): number => Object.values(system.errors()).reduce((sum, n) => sum + n, 0);

  function outage(
    name: ServerName,
    what: string,
    begin: (server: FaultyServer) => Promise<void>,
    end: (server: FaultyServer) => Promise<void>,
  ): void {
    it(`${name} ${what}: says so, reads on, and goes on by itself`, async function () {
      const server = faultyServer(name);
      if (!server) return this.skip();
      const errors = errorCount();
      system.during(`${name} ${what}`);
      await begin(server);
      const from = performance.now();
      try {
        await whileOut[name]!();
        // By the end of this pause, every pending request has timed out.
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS - (performance.now() - from)));
      } finally {
        system.during(`${name} ${what} and came back`);
        await end(server);
      }
      await recovers(errors);
    });
  }

  for (const name of Object.keys(PART) as ServerName[]) {
    outage(
      name,
      'was killed',
      (server) => server.kill(),
      (server) => server.restart(),
    );
    outage(
      name,
      'stood still',
      (server) => server.pause(),
      (server) => server.resume(),
    );
  }

  it('lets in no process with another master key', async () => {
    const { code, said } = await startAndEnd(
      { ...system.env, RECADO_MASTER_KEY: Buffer.alloc(32, 9).toString('base64') },
      ['--roles', 'workers'],
    );
    expect(code).to.equal(1);
    expect(said).to.have.length(1);
    expect(said[0]).to.match(/^RECADO_MASTER_KEY is not the key that this deployment was begun with\. /);
  });
}
