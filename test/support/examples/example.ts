/** Types of the examples of an aggregate: named events, and commands with the history before them. */
import type { DomainEvent } from '../../../domain/kernel/event.js';

export interface CommandExample<Event extends DomainEvent, Command> {
  /** The history before the command. */
  readonly given: readonly Event[];
  readonly command: Command;
  /** Why repeating the command writes again; omitted in the normal case, where a repetition writes nothing. */
  readonly notIdempotent?: string;
  /** The refusal code of a repetition, for commands whose repetition is an error of the caller. */
  readonly refusedAgain?: string;
}

export type EventExamples<Event extends DomainEvent> = Readonly<Record<string, Event>>;
export type CommandExamples<Event extends DomainEvent, Command> = Readonly<
  Record<string, CommandExample<Event, Command>>
>;

/** Identifiers that the examples of all aggregates share, so that together they form one consistent story. */
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

/** The time at which example commands are executed. */
export const EXAMPLE_NOW = '2026-03-02T12:00:00.000Z';
