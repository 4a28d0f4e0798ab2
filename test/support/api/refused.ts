import { expect } from 'chai';
import { ask, fieldsOf, type Answer, type Ask } from './client.js';
import type { TestApi } from './make-api.js';

export type Request = readonly [method: string, path: string, options?: Ask];

/** Sends the request and checks the properties of every refusal: status, code, the request id, and no stored event. */
export async function expectRefused(
  api: TestApi,
  [method, path, options]: Request,
  status: number,
  code: string,
): Promise<Answer> {
  const before = await api.app.store.head();
  const answer = await ask(api, method, path, options);
  expect({ status: answer.status, code: answer.body.error?.code }, answer.text).to.deep.equal({
    status,
    code,
  });
  expect(answer.body.error?.request_id).to.equal(answer.headers['x-request-id']);
  expect(answer.headers['content-type']).to.equal('application/json; charset=utf-8');
  expect(await api.app.store.head(), 'head of the history').to.equal(before);
  return answer;
}

/** Expects a refusal of exactly these fields, each given as `[path, code]`. */
export async function expectInvalid(
  api: TestApi,
  request: Request,
  ...fields: readonly (readonly [path: string, code: string])[]
): Promise<Answer> {
  const answer = await expectRefused(api, request, 422, 'validation_failed');
  expect(fieldsOf(answer).map(({ path, code }) => [path, code])).to.deep.equal(fields);
  return answer;
}
