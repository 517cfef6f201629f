/** Paths that a model, a hostile folder or a tampered index may bring, against every tool: none reaches out of the folder. */

import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { nodeFileSystem } from '../../electron/base/file-system.ts';
import {
  type CaptureSink,
  createFunnel,
  openWorkspace,
  type Workspace,
  type WriteFunnel,
} from '../../electron/workspace/index.ts';
import { AppError } from '../../shared/errors.ts';
import { parseRelPath } from '../../shared/rel-path.ts';
import { temporaryFolder, treeOf } from '../helpers/folder.ts';
import { foldingFileSystem } from '../helpers/folding-file-system.ts';
import { funnelOn } from '../helpers/funnel.ts';
import { MemorySink } from '../helpers/memory-sink.ts';
import { ORDINARY, REFUSED, THROUGH_LINKS, WINDOWS_ONLY } from './path-table.ts';

type Tool = (funnel: WriteFunnel, sink: CaptureSink, path: string, workspace: Workspace) => Promise<unknown>;

const TOOLS: Readonly<Record<string, Tool>> = {
  contain: (_funnel, _sink, path, workspace) => workspace.contain(path),
  writeFile: (funnel, sink, path) => funnel.writeFile(sink, path, Buffer.from('evil')),
  editFile: (funnel, sink, path) => funnel.editFile(sink, path, { old: 'secret', new: 'evil' }),
  deletePath: (funnel, sink, path) => funnel.deletePath(sink, path),
  'deletePath, recursive': (funnel, sink, path) => funnel.deletePath(sink, path, { recursive: true }),
  'movePath from': (funnel, sink, path) => funnel.movePath(sink, path, 'moved'),
  'movePath to': (funnel, sink, path) => funnel.movePath(sink, 'a.txt', path),
  createDirectory: (funnel, sink, path) => funnel.createDirectory(sink, path),
  setMode: (funnel, sink, path) => funnel.setMode(sink, path, 0o777),
  setExecutable: (funnel, sink, path) => funnel.setExecutable(sink, path, true),
  createSymlink: (funnel, sink, path) => funnel.createSymlink(sink, path, 'a.txt'),
};

let cases = 0;
afterAll(() => console.log(`${cases} hostile paths and tools tried`));

/** base/outside with a secret, base/folder with what may lead there. */
async function makeFolders(): Promise<{ base: string; root: string }> {
  const base = await temporaryFolder();
  const root = join(base, 'folder');
  for (const directory of ['outside/deep', 'folder/d', 'folder/.git', 'folder/.osfoundry/checkpoints']) {
    mkdirSync(join(base, directory), { recursive: true });
  }
  writeFileSync(join(base, 'outside/secret.txt'), 'secret');
  for (const path of ['a.txt', 'd/b.txt', '.git/config', '.osfoundry/checkpoints/index.sqlite']) {
    writeFileSync(join(root, path), 'secret');
  }
  const links = {
    out: '../outside',
    'd/up': '../..',
    absolute: join(base, 'outside'),
    inside: 'd',
    'to-git': '.git',
    loop: 'loop',
    dangling: '../outside/new',
    chain: 'out',
    'secret-link': '../outside/secret.txt',
  };
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(root, path));
  return { base, root };
}

const everything = async (base: string): Promise<unknown> => ({
  all: await treeOf(base),
  outside: await treeOf(join(base, 'outside')),
  git: await treeOf(join(base, 'folder/.git')),
  own: await treeOf(join(base, 'folder/.osfoundry')),
});

