import { expect, test } from 'vitest';
import { createLogger } from '../../platform/log.ts';

function capture(level: string) {
  const lines: string[] = [];
  const log = createLogger({ level, process: 'jobs', sink: { write: (l) => void lines.push(l) } });
  return { log, lines, last: (): unknown => JSON.parse(lines.at(-1) ?? 'null') };
}

test('a line is one JSON object with level name, ISO time, process, fields and sentence', () => {
  const { log, lines, last } = capture('info');
  log.info({ attemptId: 'att_1' }, 'call ended');
  expect(last()).toMatchObject({
    level: 'info',
    process: 'jobs',
    pid: process.pid,
    attemptId: 'att_1',
    msg: 'call ended',
  });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/);
  expect(lines[0]?.endsWith('\n')).toBe(true);
});

test('lines below the level are not written', () => {
  const { log, lines } = capture('warn');
  log.info('quiet');
  expect(lines).toEqual([]);
});

test('credentials, phone numbers and bodies never reach a line', () => {
  const { log, lines } = capture('info');
  log.info({ phone: '+12025550101', token: 'hush', lead: { phone: '+12025550101' } }, 'a');
  log.info({ req: { headers: { authorization: 'Bearer hush' } }, authorization: 'hush' }, 'b');
  log.info({ delivery: { body: 'hush', secret: 'hush' }, transcript: ['hush'] }, 'c');
  log.info({ order: { lead: { phone: '+12025550101' } } }, 'd');
  expect(lines.join('')).not.toMatch(/hush|2025550101/);
  expect(lines.join('')).toContain('[redacted]');
});
