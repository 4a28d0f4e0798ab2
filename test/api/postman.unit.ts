import { expect } from 'chai';
import { loadContract, operationsOf } from '../../api/contract.js';
import { postmanCollection } from '../../api/postman.js';

interface Request {
  readonly method: string;
  readonly url: { readonly raw: string; readonly query: readonly { key: string; disabled: boolean }[] };
  readonly header: readonly { readonly key: string; readonly value: string }[];
  readonly body?: { readonly raw: string };
}
interface Collection {
  readonly auth: unknown;
  readonly variable: readonly { readonly key: string; readonly value: string }[];
  readonly item: readonly {
    readonly name: string;
    readonly item: readonly { readonly name: string; readonly request: Request }[];
  }[];
}

for (const [name, key, base] of [
  ['public', 'apiKey', '/api/v1'],
  ['admin', 'adminToken', '/admin/v1'],
] as const) {
  describe(`the Postman collection of the ${name} API`, () => {
    const { document } = loadContract(name);
    const collection = postmanCollection(document, 'https://recado.example.com') as unknown as Collection;
    const requests = collection.item.flatMap(({ item }) => item.map((one) => one));
    const called = (method: string, path: string) =>
      requests.filter(({ request }) => request.method === method && request.url.raw === `{{baseUrl}}${path}`);

    it('has every operation, with each of its example bodies', () => {
      for (const { method, path } of operationsOf(document)) {
        const raw = path.replaceAll(/\{([^}]+)\}/g, ':$1');
        const found = called(method, raw);
        expect(found, `${method} ${path}`).to.not.have.length(0);
        const body = document.paths[path]?.[method.toLowerCase()]?.['requestBody'];
        const text = JSON.stringify(body ?? {});
        if (text.includes('"application/json"'))
          for (const { request } of found) expect(JSON.parse(request.body!.raw), raw).to.be.an('object');
      }
      const names = collection.item.flatMap((folder) =>
        folder.item.map((one) => `${folder.name}/${one.name}`),
      );
      expect(new Set(names).size).to.equal(names.length);
    });

    it('holds no secret: the key is an empty variable', () => {
      expect(collection.variable).to.deep.equal([
        { key: 'baseUrl', value: `https://recado.example.com${base}` },
        { key, value: '' },
      ]);
      expect(JSON.stringify(collection.auth)).to.include(`{{${key}}}`);
      expect(JSON.stringify(collection)).to.not.match(/recado_api_[a-z0-9]{8}/i);
    });

    if (name === 'public')
      it('sends once per click, and leaves optional parameters out', () => {
        const [text] = called('POST', '/messages');
        expect(text!.request.header.find((one) => one.key === 'Idempotency-Key')?.value).to.equal(
          '{{$guid}}',
        );
        expect(JSON.parse(text!.request.body!.raw)).to.include({ type: 'text' });
        const [list] = called('GET', '/contacts');
        expect(list!.request.url.query.map((one) => one.disabled)).to.not.include(false);
      });
  });
}
