/**
 * Generates a catalog in the format of a Brazilian ERP, for trying out imports: semicolons, decimal commas, variants
 * below their product, barcodes with valid check digits. The output is the same every time.
 *
 *   npx tsx test/tools/make-catalog-csv.ts FILE [ROWS]
 */
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';

const [file, rowsWanted = '5000'] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: make-catalog-csv.ts FILE [ROWS]');

const HEADER =
  'Código;Descrição;Nome;Preço;Preço promocional;Estoque;Unidade;NCM;GTIN/EAN;Peso (kg);Largura (cm);Altura (cm);Comprimento (cm);Marca;Categoria;Situação;Handle;Nome da variação 1;Valor da variação 1;Nome da variação 2;Valor da variação 2';

const KINDS = [
  {
    name: 'Camiseta',
    ncm: '61091000',
    category: 'Moda > Camisetas',
    sizes: ['P', 'M', 'G', 'GG'],
    from: 2990,
    grams: 180,
  },
  {
    name: 'Vestido',
    ncm: '62044400',
    category: 'Moda > Vestidos',
    sizes: ['P', 'M', 'G'],
    from: 8990,
    grams: 320,
  },
  {
    name: 'Tênis',
    ncm: '64041100',
    category: 'Calçados',
    sizes: ['37', '38', '39', '40', '41'],
    from: 15990,
    grams: 900,
  },
  { name: 'Caneca', ncm: '69120000', category: 'Casa > Cozinha', sizes: [], from: 2490, grams: 340 },
  { name: 'Luminária', ncm: '94052100', category: 'Casa > Iluminação', sizes: [], from: 7990, grams: 1200 },
  { name: 'Caderno', ncm: '48202000', category: 'Papelaria', sizes: [], from: 1490, grams: 400 },
  { name: 'Parafusadeira', ncm: '84672100', category: 'Ferramentas', sizes: [], from: 24990, grams: 1500 },
  { name: 'Xampu', ncm: '33051000', category: 'Beleza > Cabelos', sizes: [], from: 1990, grams: 350 },
] as const;
const LOOKS = [
  'Básica',
  'Clássica',
  'Floral',
  'Listrada',
  'Estonada',
  'Premium',
  'Ecológica',
  'Infantil',
  'Retrô',
  'Urbana',
];
const COLOURS = ['Azul', 'Preta', 'Branca', 'Verde', 'Vermelha', 'Rosa', 'Amarela'];
const BRANDS = ['Aurora', 'São João', 'Ipê', 'Maré Alta', 'Caatinga & Cia.', 'Pé de Moleque'];

/** Park and Miller's generator: nothing here has to be secret, and everything must be repeatable. */
let seed = 20261121;
const random = (below: number): number => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed % below;
};
const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;

const amount = (cents: number): string =>
  `${Math.trunc(cents / 100).toLocaleString('pt-BR')},${String(cents % 100).padStart(2, '0')}`;

function gtin(n: number): string {
  const digits = `789${String(n).padStart(9, '0')}`;
  const sum = [...digits].reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

const cell = (text: string): string => (/[;"\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function* catalog(rows: number): Generator<string> {
  let made = 0;
  for (let n = 1; made < rows; n += 1) {
    const kind = pick(KINDS);
    const colour = pick(COLOURS);
    const name = `${kind.name} ${pick(LOOKS)} ${colour} ${n}`;
    const cents = kind.from + random(200) * 50;
    const promo = random(5) === 0 ? amount(Math.trunc(cents * 0.8)) : '0,00';
    const code = `${kind.name.slice(0, 3).normalize('NFD').replace(/\p{M}/gu, '').toUpperCase()}-${String(n).padStart(5, '0')}`;
    const text = `${name}: peça da coleção ${pick(BRANDS)}; "feita para durar", em ${colour.toLowerCase()}.`;
    const variants = kind.sizes.slice(0, Math.min(kind.sizes.length, rows - made));
    for (const size of variants.length > 0 ? variants : ['']) {
      made += 1;
      const cells = [
        size === '' ? code : `${code}-${size}`,
        text,
        name,
        amount(cents),
        promo,
        `${random(60)},00`,
        'UN',
        `${kind.ncm.slice(0, 4)}.${kind.ncm.slice(4, 6)}.${kind.ncm.slice(6)}`,
        gtin(made),
        (kind.grams / 1000).toFixed(3).replace('.', ','),
        '20',
        '5,5',
        '30',
        pick(BRANDS),
        kind.category,
        random(20) === 0 ? 'Inativo' : 'Ativo',
        code.toLowerCase(),
        size === '' ? '' : 'Tamanho',
        size,
        size === '' ? '' : 'Cor',
        size === '' ? '' : colour,
      ];
      yield cells.map(cell).join(';');
    }
  }
}

const out = createWriteStream(file);
out.write(`${HEADER}\r\n`);
for (const line of catalog(Number(rowsWanted))) if (!out.write(`${line}\r\n`)) await once(out, 'drain');
out.end();
await once(out, 'finish');
