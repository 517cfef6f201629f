/**
 * Real third-party agents against the stub model server: each edits files and runs a command in a folder, through a real session, and
 * is rewound. Compared byte for byte and mode for mode; exit code 1 on any difference. `npm run test:agents [-- NAME…]`.
 */

import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createAcpAgent, startAgentProcess } from '../../electron/agent/acp/index.ts';
import { openSession, type Session, type TurnResult } from '../../electron/session/index.ts';
import { runQuietly } from '../../scripts/run-program.mjs';
import { DEFAULT_SETTINGS } from '../../shared/settings.ts';
import { type StubAnswer, StubModelServer } from '../helpers/stub-model-server.ts';
import { treeOf } from '../helpers/tree.ts';
import { installed } from './install.ts';
import { REAL_AGENTS, type RealAgent } from './real-agents.ts';

interface Row {
  readonly agent: string;
  readonly version: string;
  readonly turn: string;
  readonly files: string;
  readonly rewound: string;
  readonly notes: string;
}

type Tree = Readonly<Record<string, string>>;

/** A repository with what git does not keep: an ignored file, untracked notes, a mode, a link, an empty folder. */
async function writeProject(root: string): Promise<void> {
  await mkdir(join(root, 'empty'));
  await writeFile(join(root, 'index.html'), '<h1>one</h1>\r\n<p>two</p>\r\n');
  await writeFile(join(root, 'run.sh'), '#!/bin/sh\necho hi\n');
  await chmod(join(root, 'run.sh'), 0o755);
  await writeFile(join(root, '.gitignore'), '.env\n');
  await symlink('index.html', join(root, 'link'));
  for (const words of [
    ['init', '-q'],
    ['add', '.'],
    [...AUTHOR, 'commit', '-qm', 'start'],
  ]) {
    const { code, output } = await runQuietly('git', words, { cwd: root });
    if (code !== 0) throw new Error(`git ${words.join(' ')} failed: ${output}`);
  }
  await writeFile(join(root, '.env'), 'API_URL=https://example.org\n', { mode: 0o600 });
  await writeFile(join(root, 'notes.md'), 'untracked notes\n');
}

const AUTHOR = ['-c', 'user.name=Nobody', '-c', 'user.email=nobody@example.org'];

/** What the model has each agent do in each turn, with the agent's own tools. */
const turnsOf = (agent: RealAgent, root: string): readonly StubAnswer[][] => {
  const at = (path: string): string => join(root, path);
  return [
    [
      agent.read(at('index.html')),
      agent.edit(at('index.html'), 'one', 'ONE'),
      agent.write(at('made/fresh.txt'), 'fresh\n'),
      agent.shell('sed -i s/https/http/ .env && chmod 644 .env run.sh && rm notes.md && ln -sf run.sh link'),
    ],
    [
      agent.read(at('made/fresh.txt')),
      agent.write(at('made/fresh.txt'), 'fresher\n'),
      agent.shell(
        'mv index.html moved.html && rmdir empty && mkdir -p a/b && printf "\\377\\000" > a/b/bytes',
      ),
    ],
  ];
};

async function tryAgent(agent: RealAgent): Promise<Row[]> {
  const scratch = await realpath(await mkdtemp(join(tmpdir(), 'rewind-agents-')));
  const stub = new StubModelServer();
  await stub.start();
  try {
    const [root, home] = [join(scratch, 'project'), join(scratch, 'home')];
    for (const folder of [root, home]) await mkdir(folder);
    await writeProject(root);
    for (const [path, content] of Object.entries(agent.settings(stub))) {
      await mkdir(dirname(join(home, path)), { recursive: true });
      await writeFile(join(home, path), JSON.stringify(content));
    }
    const others = Object.entries(process.env).filter(([name]) => !name.startsWith('XDG_'));
    const environment = { ...Object.fromEntries(others), HOME: home, ...agent.environment(stub) };
    const session = await openSession({
      folder: root,
      access: 'write',
      settings: DEFAULT_SETTINGS,
      agentOf: () => external,
      holder: 'the test of real agents',
      backgroundBaseline: false,
    });
    const external = createAcpAgent({
      id: agent.name,
      name: agent.name,
      command: await installed(agent),
      root: session.root,
      start: startAgentProcess(session.root, environment),
    });
    try {
      return await tryTurns(agent, session, stub);
    } finally {
      await session.close();
    }
  } finally {
    await stub.stop();
    await rm(scratch, { recursive: true, force: true });
  }
}

