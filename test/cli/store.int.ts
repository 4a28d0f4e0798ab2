/** `recado store`: settings, categories, and products imported from tables. */
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { newCompany } from '../api/admin/server.js';
import { opened } from '../support/opened.js';
import { commands, openOffice, rowsOf } from './commands.js';
import { runProcess } from './process.js';
import type { Ran } from './run.js';

type Row = Readonly<Record<string, unknown>>;

describe('cli: store', () => {
  const office = opened(() => openOffice('Loja da Ana'));
  const { recado, done, ends } = commands(() => office.env, 'store');
  const table = (name: string, ...lines: (string | Buffer)[]) =>
    office.file(name, Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')])));
  const outcomes = (ran: Ran): string[] =>
    rowsOf(ran).map(
      ({ line, status, error }) => `${String(line)} ${String(error ? (error as Row)['code'] : status)}`,
    );
  const products = async (): Promise<readonly Row[]> =>
    (await office.server.call('GET', `/companies/${office.company}/store/products?limit=100`)).list;
  const product = async (handle: string): Promise<Row> =>
    (await products()).find(({ import_handle }) => import_handle === handle)!;

  it('opens a store with the plan, sets it up, and says what is missing', async () => {
    await ends('show', 3);
    const first = await recado('plan on --json');
    expect(first.json(), first.stderr).to.include({ slug: 'loja-da-ana', status: 'setup', allowed: true });

    await ends('set --status active', 3, /delivery_or_pickup/);
    await ends('set --whatsapp "11 98765" --slug X', 2);

    const flags = '--delivery-fee 12,50 --free-from 150 --zip 01,02 --whatsapp +5511987654321';
    const pix = '--pix-key 11.222.333/0001-81 --pix-key-type cnpj --pix-name Ana --pix-city Recife';
    const set = await recado(`set --status active ${flags} ${pix} --payment pix,cash --json`);
    expect(set.json(), set.stderr).to.deep.include({
      status: 'active',
      public_url: 'https://recado.example/loja/loja-da-ana',
      delivery: { fee: '12.50', free_from: '150.00', zip_prefixes: ['01', '02'] },
      pix: { key: '11222333000181', key_type: 'cnpj', merchant_name: 'Ana', merchant_city: 'Recife' },
    });
    await ends('set --clear delivery', 3);
    const held = await recado('set --hold pix=2h,payment_link=3d,cash=off --json');
    expect(held.json()['hold_minutes'], held.stderr).to.include({ pix: 120, payment_link: 4320, cash: null });
    await ends('set --hold pix=2', 2, /pix=24h/);
    await ends('set --hold cheque=2h', 2);
    const limits = await recado('set --max-units 5 --max-unpaid 2 --json');
    expect(limits.json(), limits.stderr).to.include({
      max_product_units_per_order: 5,
      max_unpaid_orders_per_contact: 2,
    });
    const unlimited = await recado('set --clear max-units --json');
    expect(unlimited.json()).to.include({
      max_product_units_per_order: null,
      max_unpaid_orders_per_contact: 2,
    });
    await ends('set --max-unpaid 0', 2, /from 1 to 100/);
    const off = await recado('plan off --json');
    expect(off.json()).to.include({ allowed: false, public_url: null, status: 'active' });
    await done('plan on');
  });

  it('keeps a slug that is taken from a second store, also one of before', async () => {
    await recado('set --slug loja-nova');
    const other = await newCompany(office.server, 'Outra');
    for (const slug of ['loja-nova', 'loja-da-ana']) {
      await ends(`open --company ${other} --slug ${slug}`, 3, slug);
    }
    const same = await newCompany(office.server, 'Loja da Ana');
    const second = await recado(`open --company ${same} --json`);
    expect(second.json()['slug']).to.equal('loja-da-ana-2');
    const back = await recado('set --slug loja-da-ana --json');
    expect(back.json()['slug']).to.equal('loja-da-ana');
  });

  it('makes, moves and removes categories', async () => {
    const created = async (line: string) =>
      (await recado(`categories create ${line} --json`)).json<{ uuid: string }>();
    const top = await created('Roupas');
    const under = await created(`Camisetas --under ${top.uuid}`);
    expect(under).to.include({ slug: 'camisetas', parent_uuid: top.uuid, position: 0 });
    await recado('categories create Novidades --position 0');
    const list = (await recado('categories list --json')).json<Row[]>();
    expect(list.map(({ slug }) => slug)).to.deep.equal(['novidades', 'roupas', 'camisetas']);
    const moved = await recado(`categories move ${under.uuid} --under top --position 0 --json`);
    expect(moved.json()).to.include({ parent_uuid: null, position: 0 });
    const hidden = await recado(`categories change ${under.uuid} --hide --name Básicas --json`);
    expect(hidden.json()).to.include({ active: false, name: 'Básicas', slug: 'camisetas' });
    expect((await recado(`categories remove ${under.uuid}`)).code, 'without --yes').to.equal(2);
    await done(`categories remove ${under.uuid} --yes`);
    await ends(`categories remove ${under.uuid} --yes`, 3);
  });

  it('imports a table of an ERP: semicolons, decimal commas, Windows-1252, variants, categories; the same again changes nothing', async () => {
    const lines = [
      'Código;Descrição;Preço;Preço promocional;Estoque;NCM;GTIN/EAN;Peso (kg);Categoria;Código Pai;Opção.Tamanho;Situação;Obs',
      'CAN-1;"Caneca ""Bom dia""";R$ 1.234,5;0,00;10,00;6912.00.00;7891000315507;0,34;Cozinha > Canecas;;;Ativo;x',
      'CAM;Camiseta;59,9000000000;;;;;;Roupas;;;Ativo;',
      'CAM-P;Camiseta P;59,90;;3;;;;;CAM;P;Ativo;',
      'CAM-M;Camiseta M;64,90;;0;;;;;CAM;M;Ativo;',
      'BON;Boné;69;;;;;;Roupas;;;Inativo;',
    ].map((line) => Buffer.from(line, 'latin1'));
    const file = await table('erp.csv', ...lines);

    const { server } = office;
    const mark = await server.mark();
    const preview = await recado(`import ${file} --dry-run --create-categories --json`);
    expect(outcomes(preview), preview.stderr).to.deep.equal(['2 created', '3 created', '6 created']);
    expect(await server.recordsSince(mark), 'a dry run writes nothing').to.deep.equal([]);

    const without = await ends(`import ${file} --json`, 3);
    expect(outcomes(without)).to.deep.equal(['2 category_unknown', '3 created', '6 created']);
    const imported = await done(`import ${file} --create-categories --json`);
    expect(outcomes(imported), imported.stderr).to.deep.equal(['2 created', '3 unchanged', '6 unchanged']);
    expect(imported.stderr)
      .to.include('Ignored unknown columns: "Obs".')
      .and.include('1 created, 0 updated, 2 unchanged, 0 failed.');

    const mug = await product('CAN-1');
    expect(mug).to.deep.include({
      name: 'Caneca "Bom dia"',
      price: '1234.50',
      promo_price: null,
      stock: 10,
      ncm: '69120000',
      gtin: '7891000315507',
      weight_grams: 340,
      sku: 'CAN-1',
    });
    expect((mug['category'] as Row)['name']).to.equal('Canecas');
    const shirt = await product('CAM');
    expect(shirt).to.include({ name: 'Camiseta', price: '59.90', active: true });
    const variants = (shirt['variants'] as Row[]).map(({ name, sku, price, stock }) => [
      name,
      sku,
      price,
      stock,
    ]);
    expect(variants).to.deep.equal([
      ['P', 'CAM-P', '59.90', 3],
      ['M', 'CAM-M', '64.90', 0],
    ]);
    expect(await product('BON')).to.include({ name: 'Boné', active: false, stock: null });

    const before = await server.mark();
    const again = await recado(`import ${file} --create-categories --json`);
    expect(outcomes(again)).to.deep.equal(['2 unchanged', '3 unchanged', '6 unchanged']);
    expect(await server.recordsSince(before), 'nothing is written').to.deep.equal([]);
  });

  it('keeps bad rows from nobody, and writes them down to be corrected', async () => {
    const file = await table(
      'bad.csv',
      'import_handle,name,price,stock,gtin',
      'ok-1,Caneca azul,10.00,5,',
      'bad-1,Caneca,1.234,5,',
      'bad-2,Caneca,"12,345",5,',
      'bad-3,Caneca,10.00,"1,5",',
      'bad-4,Caneca,10.00,5,7891000315508',
      'bad-5,,10.00,5,',
      'bad-6,Caneca,10.00,5,"7,891E+12"',
      ',Sem código,10.00,1,',
      'ok-1,De novo,10.00,1,',
      'ok-2,Caneca verde,"1,234.50",5,',
    );
    const expected = [
      '2 created',
      '3 amount_ambiguous',
      '4 amount_ambiguous',
      '5 stock_invalid',
      '6 gtin_invalid',
      '7 validation_failed',
      '8 code_rounded',
      '9 handle_missing',
      '10 handle_repeated',
      '11 created',
    ];
    const ran = await ends(`import ${file} --json`, 3);
    const found = outcomes(ran).sort((a, b) => parseInt(a, 10) - parseInt(b, 10));
    expect(found, ran.stderr).to.deep.equal(expected);
    expect(await product('ok-2')).to.include({ price: '1234.50' });
    const errors = await readFile(`${file}.errors.csv`, 'utf8');
    expect(errors.split('\n')[0]).to.equal(
      'error_line,error_code,error_message,import_handle,name,price,stock,gtin',
    );
    expect(errors.split('\n').filter(Boolean)).to.have.length(9);
    expect(errors).to.match(/^3,amount_ambiguous,.*,bad-1,Caneca,1\.234,5,$/m);

    // Rows corrected in the errors file are imported from it, and their errors are gone.
    const corrected = errors.replace(',1.234,', ',"1234,00",').split('\n').slice(0, 2).join('\n');
    const second = await table('corrected.csv', corrected);
    expect(outcomes(await recado(`import ${second} --json`))).to.deep.equal(['2 created']);
    await access(`${second}.errors.csv`).then(
      () => expect.fail('there is no error, so no file of errors'),
      () => undefined,
    );
  });

  it('goes on after an interruption where it was, and only with the same file', async () => {
    const rows = Array.from({ length: 200 }, (_, n) => `r-${n},Produto ${n},10.00`);
    const file = await table('long.csv', 'handle,name,price', ...rows);
    const flags = ['import', file, '--batch', '2', '--json'];
    const before = (await products()).length;
    const cut = await runProcess(['store', ...flags], { env: office.env, interruptAfter: '"r-7"' });
    expect(cut.code).to.equal(130);
    const state = JSON.parse(await readFile(`${file}.import.json`, 'utf8')) as Row;
    expect(state['done']).to.be.within(2, 199);

    const rest = await done(`${flags.join(' ')} --resume`);
    expect(rowsOf(rest)).to.have.length(200 - (state['done'] as number));
    const store = (await office.server.call('GET', `/companies/${office.company}/store`)).data;
    expect(store['product_count'], 'all of them, each once').to.equal(before + 200);
    expect(rest.stderr).to.match(/\d+ created, 0 updated, \d+ unchanged, 0 failed/);

    await ends(`${flags.join(' ')} --resume`, 2, /nothing to resume/);
    const tail = await recado(`import ${file} --from-row 200 --json`);
    expect(outcomes(tail)).to.deep.equal(['200 unchanged', '201 unchanged']);
  });

  it('refuses files that are no table of products', async () => {
    await ends(`import ${join(office.folder, 'none.csv')}`, 2);
    await ends(`import ${await table('odd.csv', 'nome,preço', 'Caneca,10')}`, 2);
    await ends(`import ${await table('twice.csv', 'sku,preco,valor', 'A,1,2')}`, 2, /two columns/);
  });

  it('adds pictures from files, in order, and names the one that is refused', async () => {
    const made = await done('products create --name Vaso --price 30.00 --json');
    const uuid = String(made.json()['uuid']);
    // The pictures of this office are texts (test/support/fakes/images.ts).
    const names = ['frente.jpg', 'costas.jpg', 'capa.png'] as const;
    const [front, back, cover] = await Promise.all(names.map((name) => office.file(name, `picture ${name}`)));
    const add = `products pictures ${uuid}`;
    const two = (await done(`${add} ${front} ${back} --json`)).json()['image_urls'] as string[];
    expect(two).to.have.length(2);
    const three = (await done(`${add} ${cover} --first --json`)).json()['image_urls'] as string[];
    expect(three.slice(1)).to.deep.equal(two);
    const script = await office.file('foto.jpg', '<svg onload="alert(1)"/>');
    const mark = await office.server.mark();
    await ends(`${add} ${back} ${script}`, 3, 'foto.jpg: The file is no JPEG, PNG, WebP or GIF');
    await ends(`${add} ${back} /nowhere/a.jpg`, 2, '/nowhere/a.jpg');
    await ends(`${add} ${Array(8).fill(back).join(' ')}`, 2, 'at most 10 pictures; these would be 11');
    await ends(add, 2, 'file');
    expect(await office.server.eventsSince(mark), 'nothing was changed').to.deep.equal([]);
    const one = (await done(`${add} ${back} --replace --json`)).json()['image_urls'];
    expect(one).to.deep.equal([two[1]]);
  });

  it('finds, shows and deletes products', async () => {
    const found = (await recado('products list --query "can azul" --json')).json<Row[]>();
    expect(found.map(({ import_handle: handle }) => handle)).to.deep.equal(['ok-1']);
    const uuid = found[0]!['uuid'] as string;
    expect((await recado(`products get ${uuid} --json`)).json()).to.include({ name: 'Caneca azul' });
    const mark = await office.server.mark();
    expect((await recado(`products delete ${uuid}`)).code, 'without --yes').to.equal(2);
    await done(`products delete ${uuid} --yes`);
    const types = (await office.server.eventsSince(mark)).map(({ type }) => type);
    expect(types).to.include('ProductDeleted');
    await ends(`products get ${uuid}`, 3);
  });
});
