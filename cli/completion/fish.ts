/** For fish 3. */
import type { Flag, Node, Value } from './tree.js';

/** Between single quotes, fish interprets two escapes. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const valueOf = (value: Value | null): string =>
  value === null
    ? ''
    : value === 'file'
      ? ' -r -F'
      : value === 'any'
        ? ' -x'
        : ` -x -a ${quoted(value.join(' '))}`;

const named = ({ names }: Flag): string =>
  names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(' ');

export function fish(program: string, tree: readonly Node[]): string {
  const at = (path: string): string => `-n ${quoted(`__${program}_at ${path}`.trim())}`;
  const paths = tree.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  const taking = tree.flatMap(({ path, flags }) =>
    flags.flatMap(({ names, value }) =>
      value === null ? [] : names.map((name) => quoted(`${path}|${name}`)),
    ),
  );
  const lines = tree.flatMap(({ path, commands, flags, arguments: places }) => [
    ...commands.map(
      ({ name, description }) =>
        `complete -c ${program} ${at(path)} -a ${quoted(name)} -d ${quoted(description)}`,
    ),
    ...flags.map(
      (flag) =>
        `complete -c ${program} ${at(path)} ${named(flag)}${valueOf(flag.value)} -d ${quoted(flag.description)}`,
    ),
    ...places.flatMap((value) =>
      value === 'any'
        ? []
        : [
            `complete -c ${program} ${at(path)}${value === 'file' ? ' -F' : ` -a ${quoted(value.join(' '))}`}`,
          ],
    ),
  ]);
  return `# Completion of ${program} for fish. Printed by "${program} completion fish".

set -g __${program}_commands ${paths.join(' ')}
# Options that take a value, which is no command.
set -g __${program}_taking ${taking.join(' ')}

function __${program}_path
    set -l place
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip -eq 1
            set skip 0
        else if string match -q -- '-*' $word
            if contains -- "$place|$word" $__${program}_taking
                set skip 1
            end
        else
            set -l deeper (string trim -- "$place $word")
            if contains -- $deeper $__${program}_commands
                set place $deeper
            end
        end
    end
    echo $place
end

function __${program}_at
    set -l place (__${program}_path)
    test "$place" = "$argv"
end

complete -c ${program} -f
${lines.join('\n')}
`;
}
