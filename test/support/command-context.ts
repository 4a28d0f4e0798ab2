/** The context of a command in a test of the executor. */
import type { CommandContext } from '../../application/execute.js';
import { exampleIds } from './examples/example.js';

export const commandContext = (commandId: string, more: Partial<CommandContext> = {}): CommandContext => ({
  company: exampleIds.company,
  actor: 'admin',
  commandId,
  correlationId: 'correlation',
  causationId: 'cause',
  subject: exampleIds.subject,
  ...more,
});