async function tryTurns(agent: RealAgent, session: Session, stub: StubModelServer): Promise<Row[]> {
  let asked = 0;
  const errors: string[] = [];
  session.subscribe((event) => {
    if (event.type === 'message-added' && event.message.item.type === 'notice') {
      if (event.message.item.level === 'error') errors.push(event.message.item.text);
    }
    if (event.type !== 'approval-requested') return;
    asked += 1;
    queueMicrotask(() => session.answerApproval(event.request.approvalId, 'allow-once'));
  });
  const trees: Tree[] = [await treeOf(session.root)];
  const done: { readonly result: TurnResult; readonly asked: number }[] = [];
  for (const answers of turnsOf(agent, session.root)) {
    const script = [...answers];
    // Questions beside the conversation (a title, a check) bring no tools along.
    stub.respond = ({ body }) => (hasTools(body) ? (script.shift() ?? { text: 'Done.' }) : { text: 'ok' });
    asked = 0;
    const result = await session.send('Do as you are told.', { agentId: agent.name, mode: 'ask' });
    if (script.length > 0)
      throw new Error(`${agent.name} left ${script.length} calls undone: ${errors.join(' ')}`);
    done.push({ result, asked });
    trees.push(await treeOf(session.root));
  }
  const rows: Row[] = [];
  for (const [index, { result, asked: questions }] of [...done.entries()].reverse()) {
    const before = trees[index] ?? {};
    const report = await session.rewind({ turn: result.turn, scope: 'files-and-chat', conflicts: 'abort' });
    const problems = [
      ...(result.status === 'done' ? [] : [`turn ${result.status}`]),
      ...(result.files.length === 0 ? ['nothing was changed'] : []),
      ...(questions === 0 ? ['it asked nobody'] : []),
      ...result.notCovered.map(({ path, reason }) => `not covered: ${path} (${reason})`),
      ...report.failed.map(({ path, reason }) => `failed: ${path} (${reason})`),
      ...differences(before, await treeOf(session.root)),
    ];
    rows.unshift({
      agent: agent.name,
      version: agent.version,
      turn: String(result.turn),
      files: result.files.map(({ path, change }) => `${MARK[change]}${path}`).join(' '),
      rewound: problems.length === 0 ? 'identical' : 'DIFFERS',
      notes: [`${questions} questions`, ...problems].join('; '),
    });
  }
  const { ok } = await session.verify();
  if (!ok) throw new Error(`The history of ${agent.name} is damaged.`);
  return rows;
}

const MARK = { created: '+', modified: '~', deleted: '-', mode: '%' } as const;

const hasTools = (body: Record<string, unknown>): boolean =>
  Array.isArray(body.tools) && body.tools.length > 0;

const differences = (expected: Tree, found: Tree): string[] =>
  [...new Set([...Object.keys(expected), ...Object.keys(found)])]
    .filter((path) => expected[path] !== found[path])
    .map((path) => `${path} is not as it was`);

function printTable(rows: readonly Row[]): void {
  const columns = ['agent', 'version', 'turn', 'files', 'rewound', 'notes'] as const;
  const head = Object.fromEntries(columns.map((column) => [column, column])) as Record<keyof Row, string>;
  const widths = columns.map((column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  for (const row of [head, ...rows]) {
    const line = columns.map((column, index) => row[column].padEnd(widths[index] ?? 0)).join(' | ');
    process.stdout.write(`${line.trimEnd()}\n`);
  }
}

const wanted = process.argv.slice(2);
const rows: Row[] = [];
for (const agent of REAL_AGENTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  rows.push(
    ...(await tryAgent(agent).catch((error: unknown) => [
      {
        agent: agent.name,
        version: agent.version,
        turn: '-',
        files: '',
        rewound: 'NOT TRIED',
        notes: error instanceof Error ? error.message : String(error),
      },
    ])),
  );
}
printTable(rows);
process.exitCode = rows.length > 0 && rows.every(({ rewound }) => rewound === 'identical') ? 0 : 1;
