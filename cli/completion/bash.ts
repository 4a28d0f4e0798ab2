/** For bash 3.2 and later: macOS still ships 3.2. */
import type { Flag, Node, Value } from './tree.js';

/** Text between single quotes is taken literally. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const wordsOf = (value: Value): string =>
  value === 'file' ? 'files=1' : `words=${quoted(value === 'any' ? '' : value.join(' '))}`;

/** Flags whose values the shell can suggest, and flags that take any value. */
const valueCases = ({ path, flags, arguments: places }: Node): readonly string[] => [
  ...flags
    .filter((flag): flag is Flag & { readonly value: Value } => flag.value !== null)
    .map(
      ({ names, value }) =>
        `    ${names.map((name) => quoted(`${path}|${name}`)).join('|')}) ${wordsOf(value)} ;;`,
    ),
  ...places.flatMap((value, n) =>
    value === 'any' ? [] : [`    ${quoted(`${path}|${n}`)}) ${wordsOf(value)} ;;`],
  ),
];

export function bash(program: string, tree: readonly Node[]): string {
  const paths = tree.filter(({ path }) => path !== '').map(({ path }) => `    ${quoted(path)}) return 0 ;;`);
  const below = tree.map(({ path, commands, flags }) => {
    const names = commands.map(({ name }) => name).join(' ');
    const options = flags.flatMap((flag) => flag.names).join(' ');
    return `    ${quoted(path)}) commands=${quoted(names)}; flags=${quoted(options)} ;;`;
  });
  return `# Completion of ${program} for bash. Printed by "${program} completion bash".

_${program}_is_command() {
  case "$1" in
${paths.join('\n')}
  esac
  return 1
}

# What may follow a command: sets commands and flags.
_${program}_below() {
  commands=''; flags=''
  case "$1" in
${below.join('\n')}
  esac
}

# What an option or an argument takes: sets words or files. Fails for an option that takes none.
_${program}_value() {
  words=''; files=''
  case "$1" in
${tree.flatMap(valueCases).join('\n')}
    *) return 1 ;;
  esac
}

_${program}_offer() {
  if [ -n "$files" ]; then
    local IFS=$'\\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$1"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$1"))
  fi
}

_${program}() {
  local path='' word flag='' places=0 at commands flags words files
  local current="\${COMP_WORDS[COMP_CWORD]}"
  local IFS=$' \\t\\n'
  COMPREPLY=()
  [ "$current" = '=' ] && current=''
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    if [ "$word" = '=' ]; then continue; fi
    if [ -n "$flag" ]; then flag=''; continue; fi
    case "$word" in
      -*) if _${program}_value "$path|$word"; then flag="$word"; fi ;;
      *)
        if [ "$places" -eq 0 ] && _${program}_is_command "\${path:+$path }$word"; then
          path="\${path:+$path }$word"
        else
          places=$((places + 1))
        fi ;;
    esac
  done
  if [ -n "$flag" ]; then
    _${program}_value "$path|$flag"
    _${program}_offer "$current"
    return 0
  fi
  _${program}_below "$path"
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$current")) ;;
    *)
      if [ -n "$commands" ]; then
        COMPREPLY=($(compgen -W "$commands" -- "$current"))
      elif _${program}_value "$path|$places"; then
        _${program}_offer "$current"
      fi ;;
  esac
  return 0
}

complete -F _${program} ${program}
`;
}
