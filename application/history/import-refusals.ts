/** Why an import of a history does not go on. */
import { Refusal } from '../../domain/kernel/refusal.js';

export const refused = (message: string): Refusal => new Refusal('import_refused', message);

export const notEmpty = (): Refusal =>
  new Refusal(
    'history_not_empty',
    'There are events here already. A history can only be imported into a system that has none.',
  );
