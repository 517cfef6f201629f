import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { asMessageId, asTurnNumber } from '../../shared/ids.ts';
import { APP_STATE, FakeBridge, SNAPSHOT } from './fake-bridge.ts';
import { messageBox, openWindow } from './open-window.tsx';
import { entry, message, plan, planItem, report } from './samples.ts';

const conversation = () => screen.getByRole('log', { name: 'Conversation' });
const historyPanel = () => screen.getByRole('complementary', { name: 'History' });
const turns = () =>
  within(within(historyPanel()).getByRole('list', { name: 'Turns' })).getAllByRole('listitem');

describe('the conversation', () => {
  test('shows streamed text before the message is whole', async () => {
    const bridge = new FakeBridge();
    await openWindow(bridge);
    await act(async () => {
      bridge.session({ type: 'message-added', message: message(1, { type: 'assistant', text: '' }) });
      bridge.session({ type: 'text-delta', id: asMessageId(1), delta: 'Once **upon** ' });
      bridge.session({ type: 'text-delta', id: asMessageId(1), delta: 'a time' });
    });
    await waitFor(() => expect(conversation().textContent).toContain('Once upon a time'));
  });

  test('asks with the exact command, focuses the question and not a button, and sends the answer', async () => {
    const bridge = new FakeBridge({ 'session:answer-approval': () => null });
    const user = await openWindow(bridge);
    await act(async () => {
      bridge.session({ type: 'turn-started', turn: asTurnNumber(1) });
      bridge.session({
        type: 'approval-requested',
        request: {
          approvalId: 'a1',
          callId: 'c',
          tool: 'run_command',
          title: 'npm test',
          command: 'npm test && rm x',
        },
      });
    });
    const question = within(conversation()).getByRole('group', { name: 'Approval: npm test' });
    expect(within(question).getByText('npm test && rm x')).toBeDefined();
    expect(document.activeElement).toBe(question);
    await user.keyboard('{Enter}');
    expect(bridge.requestsOf('session:answer-approval')).toEqual([]);
    await user.click(within(question).getByRole('button', { name: 'Allow for this chat' }));
    expect(bridge.requestsOf('session:answer-approval')).toEqual([
      { workspaceId: 'w1', approvalId: 'a1', choice: 'allow-for-chat' },
    ]);
    await act(async () => bridge.session({ type: 'approval-resolved', approvalId: 'a1' }));
    expect(screen.queryByRole('group', { name: /^Approval/ })).toBeNull();
  });

  test('at the step limit the question is whether to go on, with no answer for the whole chat', async () => {
    const bridge = new FakeBridge({ 'session:answer-approval': () => null });
    const user = await openWindow(bridge);
    const title = 'The agent has made 50 requests in this turn. Go on?';
    await act(async () =>
      bridge.session({
        type: 'approval-requested',
        request: { approvalId: 'a1', callId: 'c', tool: 'continue', title },
      }),
    );
    const question = within(conversation()).getByRole('group', { name: `Approval: ${title}` });
    expect(
      within(question)
        .getAllByRole('button')
        .map((button) => button.textContent),
    ).toEqual(['Go on', 'Stop here']);
    await user.click(within(question).getByRole('button', { name: 'Stop here' }));
    expect(bridge.requestsOf('session:answer-approval')).toEqual([
      { workspaceId: 'w1', approvalId: 'a1', choice: 'deny' },
    ]);
  });

  test('a question does not take the focus from someone who writes', async () => {
    const bridge = new FakeBridge();
    const user = await openWindow(bridge);
    await user.type(messageBox(), 'in the middle of');
    await act(async () =>
      bridge.session({
        type: 'approval-requested',
        request: { approvalId: 'a1', callId: 'c', tool: 'run_command', title: 'ls' },
      }),
    );
    expect(document.activeElement).toBe(messageBox());
  });

  test('the report of a rewind names every failure with its reason, and undoes', async () => {
    const failed = [{ path: 'film.mp4', reason: '12 MB, over the 8 MB limit' }];
    const bridge = new FakeBridge({
      'session:snapshot': () => ({
        ...SNAPSHOT,
        redoable: true,
        messages: [message(1, { type: 'rewind', report: report({ restored: ['a.txt', 'b.txt'], failed }) })],
      }),
      'rewind:plan-redo': () => plan(9, [planItem('a.txt')], { kind: 'redo' }),
      'rewind:redo': () => report({ kind: 'redo' }),
    });
    const user = await openWindow(bridge);
    const entryOfRewind = within(conversation()).getByRole('region', { name: 'Rewound to before turn 1' });
    expect(entryOfRewind.textContent).toContain('2 files restored, 1 failed.');
    expect(within(entryOfRewind).getByText('film.mp4').parentElement?.textContent).toContain(
      'over the 8 MB limit',
    );
    await user.click(within(entryOfRewind).getByRole('button', { name: 'Undo rewind' }));
    await waitFor(() => expect(bridge.requestsOf('rewind:redo')).toHaveLength(1));
  });

  test('the end of a turn shows what is not covered, with the reason', async () => {
    const bridge = new FakeBridge({
      'session:snapshot': () => ({
        ...SNAPSHOT,
        messages: [
          message(1, {
            type: 'turn-end',
            outcome: 'done',
            files: [{ path: 'a.txt', change: 'created' }],
            notCovered: [{ path: 'node_modules', reason: 'left out by default' }],
          }),
        ],
      }),
    });
    await openWindow(bridge);
    expect(conversation().textContent).toContain('1 file changed');
    expect(conversation().textContent).toContain('node_modules left out by default');
  });

  test('hostile Markdown makes no HTML, no picture, and a link only through the question', async () => {
    const text =
      '<img src=x onerror=alert(1)> ![track](https://evil.example/p.png) [docs](https://example.org) [x](javascript:alert(1))';
    const bridge = new FakeBridge({
      'session:snapshot': () => ({ ...SNAPSHOT, messages: [message(1, { type: 'assistant', text })] }),
      'app:open-link': () => false,
    });
    const user = await openWindow(bridge);
    expect(conversation().querySelector('img')).toBeNull();
    expect(conversation().innerHTML).not.toContain('javascript:');
    await user.click(screen.getByRole('link', { name: 'docs' }));
    expect(bridge.requestsOf('app:open-link')).toEqual([{ url: 'https://example.org', fromAgent: true }]);
  });
});

