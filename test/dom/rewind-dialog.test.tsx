import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { asTurnNumber } from '../../shared/ids.ts';
import { FakeBridge, Refusal, SNAPSHOT } from './fake-bridge.ts';
import { messageBox, openWindow, settle } from './open-window.tsx';
import { entry, plan, planItem, report } from './samples.ts';

const history = [entry(4), entry(3, { status: 'rewound' }), entry(2), entry(1)];
const dialog = () => screen.getByRole('dialog', { name: 'Rewind' });
const noDialog = () => expect(screen.queryByRole('dialog', { name: 'Rewind' })).toBeNull();
const option = (name: string | RegExp) => within(dialog()).getByRole('option', { name });
const rewindButton = () => within(dialog()).getByRole<HTMLButtonElement>('button', { name: 'Rewind' });

function bridgeWith(items = [planItem('a.txt')]) {
  return new FakeBridge({
    'history:list': () => history,
    'rewind:plan': ({ turn }) => plan(Number(turn), items),
    'rewind:apply': () => report(),
    'rewind:preview': ({ path }) => ({ path, kind: 'text', unified: '', added: 0, removed: 0 }),
  });
}

const changes = (bridge: FakeBridge) =>
  bridge.asked.filter(({ channel }) => channel === 'rewind:apply' || channel === 'rewind:redo');

