/**
 * Every operation that changes something is in the history: by an event of its own, by the record that it was asked for
 * (`x-recado-records`), or it is named here with the reason why it needs none.
 */
import { expect } from 'chai';
import { accessOf } from '../../../api/admin/access.js';
import { recordingOf } from '../../../api/admin/upkeep.js';
import { loadContract, operationsOf } from '../../../api/contract.js';
import { eventDefinitions } from '../../../domain/catalog.js';
import { auditKindOf } from '../../../domain/policies/audit.js';
import { isObject } from '../../../domain/kernel/json.js';

/** What each operation writes at least where it changes something. */
const EVENTS: Readonly<Record<string, string>> = {
  signInByPassword: 'SignedIn',
  acceptInvitation: 'PasswordSet',
  answerOidc: 'SignedIn',
  changeOwnPassword: 'PasswordSet',
  confirmTotp: 'SecondFactorChanged',
  removeTotp: 'SecondFactorChanged',
  createCompany: 'CompanyRegistered',
  changeMarketing: 'MarketingSettingsChanged',
  changeOptOutWords: 'OptOutWordsChanged',
  changePersonWords: 'PersonWordsChanged',
  changePrivacy: 'PrivacySettingsChanged',
  revealPersonalData: 'PersonalDataRevealed',
  createIntegration: 'IntegrationRegistered',
  changeIntegration: 'EventFeedSwitched',
  rotateWebhookSecret: 'WebhookSecretRotated',
  createApiKey: 'ApiKeyIssued',
  revokeApiKey: 'ApiKeyRevoked',
  createWebhookEndpoint: 'WebhookEndpointAdded',
  updateWebhookEndpoint: 'WebhookEndpointChanged',
  deleteWebhookEndpoint: 'WebhookEndpointRemoved',
  testWebhookEndpoint: 'WebhookTestRequested',
  connectChannel: 'ChannelConnected',
  disconnectChannel: 'ChannelDisconnected',
  replaceChannelToken: 'ChannelTokenReplaced',
  changeSending: 'SendingSettingsChanged',
  checkChannel: 'ChannelHealthReported',
  syncTemplates: 'TemplateImported',
  createFlow: 'FlowCreated',
  renameFlow: 'FlowRenamed',
  deleteFlow: 'FlowDeleted',
  saveFlowDraft: 'FlowDraftSaved',
  publishFlow: 'FlowPublished',
  unpublishFlow: 'FlowUnpublished',
  cancelExecution: 'ExecutionEnded',
  resumeExecution: 'ExecutionResumed',
  markConversationPending: 'ConversationMarkedPending',
  assignConversation: 'ConversationAssigned',
  sendConversationMessage: 'SendAccepted',
  writeNote: 'NoteWritten',
  addSavedReply: 'SavedReplyAdded',
  changeSavedReply: 'SavedReplyChanged',
  removeSavedReply: 'SavedReplyRemoved',
  addTeamMember: 'TeamMemberAdded',
  renameTeamMember: 'TeamMemberRenamed',
  removeTeamMember: 'TeamMemberRemoved',
  grantTeamAccess: 'TeamAccessGranted',
  changeTeamRole: 'TeamAccessGranted',
  revokeTeamAccess: 'TeamAccessRevoked',
  resolveConversation: 'ConversationResolved',
  reopenConversation: 'ConversationReopened',
  takeOverConversation: 'ConversationHandedOff',
  markReadConversation: 'ConversationRead',
  changeContact: 'ContactChanged',
  eraseContact: 'ErasureRequested',
  optOutContact: 'ContactOptedOut',
  optInContact: 'ContactOptedIn',
  mergeContacts: 'ContactMergedInto',
  importContacts: 'ContactCreated',
  openCompanyStore: 'StoreOpened',
  changeCompanyStore: 'StoreChanged',
  changeCompanyStorePlan: 'StorePlanChanged',
  createStoreCategory: 'CategoryCreated',
  changeStoreCategory: 'CategoryChanged',
  removeStoreCategory: 'CategoryRemoved',
  createCompanyStoreProduct: 'ProductCreated',
  importStoreProducts: 'ProductCreated',
  changeCompanyStoreProduct: 'ProductChanged',
  deleteCompanyStoreProduct: 'ProductDeleted',
  placeCompanyOrder: 'OrderPlaced',
  moveCompanyOrder: 'OrderConfirmed',
  completeHistoryImport: 'HistoryRestored',
  requestMedia: 'MessageMediaRequested',
};

