/** The operators' API (its contract is openapi.yaml beside this file), to be mounted at `/admin/v1`. */
import type { Router } from 'express';
import { mediaUploads } from '../../read-models/media-uploads.js';
import { heldWork } from '../../read-models/held-work.js';
import { keyUsage } from '../../read-models/key-usage.js';
import { parkedMessages } from '../../read-models/parked-messages.js';
import type { Failure } from '../../read-models/projection-states.js';
import type { App } from '../../application/app.js';
import { createAccounts } from '../../application/console/accounts.js';
import { createSubjects } from '../../application/console/subjects.js';
import type { DeliveryNews } from '../../application/console/delivery-news.js';
import { createReveals } from '../../application/console/reveals.js';
import { createConsoleLive } from '../../application/console/live.js';
import { mediaInAnswers } from '../../application/media/present-media.js';
import { createPlaces } from '../../application/history/place.js';
import type { Contract } from '../contract.js';
import { openapiJsonHandler } from '../docs-page.js';
import type { ProviderUploads } from '../../ports/provider-uploads.js';
import type { SandboxControl } from '../../ports/sandbox-control.js';
import type { Answer } from '../middleware/reply.js';
import { contractRouter } from '../middleware/contract-router.js';
import { refuseOnFacts } from '../middleware/refuse-on-facts.js';
import { createAccessCheck } from './access.js';
import { accountRoutes } from './account.js';
import { auditRoutes } from './audit.js';
import { authenticator, type ConsoleDoor } from './authenticate.js';
import { backupRoutes, type BackupControl } from './backups.js';
import { channelRoutes } from './channels.js';
import { companyRoutes } from './companies.js';
import { contactRoutes } from './contacts.js';
import { conversationRoutes } from './conversations.js';
import { mediaRoutes } from './media.js';
import { messageRoutes } from './messages.js';
import type { Redeliver } from '../routes/deliveries.js';
import { deliveryRoutes } from './deliveries.js';
import { erasureRoutes } from './erasures.js';
import { executionRoutes } from './executions.js';
import { flowAdminRoutes } from './flows.js';
import { exportRoutes } from './events-export.js';
import { importRoutes, type HistoryTransfer } from './events-import.js';
import { doctorRoutes, type Examination } from './doctor.js';
import { eventRoutes } from './events.js';
import { integrationRoutes } from './integrations.js';
import { heldRoutes, type HeldControl } from './held.js';
import { liveRoutes } from './live.js';
import { intakeRoutes } from './intake.js';
import { oidcRoutes } from './oidc.js';
import { operationRoutes } from './operations.js';
import { eventGapRoutes } from './event-gaps.js';
import { parkedRoutes } from './parked.js';
import { orderRoutes } from './orders.js';
import { revealRoutes } from './reveals.js';
import { operatorCollections } from '../../projections/operator-collections.js';
import { noneIsBehind, projectionRoutes } from './projections.js';
import { rebuildRoutes } from './rebuilds.js';
import { sandboxRoutes } from './sandbox.js';
import { savedReplyRoutes } from './saved-replies.js';
import { searchRoutes } from './search.js';
import { sendingRoutes } from './sending.js';
import { pageFacts, sessionRoutes } from './sessions.js';
import { storeRoutes } from './store.js';
import { storeImageRoutes } from './store-images.js';
import { storeProductRoutes } from './store-products.js';
import { teamRoutes } from './team.js';
import { statusRoutes, type ProcessFacts } from './status.js';
import { createUpkeepRecord } from './upkeep.js';
import { webhookRoutes, type ReplayWebhooks } from './webhooks.js';

export interface AdminDeps {
  readonly app: App;
  readonly adminToken: string;
  /** Null where the console is switched off. */
  readonly console: ConsoleDoor | null;
  /** `loadContract('admin')` */
  readonly contract: Contract;
  /** Seals page cursors; the same in every process of a deployment. */
  readonly cursorSecret: Uint8Array;
  /** For tests: a response that departs from the contract becomes a 500. */
  readonly validateResponses: boolean;
  /** For metrics: called after each response was written. */
  readonly onAnswer?: (answer: Answer) => void;
  /** Hands files to WhatsApp. */
  readonly uploads: ProviderUploads;
  /** Null when the deployment uses WhatsApp itself. */
  readonly sandbox: SandboxControl | null;
  /** Sends a past delivery again; undefined when there is no such delivery. */
  readonly redeliver: Redeliver;
  readonly replayWebhooks: ReplayWebhooks;
  /** Applies operators' decisions on work that a restore holds. */
  readonly held: HeldControl;
  /** Last error by projection name; empty when all projections work. */
  readonly projectionErrors: () => ReadonlyMap<string, Failure>;
  /** Called on each GET /doctor. */
  readonly examine: () => Promise<Examination>;
  /** Null when the history is not in a file of this process. */
  readonly backups: BackupControl | null;
  /** Called on each GET /status. */
  readonly process: () => ProcessFacts | Promise<ProcessFacts>;
  /** For exact exports and imports. */
  readonly transfer: HistoryTransfer;
  /** Aborted when the process stops, so that long-polling requests are answered. */
  readonly stopping?: AbortSignal;
  /** For consoles: deliveries that this process writes. */
  readonly deliveryNews: Pick<DeliveryNews, 'listen'>;
}

