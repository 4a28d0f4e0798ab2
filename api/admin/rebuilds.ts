/**
 * Jobs that operators request for projections. The process that runs projections executes them, which may be another
 * one.
 */
import type { App } from '../../application/app.js';
import { notFound } from '../../application/provisioning/common.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { projections } from '../../projections/catalog.js';
import { leftVersions } from '../../projections/generations.js';
import { checkpointName, type AnyProjection } from '../../projections/projection.js';
import { isFinal, newJob, openJobs, jobVersion, saveJob } from '../../projections/rebuild/records.js';
import type { CollectionVersion } from '../../ports/read-models.js';
import { projectionRebuilds, type ProjectionJobDoc } from '../../read-models/projection-rebuilds.js';
import { projectionJobSignals, type JobSignalDoc } from '../../read-models/projection-job-signals.js';
import { pathParam, type Call } from '../middleware/call.js';
import { one } from '../routes/replies.js';
import { projectionNamed } from './projections.js';
import { accepted, commander, unpaged, type AdminHandlers } from './support.js';

const LISTED = 50;

const present = ({ shelf: _shelf, open: _open, ...order }: ProjectionJobDoc) => order;

interface Options {
  readonly projections?: readonly string[];
  readonly sample?: number | null;
  readonly accept_differences?: boolean;
}

export function rebuildRoutes(app: App): AdminHandlers {
  const { readModels } = app;

  async function find(uuid: string): Promise<ProjectionJobDoc> {
    const stored = await readModels.get(projectionRebuilds.name, uuid.toLowerCase());
    if (!stored) throw notFound('rebuild', 'rebuild');
    return stored.doc;
  }

  async function order(
    call: Call,
    kind: ProjectionJobDoc['kind'],
    which: readonly (readonly [CollectionVersion, number | null])[],
    { sample = null, accept_differences = false }: Options = {},
  ) {
    // Two jobs requested at the same moment may both pass this check; they run one after the other.
    for (const { doc } of await openJobs(readModels)) {
      const busy = doc.projections.find((other) => which.some(([{ name }]) => name === other.name));
      if (busy) {
        throw new Refusal(
          'rebuild_in_progress',
          `Something is under way for ${busy.name} already. Wait for it, or cancel it.`,
          { rebuild_uuid: doc.uuid },
        );
      }
    }
    const doc = newJob({
      uuid: app.newId(),
      kind,
      requested_by: commander(call).actor,
      requested_at: new Date(app.clock.now()).toISOString(),
      sample,
      accept_differences,
      projections: which.map(([{ name, version }, generation]) => ({ name, version, generation })),
    });
    await saveJob(readModels, doc, jobVersion(0, 0));
    return accepted(present(doc));
  }

  async function wish(call: Call, what: JobSignalDoc['wish']) {
    const doc = await find(pathParam(call.params, 'rebuild_uuid'));
    if (isFinal(doc) || (what === 'accept' && doc.status !== 'differs')) {
      throw new Refusal('rebuild_not_open', `The rebuild is ${doc.status}.`, { status: doc.status });
    }
    const said: JobSignalDoc = {
      wish: what,
      by: commander(call).actor,
      at: new Date(app.clock.now()).toISOString(),
    };
    // A cancel replaces an earlier acceptance, but an acceptance never replaces a cancel.
    await readModels.write(projectionJobSignals.name, [
      { id: doc.uuid, doc: said, version: what === 'cancel' ? '2' : '1' },
    ]);
    return accepted(present(doc));
  }

  /** @throws Refusal generation_not_there */
  async function generationOf(call: Call): Promise<readonly [AnyProjection, number, boolean]> {
    const projection = projectionNamed(pathParam(call.params, 'name'));
    const generation = Number(call.params['generation']);
    const { live, all } = await readModels.generations(checkpointName(projection));
    if (!all.includes(generation)) {
      throw new Refusal('generation_not_there', `${projection.name} has no generation ${generation}.`, {
        generations: all,
      });
    }
    return [projection, generation, live === generation];
  }

  return {
    listRebuilds: async () => {
      const query = { index: 'all', equals: ['all'], order: 'desc', limit: LISTED } as const;
      const { documents } = await readModels.find(projectionRebuilds.name, query);
      return unpaged(documents.map(({ doc }) => present(doc)));
    },

    startRebuild: async (call, options: Options) => {
      const names = [...new Set(options.projections ?? projections.map(({ name }) => name))];
      return order(
        call,
        'rebuild',
        names.map((name) => [projectionNamed(name), null] as const),
        options,
      );
    },

    getRebuild: async ({ params }) => one(present(await find(pathParam(params, 'rebuild_uuid')))),
    cancelRebuild: (call) => wish(call, 'cancel'),
    acceptRebuild: (call) => wish(call, 'accept'),

    flipProjection: async (call) => {
      const [projection, generation, live] = await generationOf(call);
      if (live) {
        throw new Refusal('generation_live', `Generation ${generation} of ${projection.name} is live.`);
      }
      return order(call, 'flip', [[projection, generation]]);
    },

    dropProjectionGeneration: async (call) => {
      const [projection, generation, live] = await generationOf(call);
      if (live) {
        throw new Refusal(
          'generation_live',
          `Generation ${generation} of ${projection.name} is what GETs read. Flip to another one first.`,
        );
      }
      return order(call, 'drop', [[projection, generation]]);
    },

    dropProjectionVersion: async (call) => {
      const projection = projectionNamed(pathParam(call.params, 'name'));
      const { name, version: live } = projection;
      const version = Number(call.params['version']);
      if (version === live) {
        throw new Refusal('version_live', `Version ${version} of ${name} is the one of this release.`);
      }
      const left = (await leftVersions([projection], readModels)).map((one) => one.version);
      if (!left.includes(version)) {
        const versions = [...left, live].sort((a, b) => a - b);
        throw new Refusal('version_not_there', `${name} has no version ${version}.`, { versions });
      }
      return order(call, 'drop', [[{ name, version }, null]]);
    },
  };
}
