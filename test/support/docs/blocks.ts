/** The command blocks of a page, each with the answer that the page prints under it. */

export interface CommandBlock {
  /** Line of the page where the block begins. */
  readonly line: number;
  readonly text: string;
  /** The block of `text` or `json` that follows; null if the page prints none. */
  readonly answer: { readonly language: 'text' | 'json'; readonly text: string } | null;
  /** Why the block is not run: `<!-- not run: reason -->` before it; null if it is run. */
  readonly notRun: string | null;
  /** `<!-- until shown -->`: a person would repeat these commands until the answer is there. */
  readonly untilShown: boolean;
  /** `<!-- keeps running -->`: the command ends only when it is stopped. */
  readonly keepsRunning: boolean;
}

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;

export function commandBlocks(page: string): readonly CommandBlock[] {
  const fences = [...page.matchAll(FENCE)].map((match) => ({
    language: match[1]!,
    text: match[2]!,
    start: match.index,
    end: match.index + match[0].length,
  }));
  return fences.flatMap((fence, index) => {
    if (fence.language !== 'sh') return [];
    const before = page.slice(index === 0 ? 0 : fences[index - 1]!.end, fence.start);
    const notes = [...before.matchAll(/<!-- ([\s\S]*?) -->\s*(?=<!--|$)/g)].map(([, note]) => note!);
    const next = fences[index + 1];
    const answers = next?.language === 'text' || next?.language === 'json' ? next : undefined;
    // An answer follows at once, with at most a sentence between.
    const near =
      answers !== undefined && !/\n\n[\s\S]*\n\n[\s\S]*\n\n/.test(page.slice(fence.end, answers.start));
    return [
      {
        line: page.slice(0, fence.start).split('\n').length,
        text: fence.text,
        answer: near ? { language: answers.language as 'text' | 'json', text: answers.text } : null,
        notRun: notes.find((note) => note.startsWith('not run: '))?.slice('not run: '.length) ?? null,
        untilShown: notes.includes('until shown'),
        keepsRunning: notes.includes('keeps running'),
      },
    ];
  });
}
