/**
 * Resources of a block of tests, opened before and closed after it. The returned object exists from the start, and a
 * hook fills it. Hooks run in order of declaration: a suite whose own `after` hook still needs the resource must
 * declare that hook first.
 */

type Opened = object & { close?(): unknown };

/** Opens the resource once, before all tests of the block. */
export function opened<T extends Opened>(open: () => T | Promise<T>): T {
  const { value, fill, end } = holder(open);
  before(fill);
  after(end);
  return value;
}

/** Opens a new resource for each test of the block. */
export function openedForEach<T extends Opened>(open: () => T | Promise<T>): T {
  const { value, fill, end } = holder(open);
  beforeEach(fill);
  afterEach(end);
  return value;
}

function holder<T extends Opened>(open: () => T | Promise<T>) {
  const value = {} as T;
  return {
    value,
    fill: async (): Promise<void> => {
      for (const name of Object.keys(value)) Reflect.deleteProperty(value, name);
      Object.defineProperties(value, Object.getOwnPropertyDescriptors(await open()));
    },
    end: async (): Promise<void> => {
      await value.close?.();
    },
  };
}

/**
 * Returns a function that registers a resource and returns it. After each test the resources are closed, last opened
 * first.
 */
export function closedAfterEach() {
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    const closing = open.splice(0).reverse();
    await Promise.all(closing.map((one) => one.close()));
  });
  return <T extends { close(): unknown }>(one: T): T => {
    open.push(one);
    return one;
  };
}
