/** Going back: files, chat or both; the old branch stays readable, and the agent knows what it must. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PriorMessage } from '../../electron/agent/index.ts';
import { asTurnNumber } from '../../shared/ids.ts';
import type { RestoreScope } from '../../shared/rewind.ts';
import type { SessionEvent } from '../../shared/transcript.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { agentThat, sessionOn, type TestSession } from '../helpers/session.ts';

let folder: string;
let test: TestSession;
let context: readonly PriorMessage[];

/** Writes what the message says to a.txt, and remembers what it was told before. */
const scribe = agentThat('scribe', async ({ prompt, history }, ports) => {
  context = history;
  await ports.callTool('write_file', { path: 'a.txt', content: prompt });
  ports.say(`wrote ${prompt}`);
});

beforeEach(async () => {
  folder = await temporaryFolder();
  await writeFile(join(folder, 'a.txt'), 'start');
  test = await sessionOn(folder, [scribe]);
});

const text = (): Promise<string> => readFile(join(folder, 'a.txt'), 'utf8');
const send = (prompt: string) => test.session.send(prompt, { agentId: 'scribe', mode: 'full' });
const goBack = (turn: number, scope: RestoreScope) =>
  test.session.rewind({ turn: asTurnNumber(turn), scope, conflicts: 'abort' });
const said = (): string[] =>
  test.session.snapshot().messages.flatMap(({ item }) => ('text' in item ? [item.text] : [item.type]));
const moves = (): (string | null)[] =>
  test.events
    .filter((event): event is Extract<SessionEvent, { type: 'chat-moved' }> => event.type === 'chat-moved')
    .map(({ draft }) => draft);

describe('files and chat', () => {
  it('goes back with both; the prompt returns, the old branch stays readable, and redo brings all back', async () => {
    await send('one');
    await send('two');
    const before = said();
    const report = await goBack(2, 'files-and-chat');
    expect(report).toMatchObject({ rewind: 3, turn: 2, scope: 'files-and-chat', restored: ['a.txt'] });
    expect(await text()).toBe('one');
    expect(moves()).toEqual(['two']);
    expect(said()).toEqual(['one', 'tool', 'wrote one', 'turn-end', 'rewind']);
    expect(test.session.snapshot()).toMatchObject({ redoable: true, hasOtherBranches: true });
    const [old] = test.session.branches();
    const branch = test.session.branch(old!.id).map(({ item }) => item);
    expect(branch).toContainEqual({ type: 'user', text: 'two' });

    await test.session.redo();
    expect(await text()).toBe('two');
    expect(said()).toEqual([...before, 'rewind']);
    expect(moves()).toEqual(['two', null]);
    expect(test.session.snapshot().redoable).toBe(false);
  });

  it('leaves nothing of the undone turns in what the agent is told', async () => {
    await send('one');
    await send('two');
    await goBack(2, 'files-and-chat');
    await send('three');
    expect(context.map(({ role, text: prior }) => [role, prior])).toEqual([
      ['user', 'one'],
      ['tool', 'write a.txt'],
      ['assistant', 'wrote one'],
    ]);
    expect(test.session.snapshot().redoable).toBe(false);
    await expect(test.session.redo()).rejects.toMatchObject({ code: 'nothing-to-redo' });
  });

  it('goes back to the very start', async () => {
    await send('one');
    await goBack(1, 'files-and-chat');
    expect(await text()).toBe('start');
    expect(said()).toEqual(['rewind']);
    expect(moves()).toEqual(['one']);
  });

  it('can be undone after a restart', async () => {
    await send('one');
    await goBack(1, 'files-and-chat');
    await test.session.close();
    test = await sessionOn(folder, [scribe]);
    expect(test.session.snapshot().redoable).toBe(true);
    await test.session.redo();
    expect(await text()).toBe('one');
    expect(said()).toEqual(['one', 'tool', 'wrote one', 'turn-end', 'rewind']);
  });
});

describe('files only', () => {
  it('keeps the chat and tells the agent which files went back', async () => {
    await send('one');
    await goBack(1, 'files-only');
    expect(await text()).toBe('start');
    expect(said()).toEqual(['one', 'tool', 'wrote one', 'turn-end', 'rewind']);
    expect(moves()).toEqual([]);
    await send('two');
    expect(context.at(-1)).toMatchObject({ role: 'note', text: expect.stringContaining('a.txt') });
  });
});

describe('chat only', () => {
  it('moves the chat and no file, and redo moves it back', async () => {
    await send('one');
    await send('two');
    const report = await goBack(2, 'chat-only');
    expect(report).toMatchObject({ scope: 'chat-only', restored: [], deleted: [], failed: [] });
    expect(await text()).toBe('two');
    expect(said()).toEqual(['one', 'tool', 'wrote one', 'turn-end', 'rewind']);
    expect(moves()).toEqual(['two']);
    expect(test.session.history()[1]).toMatchObject({ turn: 2, status: 'kept' });

    expect(await test.session.planRedo()).toMatchObject({ kind: 'redo', items: [] });
    await test.session.redo();
    expect(await text()).toBe('two');
    expect(said()).toContain('wrote two');
    await goBack(1, 'files-and-chat');
    expect(await text()).toBe('start');
  });
});

describe('choices and refusals', () => {
  it('decides each conflict as the person chose, and the rest by the default', async () => {
    await test.session.send('write b: 1\nwrite c: 1', { agentId: 'practice', mode: 'full' });
    for (const name of ['b', 'c']) await writeFile(join(folder, name), 'mine');
    const plan = await test.session.plan('last');
    expect(plan.items.map(({ path, verdict }) => [path, verdict])).toEqual([
      ['b', 'conflict'],
      ['c', 'conflict'],
    ]);
    await expect(goBack(1, 'files-only')).rejects.toMatchObject({ code: 'conflicts' });
    const preview = await test.session.previewItem(asTurnNumber(1), 'b');
    expect(preview).toMatchObject({ path: 'b', kind: 'text', unified: expect.stringContaining('-mine') });
    const report = await test.session.rewind({
      turn: 'last',
      scope: 'files-only',
      planId: plan.planId,
      conflicts: 'keep',
      choices: { b: 'go-back' },
    });
    expect(report).toMatchObject({ deleted: ['b'], kept: ['c'], conflicts: ['b', 'c'] });
  });

  it('refuses a rewind of a rewind, and says what to use', async () => {
    await send('one');
    await goBack(1, 'files-only');
    await expect(goBack(2, 'files-only')).rejects.toMatchObject({ message: expect.stringMatching(/redo/i) });
  });

  it('counts lines for the history panel', async () => {
    await test.session.send('[{"tool":"write_file","path":"a.txt","content":"x\\ny\\n"}]', {
      agentId: 'practice',
      mode: 'full',
    });
    await expect
      .poll(() => test.session.history()[0]?.captures[0])
      .toMatchObject({ path: 'a.txt', change: 'modified', inForce: true, lines: { added: 2, removed: 1 } });
  });

  it('a folder that can only be read can be looked at and planned, and nothing more', async () => {
    await send('one');
    await test.session.close();
    test = await sessionOn(folder, [scribe], { access: 'read' });
    expect(test.session.snapshot()).toMatchObject({ readOnly: true });
    expect((await test.session.plan('last')).items).toHaveLength(1);
    await expect(send('two')).rejects.toMatchObject({ code: 'folder-read-only' });
    await expect(goBack(1, 'files-only')).rejects.toMatchObject({ code: 'folder-read-only' });
  });
});
