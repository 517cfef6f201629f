/**
 * One agent turn on a small site in a git repository, undone in five ways on fresh copies, each compared byte for byte
 * with the folder as it was right before the turn.
 */

import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { practiceAgent } from '../../electron/agent/index.ts';
import { openSession } from '../../electron/session/index.ts';
import { DEFAULT_SETTINGS } from '../../shared/settings.ts';
import { type BenchCase, rowOf } from '../case.ts';

const run = promisify(execFile);

interface Way {
  readonly name: string;
  /** Works in a fresh copy of the site as it was before the turn: lets the agent's turn happen, then undoes it. */
  undo(folder: string): Promise<void>;
  readonly expected: readonly string[];
}

const WAYS: readonly Way[] = [
  { name: 'osFoundry Rewind', undo: rewindTurn, expected: [] },
  {
    name: 'git checkout -- .',
    undo: afterTurn(['checkout', '--', '.']),
    expected: ['.env', 'index.html', 'theme.css'],
  },
  { name: 'git stash -u', undo: afterTurn(['stash', '-u']), expected: ['.env', 'index.html', 'notes.md'] },
  {
    name: 'git checkout -- . and git clean -fd',
    undo: afterTurn(['checkout', '--', '.'], ['clean', '-fd']),
    expected: ['.env', 'index.html', 'notes.md'],
  },
  { name: 'git stash create before the turn', undo: stashCreatedBefore, expected: ['.env', 'theme.css'] },
];

const STYLES_BEFORE = lines(106, (line) => `.section-${line} {\n  margin: ${line}px; }`);
const STYLES_AFTER = lines(41, (line) => `.s${line} { margin: ${line}px; }`);
const APP_BEFORE =
  'const api = fetch(window.API_URL);\napi.then((answer) => answer.json()).then(render);\nfunction render(data) {\n  document.title = data.title;\n}\n';
const APP_AFTER =
  "import { render } from './render.js';\n\nconst answer = await fetch(window.API_URL);\nrender(await answer.json());\n";
const page = (title: string, styles: readonly string[]): string =>
  `<!doctype html>\n<title>${title}</title>\n${styles.map((style) => `<link rel="stylesheet" href="${style}">\n`).join('')}<script src="app.js"></script>\n`;
const NEW_TITLE = 'A title that is not committed yet';

/** The turn as the practice agent is told it. */
const TURN = [
  { tool: 'write_file', path: 'styles.css', content: STYLES_AFTER },
  { tool: 'write_file', path: 'index.html', content: page(NEW_TITLE, ['styles.css', 'theme.css']) },
  { tool: 'write_file', path: 'app.js', content: APP_AFTER },
  { tool: 'edit_file', path: '.env', old: 'https://api.example.com', new: 'http://localhost:3000' },
  { tool: 'write_file', path: 'theme.css', content: ':root { color-scheme: light dark; }\n' },
];

export const fiveWays: BenchCase = {
  name: 'five-ways',
  about:
    'files that differ from the folder before the turn, after undoing the turn in five ways (must: none for ours)',
  async run(say) {
    const work = await mkdtemp(join(tmpdir(), 'rewind-five-ways-'));
    try {
      const site = join(work, 'site');
      await makeSite(site);
      const differing = new Map<string, string[]>();
      for (const [index, way] of WAYS.entries()) {
        const copy = join(work, `way-${index}`);
        await cp(site, copy, { recursive: true, preserveTimestamps: true });
        await way.undo(copy);
        differing.set(way.name, await differences(site, copy));
      }
      const [ours = [], ...peers] = WAYS.map(({ name }) => differing.get(name) ?? []);
      for (const { name, expected } of WAYS) {
        const found = differing.get(name) ?? [];
        const remark = found.join(' ') === expected.join(' ') ? '' : `   (expected: [${expected.join(' ')}])`;
        say(`  ${name.padEnd(36)} [${found.join(' ')}]${remark}`);
      }
      return WAYS.slice(1).map(({ name }, index) =>
        rowOf(
          { name: 'differing files', unit: 'files', peer: name, must: 0, goal: 0 },
          [ours.length],
          [peers[index]?.length ?? 0],
        ),
      );
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  },
};

async function makeSite(site: string): Promise<void> {
  await mkdir(site);
  const write = (name: string, text: string): Promise<void> => writeFile(join(site, name), text);
  await write('index.html', page('A tiny site', ['styles.css']));
  await write('styles.css', STYLES_BEFORE);
  await write('app.js', APP_BEFORE);
  await write('.env', 'API_URL=https://api.example.com\nSECRET=not for git\n');
  await write('.gitignore', '.env\n');
  await git(site, ['init', '-q', '-b', 'main']);
  await git(site, ['add', '-A']);
  await git(site, ['commit', '-q', '-m', 'A tiny site']);
  await write('index.html', page(NEW_TITLE, ['styles.css']));
  await write('notes.md', '# Begun, not committed\n');
}

async function rewindTurn(folder: string): Promise<void> {
  const session = await openSession({
    folder,
    access: 'write',
    settings: DEFAULT_SETTINGS,
    agentOf: () => practiceAgent,
    holder: 'the benchmark',
    backgroundBaseline: false,
  });
  try {
    const { turn, status } = await session.send(JSON.stringify(TURN), { agentId: 'practice', mode: 'full' });
    if (status !== 'done') throw new Error(`The practice agent's turn ended as ${status}.`);
    await session.rewind({ turn, scope: 'files-and-chat', conflicts: 'abort' });
  } finally {
    await session.close();
  }
}

function afterTurn(...commands: readonly string[][]): (folder: string) => Promise<void> {
  return async (folder) => {
    await playTurn(folder);
    for (const command of commands) await git(folder, command);
  };
}

async function stashCreatedBefore(folder: string): Promise<void> {
  const { stdout } = await git(folder, ['stash', 'create']);
  await playTurn(folder);
  await git(folder, ['checkout', stdout.trim(), '--', '.']);
}

/** The same changes as TURN, made by hand, for the ways that know nothing of our tools. */
async function playTurn(folder: string): Promise<void> {
  for (const call of TURN) {
    const file = join(folder, call.path);
    const content = call.content ?? (await readFile(file, 'utf8')).replace(call.old ?? '', call.new ?? '');
    await writeFile(file, content);
  }
}

/** Names whose bytes differ or that only one side has; git's and our own data aside. */
async function differences(before: string, after: string): Promise<string[]> {
  const namesIn = async (folder: string): Promise<string[]> =>
    (await readdir(folder)).filter((name) => name !== '.git' && name !== '.osfoundry');
  const names = new Set([...(await namesIn(before)), ...(await namesIn(after))]);
  const different: string[] = [];
  for (const name of [...names].sort()) {
    const [a, b] = await Promise.all(
      [before, after].map((folder) => readFile(join(folder, name)).catch(() => null)),
    );
    if (a == null || b == null || !a.equals(b)) different.push(name);
  }
  return different;
}

function git(folder: string, args: readonly string[]): Promise<{ stdout: string }> {
  const identity = [
    '-c',
    'user.name=Bench',
    '-c',
    'user.email=bench@example.com',
    '-c',
    'core.autocrlf=false',
  ];
  return run('git', [...identity, ...args], {
    cwd: folder,
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
  });
}

function lines(count: number, text: (line: number) => string): string {
  return Array.from({ length: count }, (_, index) => `${text(index + 1)}\n`).join('');
}
