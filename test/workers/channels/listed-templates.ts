/** A number whose account has a template, and the listings that WhatsApp is asked for. */
import { directCommand } from '../../../application/app.js';
import { channelAggregate } from '../../../domain/channel/decide.js';
import type { Provider } from '../../../ports/provider.js';
import { providerError } from '../../support/fakes/provider.js';
import { memoryNumber } from '../inbound/memory-number.js';

export const MINUTE = 60_000;
export const TEMPLATE = {
  id: '1',
  name: 'pedido_saiu',
  language: 'pt_BR',
  status: 'APPROVED',
  category: 'UTILITY',
  parameterFormat: 'POSITIONAL',
  components: [{ type: 'BODY', text: 'Seu pedido saiu.' }],
} as const;
type Listed = Awaited<ReturnType<Provider['listTemplates']>>;
export const away: Listed = { ok: false, error: null, reason: 'connection refused' };
export const refused: Listed = { ok: false, error: providerError(100), reason: 'no such account' };

export async function listedTemplates() {
  const number = await memoryNumber();
  const { app, clock, provider, records } = number;
  /** Listings that WhatsApp was asked for: the account, followed by the name if only one name was listed. */
  const listed: string[] = [];
  /** The listing to return; null: the templates that exist. */
  const answer: { now: Listed | null } = { now: null };
  provider.templates = [TEMPLATE];
  const inner = { ...provider.port };
  provider.port.listTemplates = async (credentials, after, name) => {
    listed.push(name === undefined ? credentials.wabaId : `${credentials.wabaId} ${name}`);
    return answer.now ?? inner.listTemplates(credentials, after, name);
  };
  return {
    ...number,
    listed,
    answer,
    imported: () => records.filter(({ type }) => type === 'TemplateImported'),
    /** Advances minute by minute, with the read models up to date. */
    async pass(minutes: number): Promise<void> {
      for (let minute = 0; minute < minutes; minute += 1) {
        await clock.advance(MINUTE);
        await number.show('channels', 'templates');
      }
    },
    /** WhatsApp no longer accepts the number's token. */
    async refuseToken(): Promise<void> {
      await app.executor.execute(
        channelAggregate,
        number.channel,
        { type: 'ReportAccessRefused', reason: 'token', code: 190, title: 'expired' },
        directCommand(app, { company: number.company, actor: 'test' }),
      );
      await number.show('channels');
    },
  };
}
