/** What the examples of each aggregate are made of: named events, and commands with the history they are given on. */
import type { DomainEvent } from '../../../domain/kernel/event.js';

export interface CommandExample<Event extends DomainEvent, Command> {
  /** The history it is given on. */
  readonly given: readonly Event[];
  readonly command: Command;
  /** Why giving it twice writes twice; left out for the rule, which is that the second time writes nothing. */
  readonly notIdempotent?: string;
  /** Code it is refused with the second time, where a repetition is an error to the one who asks. */
  readonly refusedAgain?: string;
}

export type EventExamples<Event extends DomainEvent> = Readonly<Record<string, Event>>;
export type CommandExamples<Event extends DomainEvent, Command> = Readonly<
  Record<string, CommandExample<Event, Command>>
>;

/** Identifiers that the examples of all aggregates share, so that they tell one story. */
export const exampleIds = {
  company: '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c1001',
  integration: '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c1002',
  channel: '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c1003',
  template: '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c1004',
  contact: '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c1005',
  subject: '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c1006',
  conversation: '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c1007',
  message: '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c1008',
  operation: '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c1009',
  endpoint: '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c100a',
  test: '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c100b',
  otherContact: '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c100c',
  execution: '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c100d',
} as const;

/** The moment at which example commands are given. */
export const EXAMPLE_NOW = '2026-03-02T12:00:00.000Z';
