/** What a transaction has changed, by name, until it is committed or taken back. */
export interface Changes {
  /** In a transaction. */
  note(name: string): void;
  /** In a transaction: any name may be concerned. */
  noteAll(): void;
  /** Whether this has changed. */
  has(name: string): boolean;
  /** Whether anything has. */
  some(): boolean;
  /** The transaction is over. */
  end(): void;
}

export function createChanges(): Changes {
  let names = new Set<string>();
  let all = false;
  return {
    note: (name) => void names.add(name),
    noteAll: () => void (all = true),
    has: (name) => all || names.has(name),
    some: () => all || names.size > 0,
    end() {
      all = false;
      // Not cleared: a cleared Set keeps the room that it had. Most transactions change little.
      if (names.size > 0) names = new Set();
    },
  };
}
