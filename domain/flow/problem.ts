/** What exactly is wrong, each with its own sentence. Those who have words of their own, such as the console, say it by this. */
export const PROBLEM_REASONS = [
  'definition_too_large',
  'too_many_blocks',
  'block_id_invalid',
  'block_type_unknown',
  'field_unknown',
  'field_missing',
  'field_empty',
  'field_too_long',
  'field_too_small',
  'field_too_large',
  'field_of_other_type',
  'field_not_allowed',
  'field_repeated',
  'field_no_block_id',
  'field_no_name',
  'field_no_duration',
  'field_no_time',
  'field_no_uuid',
  'field_invalid',
  'start_missing',
  'keyword_repeated',
  'keyword_taken',
  'edge_dangling',
  'block_unreachable',
  'cycle_without_wait',
  'flow_cycle_without_wait',
  'wait_missing',
  'wait_too_long',
  'audio_caption',
  'choices_are_the_answer',
  'choice_ids_equal',
  'choice_titles_equal',
  'button_title_too_long',
  'button_second_line',
  'timeout_missing',
  'comparison_takes_no_value',
  'comparison_needs_value',
  'pattern_invalid',
  'url_scheme',
  'url_host',
  'header_value_invalid',
  'header_invalid',
  'header_set_by_service',
  'get_with_body',
  'placeholder_open',
  'placeholder_names_no_field',
  'placeholder_unknown_of_contact',
  'placeholder_unknown',
  'callback_unknown',
  'answer_unknown',
  'template_not_found',
  'template_language_invalid',
  'template_not_approved',
  'flow_unknown',
  'flow_not_active',
  'agent_unknown',
  'group_unknown',
] as const;
export type ProblemReason = (typeof PROBLEM_REASONS)[number];

/** The values of a problem's sentence, by name. */
export type ProblemValues = Readonly<Record<string, string>>;

/** An error or a warning about a flow. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly reason: ProblemReason;
  readonly values: ProblemValues;
  /** Id of the block; null for a problem of the whole flow. */
  readonly block: string | null;
  /** The field within the block. */
  readonly path: string | null;
  readonly message: string;
}
