import { useState } from 'preact/hooks';
import { get, type Schemas } from '../api.js';
import { useLoad } from '../load.js';
import { Shown } from '../parts.js';
import { Table } from '../table.js';
import { t } from '../words.js';
import { pathText } from './flow-problem.js';

type Changes = Schemas['FlowDiffResponse']['data'];

export function FlowDiff({ uuid, version }: { readonly uuid: string; readonly version: number | null }) {
  if (version === null) return <section aria-label={t('flows.tab.versions')}>{t('diff.never')}</section>;
  return <Between uuid={uuid} version={version} />;
}

function Between({ uuid, version }: { readonly uuid: string; readonly version: number }) {
  const [from, setFrom] = useState(version);
  const loaded = useLoad(() => get<Changes>(`/flows/${uuid}/diff?from=${from}&to=draft`), [uuid, from]);
  return (
    <section aria-labelledby="changes">
      <h2 id="changes">{t('flows.tab.versions')}</h2>
      <label>
        {t('diff.from')}{' '}
        <input
          type="number"
          min={1}
          max={version}
          value={from}
          onChange={({ currentTarget }) =>
            setFrom(Math.min(version, Math.max(1, Number(currentTarget.value))))
          }
        />
      </label>
      <Shown loaded={loaded}>
        {({ changes }) =>
          changes.length === 0 ? (
            <p class="quiet">{t('diff.none')}</p>
          ) : (
            <Table by="changes" heads={[t('runs.block'), t('diff.field'), t('diff.before'), t('diff.after')]}>
              {changes.map(({ change, block, field, before, after }) => (
                <tr key={`${block ?? ''} ${field ?? ''}`}>
                  <th scope="row">
                    {block ?? t('flows.whole')} <span class="quiet">{t(`diff.${change}`)}</span>
                  </th>
                  <td>{field === null ? '–' : pathText(field)}</td>
                  <td>{shown(before)}</td>
                  <td>{shown(after)}</td>
                </tr>
              ))}
            </Table>
          )
        }
      </Shown>
    </section>
  );
}

const shown = (value: unknown): string =>
  value === null || value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value);