describe('hostile paths', () => {
  it.each(Object.keys(TOOLS))('F20 F21 %s refuses every one of them, and changes nothing', async (tool) => {
    const { base, root } = await makeFolders();
    const { sink, funnel, workspace } = await funnelOn(root);
    const before = await everything(base);
    for (const [path, code] of [...REFUSED, ...THROUGH_LINKS]) {
      cases += 1;
      const error: unknown = await TOOLS[tool]!(funnel, sink, path, workspace).catch(
        (thrown: unknown) => thrown,
      );
      const shown = `${tool} ${JSON.stringify(path.slice(0, 60))}`;
      expect(error, shown).toBeInstanceOf(AppError);
      expect((error as AppError).code, shown).toBe(code);
      expect((error as AppError).message, shown).toMatch(/^[A-Zd].*\.$/s);
      expect((error as AppError).message.length, shown).toBeLessThan(500);
    }
    expect(await everything(base)).toEqual(before);
    expect(sink.log).toEqual([]);
  });

  it('F20 drives, shares, devices, streams and trailing dots are refused where they mean something', () => {
    for (const [path, code] of WINDOWS_ONLY) {
      cases += 1;
      expect(() => parseRelPath(path, { windows: true }), path).toThrow(expect.objectContaining({ code }));
    }
    for (const [path, code] of REFUSED) {
      cases += 1;
      expect(() => parseRelPath(path, { windows: true }), path.slice(0, 60)).toThrow(
        expect.objectContaining({ code }),
      );
    }
  });

  it.runIf(process.platform !== 'win32')(
    'F20 names that are only odd stay inside, under their own name',
    async () => {
      const { base, root } = await makeFolders();
      const outside = await treeOf(join(base, 'outside'));
      for (const name of [...ORDINARY, ...WINDOWS_ONLY.map(([path]) => path)]) {
        cases += 1;
        const { sink, funnel } = await funnelOn(root);
        await funnel.writeFile(sink, `odd/${name}`, Buffer.from('x'));
        expect([...sink.captures.keys()], name).toContain(`odd/${name}`);
        expect(readdirSync(join(root, 'odd'))).toEqual([name.split('/')[0]]);
        await funnel.deletePath(sink, 'odd', { recursive: true });
      }
      expect(await treeOf(join(base, 'outside'))).toEqual(outside);
    },
  );

  it('F21 another spelling that the disk takes for .git or .osfoundry is refused by identity', async () => {
    const { base, root } = await makeFolders();
    const aliases = { 'GIT~1': '.git', 'git~1': '.git', 'OSFOUN~1': '.osfoundry' };
    const workspace = await openWorkspace(root, { fs: foldingFileSystem(nodeFileSystem, root, aliases) });
    const funnel = createFunnel(workspace);
    const sink = new MemorySink();
    const before = await everything(base);
    for (const path of ['GIT~1', 'git~1/config', 'git~1/new/file', 'OSFOUN~1/checkpoints/index.sqlite']) {
      for (const [name, tool] of Object.entries(TOOLS)) {
        cases += 1;
        await expect(tool(funnel, sink, path, workspace), `${name} ${path}`).rejects.toMatchObject({
          code: 'path-reserved',
        });
      }
    }
    expect(await everything(base)).toEqual(before);
  });
});

/** The calls that change the folder. What is swapped in after the last look, right before one of them, is said in SPEC.md. */
const CHANGES = new Set(['unlink', 'rmdir', 'mkdir', 'rename', 'handle.chmod']);

describe('a directory is swapped for a symlink while a tool is at work', () => {
  const changing = Object.keys(TOOLS).filter((tool) => tool !== 'contain');

  /** Swaps `d` at the call with that number, and says at which call the tool came to its change. */
  async function swapAt(tool: string, at: number) {
    const { base, root } = await makeFolders();
    writeFileSync(join(base, 'outside/b.txt'), 'secret');
    const outside = await treeOf(join(base, 'outside'));
    const names: string[] = [];
    const { sink, funnel, workspace } = await funnelOn(root, {
      onCall: ({ name }) => {
        if (names.push(name) - 1 !== at) return;
        renameSync(join(root, 'd'), join(root, 'gone'));
        symlinkSync('../outside', join(root, 'd'));
      },
    });
    const path = tool === 'createDirectory' || tool === 'createSymlink' ? 'd/new' : 'd/b.txt';
    const error: unknown = await TOOLS[tool]!(funnel, sink, path, workspace).catch(
      (thrown: unknown) => thrown,
    );
    const isSame = isDeepStrictEqual(await treeOf(join(base, 'outside')), outside);
    return { error, isSame, sink, changeAt: names.findLastIndex((name) => CHANGES.has(name)) };
  }

  it.each(changing)('F20 %s: at any call before the change, nothing outside is touched', async (tool) => {
    const { changeAt } = await swapAt(tool, -1);
    expect(changeAt).toBeGreaterThan(5);
    // A move looks at its two ends one after the other; a mode is set through a handle, which stays at its file.
    const lastLook = ['movePath from', 'setMode', 'setExecutable'].includes(tool) ? 1 : 0;
    for (let at = 0; at < changeAt - lastLook; at += 1) {
      cases += 1;
      const { error, isSame, sink } = await swapAt(tool, at);
      expect(isSame, `${tool}, call ${at}`).toBe(true);
      expect(error, `${tool}, call ${at}`).toBeInstanceOf(AppError);
      // Our temporary file went away with the directory: then the capture goes on naming it.
      for (const path of sink.open())
        expect(sink.captures.get(path)?.temp, `${tool}, call ${at}`).not.toBeNull();
    }
  });
});
