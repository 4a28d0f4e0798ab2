/** Maps the columns of a table to fields: headers in Portuguese and English, as ERPs and shops export them. */
import { usage } from '../failure.js';

export type Field =
  | 'import_handle'
  | 'name'
  | 'description'
  | 'price'
  | 'promo_price'
  | 'promo_starts_at'
  | 'promo_ends_at'
  | 'sku'
  | 'gtin'
  | 'ncm'
  | 'unit'
  | 'brand'
  | 'category'
  | 'category_uuid'
  | 'stock'
  | 'weight_grams'
  | 'weight_kg'
  | 'width_mm'
  | 'width_cm'
  | 'height_mm'
  | 'height_cm'
  | 'length_mm'
  | 'length_cm'
  | 'active'
  | 'variant_image';

export const HEADERS: Readonly<Record<Field, readonly string[]>> = {
  import_handle: ['import handle', 'handle', 'identificador', 'identificador url', 'codigo pai'],
  name: ['name', 'nome', 'title', 'titulo', 'produto', 'nome do produto'],
  description: ['description', 'descricao', 'descricao complementar', 'descricao completa', 'body html'],
  price: ['price', 'preco', 'preco de venda', 'valor', 'variant price'],
  promo_price: ['promo price', 'sale price', 'preco promocional', 'preco promo'],
  promo_starts_at: ['promo starts at', 'inicio da promocao', 'inicio promocao'],
  promo_ends_at: ['promo ends at', 'fim da promocao', 'fim promocao'],
  sku: ['sku', 'codigo', 'codigo sku', 'referencia', 'variant sku'],
  gtin: ['gtin', 'ean', 'gtin ean', 'codigo de barras', 'barcode', 'variant barcode'],
  ncm: ['ncm', 'classificacao fiscal'],
  unit: ['unit', 'unidade', 'un'],
  brand: ['brand', 'marca', 'vendor'],
  category: ['category', 'categoria', 'categorias', 'categoria do produto'],
  category_uuid: ['category uuid'],
  stock: ['stock', 'estoque', 'estoque atual', 'saldo', 'quantidade', 'variant inventory qty'],
  weight_grams: ['weight grams', 'peso g', 'variant grams'],
  weight_kg: ['weight kg', 'peso', 'peso kg', 'peso liquido kg'],
  width_mm: ['width mm', 'largura mm'],
  width_cm: ['width cm', 'largura', 'largura cm', 'largura do produto'],
  height_mm: ['height mm', 'altura mm'],
  height_cm: ['height cm', 'altura', 'altura cm', 'altura do produto'],
  length_mm: ['length mm', 'comprimento mm'],
  length_cm: ['length cm', 'comprimento', 'comprimento cm', 'profundidade', 'profundidade do produto'],
  active: ['active', 'ativo', 'situacao', 'status', 'published', 'exibir na loja'],
  variant_image: ['variant image', 'imagem da variacao'],
};

/** `image urls`, `imagem 2`, `URL imagem 1`, … */
const IMAGES = /^(?:url )?(?:images?|imagem|imagens|foto|fotos)(?: (?:urls?|src|externas))?(?: \d{1,2})?$/;
/** `option.Cor`, `opção.Cor`, `variação.Cor` */
const OPTION = /^(?:option|op[cç][aã]o|varia[cç][aã]o)\.(.+)$/i;
const AXIS_NAME = /^(?:option|opcao) (\d) name$|^(?:option|opcao)(\d) name$|^nome da variacao (\d)$/;
const AXIS_VALUE = /^(?:option|opcao) (\d) value$|^(?:option|opcao)(\d) value$|^valor da variacao (\d)$/;

export interface Columns {
  readonly fields: ReadonlyMap<Field, number>;
  readonly images: readonly number[];
  /** Columns that each hold the values of one option axis. */
  readonly options: readonly { readonly axis: string; readonly at: number }[];
  /** Pairs of columns: the name of an axis, and its value. */
  readonly named: readonly { readonly nameAt: number; readonly valueAt: number }[];
  /** Unknown headers, which the import ignores. */
  readonly unknown: readonly string[];
}

/** Removes accents, case, punctuation and `R$`: `Descrição (HTML)` and `descricao_html` become `descricao html`. */
const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/r\$/g, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/** @throws Failure when no column identifies the products, or two columns are the same field */
export function readColumns(file: string, header: readonly string[]): Columns {
  const fields = new Map<Field, number>();
  const images: number[] = [];
  const options: Columns['options'][number][] = [];
  const names = new Map<string, number>();
  const values = new Map<string, number>();
  const unknown: string[] = [];
  for (const [at, title] of header.entries()) {
    const folded = fold(title);
    const field = fieldOf(folded);
    const axis = OPTION.exec(title.trim())?.[1]?.trim();
    const nameOf = AXIS_NAME.exec(folded)?.slice(1).find(Boolean);
    const valueOf = AXIS_VALUE.exec(folded)?.slice(1).find(Boolean);
    if (axis !== undefined) options.push({ axis, at });
    else if (nameOf !== undefined) names.set(nameOf, at);
    else if (valueOf !== undefined) values.set(valueOf, at);
    else if (IMAGES.test(folded)) images.push(at);
    else if (field === undefined) unknown.push(title);
    else if (fields.has(field)) {
      throw usage(`${file} has two columns for ${field}: "${header[fields.get(field)!]}" and "${title}".`);
    } else fields.set(field, at);
  }
  // Bling and Tiny call the name "Descrição".
  const description = fields.get('description');
  if (!fields.has('name') && description !== undefined) {
    fields.set('name', description);
    fields.delete('description');
  }
  if (!fields.has('import_handle') && !fields.has('sku')) {
    throw usage(
      `${file} has neither a column "import_handle" nor one "sku" (código).`,
      'The first line names the columns. A product is found again by its import_handle, or else by its sku.',
    );
  }
  const named = [...names].flatMap(([number, nameAt]) => {
    const valueAt = values.get(number);
    return valueAt === undefined ? [] : [{ nameAt, valueAt }];
  });
  return { fields, images, options, named, unknown };
}

function fieldOf(folded: string): Field | undefined {
  return (Object.keys(HEADERS) as Field[]).find((field) => HEADERS[field].includes(folded));
}
