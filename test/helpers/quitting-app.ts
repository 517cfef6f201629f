/** A program that runs a command, and quits in the middle of it when it is told to. Words: the folder, the command. */

import { text } from 'node:stream/consumers';
import { runCommand } from '../../electron/workspace/command/run-command.ts';

const [root = '', command = ''] = process.argv.slice(2);
void runCommand({ root, command, environment: process.env });
await text(process.stdin);
process.exit(0);
