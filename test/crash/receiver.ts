/** An integrator's webhook receiver: verifies, counts by event id, and fails some deliveries. */
import { createHash, createHmac } from 'node:crypto';
import { serveBodies } from '../support/servers.js';
import type { Chance } from './chance.js';

export interface SeenEvent {
  readonly type: string;
  readonly bodyHash: string;
  readonly sequence: number;
  deliveries: number;
  accepted: boolean;
}

/** An event that was delivered again with a different body. */
export interface ChangedBody {
  readonly id: string;
  readonly sequences: readonly [first: number, later: number];
}

export interface ReceiverStandIn {
  readonly url: string;
  /** Events by path, then by event id. */
  readonly seen: ReadonlyMap<string, ReadonlyMap<string, SeenEvent>>;
  /** Violations of what receivers rely on; empty when all is well. */
  readonly violations: readonly string[];
  /** The violations that concern changed bodies. */
  readonly changed: readonly ChangedBody[];
  /** Called before a delivery is answered. */
  onDelivery: (() => void) | null;
  close(): Promise<void>;
}

export const changeOf = ({ id, sequences }: ChangedBody): string =>
  `event ${id}: its body changed between deliveries (sequence ${sequences.join(', then ')})`;

export async function startReceiver(options: {
  readonly chance: Chance;
  readonly secret: () => string;
}): Promise<ReceiverStandIn> {
  const { chance } = options;
  const seen = new Map<string, Map<string, SeenEvent>>();
  const violations: string[] = [];
  const changed: ChangedBody[] = [];
  const timers = new Set<NodeJS.Timeout>();

  const server = await serveBodies((req, res, raw) => {
    const header = (name: string): string => String(req.headers[name] ?? '');
    const signed = createHmac('sha256', options.secret())
      .update(`${header('service-timestamp')}.`)
      .update(raw)
      .digest('hex');
    if (header('service-signature') !== `v1=${signed}`) violations.push('a delivery with a bad signature');
    const id = header('service-event-id');
    const event = JSON.parse(raw.toString('utf8')) as {
      id: string;
      type: string;
      sequence: number;
    };
    if (event.id !== id || event.type !== header('service-event')) {
      violations.push(`event ${id}: its headers do not say what its body says`);
    }
    const bodyHash = createHash('sha256').update(raw).digest('hex');
    const path = req.url ?? '';
    let atPath = seen.get(path);
    if (!atPath) seen.set(path, (atPath = new Map<string, SeenEvent>()));
    const known = atPath.get(id);
    standIn.onDelivery?.();
    if (known) {
      known.deliveries += 1;
      if (known.bodyHash !== bodyHash) {
        const change: ChangedBody = { id, sequences: [known.sequence, event.sequence] };
        changed.push(change);
        violations.push(changeOf(change));
      }
      known.accepted = true;
      res.writeHead(200).end();
      return;
    }
    // Only the first delivery of an event fails: the second attempt comes after 5 seconds, the third after minutes.
    const mood = chance.next();
    const { type, sequence } = event;
    const entry: SeenEvent = { type, sequence, bodyHash, deliveries: 1, accepted: mood >= 0.04 };
    atPath.set(id, entry);
    if (mood < 0.04) {
      res.writeHead(500).end();
    } else if (mood < 0.06) {
      const timer = setTimeout(() => res.writeHead(200).end(), chance.between(100, 800));
      timers.add(timer);
    } else {
      res.writeHead(200).end();
    }
  });

  const standIn: ReceiverStandIn = {
    url: server.origin,
    seen,
    violations,
    changed,
    onDelivery: null,
    async close() {
      for (const timer of timers) clearTimeout(timer);
      await server.close();
    },
  };
  return standIn;
}
