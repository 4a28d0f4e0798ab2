/** What the flow of the crash suite hears and says; the provider stand-in plays its customers. */
export const FLOW_WORD = 'começar';
/** By it the provider knows the question: the person who gets it answers. */
export const FLOW_QUESTION = 'fluxo: quer saber mais?';
export const FLOW_ANSWER = 'sim, quero';
