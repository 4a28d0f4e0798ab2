/**
 * Fills a template with the values of a send, part by part. Each part reports all its problems: WhatsApp would refuse
 * such sends with 132000, 132005, 132012 or 132018, but only after they were accepted here.
 */
import type { TemplateContent } from './template-content.js';
import { fill, type ButtonNeed, type HeaderNeed, type TemplateNeeds } from './template-needs.js';

export interface Problem {
  /** Path in the body of the request: `content.parameters[0]`. */
  readonly path: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface Filled {
  readonly components: readonly Record<string, unknown>[];
  readonly problems: readonly Problem[];
}

/** Meta, "Template components". Counted in UTF-16 units, the stricter of the ways WhatsApp may count. */
const MAX_BODY = 1_024;
const MAX_HEADER = 60;
const MAX_URL = 2_000;
const MAX_CODE = 15;

type Values = Readonly<Record<string, string>>;

export function fillBody(
  body: TemplateNeeds['body'],
  content: TemplateContent,
): Filled & { readonly values: Values } {
  const names = body?.names ?? [];
  const given = body?.named ? readNamed(names, content) : readPositional(names, content);
  if (given.problems.length > 0) return { components: [], ...given };
  const { values } = given;
  const text = fill(body?.text ?? '', values);
  const problems: Problem[] = [];
  if (names.length > 0 && text.length > MAX_BODY) {
    problems.push({
      path: body?.named ? 'content.named_parameters' : 'content.parameters',
      message: `With these parameters the body is ${text.length} characters long; WhatsApp takes at most ${MAX_BODY}.`,
      details: { body_length: text.length, max_length: MAX_BODY },
    });
  }
  const parameters = names.map((name) => ({
    type: 'text',
    text: values[name] ?? '',
    ...(body?.named ? { name } : {}),
  }));
  return { components: names.length > 0 ? [{ type: 'body', parameters }] : [], problems, values };
}

interface Read {
  readonly values: Values;
  readonly problems: readonly Problem[];
}

function readNamed(names: readonly string[], content: TemplateContent): Read {
  const given = content.named_parameters ?? {};
  const missing = names.filter((name) => !Object.hasOwn(given, name));
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  if (missing.length > 0 || unknown.length > 0 || (content.parameters?.length ?? 0) > 0) {
    const problem: Problem = {
      path: 'content.named_parameters',
      message: `The body of this template takes the named parameters ${list(names)}, in content.named_parameters.`,
      details: { expected_named_parameters: names, missing, unknown },
    };
    return { values: {}, problems: [problem] };
  }
  const problems = names.flatMap((name) =>
    checkValue(given[name] ?? '', `content.named_parameters.${name}`, `Body parameter {{${name}}}`),
  );
  return { values: given, problems };
}

function readPositional(names: readonly string[], content: TemplateContent): Read {
  const given = content.parameters ?? [];
  if (given.length !== names.length || Object.keys(content.named_parameters ?? {}).length > 0) {
    const message = `The body of this template takes exactly ${names.length} parameters, in content.parameters; ${given.length} were given.`;
    const details = { expected_count: names.length, given_count: given.length };
    return { values: {}, problems: [{ path: 'content.parameters', message, details }] };
  }
  const named = names.map((name, index) => [name, given[index] ?? ''] as const);
  const problems = named.flatMap(([name, value], index) =>
    checkValue(value, `content.parameters[${index}]`, `Body parameter {{${name}}}`),
  );
  return { values: Object.fromEntries(named), problems };
}

/** WhatsApp refuses such values with error 132018. */
function checkValue(value: string, path: string, what: string): readonly Problem[] {
  if (value.trim() === '') return [{ path, message: `${what} must not be empty.` }];
  if (/[\n\r\t\u2028\u2029]/.test(value)) {
    return [{ path, message: `${what} must not hold line breaks or tabs.` }];
  }
  if (/ {5,}/.test(value)) {
    return [{ path, message: `${what} must not hold more than four spaces in a row.` }];
  }
  return [];
}

type HeaderValue = NonNullable<TemplateContent['header']>;
const LOCATION_FIELDS = ['latitude', 'longitude', 'name', 'address'] as const;

export function fillHeader(header: HeaderNeed | null, content: TemplateContent): Filled {
  const given = content.header;
  if (header === null || (header.format === 'TEXT' && header.placeholder === null)) {
    const problem = { path: 'content.header', message: 'This template has no variable header.' };
    return { components: [], problems: given ? [problem] : [] };
  }
  const value = given ?? {};
  const missing = (path: string, message: string): Filled => ({
    components: [],
    problems: [{ path, message, details: { header_format: header.format } }],
  });
  const allowed = fieldsOf(header);
  const stray = Object.keys(value).filter(
    (field) => !allowed.includes(field) && !(allowed.includes('link') && UPLOADED_FIELDS.has(field)),
  );
  const strays = stray.map((field) => ({
    path: `content.header.${field}`,
    message: `The ${header.format} header of this template takes ${allowed.join(', ')}, not ${field}.`,
    details: { header_format: header.format },
  }));
  const filled = ((): Filled => {
    switch (header.format) {
      case 'TEXT':
        return value.text === undefined || header.placeholder === null
          ? missing('content.header.text', 'This template needs a header text, in content.header.text.')
          : fillTextHeader(header.text, header.placeholder, value.text);
      case 'LOCATION':
        return value.latitude === undefined || value.longitude === undefined
          ? missing('content.header', 'This template needs a location header: latitude and longitude.')
          : locationHeader(value, value.latitude, value.longitude);
      default:
        if (value.media_id !== undefined)
          return uploadedHeader(header.format, value.media_id, value.mime_type ?? '', value.filename);
        return value.link === undefined
          ? missing(
              'content.header.link',
              `This template needs a link to its header's ${header.format.toLowerCase()}, in content.header.link.`,
            )
          : mediaHeader(header.format, value.link, value.filename);
    }
  })();
  return { components: filled.components, problems: [...filled.problems, ...strays] };
}

function fieldsOf(header: HeaderNeed): readonly string[] {
  if (header.format === 'TEXT') return ['text'];
  if (header.format === 'LOCATION') return LOCATION_FIELDS;
  return header.format === 'DOCUMENT' ? ['link', 'filename'] : ['link'];
}

function fillTextHeader(text: string, placeholder: string, value: string): Filled {
  const path = 'content.header.text';
  const problems = [...checkValue(value, path, `Header parameter {{${placeholder}}}`)];
  const length = fill(text, { [placeholder]: value }).length;
  if (problems.length === 0 && length > MAX_HEADER) {
    problems.push({
      path,
      message: `With this text the header is ${length} characters long; WhatsApp takes at most ${MAX_HEADER}.`,
      details: { header_length: length, max_length: MAX_HEADER },
    });
  }
  const named = !/^\d+$/.test(placeholder);
  const parameter = { type: 'text', text: value, ...(named ? { name: placeholder } : {}) };
  return { components: [{ type: 'header', parameters: [parameter] }], problems };
}

function locationHeader(value: HeaderValue, latitude: number, longitude: number): Filled {
  const outside = Math.abs(latitude) > 90 || Math.abs(longitude) > 180;
  const message = 'The header location must lie within 90 degrees of latitude and 180 of longitude.';
  const parameter = {
    type: 'location',
    ...Object.fromEntries(
      LOCATION_FIELDS.flatMap((field) => (value[field] === undefined ? [] : [[field, value[field]]])),
    ),
  };
  return {
    components: [{ type: 'header', parameters: [parameter] }],
    problems: outside ? [{ path: 'content.header', message }] : [],
  };
}

function mediaHeader(format: string, link: string, filename: string | undefined): Filled {
  const parameter = {
    type: format.toLowerCase(),
    link,
    ...(filename === undefined ? {} : { filename }),
  };
  const message = `The link of the header's ${format.toLowerCase()} must be a public https address, such as https://example.com/file.`;
  return {
    components: [{ type: 'header', parameters: [parameter] }],
    problems: isPublicHttps(link) ? [] : [{ path: 'content.header.link', message }],
  };
}

/** The server puts them where a caller names an upload. */
const UPLOADED_FIELDS: ReadonlySet<string> = new Set(['media_id', 'mime_type']);

function uploadedHeader(format: string, id: string, mimeType: string, filename: string | undefined): Filled {
  const [kind] = mimeType.split('/');
  const fits = format === 'DOCUMENT' ? kind !== 'image' && kind !== 'video' : format.toLowerCase() === kind;
  const parameter = { type: format.toLowerCase(), id, ...(filename === undefined ? {} : { filename }) };
  const message = `The header of this template takes a file of the kind ${format.toLowerCase()}.`;
  return {
    components: [{ type: 'header', parameters: [parameter] }],
    problems: fits ? [] : [{ path: 'content.header.upload_uuid', message }],
  };
}

function isPublicHttps(link: string): boolean {
  if (!URL.canParse(link) || /\s/.test(link)) return false;
  const { protocol, username, password } = new URL(link);
  return protocol === 'https:' && username === '' && password === '';
}

export function fillButtons(buttons: readonly ButtonNeed[], content: TemplateContent): Filled {
  const given = content.buttons ?? [];
  const problems: Problem[] = [];
  const indexes = given.map(({ index }) => index);
  const unknown = indexes.filter((index) => !buttons.some((button) => button.index === index));
  if (unknown.length > 0) {
    problems.push({
      path: 'content.buttons',
      message: `These buttons of the template take no value: ${list(unknown)}.`,
      details: { unknown_indexes: unknown },
    });
  }
  const repeated = indexes.filter((index, place) => indexes.indexOf(index) !== place);
  if (repeated.length > 0) {
    problems.push({
      path: 'content.buttons',
      message: `These buttons are given twice: ${list([...new Set(repeated)])}.`,
    });
  }
  const components: Record<string, unknown>[] = [];
  for (const button of buttons) {
    const place = indexes.indexOf(button.index);
    const value = given[place]?.value ?? (button.value === 'code' ? firstParameter(content) : undefined);
    if (value === undefined && button.value === 'optional') continue;
    if (value === undefined || value.trim() === '') {
      problems.push({
        path: place < 0 ? 'content.buttons' : `content.buttons[${place}].value`,
        message: `Button ${button.index}${button.label === null ? '' : ` ("${button.label}")`} of this template needs a value, in content.buttons.`,
        details: { missing_index: button.index },
      });
      continue;
    }
    const path = place < 0 ? 'content.parameters[0]' : `content.buttons[${place}].value`;
    problems.push(...checkButton(button, value, path));
    components.push({ type: 'button', subType: button.kind, index: button.index, value });
  }
  return { components, problems };
}

const firstParameter = ({ parameters, named_parameters }: TemplateContent): string | undefined =>
  parameters?.[0] ?? Object.values(named_parameters ?? {})[0];

function checkButton(button: ButtonNeed, value: string, path: string): readonly Problem[] {
  const what = `The value of button ${button.index}`;
  if (button.kind === 'quick_reply') return [];
  const problems = checkValue(value, path, what);
  if (problems.length > 0) return problems;
  if (button.kind === 'copy_code' || button.value === 'code') {
    return value.length <= MAX_CODE
      ? []
      : [{ path, message: `${what} is a code of at most ${MAX_CODE} characters.` }];
  }
  const url = (button.url ?? '').replace(/\{\{[^}]*\}\}/, () => value);
  if (url.length > MAX_URL) {
    return [
      {
        path,
        message: `${what} makes the link ${url.length} characters long; WhatsApp takes at most ${MAX_URL}.`,
      },
    ];
  }
  return [];
}

const list = (items: readonly (string | number)[]): string =>
  items.length === 0 ? '(none)' : items.join(', ');
