/**
 * Given / when / then for deciders. Every event that a decider returns is checked against its schema, so a test cannot
 * pass with an event that could not be stored.
 */
import { expect } from 'chai';
import { createRegistry } from '../../domain/catalog.js';
import { EXAMPLE_NOW } from './examples/example.js';
import { fold, type Aggregate } from '../../domain/kernel/decider.js';
import type { DomainEvent } from '../../domain/kernel/event.js';
import { Refusal } from '../../domain/kernel/refusal.js';

const registry = createRegistry();

export interface When<Event extends DomainEvent> {
  /** Expects exactly these events, in this order. */
  then(...expected: readonly Event[]): void;
  /**
   * Expects a refusal with this code. `details` must be contained in the refusal's details, or is a function that
   * checks them.
   */
  thenRefused(
    code: string,
    details?: Readonly<Record<string, unknown>> | ((details: Refusal['details']) => void),
  ): void;
  /** Expects no event: the command was already satisfied. */
  thenNothing(): void;
}

export function given<State, Command, Event extends DomainEvent>(
  aggregate: Aggregate<State, Command, Event>,
  ...events: readonly Event[]
): { when(command: Command, options?: { readonly now?: string }): When<Event> } {
  for (const event of events) registry.validate(event);
  return {
    when(command, options = {}) {
      const run = (): readonly Event[] => {
        const decided = aggregate.decide(command, fold(aggregate, events), {
          now: options.now ?? EXAMPLE_NOW,
          newId: () => {
            throw new Error('no decider of this aggregate is expected to ask for an id');
          },
        });
        for (const event of decided) registry.validate(event);
        return decided;
      };
      return {
        then: (...expected) => expect(run()).to.deep.equal(expected),
        thenNothing: () => expect(run()).to.deep.equal([]),
        thenRefused(code, details) {
          let refusal: unknown;
          try {
            const decided = run();
            expect.fail(`expected the refusal ${code}, got ${JSON.stringify(decided)}`);
          } catch (error) {
            refusal = error;
          }
          if (!(refusal instanceof Refusal)) throw refusal;
          expect(refusal.code).to.equal(code);
          expect(refusal.message).to.match(/\.$/);
          if (typeof details === 'function') details(refusal.details);
          else if (details) expect(refusal.details).to.deep.include(details);
        },
      };
    },
  };
}
