import { Argument, Command } from 'commander';
import { bash } from '../completion/bash.js';
import { fish } from '../completion/fish.js';
import { treeOf } from '../completion/tree.js';
import { zsh } from '../completion/zsh.js';
import type { Io } from '../io.js';
import { examples } from '../session.js';

const SHELLS = { bash, zsh, fish } as const;

export const completion = (io: Io): Command =>
  examples(
    new Command('completion')
      .description('print a script that completes commands, options and their values')
      .addArgument(new Argument('<shell>').choices(Object.keys(SHELLS))),
    'completion bash > ~/.local/share/bash-completion/completions/recado',
    'completion zsh > "${fpath[1]}/_recado"',
    'completion fish > ~/.config/fish/completions/recado.fish',
  ).action((shell: keyof typeof SHELLS, _options: unknown, self: Command) => {
    // Built from the tree that also parses command lines, so it is never out of date.
    const program = self.parent!;
    io.stdout.write(SHELLS[shell](program.name(), treeOf(program)));
  });
