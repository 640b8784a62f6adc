// `svc calendar` as it is typed, against a running database and a Google that answers.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { calendarCommand } from '../../cli/calendar.ts';
import { systemClock } from '../../platform/clock.ts';
import { createWorkspace, type TestWorkspace } from '../support/factories.ts';
import {
  googleCredentials,
  startGoogleServer,
  type GoogleServer,
} from '../support/google-server.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

let system: TestContext;
let google: GoogleServer;
let folder: string;
let workspace: TestWorkspace;

beforeAll(async () => {
  system = await createTestContext({ clock: systemClock() });
  google = await startGoogleServer();
  folder = await mkdtemp(join(tmpdir(), 'service-calendar-'));
  const environment = {
    DATA_DIR: folder,
    DATABASE_URL: system.databaseUrl,
    GOOGLE_BASE_URL: google.url,
    GOOGLE_CLIENT_ID: 'client',
    GOOGLE_CLIENT_SECRET: 'secret',
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  google.close();
  await system.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  workspace = await createWorkspace(system.ctx);
});

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** In this process, which takes a tenth of the time of one of its own. */
async function svc(...args: string[]): Promise<Run> {
  const said = { out: '', err: '' };
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said.out += String(text);
    return true;
  });
  const err = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said.err += String(text);
    return true;
  });
  try {
    const code = await calendarCommand([...args, '--workspace', workspace.id]);
    return { code, ...said };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

function svcProcess(...args: string[]): Promise<string> {
  const typed = ['cli/svc.ts', 'calendar', ...args, '--workspace', workspace.id];
  return new Promise((resolve) => {
    execFile(process.execPath, typed, (_error, out) => resolve(out));
  });
}

async function fileOf(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}
const shown = async () => JSON.parse((await svc('show')).out) as Record<string, unknown>;

describe('svc calendar', () => {
  it('shows the built-in calendar of a new workspace', async () => {
    expect(JSON.parse(await svcProcess('show'))).toMatchObject({
      connected: true,
      kind: 'built_in',
      timezone: 'America/New_York',
      noticeMinutes: 60,
      horizonDays: 14,
    });
  });

  it('changes the hours that are named and no others', async () => {
    const terms = ['--timezone', 'America/Chicago', '--after', '15', '--every', '30'];
    const { code } = await svc('hours', 'mon-fri=08:00-16:30', 'sun=closed', ...terms);
    expect(code).toBe(0);
    const weekdays = Array.from({ length: 5 }, () => ['08:00', '16:30']);
    expect(await shown()).toMatchObject({
      timezone: 'America/Chicago',
      openingHours: [null, ...weekdays, ['00:00', '24:00']],
      startEveryMinutes: 30,
      bufferBeforeMinutes: 0,
      bufferAfterMinutes: 15,
    });
  });

  it('names every wrong field, and changes nothing', async () => {
    const before = await shown();
    const wrong = await svc('hours', 'mon=17:00-09:00', '--timezone', '+05:00', '--horizon', '900');
    expect(wrong.code).toBe(1);
    for (const field of ['timezone', 'openingHours.1', 'horizonDays'])
      expect(wrong.err).toContain(`${field}: `);
    expect((await svc('hours', 'someday=09:00-17:00')).err).toContain('someday');
    expect(await shown()).toEqual(before);
  });

  it('connects Google once it has answered, and shows no credentials', async () => {
    const file = await fileOf('google.json', JSON.stringify(googleCredentials));
    const connected = await svc('connect', 'google', '--credentials', file);
    expect(connected).toMatchObject({ code: 0, out: expect.stringContaining('Connected') });
    expect(await shown()).toMatchObject({
      connected: true,
      kind: 'google',
      settings: { calendarId: 'primary' },
    });
    expect((await svc('show')).out).not.toContain('refresh');
    const [row] = await system.ctx.db<{ sealed: string }[]>`
      select credentials_sealed as sealed from calendars where workspace_id = ${workspace.id}`;
    expect(row?.sealed).not.toContain(googleCredentials.refresh_token);
  });

  it('keeps the old calendar when the new one does not answer, and repeats no secret', async () => {
    const revoked = await fileOf('revoked.json', '{"refresh_token": "no-longer-good"}');
    const refused = await svc('connect', 'google', '--credentials', revoked);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('access_revoked') });
    const broken = await svc(
      'connect',
      'google',
      '--credentials',
      await fileOf('key', 'secret-key'),
    );
    expect(broken).toMatchObject({ code: 1, err: expect.stringContaining('credentials: ') });
    expect(broken.err).not.toContain('secret-key');
    const wrong = ['connect', 'cal-com', '--event-type', 'x', '--credentials', revoked];
    expect((await svc(...wrong)).err).toContain('settings.eventTypeId: ');
    expect(await shown()).toMatchObject({ kind: 'built_in', connected: true });
  });

  it('tells how it is used', async () => {
    expect(await svc('nonsense')).toMatchObject({
      code: 2,
      err: expect.stringContaining('svc calendar connect google'),
    });
  });
});
