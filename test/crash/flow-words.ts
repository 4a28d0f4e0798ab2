/** Keyword and texts of the crash suite's flow; the provider stand-in plays its customers. */
export const FLOW_WORD = 'começar';
/** The provider recognises the question by this text and answers it for the person. */
export const FLOW_QUESTION = 'fluxo: quer saber mais?';
export const FLOW_ANSWER = 'sim, quero';
