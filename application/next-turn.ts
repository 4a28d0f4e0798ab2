/** Between two pieces of long work, sockets and whoever else waits have their turn (docs/adr/0018). */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
