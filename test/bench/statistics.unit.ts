import { expect } from 'chai';
import { growth, median, quantile, slope } from './statistics.js';

const line = (from: number, perSecond: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({ at, value: from + at * perSecond }));

describe('bench statistics', () => {
  it('takes quantiles whatever the order, and the highest value as the last one', () => {
    const values = Array.from({ length: 100 }, (_, i) => (i * 37) % 100);
    expect(quantile(values, 0.5)).to.equal(50);
    expect(quantile(values, 0.99)).to.equal(99);
    expect(quantile(values, 1)).to.equal(99);
    expect(median([3, 1, 2])).to.equal(2);
  });

  it('sorts by number, not by text', () => {
    expect(quantile([9, 10, 100], 0.99)).to.equal(100);
    expect(median([9, 10, 100])).to.equal(10);
  });

  it('says NaN of nothing', () => {
    expect(quantile([], 0.5)).to.be.NaN;
    expect(median([])).to.be.NaN;
    expect(slope([{ at: 1, value: 5 }])).to.be.NaN;
  });

  it('finds the slope of a line, also between outliers that cancel each other out', () => {
    expect(slope(line(100, 0.25, 40))).to.be.closeTo(0.25, 1e-9);
    const bent = line(100, -2, 41).map(({ at, value }) => ({
      at,
      value: value + (at === 10 ? 50 : 0) + (at === 30 ? 50 : 0),
    }));
    expect(slope(bent)).to.be.closeTo(-2, 1e-9);
  });

  it('calls growth of less than 5 % between first and last quarter flat, and nothing above', () => {
    const step = (last: number) =>
      Array.from({ length: 40 }, (_, at) => ({ at, value: at < 20 ? 100 : last }));
    expect(growth(step(104.9))).to.include({ first: 100, last: 104.9, flat: true });
    expect(growth(step(105)).flat).to.equal(false);
    expect(growth(step(80)).flat).to.equal(true);
  });

  it('gives the slope per hour, and is not misled by one peak', () => {
    const samples = line(200, 0.01, 400).map((sample) =>
      sample.at === 399 ? { ...sample, value: 900 } : sample,
    );
    expect(growth(line(200, 0.01, 400)).perHour).to.be.closeTo(36, 1e-6);
    expect(growth(samples)).to.include({ flat: true });
  });
});
