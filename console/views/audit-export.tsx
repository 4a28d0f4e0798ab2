/** The audit as a table for a spreadsheet, as it is filtered: by the pages of the API. */
import { useState } from 'preact/hooks';
import { pagesOf } from '../api.js';
import { csvOf, saveFile } from '../csv.js';
import { useWork } from '../load.js';
import { ErrorBox } from '../parts.js';
import { count, t } from '../words.js';
import type { Names } from '../team.js';
import { whoOf, wordsOf, type Entry } from './audit-parts.js';

/** What a spreadsheet opens with ease. The rest is read by naming times. */
const MOST = 10_000;
const HEADS = ['time', 'who', 'kind', 'what', 'more', 'type', 'stream', 'event_id', 'details'];

interface Props {
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly names: Names;
}

export function Export({ query, names }: Props) {
  const work = useWork();
  const [told, setTold] = useState('');
  const read = async (): Promise<void> => {
    const rows: Entry[] = [];
    let isWhole = false;
    for await (const { data, isLast } of pagesOf<Entry>('/audit', query)) {
      rows.push(...data);
      isWhole = isLast;
      setTold(t('audit.reading', { count: count(rows.length) }));
      if (rows.length >= MOST) break;
    }
    const lines = rows.map((one) => {
      const { did, more } = wordsOf(one, names);
      const about = [one.occurred_at, whoOf(one), one.kind, did, more.join(' · ')];
      return [...about, one.type, one.stream, one.event_id, JSON.stringify(one.details)];
    });
    saveFile('audit.csv', csvOf([HEADS, ...lines]));
    const last = rows.at(-1)?.occurred_at ?? '';
    setTold(
      isWhole
        ? t('audit.saved', { count: count(rows.length) })
        : t('audit.savedPart', { count: count(rows.length), time: last }),
    );
  };
  return (
    <>
      <button type="button" disabled={work.busy} onClick={() => void work.run(read)}>
        {t('audit.csv')}
      </button>
      <span class="quiet" role="status">
        {told}
      </span>
      {work.error !== null && <ErrorBox error={work.error} />}
    </>
  );
}
