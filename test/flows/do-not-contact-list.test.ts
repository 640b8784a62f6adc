// The list as the people of a workspace keep it: who may lift what, files in and out, and why a number is on it.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addNumber } from '../../domain/do-not-contact/add-number.ts';
import { suppressNumber } from '../../domain/do-not-contact/do-not-contact-queries.ts';
import { explainNumber } from '../../domain/do-not-contact/explain-number.ts';
import { exportNumbers } from '../../domain/do-not-contact/export-numbers.ts';
import { importNumbers } from '../../domain/do-not-contact/import-numbers.ts';
import { listNumbers } from '../../domain/do-not-contact/list-numbers.ts';
import type { OptOutSource } from '../../domain/do-not-contact/opt-out.ts';
import { removeNumber } from '../../domain/do-not-contact/remove-number.ts';
import type { Member } from '../../domain/workspaces/member-queries.ts';
import { turnableClock } from '../../platform/clock.ts';
import { insertOwner } from '../../domain/workspaces/seed-queries.ts';
import { createWorkspace, type TestWorkspace } from '../support/factories.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

const phone = '+12125550123';
const clock = turnableClock(new Date('2026-11-23T15:00:00Z'));
let system: TestContext;
let workspace: TestWorkspace;

beforeAll(async () => {
  system = await createTestContext({ clock });
});
afterAll(() => system.close());
beforeEach(async () => {
  workspace = await createWorkspace(system.ctx);
});

const as = (role: Member['role']): Member => ({ userId: `usr_${role}`, role });
const list = (source: OptOutSource, number = phone) =>
  suppressNumber(system.ctx.db, { workspaceId: workspace.id, phone: number, source }, clock.now());
const remove = (role: Member['role'], typed = phone) =>
  removeNumber(system.ctx, workspace.id, { by: as(role), typed, reason: 'new consent' });

describe('removing', () => {
  it.each<[OptOutSource, Member['role'], string]>([
    ['said', 'owner', 'removed'],
    ['said', 'admin', 'kept'],
    ['said', 'member', 'kept'],
    ['text_reply', 'owner', 'removed'],
    ['text_reply', 'admin', 'kept'],
    ['carrier', 'admin', 'kept'],
    ['added', 'admin', 'removed'],
    ['added', 'member', 'kept'],
    ['wrong_number', 'admin', 'removed'],
  ])('what was listed as %s by an %s: %s', async (source, role, answer) => {
    await list(source);
    expect(await remove(role)).toBe(answer);
    const page = await listNumbers(system.ctx, workspace.id);
    expect(page.numbers).toHaveLength(answer === 'removed' ? 0 : 1);
  });

  it('says when there is nothing to remove', async () => {
    expect(await remove('owner')).toBe('not_listed');
    expect(await remove('owner', 'hello')).toBe('invalid_phone');
  });

  it('of ten at once, one removes', async () => {
    await list('added');
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove('owner')));
    expect(answers.filter((answer) => answer === 'removed')).toHaveLength(1);
  });
});

describe('the list', () => {
  it('goes on over its pages and is searched by any part of a number', async () => {
    const numbers = Array.from({ length: 7 }, (_, n) => `+1212555010${n}`);
    for (const number of numbers) await list('added', number);
    const first = await listNumbers(system.ctx, workspace.id, { limit: 4 });
    const rest = await listNumbers(system.ctx, workspace.id, { limit: 4, after: first.nextAfter });
    const found = [...first.numbers, ...rest.numbers].map((number) => number.phone);
    expect(found).toEqual(numbers);
    expect(rest.nextAfter).toBeNull();
    const search = await listNumbers(system.ctx, workspace.id, { search: '555-0103' });
    expect(search.numbers).toMatchObject([{ phone: '+12125550103' }]);
    expect((await listNumbers(system.ctx, workspace.id, { search: 'x' })).numbers).toEqual([]);
  });

  it('belongs to its workspace alone', async () => {
    await list('added');
    const other = await createWorkspace(system.ctx);
    expect((await listNumbers(system.ctx, other.id)).numbers).toEqual([]);
    expect(await explainNumber(system.ctx, other.id, phone)).toMatchObject({
      listed: null,
      entries: [],
    });
  });
});

describe('a file', () => {
  it('is imported line by line, again without effect, and comes back as an export', async () => {
    const lines = Array.from({ length: 1_200 }, (_, n) => `212 555 ${String(2_000 + n)}`);
    const file = { by: as('member'), text: [...lines, 'nobody'].join('\n'), reason: 'old list' };
    expect(await importNumbers(system.ctx, workspace.id, file)).toEqual({
      added: 1_200,
      listedBefore: 0,
      unreadableLines: [1_201],
    });
    expect(await importNumbers(system.ctx, workspace.id, file)).toMatchObject({
      added: 0,
      listedBefore: 1_200,
    });
    const parts: string[] = [];
    for await (const part of exportNumbers(system.ctx, workspace.id)) parts.push(part);
    const exported = parts.join('');
    expect(exported.split('\r\n')[1]).toBe(
      '+12125552000,added,2026-11-23T15:00:00.000Z,,usr_member,old list,',
    );
    const other = await createWorkspace(system.ctx);
    const again = { by: as('owner'), text: exported, reason: null };
    expect(await importNumbers(system.ctx, other.id, again)).toEqual({
      added: 1_200,
      listedBefore: 0,
      unreadableLines: [],
    });
  });

  it('imported twice at once lists each number once', async () => {
    const text = Array.from({ length: 300 }, (_, n) => `2125553${String(100 + n)}`);
    const by = as('owner');
    const answers = await Promise.all([
      importNumbers(system.ctx, workspace.id, { by, text: text.join('\n'), reason: null }),
      importNumbers(system.ctx, workspace.id, {
        by,
        text: text.toReversed().join('\n'),
        reason: null,
      }),
    ]);
    expect(answers.map(({ added }) => added).reduce((a, b) => a + b)).toBe(300);
  });
});

it('why a number cannot be called: every opt-out and lift with its time, words and member', async () => {
  const owner = { userId: `usr_${workspace.id}`, role: 'owner' } as const;
  const email = `${workspace.id}@example.com`;
  const passwordHash = 'none';
  const now = clock.now();
  const { id: workspaceId } = workspace;
  await insertOwner(system.ctx.db, { workspaceId, userId: owner.userId, email, passwordHash, now });
  await addNumber(system.ctx, workspace.id, { by: owner, typed: phone, reason: 'asked by mail' });
  await clock.turn(60_000);
  await removeNumber(system.ctx, workspace.id, { by: owner, typed: phone, reason: 'came back' });
  await clock.turn(60_000);
  const said = { workspaceId, phone, source: 'said', quote: 'stop calling', orderId: 'ord_1' };
  await suppressNumber(system.ctx.db, said as never, clock.now());
  const explained = await explainNumber(system.ctx, workspace.id, '(212) 555-0123');
  expect(explained?.listed).toMatchObject({ source: 'said', quote: 'stop calling' });
  expect(explained?.entries).toMatchObject([
    { kind: 'listed', what: 'added', by: email, reason: 'asked by mail', at: now },
    { kind: 'lifted', what: 'removed', by: email, reason: 'came back' },
    { kind: 'listed', what: 'said', quote: 'stop calling', orderId: 'ord_1', by: null },
  ]);
});
