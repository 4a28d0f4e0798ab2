import { expect } from 'chai';
import { line, progressBar } from '../../cli/progress-bar.js';

describe('progress bar', () => {
  it('shows how far it is, also past what was expected, and a bare count when nothing was', () => {
    expect(line(0, 60)).to.equal(`[${'.'.repeat(30)}] 0 of 60`);
    expect(line(20, 60)).to.equal(`[${'#'.repeat(10)}${'.'.repeat(20)}] 20 of 60`);
    expect(line(70, 60)).to.equal(`[${'#'.repeat(30)}] 70 of 70`);
    expect(line(7, null)).to.equal('7');
  });

  it('writes to terminals only', () => {
    const written: string[] = [];
    const stderr = (isTTY: boolean) =>
      ({ isTTY, write: (text: string) => written.push(text) }) as unknown as NodeJS.WriteStream;
    progressBar({ stderr: stderr(false) }).show(1, 2);
    expect(written).to.deep.equal([]);
    const bar = progressBar({ stderr: stderr(true) });
    bar.show(1, 2);
    bar.clear();
    expect(written.map((text) => text.startsWith('\r\u001b[K'))).to.deep.equal([true, true]);
    expect(written[1]).to.equal('\r\u001b[K');
  });
});
