/** For zsh 5, with a description beside each word. */
import { quoted } from './bash.js';
import type { Flag, Node, Value } from './tree.js';

/** `_describe` treats the first colon as the end of the word. */
const described = (word: string, description: string): string =>
  quoted(`${word.replaceAll(':', '\\:')}:${description}`);

const valueOf = (value: Value): string =>
  value === 'file' ? '_files' : value === 'any' ? ':' : `compadd -- ${value.map(quoted).join(' ')}`;

const valueCases = ({ path, flags, arguments: places }: Node): readonly string[] => [
  ...flags
    .filter((flag): flag is Flag & { readonly value: Value } => flag.value !== null)
    .map(
      ({ names, value }) =>
        `    ${names.map((name) => quoted(`${path}|${name}`)).join('|')}) offer=(${valueOf(value)}) ;;`,
    ),
  ...places.flatMap((value, n) =>
    value === 'any' ? [] : [`    ${quoted(`${path}|${n}`)}) offer=(${valueOf(value)}) ;;`],
  ),
];

export function zsh(program: string, tree: readonly Node[]): string {
  const paths = tree.filter(({ path }) => path !== '').map(({ path }) => `    ${quoted(path)}) return 0 ;;`);
  const below = tree.map(({ path, commands, flags }) => {
    const names = commands.map(({ name, description }) => described(name, description));
    const options = flags.flatMap((flag) => flag.names.map((name) => described(name, flag.description)));
    return `    ${quoted(path)})\n      below=(${names.join(' ')})\n      switches=(${options.join(' ')}) ;;`;
  });
  return `#compdef ${program}
# Completion of ${program} for zsh. Printed by "${program} completion zsh".

_${program}_is_command() {
  case "$1" in
${paths.join('\n')}
  esac
  return 1
}

# What may follow a command: sets below and switches ("commands" is zsh's own).
_${program}_below() {
  below=(); switches=()
  case "$1" in
${below.join('\n')}
  esac
}

# What an option or an argument takes: sets offer. Fails for an option that takes none.
_${program}_value() {
  offer=()
  case "$1" in
${tree.flatMap(valueCases).join('\n')}
    *) return 1 ;;
  esac
}

_${program}() {
  local place='' word flag='' places=0 at
  local -a below switches offer
  for ((at = 2; at < CURRENT; at++)); do
    word="\${words[at]}"
    if [[ -n "$flag" ]]; then flag=''; continue; fi
    case "$word" in
      -*=*) ;;
      -*) if _${program}_value "$place|$word"; then flag="$word"; fi ;;
      *)
        if (( places == 0 )) && _${program}_is_command "\${place:+$place }$word"; then
          place="\${place:+$place }$word"
        else
          places=$((places + 1))
        fi ;;
    esac
  done
  if [[ -n "$flag" ]]; then
    _${program}_value "$place|$flag" && "\${offer[@]}"
    return
  fi
  _${program}_below "$place"
  if [[ "\${words[CURRENT]}" == -* ]]; then
    _describe option switches
  elif (( \${#below} )); then
    _describe command below
  elif _${program}_value "$place|$places"; then
    "\${offer[@]}"
  fi
}

if [[ "\${funcstack[1]}" = _${program} ]]; then _${program} "$@"; else compdef _${program} ${program}; fi
`;
}
