/** Lists in pages: all items by `for await`, or page by page. */
import type { Answer } from './types.js';

/** The body of one page. */
export interface PageBody<Item> {
  readonly data: readonly Item[];
  readonly meta: { readonly next_cursor: string | null };
}

export class Pages<Item> implements AsyncIterable<Item> {
  readonly #read: (after: string | undefined) => Promise<Answer<PageBody<Item>>>;
  readonly #from: string | undefined;

  /** @param read reads the page behind a cursor */
  constructor(read: (after: string | undefined) => Promise<Answer<PageBody<Item>>>, from?: string) {
    this.#read = read;
    this.#from = from;
  }

  /** The first page, or the one behind the `after` that the list was asked for. */
  page(): Promise<Answer<PageBody<Item>>> {
    return this.#read(this.#from);
  }

  /** Each page once. Keep `meta.next_cursor` to continue later with `after`. */
  async *pages(): AsyncGenerator<Answer<PageBody<Item>>, void, undefined> {
    for (let after = this.#from; ;) {
      const page = await this.#read(after);
      yield page;
      const { next_cursor: next } = page.meta;
      // A list that is followed as it grows has a cursor at its end too: the same one again.
      if (next === null || next === after) return;
      after = next;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of this.pages()) yield* data;
  }

  /** At most so many items, as an array. */
  async first(count: number): Promise<Item[]> {
    const items: Item[] = [];
    for await (const { data } of this.pages()) {
      items.push(...data.slice(0, count - items.length));
      if (items.length >= count) break;
    }
    return items;
  }
}
