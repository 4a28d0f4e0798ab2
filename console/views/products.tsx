import type { Place } from '../place.js';
import { Categories } from './categories.js';
import { ImportProducts } from './product-import.js';
import { ProductList } from './product-list.js';
import { ProductPage } from './product.js';

export function Products({ company, place }: { readonly company: string; readonly place: Place }) {
  if (place.id === null) return <ProductList company={company} place={place} />;
  if (place.id === 'categories') return <Categories company={company} />;
  if (place.id === 'import') return <ImportProducts company={company} />;
  return <ProductPage key={place.id} company={company} uuid={place.id === 'new' ? null : place.id} />;
}