describe('opening', () => {
  test('Esc Esc in an empty message opens it with Now selected, and Enter closes it', async () => {
    const bridge = bridgeWith();
    const user = await openWindow(bridge);
    await user.type(messageBox(), '{Escape}{Escape}');
    expect(option(/^Now/).getAttribute('aria-selected')).toBe('true');
    expect(rewindButton().disabled).toBe(true);
    await user.keyboard('{Enter}');
    noDialog();
    expect(bridge.requestsOf('rewind:plan')).toEqual([]);
  });

  test('Esc Esc in a message with text does nothing', async () => {
    const user = await openWindow(bridgeWith());
    await user.type(messageBox(), 'text{Escape}{Escape}');
    noDialog();
    expect(messageBox().value).toBe('text');
  });

  test('no chain of Esc and Enter alone asks for a change', async () => {
    const bridge = bridgeWith();
    const user = await openWindow(bridge);
    await user.click(messageBox());
    // Every chain of six presses.
    for (let chain = 0; chain < 2 ** 6; chain++) {
      const keys = [...chain.toString(2).padStart(6, '0')].map((bit) =>
        bit === '1' ? '{Enter}' : '{Escape}',
      );
      await user.keyboard(keys.join(''));
    }
    expect(changes(bridge)).toEqual([]);
    expect(bridge.requestsOf('session:send')).toEqual([]);
  });

  test('/rewind 2 and /rewind last open it with that turn selected', async () => {
    const user = await openWindow(bridgeWith());
    await user.type(messageBox(), '/rewind 2{Enter}');
    expect(option(/Prompt of 2/).getAttribute('aria-selected')).toBe('true');
    await user.click(within(dialog()).getByRole('button', { name: 'Cancel' }));
    await user.type(messageBox(), '/rewind last{Enter}');
    expect(option(/Prompt of 4/).getAttribute('aria-selected')).toBe('true');
  });

  test('a rewound turn can’t be selected and says why', async () => {
    const user = await openWindow(bridgeWith());
    await user.type(messageBox(), '/rewind 3{Enter}');
    expect(option(/^Now/).getAttribute('aria-selected')).toBe('true');
    expect(within(dialog()).getByText(/Turn 3 is already rewound/)).toBeDefined();
    expect(option(/Prompt of 3.*already rewound/).getAttribute('aria-disabled')).toBe('true');
    await user.click(option(/Prompt of 3/));
    expect(option(/^Now/).getAttribute('aria-selected')).toBe('true');
  });

  test('a turn that does not exist is an error where it was typed', async () => {
    const user = await openWindow(bridgeWith());
    await user.type(messageBox(), '/rewind 99{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain('There is no turn 99');
    expect(messageBox().value).toBe('/rewind 99');
    noDialog();
  });
});

describe('deciding', () => {
  test('the arrows walk over rewound turns, and the plan of the selected turn is shown', async () => {
    const bridge = bridgeWith([planItem('a.txt'), planItem('made.txt', { action: 'delete' })]);
    const user = await openWindow(bridge);
    await user.type(messageBox(), '{Escape}{Escape}');
    await user.keyboard('{ArrowDown}{ArrowDown}');
    expect(option(/Prompt of 2/).getAttribute('aria-selected')).toBe('true');
    const region = within(dialog()).getByRole('region', { name: 'What will change' });
    await within(region).findByText('a.txt');
    expect(within(region).getByRole('heading', { name: 'Will be deleted' })).toBeDefined();
    // Walking past turn 4 did not ask for its plan.
    expect(bridge.requestsOf('rewind:plan').map(({ turn }) => turn)).toEqual([2]);
    expect(rewindButton().disabled).toBe(false);
  });

  test('Enter on a turn goes on to the plan and begins nothing', async () => {
    const bridge = bridgeWith();
    const user = await openWindow(bridge);
    await user.type(messageBox(), '/rewind 4{Enter}');
    await within(dialog()).findByText('a.txt');
    await user.keyboard('{Enter}{Enter}{Enter}');
    expect(document.activeElement).toBe(within(dialog()).getByRole('region', { name: 'What will change' }));
    expect(changes(bridge)).toEqual([]);
  });

  test('Rewind waits until every conflict has its choice, and sends the choices', async () => {
    const bridge = bridgeWith([
      planItem('a.txt', { verdict: 'conflict' }),
      planItem('b.txt', { verdict: 'conflict' }),
      planItem('c.txt'),
    ]);
    const user = await openWindow(bridge);
    await user.type(messageBox(), '/rewind 2{Enter}');
    const choice = async (path: string, name: string) =>
      within(await within(dialog()).findByRole('radiogroup', { name: path })).getByRole('radio', { name });
    expect((await within(dialog()).findByText('2 conflicts are undecided.')).textContent).toBeDefined();
    expect(rewindButton().disabled).toBe(true);
    await user.click(await choice('a.txt', 'Go back'));
    expect(rewindButton().disabled).toBe(true);
    await user.click(await choice('b.txt', 'Keep mine'));
    const scope = within(dialog()).getByRole('radiogroup', { name: 'Restore' });
    await user.click(within(scope).getByRole('radio', { name: 'Files only' }));
    await user.click(rewindButton());
    expect(bridge.requestsOf('rewind:apply')).toEqual([
      {
        workspaceId: 'w1',
        turn: 2,
        planId: 'f'.repeat(64),
        scope: 'files-only',
        conflicts: 'abort',
        choices: { 'a.txt': 'go-back', 'b.txt': 'keep-mine' },
      },
    ]);
    noDialog();
    await waitFor(() => expect(document.activeElement).toBe(messageBox()));
  });

  test('one press decides all conflicts', async () => {
    const items = [planItem('a.txt', { verdict: 'conflict' }), planItem('b.txt', { verdict: 'conflict' })];
    const bridge = bridgeWith(items);
    const user = await openWindow(bridge);
    await user.type(messageBox(), '/rewind 2{Enter}');
    await user.click(await within(dialog()).findByRole('button', { name: 'Keep all mine' }));
    await user.click(rewindButton());
    expect(bridge.requestsOf('rewind:apply')[0]?.choices).toEqual({
      'a.txt': 'keep-mine',
      'b.txt': 'keep-mine',
    });
  });

  test('what can’t be restored and what is not covered is said with its reason', async () => {
    const bridge = bridgeWith();
    bridge.answer('rewind:plan', () =>
      plan(
        2,
        [planItem('film.mp4', { verdict: 'skipped', action: 'none', reason: '12 MB, over the 8 MB limit' })],
        {
          notCovered: [{ path: 'node_modules', reason: 'a dependency folder' }],
          notes: ['This turn also made a commit: 1a2b -> 3c4d; a rewind leaves it.'],
        },
      ),
    );
    const user = await openWindow(bridge);
    await user.type(messageBox(), '/rewind 2{Enter}');
    for (const text of [/12 MB, over the 8 MB limit/, /a dependency folder/, /also made a commit/])
      expect(await within(dialog()).findByText(text)).toBeDefined();
  });
});

describe('when things change meanwhile', () => {
  test('a stale plan is fetched and shown again; nothing is applied', async () => {
    const bridge = bridgeWith();
    bridge.answer('rewind:apply', () => {
      throw new Refusal('plan-stale', 'Files changed since you looked.');
    });
    const user = await openWindow(bridge);
    await user.type(messageBox(), '/rewind 2{Enter}');
    await within(dialog()).findByText('a.txt');
    bridge.answer('rewind:plan', () => plan(2, [planItem('b.txt')]));
    await user.click(rewindButton());
    expect(await within(dialog()).findByText(/Files changed since you looked/)).toBeDefined();
    expect(await within(dialog()).findByText('b.txt')).toBeDefined();
    expect(bridge.requestsOf('rewind:plan')).toHaveLength(2);
  });

  test('while a turn runs it says so and offers to stop it; then the plan comes by itself', async () => {
    const bridge = bridgeWith();
    bridge.answer('session:snapshot', () => ({ ...SNAPSHOT, running: asTurnNumber(4) }));
    bridge.answer('session:stop', () => null);
    const user = await openWindow(bridge);
    await user.type(messageBox(), '/rewind 2{Enter}');
    expect(rewindButton().disabled).toBe(true);
    expect(bridge.requestsOf('rewind:plan')).toEqual([]);
    await user.click(within(dialog()).getByRole('button', { name: 'Stop the turn' }));
    expect(bridge.requestsOf('session:stop')).toHaveLength(1);
    await act(async () => bridge.session({ type: 'turn-ended', turn: asTurnNumber(4), outcome: 'stopped' }));
    expect(await within(dialog()).findByText('a.txt')).toBeDefined();
    expect(rewindButton().disabled).toBe(false);
  });

  test('any other refusal is shown in the dialog, which stays', async () => {
    const bridge = bridgeWith();
    bridge.answer('rewind:apply', () => {
      throw new Refusal('disk-full', 'The disk is full; nothing was changed.');
    });
    const user = await openWindow(bridge);
    await user.type(messageBox(), '/rewind 2{Enter}');
    await within(dialog()).findByText('a.txt');
    await user.click(rewindButton());
    expect((await within(dialog()).findByRole('alert')).textContent).toContain('nothing was changed');
  });

  test('Cancel leaves no trace', async () => {
    const bridge = bridgeWith();
    const user = await openWindow(bridge);
    await user.type(messageBox(), '/rewind 2{Enter}');
    await within(dialog()).findByText('a.txt');
    await user.click(within(dialog()).getByRole('button', { name: 'Cancel' }));
    await settle();
    noDialog();
    expect(changes(bridge)).toEqual([]);
  });
});
