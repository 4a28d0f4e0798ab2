import { expect } from 'chai';
import { withDatabase } from './mongo-url.js';

describe('an address of MongoDB with another database', () => {
  const cases = [
    ['mongodb://127.0.0.1:27017', 'mongodb://127.0.0.1:27017/x'],
    ['mongodb://127.0.0.1:27017/', 'mongodb://127.0.0.1:27017/x'],
    ['mongodb://a:1,b:2,c:3/recado?replicaSet=rs0', 'mongodb://a:1,b:2,c:3/x?replicaSet=rs0'],
    ['mongodb://a:1?tls=true', 'mongodb://a:1/x?tls=true'],
    ['mongodb+srv://sam:p%40ss@example.com/recado', 'mongodb+srv://sam:p%40ss@example.com/x'],
  ] as const;
  for (const [given, named] of cases)
    it(`is ${named}`, () => expect(withDatabase(given, 'x')).to.equal(named));
});
