/**
 * What a block of tests works with: opened before them, closed after them. It is one object from the beginning of the block
 * on, which the hook fills. Hooks run in the order they stand in: what needs it in its own hook to end stands above it.
 */

type Opened = object & { close?(): unknown };

/** Opens once, before all tests of the block. */
export function opened<T extends Opened>(open: () => T | Promise<T>): T {
  const { value, fill, end } = holder(open);
  before(fill);
  after(end);
  return value;
}

/** Opens anew for each test of the block. */
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

/** Keeps what tests open on their way and closes it after each of them, what was opened last first. Answers what it keeps. */
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
