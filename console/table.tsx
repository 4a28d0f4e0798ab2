import type { ComponentChildren } from 'preact';

type Head = string | { readonly number: string } | null;

/** The heads by the number of their column, for the narrow form, where each cell says what it is (tables.css). */
export const headsOf = (heads: readonly Head[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    heads.flatMap((head, index) =>
      head === null
        ? []
        : [[`--head-${index + 1}`, JSON.stringify(typeof head === 'string' ? head : head.number)]],
    ),
  );

/**
 * A table that scrolls sideways where it is too wide, also by the keyboard. On a phone each row is a card, so that its
 * last columns, with the buttons, are in sight.
 */
export function Table({
  by,
  label,
  heads,
  tall = false,
  children,
}: {
  /** The id of the heading that names it. */
  readonly by?: string;
  /** Its name, where no heading names it. */
  readonly label?: string;
  readonly heads: readonly Head[];
  /** Whether it scrolls within itself where it is long. */
  readonly tall?: boolean;
  /** Its rows. */
  readonly children: ComponentChildren;
}) {
  return (
    <div
      class={tall ? 'scroll tall' : 'scroll'}
      tabIndex={0}
      role="group"
      aria-labelledby={by}
      aria-label={label}
    >
      <table class="cards" style={headsOf(heads)}>
        <thead>
          <tr>
            {heads.map((head, index) =>
              head === null ? (
                <td key={index} />
              ) : (
                <th key={index} scope="col" class={typeof head === 'string' ? '' : 'number'}>
                  {typeof head === 'string' ? head : head.number}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
