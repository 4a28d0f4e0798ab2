/** Template syncs that break off, compete or receive false listings; fetches of one name; effects of a refused send. */
import { expect } from 'chai';
import { createLeases } from '../../../adapters/embedded/leases.js';
import type { SandboxTemplate } from '../../../sandbox/template.js';
import { directCommand, type App } from '../../../application/app.js';
import { connectChannel } from '../../../application/provisioning/channels.js';
import { registerCompany } from '../../../application/provisioning/companies.js';
import { templateId } from '../../../application/templates/import.js';
import { readProgress } from '../../../application/templates/progress.js';
import { REFRESH_QUEUE, refreshTemplate } from '../../../application/templates/refresh.js';
import { noteTemplateRefusal } from '../../../application/templates/refusals.js';
import { syncTemplates } from '../../../application/templates/sync.js';
import type { Provider, ProviderTemplate } from '../../../ports/provider.js';
import type { TemplateSyncProgress } from '../../../read-models/template-syncs.js';
import { templates, type TemplateDoc } from '../../../read-models/templates.js';
import { admin, openWorkspace, refusalOf, SANDBOX_NUMBER } from '../provisioning/workspace.js';
import { openedForEach } from '../../support/opened.js';
import { providerError } from '../../support/fakes/provider.js';

const { wabaId } = SANDBOX_NUMBER;

const listed = (n: number): ProviderTemplate => ({
  id: String(n),
  name: `aviso_${String(n).padStart(5, '0')}`,
  language: 'pt_BR',
  status: 'APPROVED',
  category: 'UTILITY',
  parameterFormat: 'POSITIONAL',
  components: [{ type: 'BODY', text: 'Olá {{1}}' }],
});

/** An account of `total` templates in pages of ten, whose cursors are page numbers. */
function account(total: number, of = listed) {
  const asked: (string | null)[] = [];
  const gone = new Set<number>();
  let stopAt = Infinity;
  let answer: (page: number) => ReturnType<Provider['listTemplates']> = () => new Promise(() => undefined);
  const listTemplates: Provider['listTemplates'] = async (_credentials, after, name) => {
    const all = Array.from({ length: total }, (_, n) => n)
      .filter((n) => !gone.has(n))
      .map(of);
    if (name !== undefined) {
      return { ok: true, value: { templates: all.filter((t) => t.name.includes(name)), next: null } };
    }
    asked.push(after);
    const page = Number(after ?? 0);
    if (page >= stopAt) return answer(page);
    const next = (page + 1) * 10 < all.length ? String(page + 1) : null;
    return { ok: true, value: { templates: all.slice(page * 10, page * 10 + 10), next } };
  };
  return {
    asked,
    gone,
    listTemplates,
    /** From this page on the provider answers with `with_`; by default it never answers. */
    breakAt(page: number, with_: typeof answer = () => new Promise(() => undefined)) {
      stopAt = page;
      answer = with_;
    },
  };
}

