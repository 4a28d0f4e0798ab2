import type { ComponentChildren } from 'preact';

/** A table that scrolls sideways where it is too wide, also by the keyboard. */
export function Table({
  by,
  heads,
  children,
}: {
  /** The id of the heading that names it. */
  readonly by: string;
  readonly heads: readonly (string | { readonly number: string } | null)[];
  /** Its rows. */
  readonly children: ComponentChildren;
}) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-labelledby={by}>
      <table>
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
