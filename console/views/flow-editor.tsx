/** The graph, its problems, and the form of the chosen block. The server checks while somebody edits. */
import { useState } from 'preact/hooks';
import { get, send, type Schemas } from '../api.js';
import { placeholders, without, type Block, type Definition } from '../flow/definition.js';
import { blockSchemas, emptyOf, type Schema } from '../flow/schema.js';
import { useLoad } from '../load.js';
import { useTeam } from '../team.js';
import { usePages } from '../pages.js';
import { Badge, Shown } from '../parts.js';
import { addressOf, follow, go } from '../place.js';
import { named, t } from '../words.js';
import { Parts, type Things } from './flow-fields.js';
import { useMay } from '../session.js';
import { FlowGraph } from './flow-graph.js';
import { pathText, problemText } from './flow-problem.js';

type Problem = Schemas['FlowProblem'];

interface EditorProps {
  readonly company: string;
  readonly uuid: string;
  readonly definition: Definition;
  /** Problems of the saved draft, with those that depend on the company; null while it is edited. */
  readonly known: readonly Problem[] | null;
  readonly chosen: string | null;
  readonly onChange: (definition: Definition) => void;
}

export function FlowEditor({ company, uuid, definition, known, chosen, onChange }: EditorProps) {
  const schema = useLoad(() => get<Schema>('/flows/schema'), []);
  const mayCheck = useMay('checkFlow');
  const mayEdit = useMay('saveFlowDraft');
  const things = useThings(company);
  const checked = useLoad(
    async () =>
      known ??
      (!mayCheck
        ? []
        : (await send<{ problems: readonly Problem[] }>('POST', '/flows/check', { definition })).problems),
    [definition, known],
  );
  const problems = checked.data ?? [];
  const linkTo = (block: string): string => addressOf(company, 'flows', uuid, { tab: 'graph', block });
  const block =
    chosen !== null && Object.hasOwn(definition.blocks, chosen) ? definition.blocks[chosen] : undefined;
  return (
    <div class="flow-editor">
      <div>
        <section aria-label={t('flows.tab.graph')}>
          <FlowGraph definition={definition} problems={problems} chosen={chosen} linkTo={linkTo} />
        </section>
        <section aria-labelledby="problems" aria-live="polite">
          <h2 id="problems">{t('flows.problems')}</h2>
          <Shown loaded={checked}>
            {(found) =>
              found.length === 0 ? (
                <Badge kind="good">{t('flows.noProblems')}</Badge>
              ) : (
                <ul class="findings">
                  {found.map((problem, index) => (
                    <li key={index}>
                      <Badge kind={problem.severity === 'error' ? 'bad' : 'warn'}>
                        {t(`flows.${problem.severity}`)}
                      </Badge>{' '}
                      {problem.block === null ? (
                        t('flows.whole')
                      ) : (
                        <a href={linkTo(problem.block)} onClick={follow}>
                          {problem.block}
                        </a>
                      )}
                      {problem.path !== null && <strong> {pathText(problem.path)}</strong>}{' '}
                      {problemText(problem)}
                    </li>
                  ))}
                </ul>
              )
            }
          </Shown>
        </section>
      </div>
      <div>
        <Shown loaded={schema}>
          {(all) => {
            const kinds = blockSchemas(all);
            return (
              <>
                {block === undefined || chosen === null ? (
                  <section aria-label={t('flows.blocks')}>
                    <p class="quiet">{t('flows.pick')}</p>
                  </section>
                ) : (
                  <BlockForm
                    key={chosen}
                    id={chosen}
                    block={block}
                    schema={kinds.get(block.type)}
                    definition={definition}
                    things={things}
                    mayEdit={mayEdit}
                    onChange={onChange}
                    onRemoved={() => go(addressOf(company, 'flows', uuid, { tab: 'graph' }))}
                  />
                )}
                {mayEdit && (
                  <AddBlock
                    kinds={kinds}
                    definition={definition}
                    onAdd={(id, added) => {
                      onChange({ ...definition, blocks: { ...definition.blocks, [id]: added } });
                      go(linkTo(id));
                    }}
                  />
                )}
              </>
            );
          }}
        </Shown>
      </div>
    </div>
  );
}

/** What a block may name of the company: people, groups and flows. Empty until they are known. */
function useThings(company: string): Things {
  const team = useTeam(company);
  const flows = usePages<Schemas['AdminFlow']>(`/companies/${company}/flows`, {}, ({ uuid }) => uuid, [
    'flow',
  ]);
  const members = (kind: 'agent' | 'group') =>
    team.data
      ?.filter((member) => member.kind === kind)
      .map(({ uuid, name }) => ({ uuid, name: name ?? uuid }));
  return {
    ...(team.data ? { agent_uuid: members('agent'), group_uuid: members('group') } : {}),
    ...(flows.rows ? { flow_uuid: flows.rows } : {}),
  };
}

function BlockForm({
  id,
  block,
  schema,
  definition,
  things,
  mayEdit,
  onChange,
  onRemoved,
}: {
  readonly id: string;
  readonly block: Block;
  readonly schema: Schema | undefined;
  readonly definition: Definition;
  readonly things: Things;
  readonly mayEdit: boolean;
  readonly onChange: (definition: Definition) => void;
  readonly onRemoved: () => void;
}) {
  return (
    <section aria-labelledby="block">
      <h2 id="block">
        {t('flows.block', { id })} <span class="quiet">{named('kind', block.type)}</span>
      </h2>
      <fieldset class="block-form" disabled={!mayEdit}>
        {!mayEdit && <p class="quiet">{t('flows.readOnly')}</p>}
        {schema && (
          <Parts
            schema={schema}
            value={block}
            blocks={Object.keys(definition.blocks)}
            placeholders={placeholders(definition)}
            things={things}
            onChange={(next) =>
              onChange({ ...definition, blocks: { ...definition.blocks, [id]: next as Block } })
            }
          />
        )}
        <div class="actions">
          <button
            type="button"
            disabled={definition.start === id}
            onClick={() => onChange({ ...definition, start: id })}
          >
            {t('flows.makeStart')}
          </button>
          <button
            type="button"
            class="danger"
            onClick={() => {
              onChange(without(definition, id));
              onRemoved();
            }}
          >
            {t('flows.remove')}
          </button>
        </div>
      </fieldset>
    </section>
  );
}

function AddBlock({
  kinds,
  definition,
  onAdd,
}: {
  readonly kinds: ReadonlyMap<string, Schema>;
  readonly definition: Definition;
  readonly onAdd: (id: string, block: Block) => void;
}) {
  const [kind, setKind] = useState('send_text');
  const [id, setId] = useState('');
  const taken = Object.hasOwn(definition.blocks, id);
  return (
    <section aria-labelledby="add">
      <h2 id="add">{t('flows.add')}</h2>
      <form
        data-op="saveFlowDraft"
        class="actions"
        onSubmit={(event) => {
          event.preventDefault();
          const schema = kinds.get(kind);
          if (schema === undefined || taken) return;
          onAdd(id, { ...(emptyOf(schema) as object), type: kind });
          setId('');
        }}
      >
        <label>
          {t('flows.kind')}{' '}
          <select value={kind} onChange={({ currentTarget }) => setKind(currentTarget.value)}>
            {[...kinds.keys()].map((one) => (
              <option key={one} value={one}>
                {named('kind', one)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t('flows.id')}{' '}
          <input
            required
            pattern="[a-z0-9_]{1,64}"
            value={id}
            onInput={({ currentTarget }) => setId(currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={taken}>
          {t('flows.add')}
        </button>
      </form>
    </section>
  );
}
