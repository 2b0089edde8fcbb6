/** What `--help` prints. */
export const HELP = `toolcontract config <command>

Commands:
  check [path]  tells of everything that is wrong with the configuration
  show [path]   prints every setting with the place where it is set
  init          writes .agent/config.yml with all settings and their defaults

Options:
  --json        prints the result of check and show as JSON
  --version     prints the version
  --help        prints this text

The files, the one that wins first: [path]; .agent/config.yml in this folder and in those above it,
up to the one with .git; ~/.agent/config.yml; /etc/agent/config.yml.

Exit codes: 0 all is well, 1 a failure, 4 wrong usage or a wrong configuration.`;
