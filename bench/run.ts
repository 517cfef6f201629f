/** Runs benchmark cases side by side with their peers: `npm run bench -- [CASE...] [--json FILE]`. */

import { writeFile } from 'node:fs/promises';
import { arch, cpus, platform, release, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { BenchCase, Row, Spread } from './case.ts';
import { fiveWays } from './cases/five-ways.ts';
import { scan } from './cases/scan.ts';

const CASES: readonly BenchCase[] = [fiveWays, scan];

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'string' } },
  });
  const unknown = positionals.filter((name) => !CASES.some((one) => one.name === name));
  if (unknown.length > 0) {
    console.error(
      `There is no case ${unknown.join(', ')}. The cases are: ${CASES.map(({ name }) => name).join(', ')}.`,
    );
    return 2;
  }
  const chosen = positionals.length === 0 ? CASES : CASES.filter(({ name }) => positionals.includes(name));
  const results: { case: string; rows: readonly Row[] }[] = [];
  for (const benchCase of chosen) {
    console.log(`\n${benchCase.name}: ${benchCase.about}`);
    const rows = await benchCase.run((line) => console.log(line));
    printRows(rows);
    results.push({ case: benchCase.name, rows });
  }
  if (values.json !== undefined) {
    const file = resolve(process.env.INIT_CWD ?? process.cwd(), values.json);
    await writeFile(file, `${JSON.stringify({ machine: machine(), cases: results }, null, 2)}\n`);
  }
  return results.every(({ rows }) => rows.every(({ holds }) => holds)) ? 0 : 1;
}

function machine(): Record<string, string | number> {
  return {
    platform: `${platform()} ${release()}`,
    arch: arch(),
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryBytes: totalmem(),
    node: process.version,
  };
}

function printRows(rows: readonly Row[]): void {
  const table = rows.map((row) => [
    row.name,
    `ours ${format(row.ours)} ${row.unit}`,
    `${row.peer} ${format(row.peerValue)} ${row.unit}`,
    `ratio ${row.ratio.toFixed(2)}`,
    `must ${row.must}, goal ${row.goal}`,
    row.holds ? 'holds' : 'DOES NOT HOLD',
  ]);
  const widths = table.reduce<number[]>(
    (most, cells) => cells.map((cell, index) => Math.max(most[index] ?? 0, cell.length)),
    [],
  );
  for (const cells of table)
    console.log(
      `  ${cells
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd()}`,
    );
}

function format({ median, min, max }: Spread): string {
  const digits = median >= 100 ? 0 : median >= 10 ? 1 : 2;
  return min === max
    ? String(median)
    : `${median.toFixed(digits)} (${min.toFixed(digits)}-${max.toFixed(digits)})`;
}

process.exitCode = await main();
