/** The template version that a send selects, and the message composed from it. */
import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import { composeTemplateMessage, composeText } from '../../../application/send/compose.js';
import {
  chooseTemplate,
  meant,
  versionsOf,
  type SendableTemplate,
} from '../../../application/send/choose-template.js';
import type { Find, ReadModels } from '../../../ports/read-models.js';
import { refusalOf } from '../provisioning/workspace.js';

const version = (language: string, over: Partial<SendableTemplate> = {}): SendableTemplate => ({
  uuid: `template ${language}`,
  waba_id: 'waba',
  name: 'pedido',
  language,
  status: 'APPROVED',
  category: 'UTILITY',
  removed_at: null,
  parameter_format: 'POSITIONAL',
  components: [{ type: 'BODY', text: 'Oi {{1}}' }],
  ...over,
});
const models = (...versions: readonly SendableTemplate[]): ReadModels =>
  ({
    async find(collection: string, find: Find) {
      expect([collection, find]).to.deep.equal([
        'templates',
        { index: 'by_company', equals: ['company', 'pedido'], order: 'asc', limit: 500 },
      ]);
      return { documents: versions.map((doc) => ({ id: doc.uuid, doc, version: '1' })), next: null };
    },
  }) as unknown as ReadModels;

const refused = (work: () => unknown) => refusalOf((async () => work())());
const pick = (language: string | undefined, ...versions: readonly SendableTemplate[]) =>
  meant(versions, { name: 'pedido', ...(language === undefined ? {} : { language }) });

describe('the template of a send', () => {
  it('is the version in the language that was named, however it is written', () => {
    const [pt, en] = [version('pt_BR'), version('en-US')];
    for (const [written, found] of [
      ['pt_BR', pt],
      ['pt-BR', pt],
      ['PT_br', pt],
      ['en_us', en],
    ] as const) {
      expect(pick(written, pt, en), written).to.equal(found);
    }
  });

  it('is the only approved version where no language was named', () => {
    const approved = version('en');
    expect(pick(undefined, version('pt_BR', { status: 'PAUSED' }), approved)).to.equal(approved);
  });

  it('needs a language where several are approved, or none of several is', async () => {
    const paused = { status: 'PAUSED' };
    for (const versions of [
      [version('pt_BR'), version('en')],
      [version('pt_BR', paused), version('en', paused)],
    ]) {
      const { code, details, message } = await refused(() => pick(undefined, ...versions));
      expect(code).to.equal('template_language_invalid');
      expect(details).to.deep.equal({
        available: versions.map(({ language, status }) => ({ language, status })),
        fields: [{ path: 'content.language', code: 'template_language_invalid', message }],
      });
    }
  });

  it('does not exist in another language', async () => {
    const { code, message, details } = await refused(() => pick('es', version('pt_BR')));
    expect([code, message]).to.deep.equal([
      'template_language_invalid',
      'This template does not exist in "es".',
    ]);
    expect(details['available']).to.deep.equal([{ language: 'pt_BR', status: 'APPROVED' }]);
  });

  it('can be sent only while it is approved', async () => {
    const paused = version('pt_BR', { status: 'PAUSED' });
    for (const language of [undefined, 'pt_BR']) {
      const { code, details } = await refused(() => pick(language, paused));
      expect(code).to.equal('template_not_approved');
      expect(details).to.deep.equal({ name: 'pedido', language: 'pt_BR', status: 'PAUSED' });
    }
  });

  it('is not found where no version has the name', async () => {
    const { code, details } = await refused(() => pick('pt_BR'));
    expect(code).to.equal('template_not_found');
    expect(details).to.deep.equal({
      name: 'pedido',
      fields: [{ path: 'content.name', code: 'template_not_found', message: 'No template has this name.' }],
    });
  });

  it("is one of the channel's account that has not been removed", async () => {
    const ours = version('en');
    const removed = version('pt_BR', { removed_at: '2026-03-01T00:00:00.000Z' });
    const all = models(version('es', { waba_id: 'other' }), removed, ours);
    expect(await chooseTemplate(all, 'company', 'waba', { name: 'pedido' })).to.equal(ours);
    expect((await versionsOf(all, 'company', 'pedido')).map(({ language }) => language)).to.deep.equal([
      'es',
      'en',
    ]);
  });
});

describe('a composed message', () => {
  it('of a template keeps its content in the language of the version, and names version and category', async () => {
    const app = { readModels: models(version('pt_BR')) } as unknown as App;
    const content = { name: 'pedido', language: 'pt-br', parameters: ['Ana'] };
    expect(await composeTemplateMessage(app, 'company', 'waba', content)).to.deep.equal({
      type: 'template',
      content: { name: 'pedido', language: 'pt_BR', parameters: ['Ana'] },
      components: [{ type: 'body', parameters: [{ type: 'text', text: 'Ana' }] }],
      text: 'Oi Ana',
      templateUuid: 'template pt_BR',
      category: 'UTILITY',
    });
  });

  it('of a text is the text as it was given; spaces alone are refused', async () => {
    const { content, text } = composeText({ text: ' Oi ', preview_url: true });
    expect([content, text]).to.deep.equal([{ text: ' Oi ', preview_url: true }, ' Oi ']);
    const { code, details } = await refused(() => composeText({ text: ' \n' }));
    expect(code).to.equal('validation_failed');
    expect(details).to.deep.equal({
      fields: [{ path: 'content.text', code: 'text_empty', message: 'The text is empty.' }],
    });
  });
});
