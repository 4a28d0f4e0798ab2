import { expect } from 'chai';
import { blocksOfPage, blocksOfSource, countIn, medianEntry } from './words.js';

describe('words', () => {
  const of = (page: string): ReturnType<typeof countIn> => countIn(blocksOfPage(page));

  it('counts the listed words in all their forms, and no others', () => {
    expect(of('It told us, and goes on. The outlook turned grey.')).to.include({ hits: 3, words: 10 });
    expect(of('A turnover, a look-up and the storyteller.')).to.include({ hits: 0 });
  });

  it('leaves out code, addresses of links, rules of tables and Portuguese', () => {
    const page = [
      'See `intake-` and [the page](intake.md).',
      '',
      '```sh',
      'tell me',
      '```',
      '',
      '| heard  |',
      '| ------ |',
      '| `told` |',
      '',
      'Não está com você, que tell.',
    ].join('\n');
    expect(of(page)).to.include({ hits: 1, words: 7 });
  });

  it('counts sentences that are long, or begin with their object; labels and questions are neither', () => {
    const long = `This ${'very '.repeat(30)}long sentence ends.`;
    const page = `# What a title is\n\n${long} What it holds is kept. What does it hold then? Which one.`;
    expect(of(page)).to.include({ sentences: 3, long: 1, subjectLast: 1 });
  });

  it('reads comments where the syntax has them, and lines that follow each other as one', () => {
    const source = [
      '/** Tells of it. */',
      "const a = '// told'; // turns",
      'const b = `/* told ${/* heard */ a} // told`;',
      'const c = /[/*]told/;',
      '// eslint-disable-next-line no-turns',
      '// One comment that spans',
      '// two lines is one.',
    ].join('\n');
    const blocks = blocksOfSource(source);
    expect(countIn(blocks)).to.include({ hits: 3, sentences: 1 });
    expect(blocks.map(({ text }) => text.trim().replaceAll(/\s+/g, ' '))).to.deep.equal([
      'Tells of it.',
      'turns',
      'heard',
      'One comment that spans two lines is one.',
    ]);
  });

  it('takes the median of the entries of a change log, each with the lines that belong to it', () => {
    expect(medianEntry('# Log\n\n- One two.\n- One two\n  three four.\n- One.\n')).to.equal(2);
  });
});
