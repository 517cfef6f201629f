/** Random shell scripts: what commands, formatters and generators do to a folder without telling anybody. */

import { MODES, PATHS, type Scene } from './scene.ts';

/** Names that a tool would rather not choose; a script does. */
const ODD_PATHS = ["it's", '-f', 'two\nlines', '$HOME', 'back\\slash', 'd/*', '.env', 'out.log', 'd/out.log'];
const DIRECTORY_MODES = [0o755, 0o700, 0o775, 0o1777];
const LINK_TARGETS = ['a', 'd', 'd/e', '../b', 'nowhere', '..', '/nowhere/at all'];

/** A few lines; some of them fail, as they do in real life. */
export function randomScript(scene: Scene, hasGit: boolean): string[] {
  const { random } = scene;
  const lines: string[] = [];
  for (let count = 1 + random.below(3); count > 0; count -= 1) {
    lines.push(...(hasGit && random.next() < 0.15 ? [gitCommand(scene)] : command(scene)));
  }
  return lines;
}

function command(scene: Scene): string[] {
  const { random } = scene;
  const plain = somePath(scene);
  const path = quoted(plain);
  const other = quoted(somePath(scene));
  const text = quoted(scene.newText());
  const mode = (modes: readonly number[]): string => random.pick(modes).toString(8);
  const kind = random.weighted({
    write: 14,
    append: 8,
    make: 10,
    remove: 12,
    move: 12,
    swap: 4,
    sed: 6,
    chmod: 6,
    'chmod-folder': 3,
    link: 6,
    relink: 3,
    folder: 8,
    'remove-folder': 4,
    copy: 8,
    'copy-times': 4,
    truncate: 4,
    'in-place': 7,
    'to-folder': 6,
    'to-file': 6,
    'to-link': 3,
    sweep: 1,
    generate: 2,
  });
  switch (kind) {
    case 'write':
      return [`printf %s ${text} > ${path}`];
    case 'append':
      return [`printf %s ${text} >> ${path}`];
    case 'make':
      return [`mkdir -p -- ${quoted(directoryOf(plain))} && printf %s ${text} > ${path}`];
    case 'remove':
      return [random.next() < 0.5 ? `rm -- ${path}` : `rm -rf -- ${path}`];
    case 'move':
      return [`mv ${random.next() < 0.5 ? '-T ' : ''}-- ${path} ${other}`];
    case 'swap':
      return [`mv -T -- ${path} swapped && mv -T -- ${other} ${path}; mv -T -- swapped ${other}`];
    case 'sed':
      return [`sed -i s/t/T/g -- ${path}`];
    case 'chmod':
      return [`test -f ${path} && chmod ${mode([...MODES, 0o4755])} -- ${path}`];
    case 'chmod-folder':
      return [`test -d ${path} && chmod ${mode(DIRECTORY_MODES)} -- ${path}`];
    case 'link':
      return [`ln -s -- ${quoted(random.pick(LINK_TARGETS))} ${path}`];
    case 'relink':
      return [`ln -sfn -- ${quoted(random.pick(LINK_TARGETS))} ${path}`];
    case 'folder':
      return [`mkdir -p -- ${path}`];
    case 'remove-folder':
      return [`rmdir -- ${path}`];
    case 'copy':
      return [`cp -pR -- ${path} ${other}`];
    case 'copy-times':
      return [`test -e ${path} && touch -r ./${other} -- ${path}`];
    case 'truncate':
      return [`test -f ${path} && truncate -s ${random.below(9)} -- ${path}`];
    case 'in-place':
      // As many bytes, and the times as they were.
      return [
        `test -f ${path} && touch -r ./${path} ../times && printf ${random.below(10)} 1<> ${path} && touch -r ../times -- ${path}`,
      ];
    case 'to-folder':
      return [`rm -rf -- ${path}; mkdir -p -- ${path}; printf %s ${text} > ${path}/a`];
    case 'to-file':
      return [`rm -rf -- ${path}; printf %s ${text} > ${path}`];
    case 'to-link':
      return [`rm -rf -- ${path}; ln -s -- ${quoted(random.pick(LINK_TARGETS))} ${path}`];
    case 'sweep':
      return ['rm -rf -- ./*'];
    case 'generate':
      return [`for i in 1 2 3; do mkdir -p d/made/$i; printf %s $i > d/made/$i/a; done`];
  }
}

function gitCommand({ random }: Scene): string {
  const message = '-q --allow-empty -m step';
  return random.pick([
    `git add -A && git commit ${message}`,
    'git stash -q -u',
    'git stash pop -q',
    'git checkout -q -- .',
    'git reset -q --hard HEAD~1',
    'git clean -fdxq -e .osfoundry',
    'git clean -fdq',
    'git mv -f a b',
    'git checkout -q -b other',
    'git checkout -q main',
  ]);
}

const somePath = ({ random }: Scene): string => random.pick(random.next() < 0.85 ? PATHS : ODD_PATHS);

const directoryOf = (path: string): string =>
  path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.';

export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
