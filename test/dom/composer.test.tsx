import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { asTurnNumber, asWorkspaceId } from '../../shared/ids.ts';
import { APP_STATE, FakeBridge, Refusal, SNAPSHOT, WORKSPACE } from './fake-bridge.ts';
import { closeWindow, messageBox, openWindow, settle } from './open-window.tsx';
import { entry, message, planItem, report } from './samples.ts';

const sendsWell = () => ({ turn: asTurnNumber(1) });

describe('sending', () => {
  test('Enter sends with the chosen agent and mode, and empties the message once it is recorded', async () => {
    const bridge = new FakeBridge({ 'session:send': sendsWell });
    const user = await openWindow(bridge);
    await user.type(messageBox(), 'write a.txt: x{Enter}');
    expect(bridge.requestsOf('session:send')).toEqual([
      { workspaceId: 'w1', text: 'write a.txt: x', agentId: 'practice', mode: 'ask' },
    ]);
    await waitFor(() => expect(messageBox().value).toBe(''));
  });

  test('Shift Enter is a new line, and so is nothing else', async () => {
    const bridge = new FakeBridge({ 'session:send': sendsWell });
    const user = await openWindow(bridge);
    await user.type(messageBox(), 'a{Shift>}{Enter}{/Shift}b');
    expect(messageBox().value).toBe('a\nb');
    expect(bridge.requestsOf('session:send')).toEqual([]);
  });

  test('Enter that confirms a composed character does not send', async () => {
    const bridge = new FakeBridge({ 'session:send': sendsWell });
    const user = await openWindow(bridge);
    await user.type(messageBox(), 'にほん');
    fireEvent.keyDown(messageBox(), { key: 'Enter', isComposing: true });
    await settle();
    expect(bridge.requestsOf('session:send')).toEqual([]);
  });

  test('a failed send keeps the text and says what to do', async () => {
    const bridge = new FakeBridge({
      'session:send': () => {
        throw new Refusal('disk-full', 'The disk is full; free some space and send again.');
      },
    });
    const user = await openWindow(bridge);
    await user.type(messageBox(), 'precious words{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain('free some space and send again');
    expect(messageBox().value).toBe('precious words');
  });

  test('while a turn runs there is Stop instead of Send, and the text stays', async () => {
    const bridge = new FakeBridge({
      'session:snapshot': () => ({ ...SNAPSHOT, running: asTurnNumber(4) }),
      'session:stop': () => null,
    });
    const user = await openWindow(bridge);
    await user.type(messageBox(), 'next{Enter}');
    expect(bridge.requestsOf('session:send')).toEqual([]);
    expect(messageBox().value).toBe('next');
    expect(screen.queryByRole('button', { name: 'Send' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Stop' }));
    expect(bridge.requestsOf('session:stop')).toHaveLength(1);
  });
});

describe('slash commands', () => {
  const commands = () => screen.getByRole('listbox', { name: 'Commands' });
  const active = () => within(commands()).getByRole('option', { selected: true }).getAttribute('aria-label');

  test('the arrows move, and the message says which command is active', async () => {
    const user = await openWindow(new FakeBridge());
    await user.type(messageBox(), '/');
    expect(within(commands()).getAllByRole('option')).toHaveLength(4);
    expect(active()).toBe('/rewind');
    await user.keyboard('{ArrowDown}{ArrowDown}');
    expect(active()).toBe('/diff');
    expect(messageBox().getAttribute('aria-activedescendant')).toBe('command-diff');
    await user.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}');
    expect(active()).toBe('/help');
  });

  test('Tab completes the name for its argument, Esc closes the list and keeps the text', async () => {
    const user = await openWindow(new FakeBridge());
    await user.type(messageBox(), '/rew{Tab}');
    expect(messageBox().value).toBe('/rewind ');
    expect(screen.queryByRole('listbox', { name: 'Commands' })).toBeNull();
    await user.clear(messageBox());
    await user.type(messageBox(), '/re{Escape}');
    expect(screen.queryByRole('listbox', { name: 'Commands' })).toBeNull();
    expect(messageBox().value).toBe('/re');
  });

  test('Enter runs the active command here; nothing reaches the agent', async () => {
    const bridge = new FakeBridge();
    const user = await openWindow(bridge);
    await user.type(messageBox(), '/he{Enter}');
    const help = await screen.findByRole('region', { name: 'Help' });
    expect(within(help).getByText('/rewind')).toBeDefined();
    expect(messageBox().value).toBe('');
    expect(bridge.requestsOf('session:send')).toEqual([]);
  });

  test('an unknown command is explained and kept', async () => {
    const bridge = new FakeBridge();
    const user = await openWindow(bridge);
    await user.type(messageBox(), '/undo now{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain('There is no command /undo');
    expect(messageBox().value).toBe('/undo now');
    expect(bridge.requestsOf('session:send')).toEqual([]);
  });

  test('/diff opens the changes of the turn', async () => {
    const bridge = new FakeBridge({
      'history:list': () => [entry(2), entry(1)],
      'history:diff': () => [],
    });
    const user = await openWindow(bridge);
    await user.type(messageBox(), '/diff 1{Enter}');
    expect(await screen.findByRole('region', { name: 'Changes of turn 1' })).toBeDefined();
    expect(bridge.requestsOf('history:diff')).toEqual([{ workspaceId: 'w1', turn: 1, path: 'file-1.txt' }]);
  });

  test('/redo without conflicts performs it; with conflicts it asks', async () => {
    const redo = {
      kind: 'redo',
      turn: asTurnNumber(9),
      planId: 'e'.repeat(64),
      undoes: [],
      notCovered: [],
      notes: [],
    };
    let items: unknown[] = [];
    const bridge = new FakeBridge({
      'rewind:plan-redo': () => ({ ...redo, items }) as never,
      'rewind:redo': () => report({ kind: 'redo' }),
    });
    const user = await openWindow(bridge);
    await user.type(messageBox(), '/redo{Enter}');
    await waitFor(() => expect(bridge.requestsOf('rewind:redo')).toHaveLength(1));
    expect(bridge.requestsOf('rewind:redo')[0]).toMatchObject({ planId: redo.planId, conflicts: 'abort' });
    items = [planItem('a.txt', { verdict: 'conflict' })];
    await user.type(messageBox(), '/redo{Enter}');
    expect(await screen.findByRole('dialog', { name: 'Undo rewind' })).toBeDefined();
    expect(bridge.requestsOf('rewind:redo')).toHaveLength(1);
  });
});

describe('the draft', () => {
  test('is there again after a restart, for its folder only', async () => {
    const user = await openWindow(new FakeBridge());
    await user.type(messageBox(), 'half a thought');
    closeWindow();
    await openWindow(new FakeBridge());
    expect(messageBox().value).toBe('half a thought');
    closeWindow();
    const other = { ...WORKSPACE, workspaceId: asWorkspaceId('w2'), path: '/elsewhere' };
    await openWindow(new FakeBridge({ 'app:state': () => ({ ...APP_STATE, workspace: other }) }));
    expect(messageBox().value).toBe('');
  });

  const moved = async (bridge: FakeBridge) => {
    bridge.answer('session:snapshot', () => ({
      ...SNAPSHOT,
      messages: [message(5, { type: 'rewind', report: report({ turn: asTurnNumber(3) }) })],
    }));
    bridge.session({ type: 'chat-moved', draft: 'the old prompt' });
    await settle();
  };

  test('takes the prompt that a rewind gives back where it is empty', async () => {
    const bridge = new FakeBridge();
    await openWindow(bridge);
    await moved(bridge);
    await waitFor(() => expect(messageBox().value).toBe('the old prompt'));
  });

  test('is never overwritten by it: the prompt is offered instead', async () => {
    const bridge = new FakeBridge();
    const user = await openWindow(bridge);
    await user.type(messageBox(), 'mine');
    await moved(bridge);
    const offer = await screen.findByRole('button', { name: 'Use the prompt of turn 3' });
    expect(messageBox().value).toBe('mine');
    await user.click(offer);
    expect(messageBox().value).toBe('the old prompt');
    expect(screen.queryByRole('button', { name: 'Use the prompt of turn 3' })).toBeNull();
  });
});

describe('the first run', () => {
  const first = (answers = {}) =>
    new FakeBridge({
      'app:state': () => ({ ...APP_STATE, firstRun: true }),
      'session:send': sendsWell,
      ...answers,
    });

  test('holds a message until an agent is chosen, then sends it', async () => {
    const bridge = first();
    const user = await openWindow(bridge);
    await user.type(messageBox(), 'Please tidy this folder{Enter}');
    expect(await screen.findByText(/Your message waits/)).toBeDefined();
    expect(messageBox().value).toBe('Please tidy this folder');
    expect(bridge.requestsOf('session:send')).toEqual([]);
    await user.click(screen.getByRole('button', { name: /Try the practice agent/ }));
    await waitFor(() => expect(bridge.requestsOf('session:send')).toHaveLength(1));
    expect(bridge.requestsOf('session:send')[0]).toMatchObject({
      text: 'Please tidy this folder',
      agentId: 'practice',
    });
  });

  test('sends the held message to the agent that was added, also when the first run ends before it is chosen', async () => {
    const bridge = first();
    const added = { ...APP_STATE.agents[0]!, id: '', name: 'opencode', kind: 'acp' as const };
    bridge.answer('agents:detect', () => ({
      localServers: [],
      keyVariables: [],
      installedAgents: [{ name: 'opencode', command: ['opencode', 'acp'] }],
    }));
    bridge.answer('agents:save-external', ({ agent }) => {
      bridge.emit({ type: 'app-state-changed', state: { ...APP_STATE, firstRun: false } });
      return [...APP_STATE.agents, { ...added, id: agent.id }];
    });
    const user = await openWindow(bridge);
    await user.type(messageBox(), 'Please tidy this folder{Enter}');
    await user.click(await screen.findByRole('button', { name: 'opencode' }));
    await waitFor(() => expect(bridge.requestsOf('session:send')).toHaveLength(1));
    const [saved] = bridge.requestsOf('agents:save-external');
    expect(bridge.requestsOf('session:send')[0]?.agentId).toBe(saved?.agent.id);
  });

  test('does not stand in the way of a message in the practice agent’s own words', async () => {
    const bridge = first();
    const user = await openWindow(bridge);
    await user.type(messageBox(), 'write a.txt: x{Enter}');
    await waitFor(() => expect(bridge.requestsOf('session:send')).toHaveLength(1));
  });

  test('a click on an example puts it into the message', async () => {
    const user = await openWindow(first());
    await user.click(screen.getByText('write notes.md: Ideas for the garden'));
    expect(messageBox().value).toBe('write notes.md: Ideas for the garden');
  });
});
