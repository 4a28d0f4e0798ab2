/** The redo log: what is durable before SQLite commits it. */
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { DatabaseRefused, openDatabase, type Db } from '../../../adapters/embedded/database.js';
import { Database } from '../../../adapters/embedded/driver.js';
import { openRedoFile, piecesOf, RedoDamaged } from '../../../adapters/embedded/redo-file.js';
import { createPieceEncoder } from '../../../adapters/embedded/redo-piece.js';
import { createStatementReader, createStatements } from '../../../adapters/embedded/redo-records.js';
import { createRedoTransactions, type RedoTransactions } from '../../../adapters/embedded/transactions.js';
import { silentLogger } from '../../../ports/logger.js';
import { openedForEach } from '../../support/opened.js';
import { tempFolder } from '../../support/temp-folder.js';

const none = (): void => undefined;
/** For what has to wait without the event loop. */
const pause = new Int32Array(new SharedArrayBuffer(4));
const FILES = ['recado.db', 'recado.db-wal', 'recado.db-redo'];

const WRITERS = [
  { by: 'the server’s thread', slowMs: Infinity },
  { by: 'a thread of its own', slowMs: 0 },
];

for (const writer of WRITERS)
  describe(`embedded store: the redo log, written by ${writer.by}`, () => {
    const folder = openedForEach(tempFolder);
    let copies = 0;
    const open: { db: Db; transactions: RedoTransactions }[] = [];
    afterEach(() => {
      for (const { db, transactions } of open.splice(0)) {
        if (!db.open) continue;
        transactions.close();
        db.close();
      }
    });

    const pathIn = (name: string): string => join(folder.path, name);

    function started(name = 'recado.db', { sharedMs = 0, slowMs = writer.slowMs } = {}) {
      const db = openDatabase(pathIn(name));
      const transactions = createRedoTransactions(db, pathIn(name), {
        logger: silentLogger,
        sharedMs,
        slowMs,
      });
      const perform = (work: () => void): void => {
        let failure: Error | null = null;
        if (!transactions.perform(work, (error) => (failure = error))) transactions.finish();
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- it is an Error, or null
        if (failure !== null) throw failure;
      };
      db.exec('CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY AUTOINCREMENT, value, other)');
      const insert = db.prepare('INSERT INTO t (value, other) VALUES (?, ?)');
      const remove = db.prepare('DELETE FROM t WHERE id = ? RETURNING value');
      const all = db.prepare('SELECT * FROM t ORDER BY id');
      const one = { db, transactions, perform, insert, remove, rows: () => all.all() };
      open.push(one);
      if (slowMs === 0) {
        db.exec('CREATE TABLE IF NOT EXISTS starting (id)');
        const first = db.prepare('INSERT INTO starting VALUES (1)');
        while (
          transactions.perform(
            () => first.run(),
            () => undefined,
          )
        )
          Atomics.wait(pause, 0, 0, 5);
        transactions.finish();
      }
      return one;
    }

    /** What a start finds after a crash at this moment. */
    function afterCrash(change: (redo: string) => void = () => undefined): readonly unknown[] {
      copies += 1;
      const name = `copy-${copies}.db`;
      for (const file of FILES) {
        if (existsSync(pathIn(file))) copyFileSync(pathIn(file), pathIn(file.replace('recado.db', name)));
      }
      change(pathIn(`${name}-redo`));
      return started(name, { slowMs: Infinity }).rows();
    }

    const inFile = (): unknown[] => {
      const db = new Database(pathIn('recado.db'), { readonly: true });
      try {
        return db.prepare('SELECT value FROM t ORDER BY id').pluck().all();
      } finally {
        db.close();
      }
    };

    it('gives back every value as it was bound, in the order of the statements', () => {
      const value = fc.oneof(
        fc.string(),
        fc.string({ unit: 'binary' }),
        fc.double({ noNaN: true }),
        fc.integer(),
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        fc.uint8Array(),
        fc.constant(null),
      );
      const statement = fc.tuple(
        fc.constantFrom('a', 'b ?', 'c ? ?', ''),
        fc.array(value, { maxLength: 12 }),
      );
      const plain = (one: unknown): unknown => (one instanceof Uint8Array ? [...one] : one);
      fc.assert(
        fc.property(fc.array(fc.tuple(fc.array(statement), fc.boolean())), (pieces) => {
          const writer = createStatements();
          const read = createStatementReader();
          for (const [list, kept] of pieces) {
            for (const [sql, values] of list) writer.add(sql, values);
            const bytes = Buffer.from(writer.bytes());
            if (!kept) {
              writer.forget();
              continue;
            }
            writer.keep();
            const given = [...read(bytes)].map(([sql, values]) => [sql, values.map(plain)]);
            expect(given).to.deep.equal(list.map(([sql, values]) => [sql, values.map(plain)]));
          }
        }),
      );
    });

    it('has what SQLite has not committed, and a start applies it once', () => {
      const { db, transactions, perform, insert, remove, rows } = started();
      perform(() => insert.run('a', 1));
      perform(() => insert.run('b', Buffer.from('b')));
      perform(() => expect(remove.all(1)).to.deep.equal([{ value: 'a' }]));
      const expected = [{ id: 2, value: 'b', other: Buffer.from('b') }];
      expect(rows()).to.deep.equal(expected);
      expect(inFile(), 'the file lacks it').to.deep.equal([]);
      expect(afterCrash()).to.deep.equal(expected);
      transactions.settle();
      expect(inFile()).to.deep.equal(['b']);
      expect(afterCrash(), 'and not twice').to.deep.equal(expected);
      transactions.close();
      db.close();
      expect(existsSync(pathIn('recado.db-redo')), 'a clean stop leaves none').to.equal(false);
    });

    it('has nothing of work that failed, and all of the work before and after', () => {
      const { perform, insert, rows } = started();
      perform(() => insert.run('before', null));
      const failing = (): void =>
        perform(() => {
          insert.run('half', null);
          throw new Error('no');
        });
      expect(failing).to.throw('no');
      perform(() => insert.run('after', null));
      const expected = [
        { id: 1, value: 'before', other: null },
        { id: 2, value: 'after', other: null },
      ];
      expect(rows()).to.deep.equal(expected);
      expect(afterCrash()).to.deep.equal(expected);
    });

    it('leaves out a last piece that was cut off, wherever it was', () => {
      const { transactions, perform, insert } = started();
      perform(() => insert.run('first', null));
      const first = transactions.waiting();
      perform(() => insert.run('second', 'x'.repeat(100)));
      const end = first + 24 + readFileSync(pathIn('recado.db-redo')).readUInt32LE(first);
      for (const at of [first, first + 1, first + 23, first + 24, first + 60, end - 1]) {
        const values = afterCrash((redo) => truncateSync(redo, at)).map(
          (row) => (row as { value: string }).value,
        );
        expect(values, `cut at ${at} of ${end}`).to.deep.equal(['first']);
      }
      expect(afterCrash()).to.have.length(2);
    });

    it('refuses to start without what is damaged in its middle', () => {
      const { perform, insert } = started();
      for (const value of ['first', 'second', 'third']) perform(() => insert.run(value, null));
      const spoil = (redo: string): void => {
        const bytes = readFileSync(redo);
        bytes[bytes.indexOf('first')] = 0x58;
        writeFileSync(redo, bytes);
      };
      expect(() => afterCrash(spoil)).to.throw(DatabaseRefused, /redo is damaged.*Keep the folder as it is/s);
    });

    it('is not applied to a file of another time', () => {
      const { transactions, perform, insert, rows } = started();
      perform(() => insert.run('a', null));
      copyFileSync(pathIn('recado.db-redo'), pathIn('old-redo'));
      transactions.settle();
      perform(() => insert.run('b', null));
      expect(rows()).to.have.length(2);
      const found = afterCrash((redo) => copyFileSync(pathIn('old-redo'), redo));
      expect(found).to.deep.equal([{ id: 1, value: 'a', other: null }]);
    });

    it('is applied again when SQLite could not commit, and nothing of it is missing meanwhile', () => {
      const { db, transactions, perform, insert, rows } = started();
      perform(() => insert.run('a', null));
      // A page more than the database may have.
      db.pragma(`max_page_count = ${String(db.pragma('page_count', { simple: true }))}`);
      const large = (): void => perform(() => insert.run('large', 'x'.repeat(100_000)));
      expect(large).to.throw(/full/);
      expect(rows()).to.have.length(1);
      perform(() => insert.run('b', null));
      expect(rows()).to.have.length(2);
      expect(afterCrash()).to.have.length(2);
      db.pragma('max_page_count = 1000000');
      perform(() => insert.run('large', 'x'.repeat(100_000)));
      transactions.settle();
      expect(inFile()).to.deep.equal(['a', 'b', 'large']);
    });

    it('is settled before something else writes, and keeps nothing on the disk once it is cut', () => {
      const { db, transactions, perform, insert } = started();
      perform(() => insert.run('secreto', null));
      db.exec('CREATE TABLE u (id)');
      expect(inFile()).to.deep.equal(['secreto']);
      perform(() => insert.run('another', null));
      expect(readFileSync(pathIn('recado.db-redo')).includes('another')).to.equal(true);
      transactions.settleAndCut();
      expect(statSync(pathIn('recado.db-redo')).size).to.equal(0);
      perform(() => insert.run('b', null));
      expect(afterCrash()).to.have.length(3);
    });

    it('says when SQLite has committed, with the pages of its log', () => {
      const { transactions, perform, insert } = started();
      const seen: { readonly rows: number; readonly pages: number }[] = [];
      transactions.onCommitted(() =>
        seen.push({ rows: inFile().length, pages: transactions.logPages()?.log ?? 0 }),
      );
      perform(() => insert.run('a', null));
      expect(seen, 'it is only in the redo log').to.deep.equal([]);
      const before = transactions.logPages()?.log ?? 0;
      transactions.settle();
      expect(seen).to.have.length(1);
      expect(seen[0]!.rows).to.equal(1);
      expect(seen[0]!.pages).to.be.greaterThan(before);
      transactions.settle();
      expect(seen, 'there was nothing to commit').to.have.length(1);
    });

    it('has SQLite commit at once when it has many statements, or much of them', () => {
      const { perform, insert } = started();
      const many = (): void => {
        for (let n = 0; n < 10_000; n += 1) insert.run('a', null);
      };
      perform(many);
      expect(inFile(), '10,000 statements').to.have.length(0);
      perform(many);
      expect(inFile(), '20,000 statements').to.have.length(20_000);
      const large = Buffer.alloc(2 * 1024 * 1024 - 1_000);
      for (let n = 0; n < 4; n += 1) perform(() => insert.run('b', large));
      expect(inFile(), 'less than 8 MiB').to.have.length(20_000);
      perform(() => insert.run('c', large));
      expect(inFile(), 'more than 8 MiB').to.have.length(20_005);
    });

    it('leaves the file free for other programs for a moment after SQLite has committed', () => {
      const { transactions, perform, insert } = started('recado.db', { sharedMs: 600_000 });
      perform(() => insert.run('a', null));
      const other = new Database(pathIn('recado.db'), { timeout: 0 });
      const write = (): unknown => other.exec("INSERT INTO t (value) VALUES ('other')");
      try {
        expect(write, 'the transaction is open').to.throw(/locked/);
        transactions.settle();
        perform(() => insert.run('b', null));
        write();
      } finally {
        other.close();
      }
      expect(transactions.waiting()).to.equal(0);
      expect(inFile()).to.deep.equal(['a', 'b', 'other']);
    });

    it('takes nothing while each transaction is one of SQLite', () => {
      const { transactions, perform, insert } = started();
      perform(() => insert.run('a', null));
      const end = transactions.settleEach();
      perform(() => insert.run('b', null));
      expect(inFile()).to.deep.equal(['a', 'b']);
      expect(transactions.waiting()).to.equal(0);
      end();
      perform(() => insert.run('c', null));
      expect(afterCrash()).to.have.length(3);
    });

    it('says each time that SQLite has committed', () => {
      const { transactions, perform, insert } = started();
      const seen: number[] = [];
      transactions.onCommitted(() => void seen.push(inFile().length));
      const add = (): void => perform(() => insert.run('a', null));
      for (let n = 0; n < 3; n += 1) add();
      expect(seen).to.deep.equal([]);
      transactions.settle();
      expect(seen).to.deep.equal([3]);
      const end = transactions.settleEach();
      add();
      add();
      expect(seen, 'while each transaction is one of SQLite').to.deep.equal([3, 4, 5]);
      end();
      add();
      expect(seen).to.deep.equal([3, 4, 5]);
    });

    it('gives the same rows after a crash at any moment, whatever was done', () => {
      const step = fc.oneof(
        fc.record({
          do: fc.constant('insert' as const),
          value: fc.oneof(fc.string(), fc.double({ noNaN: true })),
        }),
        fc.record({ do: fc.constant('remove' as const), id: fc.nat(20) }),
        fc.record({
          do: fc.constantFrom('settle' as const, 'fail' as const, 'crash' as const, 'cut' as const),
        }),
      );
      fc.assert(
        fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
          const { db, transactions, perform, insert, remove, rows } = started();
          perform(() => db.exec('DELETE FROM t'));
          for (const one of steps) {
            if (one.do === 'insert') perform(() => insert.run(one.value, null));
            else if (one.do === 'remove') perform(() => remove.all(one.id));
            else if (one.do === 'settle') transactions.settle();
            else if (one.do === 'cut') transactions.settleAndCut();
            else if (one.do === 'crash') expect(afterCrash()).to.deep.equal(rows());
            else {
              const failing = (): void =>
                perform(() => {
                  insert.run('half', null);
                  throw new Error('no');
                });
              expect(failing).to.throw('no');
            }
          }
          expect(afterCrash()).to.deep.equal(rows());
          transactions.close();
          db.close();
        }),
        { numRuns: 40 },
      );
    });

    describe('as a file', () => {
      it('gives back the pieces of its life only, and nothing of a longer one before', () => {
        const path = pathIn('file');
        const [first, second] = [Buffer.alloc(12, 1), Buffer.alloc(12, 2)];
        const file = openRedoFile(path);
        file.begin(first);
        for (const size of [0, 10, 5_000, 3]) file.append(Buffer.alloc(size, 7), none);
        expect(piecesOf(path, first).map(({ length }) => length)).to.deep.equal([0, 10, 5_000, 3]);
        file.begin(second);
        expect(piecesOf(path, second)).to.deep.equal([]);
        file.append(Buffer.from('new'), none);
        expect(piecesOf(path, second).map(String)).to.deep.equal(['new']);
        file.close(false);
        expect(() => piecesOf(path, first)).to.throw(RedoDamaged);
      });

      it('compresses what is larger than a page', () => {
        const path = pathIn('file');
        const life = Buffer.alloc(12, 1);
        const file = openRedoFile(path, { slowMs: Infinity });
        file.begin(life);
        const contents = [Buffer.alloc(100_000, 'text '), randomBytes(100_000), Buffer.from('small')];
        for (const content of contents) file.append(content, none);
        expect(piecesOf(path, life)).to.deep.equal(contents);
        expect(file.bytes()).to.be.within(100_000, 120_000);
        file.close(true);
      });

      it('reads a log of schema 9, whose pieces begin where the one before ended', () => {
        const life = Buffer.alloc(12, 1);
        const encode = createPieceEncoder();
        const pieces = ['first', 'second', 'third'].map((text, number) =>
          Buffer.from(encode({ content: Buffer.from(text), life, number })),
        );
        writeFileSync(pathIn('file'), Buffer.concat([...pieces, Buffer.alloc(10_000)]));
        expect(piecesOf(pathIn('file'), life).map(String)).to.deep.equal(['first', 'second', 'third']);
      });

      it('grows, and is gone with its content', () => {
        const path = pathIn('file');
        const life = Buffer.alloc(12, 1);
        const file = openRedoFile(path);
        file.begin(life);
        file.append(Buffer.alloc(3_000_000, 9), none);
        file.append(Buffer.from('end'), none);
        expect(piecesOf(path, life).map(({ length }) => length)).to.deep.equal([3_000_000, 3]);
        file.close(true);
        expect(existsSync(path)).to.equal(false);
        expect(piecesOf(path, life)).to.deep.equal([]);
      });
    });
  });