const NOTHING_TO_RECORD: Readonly<Record<string, string>> = {
  signIn: 'the link that it uses was recorded when it was made',
  signOut: 'ends the own session',
  endOwnSession: 'ends the own session',
  beginOidcSignIn: 'a step of signing in, which is recorded at its end',
  confirmSession: 'a step of what asks for the password, which is recorded',
  confirmSessionByOidc: 'a step of what asks for the password, which is recorded',
  enrolTotp: 'nothing holds until it is confirmed, which is recorded',
  tellPresence: 'kept in memory for seconds',
  checkFlow: 'a read by POST',
  rehearseFlow: 'a read by POST',
  uploadConversationMedia: 'a step of sending, which is recorded',
  uploadStoreImage: 'a step of writing a product, which is recorded',
  beginHistoryImport: 'an import needs an empty history, and is recorded at its end',
  importSealedKeys: 'an import needs an empty history, and is recorded at its end',
  importEvents: 'an import needs an empty history, and is recorded at its end',
  playSandboxReply: 'plays a customer in the sandbox; what the server then gets is recorded',
  playSandbox: 'plays WhatsApp in the sandbox; what the server then gets is recorded',
};

describe('admin: what is recorded', () => {
  const { document } = loadContract('admin');
  const operations = operationsOf(document);
  const recording = recordingOf(document);
  const marked = operations.filter(({ operationId }) => recording.has(operationId));
  const objectOf = ({ method, path }: (typeof operations)[number]) =>
    document.paths[path]![method.toLowerCase()]!;

  it('is each operation that is no GET: by its own event, by its mark, or it is named with a reason', () => {
    const changing = operations.filter(({ method }) => method !== 'GET').map((one) => one.operationId);
    const ways = (id: string): number =>
      [id in EVENTS, id in NOTHING_TO_RECORD, recording.has(id)].filter(Boolean).length;
    expect(changing.filter((id) => ways(id) !== 1)).to.deep.equal([]);
    const named = [...Object.keys(EVENTS), ...Object.keys(NOTHING_TO_RECORD)];
    expect(named.filter((id) => !changing.includes(id))).to.deep.equal([]);
  });

  it('by events that exist', () => {
    const known = new Set(eventDefinitions.map(({ type }) => type));
    expect(Object.values(EVENTS).filter((type) => !known.has(type))).to.deep.equal([]);
  });

  it('is each GET that gives out whole histories, keys or secrets', () => {
    const reading = operations.filter(({ method }) => method === 'GET');
    const given = reading.filter((operation) => {
      const streams = JSON.stringify(objectOf(operation).responses).includes('application/x-ndjson');
      return streams || operation.showsSecret || operation.operationId === 'listSealedKeys';
    });
    const names = (list: typeof operations) => list.map(({ operationId }) => operationId);
    expect(names(reading.filter(({ operationId }) => recording.has(operationId)))).to.deep.equal(
      names(given),
    );
    expect(names(given)).to.deep.equal(['exportEvents', 'listSealedKeys']);
  });

  it('has parameters that hold no free text, and so no secret and no name', () => {
    for (const operation of marked) {
      const { parameters = [] } = objectOf(operation);
      const path = (Array.isArray(parameters) ? parameters : [])
        .map(resolved)
        .filter((one) => one['in'] === 'path');
      expect(path.map(({ name }) => `{${String(name)}}`)).to.have.members(
        operation.path.match(/\{\w+\}/g) ?? [],
        operation.operationId,
      );
      for (const { name, schema } of path) {
        expect(String(name), operation.operationId).to.match(
          /^(\w+_uuid|delivery_id|id|name|generation|version)$/,
        );
        const { type, format, pattern } = resolved(schema);
        const bounded = type === 'integer' || format === 'uuid' || typeof pattern === 'string';
        expect(bounded, `${operation.operationId} ${String(name)}`).to.equal(true);
      }
    }
  });

  it('is found by an owner where it is about the company, by a kind that owners have', () => {
    const access = accessOf(document);
    for (const { operationId } of marked) {
      const isServers = auditKindOf('UpkeepRequested', operationId) === 'server';
      if (isServers) expect(access.get(operationId)?.company, operationId).to.equal(null);
    }
    const ofCompanies = marked.filter(({ operationId }) => access.get(operationId)?.company);
    expect(ofCompanies.length).to.be.greaterThan(3);
  });

  it('is not declared in a way that records nothing', () => {
    const paths = { '/peek': { get: { operationId: 'peek', 'x-required-scope': 'admin', responses: {} } } };
    const withMark = (mark: unknown) => ({
      ...document,
      paths: { '/peek': { get: { ...paths['/peek'].get, 'x-recado-records': mark } } },
    });
    expect(recordingOf(withMark(true)).get('peek')).to.equal('each');
    expect(recordingOf(withMark('in_pieces')).get('peek')).to.equal('in_pieces');
    for (const mark of ['true', false, 'each']) {
      expect(() => recordingOf(withMark(mark))).to.throw('peek of the admin contract records');
    }
  });

  /** As it stands, or what it refers to. */
  function resolved(value: unknown): Readonly<Record<string, unknown>> {
    if (!isObject(value)) return {};
    const ref = value['$ref'];
    if (typeof ref !== 'string') return value;
    return resolved(
      ref
        .slice(2)
        .split('/')
        .reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), document),
    );
  }
});
