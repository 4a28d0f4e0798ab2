/** Finds the problems of a single block, with messages for the author of the flow. */
import { comparisonsOf, compilePattern, needsNoOther } from '../policies/flow-condition.js';
import { MAX_WAIT_SECONDS, type Block, type Comparison } from './blocks.js';
import { durationSeconds } from './duration.js';
import type { ProblemReason, ProblemValues } from './problem.js';

interface Found {
  /** Left out: `error`. */
  readonly severity?: 'warning';
  readonly code: string;
  readonly reason: ProblemReason;
  /** Left out: none. */
  readonly values?: ProblemValues;
  readonly path: string;
  readonly message: string;
}

/** The problems in the content of one block of valid shape, without regard to the other blocks. */
export function contentProblems(block: Block): readonly Found[] {
  switch (block.type) {
    case 'ask':
      return [...askProblems(block), ...durationProblems('timeout', block.timeout)];
    case 'wait':
      return block.for === undefined && block.until === undefined
        ? [
            {
              code: 'wait_invalid',
              reason: 'wait_missing',
              path: 'for',
              message: 'Say how long to wait: `for`, `until`, or both.',
            },
          ]
        : durationProblems('for', block.for);
    case 'wait_for_callback':
      return durationProblems('timeout', block.timeout);
    case 'condition':
      return block.branches.flatMap(({ when }, index) => {
        return comparisonsOf(when).flatMap((one) => comparisonProblems(one, `branches[${index}].when`));
      });
    case 'http_request':
      return requestProblems(block);
    case 'send_media':
      return block.media === 'audio' && block.caption !== undefined
        ? [
            {
              code: 'media_invalid',
              reason: 'audio_caption',
              path: 'caption',
              message: 'A sound has no caption.',
            },
          ]
        : [];
    default:
      return [];
  }
}

function askProblems(block: Extract<Block, { type: 'ask' }>): readonly Found[] {
  const { choices, expect, on_timeout, timeout } = block;
  const found: Found[] = [];
  if (choices && expect !== undefined)
    found.push({
      code: 'ask_invalid',
      reason: 'choices_are_the_answer',
      path: 'expect',
      message: 'Choices are the answer: leave `expect` out.',
    });
  if (choices && new Set(choices.map(({ id }) => id)).size < choices.length)
    found.push({
      code: 'choice_duplicated',
      reason: 'choice_ids_equal',
      path: 'choices',
      message: 'Two choices have one id.',
    });
  if (choices && new Set(choices.map(({ title }) => title.trim().toLowerCase())).size < choices.length)
    found.push({
      code: 'choice_duplicated',
      reason: 'choice_titles_equal',
      path: 'choices',
      message: 'Two choices have one title.',
    });
  if (choices && choices.length <= 3) {
    choices.forEach(({ title, description }, index) => {
      if (title.length > 20)
        found.push({
          code: 'choice_invalid',
          reason: 'button_title_too_long',
          path: `choices[${index}].title`,
          message: 'Up to three choices are buttons, and a button has 20 characters.',
        });
      if (description !== undefined)
        found.push({
          code: 'choice_invalid',
          reason: 'button_second_line',
          path: `choices[${index}].description`,
          message: 'Up to three choices are buttons, which have no second line.',
        });
    });
  }
  if (on_timeout !== undefined && timeout === undefined)
    found.push({
      code: 'ask_invalid',
      reason: 'timeout_missing',
      path: 'on_timeout',
      message: 'Without `timeout` it is never reached.',
    });
  return found;
}

function comparisonProblems({ is, to }: Comparison, path: string): readonly Found[] {
  if (needsNoOther(is)) {
    return to === undefined
      ? []
      : [
          {
            code: 'condition_invalid',
            reason: 'comparison_takes_no_value',
            values: { is },
            path,
            message: `\`${is}\` looks at the value alone: leave \`to\` out.`,
          },
        ];
  }
  if (to === undefined)
    return [
      {
        code: 'condition_invalid',
        reason: 'comparison_needs_value',
        values: { is },
        path,
        message: `\`${is}\` compares: \`to\` is missing.`,
      },
    ];
  if (is !== 'matches' && is !== 'not_matches') return [];
  try {
    compilePattern(to);
    return [];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [
      {
        code: 'pattern_invalid',
        reason: 'pattern_invalid',
        values: { why },
        path,
        message: `The pattern can't be read (RE2 syntax, without look-around and back-references): ${why}.`,
      },
    ];
  }
}

/** True for the characters that HTTP allows in a header's value (RFC 9110, section 5.5). */
export const isHeaderValue = (value: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
export const BEYOND_LATIN_1 =
  'The value has characters beyond Latin-1, which a header can not carry: put them into the body.';

function requestProblems({
  url,
  headers,
  body,
  method,
}: Extract<Block, { type: 'http_request' }>): readonly Found[] {
  const found: Found[] = [];
  if (!/^https?:\/\//i.test(url))
    found.push({
      code: 'request_invalid',
      reason: 'url_scheme',
      path: 'url',
      message: 'The address begins with https:// or http://.',
    });
  else if (/^https?:\/\/[^/?#]*(\{\{|@)/i.test(url))
    found.push({
      code: 'request_invalid',
      reason: 'url_host',
      path: 'url',
      message: 'The host is written out: no placeholder and no credentials in it.',
    });
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (!isHeaderValue(value.replaceAll(/[\r\n]/g, ' ')))
      found.push({
        severity: 'warning',
        code: 'request_header_invalid',
        reason: 'header_value_invalid',
        path: `headers.${name}`,
        message: BEYOND_LATIN_1,
      });
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) || /[\r\n]/.test(value))
      found.push({
        code: 'request_invalid',
        reason: 'header_invalid',
        path: `headers.${name}`,
        message: 'is no header.',
      });
    else if (/^(host|content-length|transfer-encoding|connection)$/i.test(name))
      found.push({
        code: 'request_invalid',
        reason: 'header_set_by_service',
        path: `headers.${name}`,
        message: 'is set by the service.',
      });
  }
  if (body !== undefined && method === 'GET')
    found.push({
      code: 'request_invalid',
      reason: 'get_with_body',
      path: 'body',
      message: 'A GET has no body.',
    });
  return found;
}

function durationProblems(path: string, text: string | undefined): readonly Found[] {
  if (text === undefined || durationSeconds(text) <= MAX_WAIT_SECONDS) return [];
  return [{ code: 'wait_too_long', reason: 'wait_too_long', path, message: 'At most eight weeks.' }];
}
