/** The tree of commands as data: everything that a shell needs to complete a line. */
import type { Argument, Command, Option } from 'commander';

/** The values that fit a place: one of these words, a file, or any text. */
export type Value = readonly string[] | 'file' | 'any';

export interface Flag {
  /** `--status`, and `-V` where the option has a short form. */
  readonly names: readonly string[];
  readonly description: string;
  /** Null: the option takes no value. */
  readonly value: Value | null;
}

export interface Node {
  /** Words after the program's name, such as `companies list`; empty for the program itself. */
  readonly path: string;
  readonly description: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly flags: readonly Flag[];
  /** One for each argument, in order. */
  readonly arguments: readonly Value[];
}

/** Every command, each before its subcommands. */
export function treeOf(root: Command): readonly Node[] {
  // Global options may appear anywhere in a line.
  const shared = root.options.map(flagOf);
  const walk = (command: Command, path: string): readonly Node[] => {
    const own = command.createHelp().visibleOptions(command).map(flagOf);
    const below = command.createHelp().visibleCommands(command);
    const taken = new Set(own.flatMap(({ names }) => names));
    const node: Node = {
      path,
      description: command.description(),
      commands: below.map((each) => ({ name: each.name(), description: each.description() })),
      flags: [...own, ...shared.filter(({ names }) => names.every((name) => !taken.has(name)))],
      arguments: command.registeredArguments.map(argumentValue),
    };
    const nodes = below.map((each) => walk(each, path === '' ? each.name() : `${path} ${each.name()}`));
    return [node, ...nodes.flat()];
  };
  return walk(root, '');
}

const flagOf = (option: Option): Flag => ({
  names: [option.long, option.short].filter((name) => name !== undefined),
  description: option.description,
  value: optionValue(option),
});

function optionValue(option: Option): Value | null {
  if (!option.required && !option.optional) return null;
  return option.argChoices ?? namedValue(/[<[]([^>\]]+)/.exec(option.flags)?.[1] ?? '');
}

const argumentValue = (argument: Argument): Value => argument.argChoices ?? namedValue(argument.name());

/** Derives the kind of a value from its name: `<file>`, `<flow_uuid_or_file>`, `<on|off>`. */
function namedValue(name: string): Value {
  if (/^(?:file|folder|source)$|_or_file$/.test(name)) return 'file';
  return name.includes('|') ? name.split('|') : 'any';
}
