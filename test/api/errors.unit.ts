import { expect } from 'chai';
import { loadContract } from '../../api/contract.js';
import { statusOf, toProblem } from '../../api/errors.js';
import { isRefusalCode, Refusal } from '../../domain/kernel/refusal.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import { SearchNotReady } from '../../ports/read-models.js';

interface ResponseObject {
  readonly content?: Record<string, { examples?: Record<string, { value: { error?: { code: string } } }> }>;
}

/** Every error example in the contract, with the statuses under which it appears. */
function shownErrors(): Map<string, Set<number>> {
  const { document } = loadContract();
  const components = document['components'] as { responses: Record<string, ResponseObject> };
  const found = new Map<string, Set<number>>();
  for (const item of Object.values(document.paths)) {
    for (const { responses } of Object.values(item)) {
      for (const [status, response] of Object.entries(
        responses as Record<string, ResponseObject & { $ref?: string }>,
      )) {
        const target = response.$ref ? components.responses[response.$ref.split('/').at(-1)!] : response;
        for (const { value } of Object.values(target?.content?.['application/json']?.examples ?? {})) {
          if (!value.error) continue;
          found.set(value.error.code, (found.get(value.error.code) ?? new Set()).add(Number(status)));
        }
      }
    }
  }
  return found;
}

describe('error codes', () => {
  it('have the status under which the contract shows them', () => {
    const shown = shownErrors();
    expect(shown.size).to.be.greaterThan(25);
    for (const [code, statuses] of shown) {
      if (!isRefusalCode(code)) throw new Error(`the contract shows ${code}, which is no code of a refusal`);
      expect([...statuses], code).to.deep.equal([statusOf(code)]);
    }
  });

  it('have the status of spec §7', () => {
    const scopes = ['marketing_sends_disabled', 'storefront_not_allowed'] as const;
    expect(scopes.map(statusOf)).to.deep.equal([403, 403]);
    const rules = [
      'channel_required',
      'recipient_opted_out',
      'duplicate_template_send',
      'invalid_status_transition',
    ] as const;
    expect(rules.map(statusOf)).to.deep.equal([422, 422, 422, 422]);
  });

  it('carry their header fields', () => {
    expect(toProblem(new Refusal('unauthenticated', '')).headers).to.have.property('WWW-Authenticate');
    expect(toProblem(new Refusal('method_not_allowed', '', { allow: 'GET' })).headers).to.deep.equal({
      Allow: 'GET',
    });
    const wait = (seconds: number) => new Refusal('rate_limited', '', { retry_after_seconds: seconds });
    expect(toProblem(wait(2.1)).headers).to.deep.equal({ 'Retry-After': '3' });
    expect(toProblem(wait(0)).headers).to.deep.equal({ 'Retry-After': '1' });
    expect(toProblem(new StoreUnavailable('x')).headers).to.deep.equal({ 'Retry-After': '5' });
  });

  it('says of a search that is not ready what works meanwhile, and when to ask again', () => {
    const { status, code, message, details, headers } = toProblem(new SearchNotReady('contacts', 0.419));
    expect([status, code]).to.deep.equal([503, 'unavailable']);
    expect(message).to.equal(
      'The search over contacts is being prepared, 41 % is done. Lists without `query` work meanwhile.',
    );
    expect(details).to.deep.equal({ retry_after_seconds: 15 });
    expect(headers).to.deep.equal({ 'Retry-After': '15' });
  });

  it('say nothing about an unknown cause, whatever was thrown', () => {
    for (const thrown of [new Error('password=1'), 'text', null, undefined, { status: 400, message: 'x' }]) {
      const { status, code, message, details } = toProblem(thrown);
      expect([status, code, details]).to.deep.equal([500, 'internal_error', {}]);
      expect(message).to.not.contain('password');
    }
  });
});
