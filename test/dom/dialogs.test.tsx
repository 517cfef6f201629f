import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { FakeBridge } from './fake-bridge.ts';
import { messageBox, openWindow } from './open-window.tsx';
import { entry, plan, planItem, report } from './samples.ts';

test('a dialog begins where a person begins, and one Esc closes it', async () => {
  const user = await openWindow(new FakeBridge());
  const opener = screen.getByRole('button', { name: 'Settings' });
  await user.click(opener);
  expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'General' }));
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(opener);
});

test('changes that cover the conversation make room for the report of a rewind', async () => {
  const bridge = new FakeBridge({
    'history:list': () => [entry(1)],
    'history:diff': () => [],
    'rewind:plan': () => plan(1, [planItem('a.txt')]),
    'rewind:apply': () => report(),
  });
  const user = await openWindow(bridge);
  await user.type(messageBox(), '/diff 1{Enter}');
  expect(await screen.findByRole('region', { name: 'Changes of turn 1' })).toBeDefined();
  expect(screen.queryByRole('log', { name: 'Conversation' })).toBeNull();
  await user.type(messageBox(), '/rewind 1{Enter}');
  const confirm = await screen.findByRole<HTMLButtonElement>('button', { name: 'Rewind' });
  await waitFor(() => expect(confirm.disabled).toBe(false));
  await user.click(confirm);
  expect(await screen.findByRole('log', { name: 'Conversation' })).toBeDefined();
  expect(screen.queryByRole('dialog')).toBeNull();
});