/** Needs no middleware before it: it reads bodies itself, and every response is JSON. */
export async function createAdminApi(deps: AdminDeps): Promise<Router> {
  const { contract, validateResponses } = deps;
  const { app, facts } = refuseOnFacts(deps.app);
  const queries = { readModels: app.readModels, cursorSecret: deps.cursorSecret };
  await app.readModels.define(keyUsage);
  await app.readModels.define(parkedMessages);
  await app.readModels.define(heldWork);
  await app.readModels.define(mediaUploads);
  for (const spec of operatorCollections) await app.readModels.define(spec);
  const places = createPlaces(app.store);
  const showMedia = mediaInAnswers(app.mediaLinks, () => app.clock.now());
  const reveals = await createReveals(app);
  const access = createAccessCheck(app, contract.document, reveals);
  const stopping = deps.stopping ?? new AbortController().signal;
  const proofs = {
    accounts: await createAccounts(app),
    subjects: await createSubjects(app),
    sessions: deps.console?.sessions ?? null,
  };
  const inStep = () => noneIsBehind(app.readModels, deps.projectionErrors);
  const ofPage = pageFacts(app, inStep);
  const live = createConsoleLive(app, {
    sessions: deps.console?.sessions ?? null,
    deliveryNews: deps.deliveryNews,
    inStep,
    stopping,
  });
  return contractRouter({
    contract,
    validateResponses,
    ...(deps.onAnswer ? { onAnswer: deps.onAnswer } : {}),
    logger: app.logger,
    newId: app.newId,
    clock: app.clock,
    visible: facts,
    authenticate: authenticator(deps.adminToken, deps.console),
    admit: (caller, operation, params) => facts(() => access.admit(caller, operation, params)),
    narrow: (caller, operation, query) => access.narrow(caller, operation, query),
    record: createUpkeepRecord(app, contract.document, access, deps.transfer.importing),
    show: (caller, operation, params, reply) => access.show(caller, operation, params, reply),
    open: { '/openapi.json': openapiJsonHandler(contract) },
    handlers: {
      ...sessionRoutes(app.readModels, deps.console, reveals, ofPage),
      ...revealRoutes(reveals),
      ...accountRoutes(app.readModels, deps.console, ofPage),
      ...liveRoutes(app, live),
      ...companyRoutes(app, queries),
      ...integrationRoutes(app, queries),
      ...webhookRoutes(app, places, deps.replayWebhooks),
      ...channelRoutes(app, queries),
      ...sendingRoutes(app),
      ...operationRoutes(app, queries),
      ...conversationRoutes(app, queries, showMedia),
      ...messageRoutes(app, queries, showMedia),
      ...mediaRoutes(app, deps.uploads),
      ...oidcRoutes(app.readModels, deps.console),
      ...teamRoutes(app, proofs, deps.console),
      ...savedReplyRoutes(app, queries),
      ...contactRoutes(app, queries),
      ...searchRoutes(app, queries),
      ...erasureRoutes(queries),
      ...deliveryRoutes({ ...queries, store: app.store, executor: app.executor }, deps.redeliver),
      ...flowAdminRoutes(app, queries),
      ...executionRoutes(app, queries),
      ...auditRoutes(app, queries, places),
      ...eventRoutes(app, { places, stopping }),
      ...exportRoutes(app, places, deps.transfer.texts),
      ...importRoutes(app, deps.transfer, deps.cursorSecret),
      ...projectionRoutes(app, deps.projectionErrors),
      ...rebuildRoutes(app),
      ...intakeRoutes(app, queries),
      ...parkedRoutes(app, queries),
      ...eventGapRoutes(app, queries),
      ...heldRoutes(queries, deps.held),
      ...sandboxRoutes(app.readModels, deps.sandbox),
      ...storeRoutes(app),
      ...orderRoutes(app, queries),
      ...storeImageRoutes(app),
      ...storeProductRoutes(app, queries),
      ...statusRoutes(app, deps.process),
      ...backupRoutes(deps.backups),
      ...doctorRoutes(deps.examine),
    },
  });
}
