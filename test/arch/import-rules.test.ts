import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { violationsIn } from './rules.ts';

/** Also files that are not committed yet: the rules hold while one works, too. */
function sourceFiles(): string[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '-co', '--exclude-standard', '--', 'electron', 'renderer', 'shared'],
    { encoding: 'utf8' },
  );
  return listed.split('\n').filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'));
}

describe('import rules', () => {
  it('every source file keeps them', () => {
    const files = sourceFiles();
    expect(files.length).toBeGreaterThan(20);
    expect(files.flatMap((path) => violationsIn({ path, text: readFileSync(path, 'utf8') }))).toEqual([]);
  });

  it.each([
    [
      'electron/agent/practice/plan.ts',
      "import { openStore } from '../../store/index.ts';",
      /agent may import shared, base/,
    ],
    [
      'electron/store/turns.ts',
      "import { createFunnel } from '../workspace/index.ts';",
      /store may import shared, base/,
    ],
    [
      'electron/workspace/funnel.ts',
      "import type { CheckpointStore } from '../store/types.ts';",
      /workspace may import shared, base/,
    ],
    ['electron/session/session.ts', "import { app } from 'electron';", /Electron stays at the edge/],
    ['electron/store/turns.ts', "import Database from 'better-sqlite3';", /one owner/],
    ['shared/history.ts', "import { join } from 'node:path';", /runs without Node/],
    [
      'renderer/main.tsx',
      "import { openStore } from '../electron/store/index.ts';",
      /renderer may import shared/,
    ],
    ['renderer/main.tsx', "const fs = await import('node:fs');", /runs without Node/],
    ['electron/base/hash.ts', "export { labelOf } from '../session/session.ts';", /base may import shared/],
    [
      'electron/session/session.ts',
      "import { writeFile } from 'node:fs/promises';\nawait writeFile('a', 'b');",
      /calls writeFile of node:fs/,
    ],
    [
      'electron/rewind/apply.ts',
      "import * as fs from 'node:fs';\nfs.promises.rm('a');",
      /calls rm of node:fs/,
    ],
    [
      'electron/rewind/apply.ts',
      "import fs from 'node:fs';\nfs.unlinkSync('a');",
      /calls unlinkSync of node:fs/,
    ],
    ['electron/helpers.ts', '', /stands in no room/],
  ])('a planted violation in %s is found: %s', (path, text, reason) => {
    expect(violationsIn({ path, text }).join('\n')).toMatch(reason);
  });

  it('what is allowed passes', () => {
    expect(
      violationsIn({ path: 'electron/store/db.ts', text: "import Database from 'better-sqlite3';" }),
    ).toEqual([]);
    expect(
      violationsIn({
        path: 'electron/app/main.ts',
        text: "import { app } from 'electron';\nimport { runCli } from '../cli/run.ts';",
      }),
    ).toEqual([]);
    expect(
      violationsIn({
        path: 'electron/rewind/plan.ts',
        text: "import type { CaptureRow } from '../store/types.ts';",
      }),
    ).toEqual([]);
  });
});
