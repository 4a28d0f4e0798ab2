/** Who else has the conversation open, so that two people do not answer at once. */
import type { Schemas } from '../api.js';
import type { Present } from '../presence.js';
import { language, t } from '../words.js';

const names = new Intl.ListFormat(language === 'pt' ? 'pt-BR' : 'en-GB', { type: 'conjunction' });

export function Others({
  others,
  team,
}: {
  readonly others: readonly Present[];
  readonly team: readonly Schemas['TeamMember'][];
}) {
  const nameOf = ({ member_uuid: uuid }: Present): string =>
    uuid === null
      ? t('presence.operator')
      : (team.find((member) => member.uuid === uuid)?.name ?? t('inbox.somebody'));
  const listOf = (some: readonly Present[]): string => names.format([...new Set(some.map(nameOf))].sort());
  const typing = others.filter((one) => one.typing);
  return (
    <p class={others.length === 0 ? 'hidden' : 'others'} role="status">
      {others.length > 0 && (
        <>
          <span aria-hidden="true">◉</span> {t('presence.open', { names: listOf(others) })}
          {typing.length > 0 && <strong> {t('presence.typing', { names: listOf(typing) })}</strong>}
        </>
      )}
    </p>
  );
}