describe('history', () => {
  const bridgeWithHistory = () =>
    new FakeBridge({
      'history:list': () => [
        entry(3, { kind: 'rewind', label: 'Back to before turn 2', target: asTurnNumber(2) }),
        entry(2, { status: 'rewound' }),
        entry(1),
      ],
      'rewind:plan': ({ turn }) => plan(Number(turn), [planItem('file-1.txt')]),
    });

  test('offers the way back for a kept turn, not for a rewound one or a rewind', async () => {
    const user = await openWindow(bridgeWithHistory());
    const [rewind, rewound, kept] = turns().filter((item) => item.parentElement?.tagName === 'OL');
    expect(within(rewind!).queryByRole('button', { name: 'Rewind to before this turn' })).toBeNull();
    const of = (item: HTMLElement) =>
      within(item).getByRole<HTMLButtonElement>('button', { name: 'Rewind to before this turn' });
    expect(of(rewound!).disabled).toBe(true);
    expect(kept!.textContent).toMatch(/Prompt of 1.*1 file.*\+2 −1/);
    await user.click(of(kept!));
    const dialog = screen.getByRole('dialog', { name: 'Rewind' });
    expect(
      within(dialog)
        .getByRole('option', { name: /Prompt of 1/ })
        .getAttribute('aria-selected'),
    ).toBe('true');
  });

  test('restores a single file through the dialog, files only', async () => {
    const bridge = bridgeWithHistory();
    const user = await openWindow(bridge);
    const kept = turns().find((item) => item.textContent?.includes('Prompt of 1'));
    await user.click(within(kept!).getByRole('button', { name: /^Prompt of 1/ }));
    await user.click(within(kept!).getByRole('button', { name: 'Restore this file' }));
    const dialog = screen.getByRole('dialog', { name: 'Rewind' });
    await within(dialog).findByText('file-1.txt');
    expect(bridge.requestsOf('rewind:plan')).toEqual([{ workspaceId: 'w1', turn: 1, paths: ['file-1.txt'] }]);
    expect(within(dialog).getByRole<HTMLInputElement>('radio', { name: 'Files only' }).checked).toBe(true);
  });

  test('follows a change of the history at once', async () => {
    const bridge = new FakeBridge();
    await openWindow(bridge);
    expect(historyPanel().textContent).toContain('Nothing happened yet');
    bridge.answer('history:list', () => [entry(1)]);
    await act(async () => bridge.session({ type: 'history-changed' }));
    await waitFor(() => expect(turns().length).toBeGreaterThan(0));
  });
});

