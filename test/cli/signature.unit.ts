import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { judge } from '../../cli/signature/judge.js';
import { readHeaders } from '../../cli/signature/headers.js';
import { opened } from '../support/opened.js';
import { projectFile } from '../support/root.js';
import { tempFolder } from '../support/temp-folder.js';
import { standardAccepts, stripeAccepts } from '../support/webhook-verifiers.js';
import type { SignatureVector } from '../vectors/generate-webhook-signatures.js';
import { commands } from './commands.js';

const vectors = JSON.parse(
  readFileSync(projectFile('test/vectors/webhook-signatures.json'), 'utf8'),
) as readonly SignatureVector[];

const bodyOf = ({ body, body_repeat: repeat }: SignatureVector): Buffer =>
  Buffer.from(repeat === undefined ? body : body + repeat.unit.repeat(repeat.times), 'utf8');

describe('cli: signature', () => {
  const folder = opened(tempFolder);
  const SECRET = 'whsec_N9W/mziRu51TITP2xX2F8BxjgO3i7WMZ8G24xjzOKBQ=';
  const BODY = '{"id":"0190a0b0-1111-7000-8000-000000000001","type":"webhook.test","data":{"name":"Zoë"}}';
  const env = { RECADO_WEBHOOK_SECRET: SECRET };
  const { done, ends } = commands(() => env, 'signature');
  const file = async (content: string, name = 'body.json'): Promise<string> => {
    await writeFile(join(folder.path, name), content);
    return join(folder.path, name);
  };
  const signed = async (): Promise<string> => {
    const { stdout } = await done(`sign ${await file(BODY)}`);
    return file(`POST /hook HTTP/1.1\r\n${stdout.replaceAll('\n', '\r\n')}`, 'headers.txt');
  };

  for (const vector of vectors) {
    it(`judges as receivers must: ${vector.name}`, () => {
      const headers = readHeaders([
        `Service-Timestamp: ${vector.timestamp}`,
        `Service-Signature: ${vector.service_signature}`,
      ]);
      const [verdict] = judge({
        headers,
        body: bodyOf(vector),
        secrets: vector.receiver_secrets,
        now: vector.now,
      });
      const empty = vector.service_signature.trim() === '' || vector.timestamp.trim() === '';
      expect(verdict?.result).to.equal(vector.expect === 'malformed' && empty ? 'missing' : vector.expect);
      expect(verdict?.why === null).to.equal(vector.expect === 'valid');
    });
  }

  it('signs so that the libraries of Stripe and of Standard Webhooks accept it', async () => {
    const { stdout } = await done(`sign ${await file(BODY)} --json`);
    const headers = Object.fromEntries(
      Object.entries(JSON.parse(stdout) as Record<string, string>).map(([name, value]) => [
        name.toLowerCase(),
        value,
      ]),
    );
    const delivery = { headers, raw: Buffer.from(BODY) };
    expect([stripeAccepts(delivery, SECRET), standardAccepts(delivery, SECRET)]).to.deep.equal([true, true]);
  });

  it('verifies what it signed, in both forms, from a file or stdin', async () => {
    const headers = await signed();
    const shown = await done(`verify - --headers-file ${headers}`, { stdin: BODY });
    expect(shown.stdout).to.equal('service: valid\nstandard-webhooks: valid\n');
    const json = await done(`verify ${await file(BODY)} --headers-file ${headers} --json`);
    expect(json.json()).to.include({ valid: true });
  });

  it('takes the secrets of a rotation from a file, and never from an option', async () => {
    const headers = await signed();
    const secrets = await file(`whsec_bmV3\n${SECRET}\n`, 'secrets.txt');
    await done(`verify ${await file(BODY)} --headers-file ${headers} --secret-file ${secrets}`);
    await ends(
      `verify ${await file(BODY)} --headers-file ${headers} --secret ${SECRET}`,
      2,
      'unknown option',
    );
    await ends('sign - --secret-file -', 2, 'Only one');
    await ends(`sign ${await file(BODY)}`, 2, 'RECADO_WEBHOOK_SECRET', {
      env: { RECADO_WEBHOOK_SECRET: '' },
    });
  });

  for (const [what, body, secret, said] of [
    ['a line break at the end', `${BODY}\n`, SECRET, 'ends with a line break'],
    [
      'a body that was written again',
      JSON.stringify(JSON.parse(BODY), null, 2),
      SECRET,
      'parsed and written again',
    ],
    ['a byte order mark', `\uFEFF${BODY}`, SECRET, 'BOM'],
    ['a secret without its prefix', BODY, SECRET.slice(6), 'not the whole one'],
    ['a secret that was cut', BODY, SECRET.slice(0, -1), 'not the whole one'],
    ['another secret', BODY, 'whsec_b3RoZXI=', 'another integration'],
  ] as const) {
    it(`names the usual cause: ${what}`, async () => {
      const headers = await signed();
      const ran = await ends(`verify ${await file(body)} --headers-file ${headers}`, 1, said, {
        env: { RECADO_WEBHOOK_SECRET: secret },
      });
      expect(ran.stdout).to.include('service: mismatch');
      expect(ran.stderr).to.not.include(secret);
    });
  }

  it('refuses old timestamps unless any age is accepted', async () => {
    const body = await file(BODY);
    const { stdout } = await done(`sign ${body} --timestamp 1772366400`);
    const headers = await file(stdout, 'old.txt');
    const ran = await ends(`verify ${body} --headers-file ${headers} --json`, 1, 'signature_stale');
    expect(ran.json()).to.include({ valid: false });
    await done(`verify ${body} --headers-file ${headers} --any-age`);
  });

  it('says which header is missing or malformed', async () => {
    const body = await file(BODY);
    await ends(`verify ${body}`, 1, 'no service-signature and no service-timestamp');
    const timestamp = '-H "Service-Timestamp: 1772366400"';
    await ends(`verify ${body} ${timestamp} -H "Service-Signature: v1=5F0C"`, 1, 'service: malformed');
    await ends(`verify ${body} -H Service-Timestamp`, 2, 'is no header');
    await ends('sign -', 2, '--id', { stdin: '{}' });
    await ends(`verify ${join(folder.path, 'gone')} ${timestamp}`, 2, "can't be read");
  });
});
