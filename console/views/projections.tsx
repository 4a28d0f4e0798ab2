import { list, type Schemas } from '../api.js';
import { useLoad } from '../load.js';
import { Shown } from '../parts.js';
import { addressOf, follow, type Place } from '../place.js';
import { Table } from '../table.js';
import { count, t } from '../words.js';
import { ProjectionPage } from './projection.js';
import { JOB, lagOf, State } from './projection-parts.js';
import { JobPage, Jobs, RebuildForm } from './projection-jobs.js';

type Projection = Schemas['Projection'];

const LOOK_EVERY_MS = 5_000;

export function Projections({ company, place }: { readonly company: string; readonly place: Place }) {
  if (place.id === null) return <All company={company} />;
  return place.id.startsWith(JOB) ? (
    <JobPage key={place.id} company={company} uuid={place.id.slice(JOB.length)} />
  ) : (
    <ProjectionPage key={place.id} company={company} name={place.id} />
  );
}

function All({ company }: { readonly company: string }) {
  const loaded = useLoad(() => list<Projection>('/projections'), [], LOOK_EVERY_MS);
  return (
    <>
      <h1>{t('nav.projections')}</h1>
      <p class="quiet">{t('projections.what')}</p>
      <section aria-labelledby="projections">
        <h2 id="projections" class="hidden">
          {t('nav.projections')}
        </h2>
        <Shown loaded={loaded}>
          {({ data }) => (
            <Table
              by="projections"
              heads={[
                t('projections.name'),
                t('projections.state'),
                t('projections.lag'),
                { number: t('projections.version') },
                t('projections.generation'),
                { number: t('projections.skipped') },
              ]}
            >
              {data.map((one) => (
                <tr key={one.name}>
                  <th scope="row">
                    <a href={addressOf(company, 'projections', one.name)} onClick={follow}>
                      {one.name}
                    </a>
                  </th>
                  <td>
                    <State of={one} company={company} />
                  </td>
                  <td>{lagOf(one)}</td>
                  <td class="number">{one.version}</td>
                  <td>
                    {one.generation}
                    {one.kept_generations.length > 0 && (
                      <span class="quiet">
                        {' '}
                        {t('projections.kept', { which: one.kept_generations.join(', ') })}
                      </span>
                    )}
                  </td>
                  <td class="number">{count(one.skipped_events)}</td>
                </tr>
              ))}
            </Table>
          )}
        </Shown>
      </section>
      <RebuildForm company={company} projection={null} />
      <Jobs company={company} />
    </>
  );
}