describe('template sync', () => {
  let companyUuid: string;
  let channelUuid: string;

  const space = openedForEach(openWorkspace);
  beforeEach(async () => {
    ({ companyUuid } = await registerCompany(space.app, { name: 'Loja' }, admin));
    ({ channelUuid } = await connectChannel(space.app, { companyUuid, ...SANDBOX_NUMBER }, admin));
  });

  /** Another process over the same stores, with a provider of its own. */
  const withProvider = (listTemplates: Provider['listTemplates']): App => ({
    ...space.app,
    leases: createLeases(),
    provider: { ...space.app.provider, listTemplates },
  });
  const progress = async (): Promise<TemplateSyncProgress> =>
    (await readProgress(space.app.readModels, companyUuid, wabaId))!.doc;
  const template = async (name: string): Promise<TemplateDoc | undefined> =>
    (await space.app.readModels.get(templates.name, templateId(companyUuid, wabaId, name, 'pt_BR')))?.doc;

  it('goes on where a killed one stopped, and counts what that one did', async () => {
    const whatsapp = account(45);
    whatsapp.breakAt(3);
    const pages = await new Promise<number>((resolve) => {
      void syncTemplates(withProvider(whatsapp.listTemplates), { channelUuid }, admin, {
        onProgress: ({ pages }) => void (pages === 3 && resolve(pages)),
      });
    });
    expect(pages).to.equal(3);
    expect(await progress()).to.include({ state: 'running', cursor: '3', pages: 3 });

    whatsapp.breakAt(Infinity);
    whatsapp.asked.length = 0;
    const done = await syncTemplates(withProvider(whatsapp.listTemplates), { channelUuid }, admin);
    expect(whatsapp.asked).to.deep.equal(['3', '4']);
    expect(done).to.include({ total: 45, imported: 45, removed: 0 });
    expect(await progress()).to.include({ state: 'finished', expected: 45, cursor: null, problem: null });
  });

  it('stops between pages when its process ends, for the next to go on', async () => {
    const whatsapp = account(45);
    const app = withProvider(whatsapp.listTemplates);
    const stopping = () => whatsapp.asked.length >= 2;
    const call = syncTemplates(app, { channelUuid }, admin, { stopping });
    expect((await refusalOf(call)).code).to.equal('unavailable');
    expect(await progress()).to.include({ state: 'running', cursor: '2' });
    expect(await syncTemplates(app, { channelUuid }, admin)).to.include({ total: 45, imported: 45 });
    expect(whatsapp.asked).to.deep.equal([null, '1', '2', '3', '4']);
  });

  it('says why it failed, and removes nothing that only the part before the failure listed', async () => {
    const whatsapp = account(25);
    const app = withProvider(whatsapp.listTemplates);
    await syncTemplates(app, { channelUuid }, admin);
    whatsapp.breakAt(1, async () => ({ ok: false, error: null, reason: 'connection refused' }));
    expect((await refusalOf(syncTemplates(app, { channelUuid }, admin))).code).to.equal(
      'provider_unavailable',
    );
    expect(await progress()).to.deep.include({ state: 'failed', cursor: '1', expected: 25 });
    expect((await progress()).problem!.code).to.equal('provider_unavailable');

    whatsapp.breakAt(Infinity);
    const mark = await space.mark();
    expect(await syncTemplates(app, { channelUuid }, admin)).to.include({
      total: 25,
      unchanged: 25,
      removed: 0,
    });
    expect(await space.eventsSince(mark)).to.deep.equal([]);
  });

  it('begins anew when the kept cursor is not accepted any more', async () => {
    const whatsapp = account(25);
    whatsapp.breakAt(2, async () => ({ ok: false, error: null, reason: 'connection refused' }));
    const app = withProvider(whatsapp.listTemplates);
    await refusalOf(syncTemplates(app, { channelUuid }, admin));
    let refused = false;
    whatsapp.asked.length = 0;
    whatsapp.breakAt(2, async () => {
      refused = true;
      whatsapp.breakAt(Infinity);
      return { ok: false, error: providerError(100), reason: 'invalid cursor' };
    });
    expect(await syncTemplates(app, { channelUuid }, admin)).to.include({ total: 25, unchanged: 20 });
    expect(refused).to.equal(true);
    expect(whatsapp.asked).to.deep.equal(['2', null, '1', '2']);
  });

  it('marks what vanished, after asking for it by name', async () => {
    const whatsapp = account(12);
    const app = withProvider(whatsapp.listTemplates);
    await syncTemplates(app, { channelUuid }, admin);
    whatsapp.gone.add(4);
    expect(await syncTemplates(app, { channelUuid }, admin)).to.include({ total: 11, removed: 1 });
    expect(await template('aviso_00004')).to.deep.include({ status: 'DISABLED', provider_status: 'DELETED' });
    expect((await template('aviso_00004'))!.removed_at).to.be.a('string');
    expect(await syncTemplates(app, { channelUuid }, admin)).to.include({ removed: 0 });
    whatsapp.gone.clear();
    expect(await syncTemplates(app, { channelUuid }, admin)).to.include({ imported: 1 });
    expect(await template('aviso_00004')).to.deep.include({ status: 'APPROVED', removed_at: null });
  });

  it('believes neither a listing that skips a template nor an empty one', async () => {
    const whatsapp = account(12);
    await syncTemplates(withProvider(whatsapp.listTemplates), { channelUuid }, admin);
    const mark = await space.mark();
    const skipping: Provider['listTemplates'] = async (credentials, after, name) => {
      const read = await whatsapp.listTemplates(credentials, after, name);
      if (!read.ok || name !== undefined) return read;
      const templates = read.value.templates.filter((t) => t.name !== 'aviso_00004');
      return { ok: true, value: { ...read.value, templates } };
    };
    expect(await syncTemplates(withProvider(skipping), { channelUuid }, admin)).to.include({ removed: 0 });
    const empty: Provider['listTemplates'] = async () => ({ ok: true, value: { templates: [], next: null } });
    expect(await syncTemplates(withProvider(empty), { channelUuid }, admin)).to.include({ removed: 0 });
    expect(await space.eventsSince(mark)).to.deep.equal([]);
  });

  it('runs once at a time for an account', async () => {
    const whatsapp = account(25);
    whatsapp.breakAt(1);
    const app = { ...withProvider(whatsapp.listTemplates) };
    const waits: number[] = [];
    const clock = {
      ...app.clock,
      after: (ms: number, task: () => void) => {
        waits.push(ms);
        return app.clock.after(0, task);
      },
    };
    const first = new Promise<void>((resolve) => {
      void syncTemplates(app, { channelUuid }, admin, {
        onProgress: ({ pages }) => void (pages === 1 && resolve()),
      });
    });
    await first;
    const refusal = await refusalOf(syncTemplates({ ...app, clock }, { channelUuid }, admin));
    expect(refusal.code).to.equal('concurrent_update');
    expect(waits.length).to.be.greaterThan(5);
    expect(whatsapp.asked).to.deep.equal([null, '1']);
  });

  it('fetches just one name: what changed, what is new, what is gone', async () => {
    await syncTemplates(space.app, { channelUuid }, admin);
    const name = 'order_confirmation';
    space.sandbox.setTemplateStatus({ name, language: 'pt_BR', status: 'PAUSED' });
    const extra: SandboxTemplate = {
      ...space.sandbox.templates.find((t) => t.name === name)!,
      id: '777',
      language: 'es_MX',
    };
    space.sandbox.putTemplate(extra);
    const input = { channelUuid, name };
    expect(await refreshTemplate(space.app, input, admin)).to.include({
      imported: 1,
      changed: 1,
      removed: 0,
    });
    expect((await template(name))!.status).to.equal('PAUSED');
    const gone = withProvider(async () => ({ ok: true, value: { templates: [], next: null } }));
    expect(await refreshTemplate(gone, input, admin)).to.include({ removed: 3 });
  });

  describe('a refused send', () => {
    const name = 'order_confirmation';
    const note = (code: number): Promise<void> =>
      noteTemplateRefusal(
        space.app,
        templateId(companyUuid, wabaId, name, 'pt_BR'),
        { code, title: 'Template is paused' },
        directCommand(space.app, { company: companyUuid, actor: 'worker:sending' }),
      );

    it('pauses the template and has it fetched, once', async () => {
      await syncTemplates(space.app, { channelUuid }, admin);
      const mark = await space.mark();
      await note(132015);
      await note(132015);
      expect((await space.eventsSince(mark)).map(({ type }) => type)).to.deep.equal(['TemplateSendRefused']);
      expect(await template(name)).to.include({ status: 'PAUSED' });
      expect((await template(name))!.last_refusal).to.include({ code: 132015 });
      expect(await space.app.dueTimes.count(REFRESH_QUEUE)).to.equal(1);
    });

    it('for another reason says nothing of the template', async () => {
      await syncTemplates(space.app, { channelUuid }, admin);
      const mark = await space.mark();
      await note(131026);
      expect(await space.eventsSince(mark)).to.deep.equal([]);
      expect(await space.app.dueTimes.count(REFRESH_QUEUE)).to.equal(0);
    });
  });
});
