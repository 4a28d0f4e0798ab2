/** Fields of a block, made from the schema that the server has for it: no kind of block is forgotten here. */
import { useId, useState } from 'preact/hooks';
import { useDraft } from '../draft.js';
import { emptyOf, kindOf, variantOf, type Schema } from '../flow/schema.js';
import { named, t } from '../words.js';

interface FieldProps {
  readonly name: string;
  readonly schema: Schema;
  readonly value: unknown;
  readonly required: boolean;
  /** Ids of blocks, for exits. */
  readonly blocks: readonly string[];
  /** What texts may name. */
  readonly placeholders: readonly string[];
  /** What the company has for fields that hold a uuid, by the name of the field. */
  readonly things: Things;
  /** Undefined: left out. */
  readonly onChange: (value: unknown) => void;
}

export interface Thing {
  readonly uuid: string;
  readonly name: string;
}
export type Things = Readonly<Partial<Record<string, readonly Thing[]>>>;

type Values = Readonly<Record<string, unknown>>;

export function Parts({
  schema,
  value,
  onChange,
  ...rest
}: Omit<FieldProps, 'name' | 'required'> & { readonly value: Values }) {
  const set = (name: string, next: unknown): void =>
    onChange(
      next === undefined
        ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
        : { ...value, [name]: next },
    );
  return (
    <>
      {Object.entries(schema.properties ?? {})
        .filter(([, one]) => one.const === undefined)
        .map(([name, one]) => (
          <Field
            key={name}
            {...rest}
            name={name}
            schema={one}
            value={value[name]}
            required={schema.required?.includes(name) === true}
            onChange={(next) => set(name, next)}
          />
        ))}
    </>
  );
}

export function Field(props: FieldProps) {
  const { name, schema, value, required, onChange } = props;
  const label = named('field', name);
  const kind = kindOf(schema);
  const grouped =
    kind === 'list' || kind === 'parts' || kind === 'variants' || kind === 'pairs' || kind === 'json';
  if (grouped && value === undefined && !required)
    return (
      <div>
        <button type="button" onClick={() => onChange(emptyOf(schema))}>
          {t('flows.addOne')}: {label}
        </button>
      </div>
    );
  if (!grouped) return <Simple {...props} label={label} />;
  return (
    <fieldset>
      <legend>{label}</legend>
      <Group {...props} />
      {!required && (
        <div>
          <button type="button" onClick={() => onChange(undefined)}>
            {t('flows.removeOne')}: {label}
          </button>
        </div>
      )}
    </fieldset>
  );
}

function Simple({
  name,
  schema,
  value,
  required,
  blocks,
  placeholders,
  things,
  onChange,
  label,
}: FieldProps & { readonly label: string }) {
  const values = useId();
  const text = typeof value === 'string' ? value : '';
  const given = (next: string): void => onChange(next === '' && !required ? undefined : next);
  const choice = things[name];
  if (choice) return <Reference label={label} things={choice} value={text} onChange={given} />;
  switch (kindOf(schema)) {
    case 'edge':
      return (
        <label>
          {label}
          <select
            value={value === undefined ? '?' : value === null ? '-' : `=${text}`}
            onChange={({ currentTarget: { value: next } }) =>
              onChange(next === '?' ? undefined : next === '-' ? null : next.slice(1))
            }
          >
            {!required && <option value="?">{t('flows.leftOut')}</option>}
            <option value="-">{t('flows.nothing')}</option>
            {blocks.map((id) => (
              <option key={id} value={`=${id}`}>
                {id}
              </option>
            ))}
          </select>
        </label>
      );
    case 'choice':
      return (
        <label>
          {label}
          <select value={text} onChange={({ currentTarget }) => given(currentTarget.value)}>
            {!required && <option value="">{t('flows.leftOut')}</option>}
            {schema.anyOf!.map((one) => (
              <option key={one.const} value={one.const}>
                {named('option', one.const ?? '')}
              </option>
            ))}
          </select>
        </label>
      );
    case 'tick':
      return (
        <label class="tick">
          <input
            type="checkbox"
            checked={value === true}
            onChange={({ currentTarget }) => onChange(currentTarget.checked)}
          />{' '}
          {label}
        </label>
      );
    case 'number':
      return (
        <label>
          {label}
          <Typed
            type="number"
            min={schema.minimum}
            max={schema.maximum}
            value={typeof value === 'number' ? String(value) : ''}
            commit={(next) => onChange(next === '' ? undefined : Number(next))}
          />
        </label>
      );
    default: {
      const long = (schema.maxLength ?? 0) > 300;
      return (
        <div>
          <label>
            {label}
            {long ? (
              <TypedLines value={text} commit={given} />
            ) : (
              <Typed list={values} value={text} commit={given} />
            )}
          </label>
          {long ? (
            <Insert
              label={label}
              placeholders={placeholders}
              onPick={(name) => given(`${text}{{${name}}}`)}
            />
          ) : (
            <datalist id={values}>
              {placeholders.map((name) => (
                <option key={name} value={`{{${name}}}`} />
              ))}
            </datalist>
          )}
        </div>
      );
    }
  }
}

interface TypedProps {
  readonly value: string;
  readonly commit: (text: string) => void;
}

function Typed({
  value,
  commit,
  ...more
}: TypedProps & {
  readonly type?: 'number';
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly list?: string;
}) {
  return <input {...more} {...useDraft(value, commit)} />;
}

