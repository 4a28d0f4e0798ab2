/** The text of each word: in English, in Portuguese. */
export type Words = Readonly<Record<string, readonly [en: string, pt: string]>>;
