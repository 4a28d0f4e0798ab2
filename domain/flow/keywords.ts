/** The keywords that start a flow. */
import type { FlowDefinition } from './blocks.js';

export interface Keyword {
  /** Path of the keyword in the definition. */
  readonly path: string;
  readonly word: string;
}

export const keywordsOf = ({ triggers = [] }: FlowDefinition): readonly Keyword[] =>
  triggers.flatMap((trigger, at) =>
    trigger.on === 'keyword'
      ? trigger.words.map((word, place) => ({ path: `triggers[${at}].words[${place}]`, word }))
      : [],
  );