function TypedLines({ value, commit }: TypedProps) {
  return <textarea rows={3} {...useDraft(value, commit)} />;
}

/** A thing of the company by its name. One that it does not have (any more) stays chosen until somebody changes it. */
function Reference({
  label,
  things,
  value,
  onChange,
}: {
  readonly label: string;
  readonly things: readonly Thing[];
  readonly value: string;
  readonly onChange: (uuid: string) => void;
}) {
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="">{t('flows.leftOut')}</option>
        {value !== '' && !things.some(({ uuid }) => uuid === value) && <option value={value}>{value}</option>}
        {things.map(({ uuid, name }) => (
          <option key={uuid} value={uuid}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Completes a long text: browsers offer a list for short fields only. */
function Insert({
  label,
  placeholders,
  onPick,
}: {
  readonly label: string;
  readonly placeholders: readonly string[];
  readonly onPick: (name: string) => void;
}) {
  return (
    <select
      aria-label={`${label}: ${t('flows.insert')}`}
      value=""
      onChange={({ currentTarget }) => {
        if (currentTarget.value !== '') onPick(currentTarget.value);
        currentTarget.value = '';
      }}
    >
      <option value="">{t('flows.insert')}</option>
      {placeholders.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}

function Group(props: FieldProps) {
  const { schema, value, onChange } = props;
  switch (kindOf(schema)) {
    case 'list':
      return <Items {...props} />;
    case 'parts':
      return <Parts {...props} value={(value ?? {}) as Values} />;
    case 'variants': {
      const chosen = variantOf(schema, value);
      return (
        <>
          <select
            aria-label={named('field', props.name)}
            value={chosen}
            onChange={({ currentTarget }) => onChange(emptyOf(schema.anyOf![Number(currentTarget.value)]!))}
          >
            {schema.anyOf!.map(({ required = [] }, index) => (
              <option key={index} value={index}>
                {named('variant', required[0] ?? '')}
              </option>
            ))}
          </select>
          <Parts {...props} schema={schema.anyOf![chosen]!} value={(value ?? {}) as Values} />
        </>
      );
    }
    case 'pairs':
      return <Pairs value={(value ?? {}) as Readonly<Record<string, string>>} onChange={onChange} />;
    default:
      return <Json name={props.name} value={value} onChange={onChange} />;
  }
}

function Items(props: FieldProps) {
  const { schema, value, onChange, name } = props;
  const items = (value ?? []) as readonly unknown[];
  const replace = (index: number, next: unknown): void =>
    onChange(items.map((one, nth) => (nth === index ? next : one)));
  return (
    <>
      {items.map((one, index) => (
        <fieldset key={index}>
          <legend>{index + 1}</legend>
          {kindOf(schema.items!) === 'parts' ? (
            <Parts
              {...props}
              schema={schema.items!}
              value={one as Values}
              onChange={(next) => replace(index, next)}
            />
          ) : (
            <Field
              {...props}
              required
              schema={schema.items!}
              value={one}
              onChange={(next) => replace(index, next)}
            />
          )}
          <div>
            <button type="button" onClick={() => onChange(items.filter((_, nth) => nth !== index))}>
              {t('flows.removeOne')}: {named('field', name)} {index + 1}
            </button>
          </div>
        </fieldset>
      ))}
      <div>
        <button type="button" onClick={() => onChange([...items, emptyOf(schema.items!)])}>
          {t('flows.addOne')}
        </button>
      </div>
    </>
  );
}

function Pairs({
  value,
  onChange,
}: {
  readonly value: Readonly<Record<string, string>>;
  readonly onChange: (value: unknown) => void;
}) {
  const pairs = Object.entries(value);
  const set = (index: number, key: string, text: string): void =>
    onChange(Object.fromEntries(pairs.map((pair, nth) => (nth === index ? [key, text] : pair))));
  return (
    <>
      {pairs.map(([key, text], index) => (
        <div key={index} class="actions">
          <label>
            {t('flows.key')}
            <Typed value={key} commit={(next) => set(index, next, text)} />
          </label>
          <label>
            {t('flows.value')}
            <Typed value={text} commit={(next) => set(index, key, next)} />
          </label>
          <button
            type="button"
            onClick={() => onChange(Object.fromEntries(pairs.filter((_, nth) => nth !== index)))}
          >
            {t('flows.removeOne')} {key}
          </button>
        </div>
      ))}
      <div>
        <button type="button" onClick={() => onChange({ ...value, '': '' })}>
          {t('flows.addOne')}
        </button>
      </div>
    </>
  );
}

function Json({
  name,
  value,
  onChange,
}: {
  readonly name: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}) {
  const [fault, setFault] = useState<string | null>(null);
  return (
    <>
      <textarea
        rows={4}
        spellcheck={false}
        aria-label={`${named('field', name)} (JSON)`}
        defaultValue={JSON.stringify(value, null, 2)}
        onChange={({ currentTarget }) => {
          try {
            onChange(JSON.parse(currentTarget.value) as unknown);
            setFault(null);
          } catch (error) {
            setFault(t('flows.notJson', { why: String(error) }));
          }
        }}
      />
      {fault !== null && (
        <p class="bad" role="alert">
          {fault}
        </p>
      )}
    </>
  );
}