describe('around the folder', () => {
  test('without a folder there is the start screen, with missing folders to remove', async () => {
    const recentFolders = [
      { recentId: 'r1', name: 'here', path: '/here', openedAtMs: 0, exists: true },
      { recentId: 'r2', name: 'gone', path: '/gone', openedAtMs: 0, exists: false },
    ];
    const bridge = new FakeBridge({
      'app:state': () => ({ ...APP_STATE, workspace: null, recentFolders }),
      'workspace:forget-recent': () => ({
        ...APP_STATE,
        workspace: null,
        recentFolders: recentFolders.slice(0, 1),
      }),
      'workspace:open-dialog': () => ({ kind: 'cancelled' }),
    });
    const user = await openWindow(bridge);
    const list = screen.getByRole('list', { name: 'Recent folders' });
    expect(within(list).getByRole<HTMLButtonElement>('button', { name: /^gone/ }).disabled).toBe(true);
    await user.click(within(list).getByRole('button', { name: 'Remove gone from the list' }));
    expect(within(list).queryByText('gone')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Open folder…' }));
    expect(bridge.requestsOf('workspace:open-dialog')).toHaveLength(1);
  });

  test('an unknown history is set aside unless the person says otherwise', async () => {
    const bridge = new FakeBridge({
      'app:state': () => ({ ...APP_STATE, workspace: null }),
      'workspace:answer-trust': () => ({ kind: 'cancelled' }),
    });
    const user = await openWindow(bridge);
    await act(async () =>
      bridge.emit({
        type: 'workspace-opened',
        opening: { kind: 'ask-trust', openingId: 'o1', path: '/cloned', turns: 4 },
      }),
    );
    const question = screen.getByRole('dialog', { name: 'This folder brings a history' });
    expect(document.activeElement).toBe(within(question).getByRole('button', { name: 'Set it aside' }));
    await user.keyboard('{Enter}');
    expect(bridge.requestsOf('workspace:answer-trust')).toEqual([{ openingId: 'o1', choice: 'set-aside' }]);
  });

  test('progress is named and appears only when it lasts', async () => {
    const bridge = new FakeBridge({
      'session:snapshot': () => ({
        ...SNAPSHOT,
        progress: [
          { id: 'p', name: 'Reading the folder', done: 5, total: 10, finished: false, stoppable: true },
        ],
      }),
      'session:stop-progress': () => null,
    });
    const user = await openWindow(bridge);
    expect(screen.queryByRole('progressbar')).toBeNull();
    const bar = await screen.findByRole('progressbar', { name: 'Reading the folder' });
    expect(bar.getAttribute('aria-valuenow')).toBe('50');
    await user.click(screen.getByRole('button', { name: 'Cancel reading the folder' }));
    expect(bridge.requestsOf('session:stop-progress')).toEqual([{ workspaceId: 'w1', progressId: 'p' }]);
  });
});
