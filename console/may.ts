/**
 * A control names the operation that it calls, as `data-op`. What the person's role may not call is not offered: buttons
 * and links are left out, fields are disabled, and a form or a part says who could do it. The API enforces the same; this
 * spares people the refusal.
 */
import { h, options, type ComponentChild, type VNode } from 'preact';
import { ROLE_OF, type Operation } from './roles.js';
import { named, t } from './words.js';

export type Role = 'viewer' | 'agent' | 'owner' | 'operator';

const ORDER: readonly Role[] = ['viewer', 'agent', 'owner', 'operator'];

export const isAtLeast = (role: Role, least: Role): boolean => ORDER.indexOf(role) >= ORDER.indexOf(least);

/** The least role of what is named: a role, or an operation of the admin API. */
export const leastOf = (need: Role | Operation): Role =>
  need in ROLE_OF ? ROLE_OF[need as Operation] : (need as Role);

let present: Role = 'viewer';

/** What is drawn from now on is for this role. */
export const offerTo = (role: Role): void => void (present = role);

const FIELDS: ReadonlySet<unknown> = new Set(['input', 'select', 'textarea']);
const PARTS: ReadonlySet<unknown> = new Set(['section', 'div', 'fieldset', 'ul', 'details']);

const Nothing = () => null;
const More = ({ least }: { readonly least: Role }) =>
  h('p', { class: 'quiet locked' }, t('may.more', { role: named('role', least) }));

const before = options.vnode?.bind(options);
options.vnode = (vnode) => {
  restrict(vnode);
  before?.(vnode);
};

function restrict(vnode: VNode<Record<string, unknown>>): void {
  const asked = vnode.props?.['data-op'];
  if (typeof asked !== 'string') return;
  const least = leastOf(asked as Operation);
  if (isAtLeast(present, least)) return;
  if (FIELDS.has(vnode.type)) {
    vnode.props['disabled'] = true;
  } else if (vnode.type === 'form') {
    const children = vnode.props.children as ComponentChild;
    const fields = h('fieldset', { class: 'locked', disabled: true }, children);
    vnode.props.children = [
      fields,
      h('p', { class: 'quiet locked' }, t('may.change', { role: named('role', least) })),
    ];
  } else if (PARTS.has(vnode.type)) {
    replace(vnode, More, { least });
  } else if (vnode.type === 'a' && !String(vnode.props['class']).includes('button')) {
    // Its text still says what is there.
    vnode.type = 'span';
    vnode.props = { children: vnode.props.children };
  } else {
    replace(vnode, Nothing, {});
  }
}

function replace<P extends object>(
  vnode: VNode<Record<string, unknown>>,
  by: (props: P) => ComponentChild,
  props: P,
): void {
  Object.assign(vnode, { type: by, props });
}
