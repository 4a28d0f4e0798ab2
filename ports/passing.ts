/**
 * A Map and a Set whose entries soon leave again. Use them where the container lives long and its entries do not.
 *
 * After some changes V8 gives a Map a new table, and the old table refers to it. An old table that has outlived two
 * collections of young objects is only collected with the whole heap. Until then it keeps all its successors, each with
 * what was in it when it was replaced: nearly everything that ever passed. So these begin again with a Map of their own
 * when they are empty, and once in a number of removals.
 */
const MOST_REMOVED = 64;

export class PassingMap<K, V> {
  #map = new Map<K, V>();
  #removed = 0;

  get size(): number {
    return this.#map.size;
  }

  get(key: K): V | undefined {
    return this.#map.get(key);
  }

  has(key: K): boolean {
    return this.#map.has(key);
  }

  set(key: K, value: V): this {
    this.#map.set(key, value);
    return this;
  }

  /** A loop over the entries does not see what is added after an entry was removed. */
  delete(key: K): boolean {
    if (!this.#map.delete(key)) return false;
    this.#removed += 1;
    const { size } = this.#map;
    if (size === 0 || this.#removed > MOST_REMOVED + size) {
      this.#map = new Map(this.#map);
      this.#removed = 0;
    }
    return true;
  }

  keys(): MapIterator<K> {
    return this.#map.keys();
  }

  values(): MapIterator<V> {
    return this.#map.values();
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.#map[Symbol.iterator]();
  }
}

export class PassingSet<T> {
  readonly #map = new PassingMap<T, T>();

  get size(): number {
    return this.#map.size;
  }

  has(value: T): boolean {
    return this.#map.has(value);
  }

  add(value: T): this {
    this.#map.set(value, value);
    return this;
  }

  /** As that of `PassingMap`. */
  delete(value: T): boolean {
    return this.#map.delete(value);
  }

  [Symbol.iterator](): MapIterator<T> {
    return this.#map.values();
  }
}
