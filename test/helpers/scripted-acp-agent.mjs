/**
 * A program that speaks the agent protocol and misbehaves as it is told: its first argument says how it starts, the prompt what it does.
 * A process of its own, for tests of everything that an agent in the same process can't do; plain JavaScript, so that it starts fast.
 */

import { spawn } from 'node:child_process';
import { closeSync, writeFileSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { agent, ndJsonStream, RequestError } from '@agentclientprotocol/sdk';

const [, , start = ''] = process.argv;

if (start === 'exits') {
  process.stderr.write('scripted: settings are broken\n');
  process.exit(1);
}
if (start === 'banner') process.stdout.write('Welcome to scripted!\n\n[1, 2]\n');
if (start === 'wants-login') {
  process.stdout.write('Please log in first: scripted login\n');
  process.exit(41);
}

const forever = new Promise(() => undefined);
/** Keeps the process alive without any other work. */
const stayAlive = () => {
  setInterval(() => undefined, 1000);
  return forever;
};

/**
 * @param {string} prompt
 * @param {import('@agentclientprotocol/sdk').AgentContext} client
 * @param {string} sessionId
 */
async function doAs(prompt, client, sessionId) {
  /** @param {string} text */
  const say = (text) =>
    client.notify('session/update', {
      sessionId,
      update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
    });
  // The chat so far may stand before it.
  switch (prompt.trim().split(/\s/).at(-1)) {
    case 'hello':
      return say(`pid ${process.pid}`);
    case 'environment':
      return say(JSON.stringify({ cwd: process.cwd(), environment: process.env }));
    case 'crash':
      await say('working');
      process.stderr.write(`${'x'.repeat(5000)}\nscripted: out of memory\n`);
      return process.exit(3);
    case 'close-output':
      await say('working');
      closeSync(1);
      return stayAlive();
    case 'garbage':
      process.stdout.write('[DEBUG] a log line\n{"half a message\n\u0000\u0001 not json\n');
      await say('still here');
      return;
    case 'write':
      // By itself and without a question, as most agents do.
      writeFileSync('a.txt', 'by the agent\n');
      return say('written');
    case 'write-and-crash':
      writeFileSync('a.txt', 'by the agent\n');
      return process.exit(3);
    case 'hang':
      await say('working');
      return stayAlive();
    case 'family': {
      // A child that ignores the polite signal, and one that left for a session of its own.
      process.on('SIGTERM', () => undefined);
      const stubborn = spawn('/bin/sh', ['-c', 'trap "" TERM HUP; while :; do sleep 0.05; done']);
      const daemon = spawn('/bin/sh', ['-c', 'trap "" TERM HUP; while :; do sleep 0.05; done'], {
        detached: true,
        stdio: 'inherit',
      });
      return say(JSON.stringify([process.pid, stubborn.pid, daemon.pid]));
    }
    default:
      throw new Error(`There is no script for ${prompt}.`);
  }
}

const connection = agent({ name: 'scripted' })
  .onRequest('initialize', () =>
    start === 'silent' ? forever : { protocolVersion: start === 'newer' ? 99 : 1, agentCapabilities: {} },
  )
  .onRequest('session/new', () => {
    if (start === 'auth') throw new RequestError(-32000, 'Authentication required');
    return { sessionId: 'only' };
  })
  .onNotification('session/cancel', () => undefined)
  .onRequest('session/prompt', async ({ params, client }) => {
    const [block] = params.prompt;
    await doAs(block?.type === 'text' ? block.text : '', client, params.sessionId);
    return { stopReason: 'end_turn' };
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));

connection.signal.addEventListener('abort', () => process.exit(0));
