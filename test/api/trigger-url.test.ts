// POST /v1/hooks/lead/{token} by status code, over real HTTP parsing and a real database.
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode } from '../../openapi/errors.ts';
import { systemClock } from '../../platform/clock.ts';
import { startServer } from '../../server/start-server.ts';
import { createAgent, createWorkspace, type TestWorkspace } from '../support/factories.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';
import { createTriggerUrl, postLead, type TestTriggerUrl } from '../support/trigger-url.ts';

const phone = '+12125550101';

let system: TestContext;
let server: Awaited<ReturnType<typeof startServer>>;
let workspace: TestWorkspace;
let url: TestTriggerUrl;

beforeAll(async () => {
  system = await createTestContext({ clock: systemClock() });
  server = await startServer(system.ctx, { port: 0 });
});
afterAll(async () => {
  await server.stop();
  await system.close();
});
beforeEach(async () => {
  workspace = await createWorkspace(system.ctx);
  url = await createTriggerUrl(system.ctx, workspace);
});

function post(body: Parameters<typeof postLead>[2], options?: Parameters<typeof postLead>[3]) {
  return postLead(server.port, url.token, body, options);
}

async function expectRefusal(
  error: ErrorCode,
  body: Parameters<typeof postLead>[2],
  options?: Parameters<typeof postLead>[3],
) {
  const answer = await post(body, options);
  expect(answer).toMatchObject({ status: ERRORS[error].status, body: { success: false, error } });
  return answer;
}

async function read(orderId: string | undefined) {
  const response = await fetch(`http://127.0.0.1:${server.port}/v1/orders/${orderId}`, {
    headers: { authorization: `Bearer ${workspace.liveKey}` },
  });
  return response.json();
}

async function countOrders() {
  const [row] = await system.ctx.db<{ count: number }[]>`
    select count(*)::int as count from orders where workspace_id = ${workspace.id}`;
  return row?.count;
}

async function confirmNumber(daysAgo: number) {
  await system.ctx.db`
    insert into confirmed_numbers
    values (${workspace.id}, ${phone}, now() - ${daysAgo} * interval '1 day')`;
}

describe('202', () => {
  it('makes a live order with the consent of the URL and no webhook URL of its own', async () => {
    const body = { phone: '(212) 555-0101', first_name: 'Ann', message: 'Roof quote' };
    const answer = await post(body);
    expect(answer).toMatchObject({
      status: 202,
      body: { success: true, status: 'QUEUED', duplicate: false, test: false },
    });
    expect(await read(answer.body.order_id)).toMatchObject({
      status: 'QUEUED',
      test: false,
      agent_id: workspace.agentId,
      lead: { phone, first_name: 'Ann', custom_context: 'Roof quote' },
      cadence: { max_attempts: 3, retry_interval_minutes: 60, send_sms_on_voicemail: true },
      consent: {
        opt_in_confirmed: true,
        consented_at: expect.stringMatching(/Z$/),
        source: expect.stringMatching(
          new RegExp(`^trigger_url:${url.id}: Every lead sent to this URL has agreed`),
        ),
      },
      webhook_url: null,
      external_reference_id: null,
    });
  });

  it('takes form fields', async () => {
    const answer = await post(new URLSearchParams({ phone: '212-555-0101', 'first name': 'Ann' }));
    expect(await read(answer.body.order_id)).toMatchObject({ lead: { phone, first_name: 'Ann' } });
  });

  it('takes the fields of a multipart form and skips its files', async () => {
    const form = new FormData();
    form.set('rawRequest', JSON.stringify({ q4_phone: { full: '(212) 555-0101' } }));
    form.set('phone', new Blob(['+13105550100']), 'phone.txt');
    const answer = await post(form);
    expect(await read(answer.body.order_id)).toMatchObject({ lead: { phone } });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', ';;;', ''])(
    'takes JSON whatever its Content-Type says (%j)',
    async (contentType) => {
      const bytes = new TextEncoder().encode(JSON.stringify({ phone }));
      expect((await post(bytes, { contentType })).status).toBe(202);
    },
  );

  it('takes a body of exactly 64 KB', async () => {
    const bare = JSON.stringify({ phone, padding: '' }).length;
    const body = JSON.stringify({ phone, padding: 'x'.repeat(65_536 - bare) });
    expect((await post(body)).status).toBe(202);
  });

  it('never dials a lead that marks itself as a test: the order is simulated', async () => {
    const lead = { user_column_data: [{ column_id: 'PHONE_NUMBER', string_value: phone }] };
    const answer = await post({ ...lead, is_test: true });
    expect(answer.body).toMatchObject({ test: true, duplicate: false });
    const [order] = await system.ctx.db`
      select test, simulated from orders where id = ${answer.body.order_id ?? ''}`;
    expect(order).toEqual({ test: true, simulated: true });
  });

  it('test=1 makes a test call to a number that was confirmed 90 days ago', async () => {
    await confirmNumber(89.9);
    const answer = await post({ phone }, { query: '?test=1' });
    expect(answer).toMatchObject({ status: 202, body: { test: true, duplicate: false } });
    const [order] = await system.ctx.db`
      select test, simulated, consent->>'source' as source from orders
      where id = ${answer.body.order_id ?? ''}`;
    expect(order).toMatchObject({ test: true, simulated: false });
    expect(order?.['source']).toMatch(/^test_lead:trg_/);
  });

  it('a test call that marks itself as a test is simulated all the same', async () => {
    const answer = await post({ phone, is_test: 'true' }, { query: '?test=1' });
    expect(answer).toMatchObject({ status: 202, body: { test: true } });
  });
});

describe('400', () => {
  it.each(['', 'phone', '{"phone":', '"text"', '12', 'null', '<phone/>'])(
    'invalid_body: %j',
    async (body) => {
      await expectRefusal('invalid_body', body, { contentType: 'application/json' });
    },
  );
  it('invalid_body: an empty form', async () => {
    await expectRefusal('invalid_body', '', { contentType: 'application/x-www-form-urlencoded' });
  });
  it('invalid_body: a form under another name', async () => {
    await expectRefusal('invalid_body', 'phone=2125550101', { contentType: 'text/plain' });
  });
  it('invalid_body: multipart without its boundary', async () => {
    await expectRefusal('invalid_body', '--x', { contentType: 'multipart/form-data' });
  });
  it('invalid_body: more than 64 KB, announced or not', async () => {
    const body = JSON.stringify({ phone, padding: 'x'.repeat(65_536) });
    await expectRefusal('invalid_body', body);
    const response = await fetch(`http://127.0.0.1:${server.port}/v1/hooks/lead/${url.token}`, {
      method: 'POST',
      body: new Blob([body]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(await response.json()).toMatchObject({ error: 'invalid_body' });
  });
  it('invalid_body: nested beyond any form', async () => {
    await expectRefusal('invalid_body', '['.repeat(30_000) + ']'.repeat(30_000));
  });
  it.each([
    [{ name: 'Ann' }],
    [{ company_phone: '+13105550100', fax: '+13105550101' }],
    [{}],
    [[]],
  ])('invalid_request: no phone number in %j', async (body) => {
    const { body: answer } = await expectRefusal('invalid_request', body);
    expect(answer.message).toContain('phone');
  });
  it('invalid_request: several leads in one body', async () => {
    await expectRefusal('invalid_request', [{ phone }, { phone: '+12125550102' }]);
  });
  it('invalid_request names a wrong value of test', async () => {
    const { body } = await expectRefusal('invalid_request', { phone }, { query: '?test=yes' });
    expect(body.message).toMatch(/^test: /);
    await expectRefusal('invalid_request', { phone }, { query: '?test=1&test=1' });
  });
  it.each(['hello', '', '+1911', '+12125554444 / +13105554444', '+12905550123'])(
    'invalid_phone: %j',
    async (unreadable) => {
      await expectRefusal('invalid_phone', { phone: unreadable });
    },
  );
});

describe('402', () => {
  it('insufficient_balance under $1.00', async () => {
    workspace = await createWorkspace(system.ctx, { balanceMicros: 999_999 });
    url = await createTriggerUrl(system.ctx, workspace);
    await expectRefusal('insufficient_balance', { phone });
  });
  it('plan_inactive', async () => {
    await system.ctx.db`update workspaces set plan_status = 'inactive' where id = ${workspace.id}`;
    await expectRefusal('plan_inactive', { phone });
  });
});

describe('403', () => {
  it('test_number_not_verified: a number that was never confirmed', async () => {
    await expectRefusal('test_number_not_verified', { phone }, { query: '?test=1' });
  });
  it('test_number_not_verified: confirmed more than 90 days ago', async () => {
    await confirmNumber(90.1);
    await expectRefusal('test_number_not_verified', { phone }, { query: '?test=1' });
    expect(await countOrders()).toBe(0);
  });
  it('test_number_not_verified: confirmed by another workspace', async () => {
    await confirmNumber(1);
    url = await createTriggerUrl(system.ctx, await createWorkspace(system.ctx));
    await expectRefusal('test_number_not_verified', { phone }, { query: '?test=1' });
  });
});

describe('404', () => {
  it('not_found: an unknown token, before anything else is looked at', async () => {
    url = { ...url, token: 'unknown' };
    const body = JSON.stringify({ padding: 'x'.repeat(70_000) });
    await expectRefusal('not_found', body, { query: '?test=yes' });
  });
  it('not_found: the URL is switched off', async () => {
    await system.ctx.db`update trigger_urls set active = false where id = ${url.id}`;
    await expectRefusal('not_found', { phone });
  });
  it('not_found: its agent is switched off', async () => {
    const agentId = await createAgent(system.ctx, workspace.id, { active: false });
    url = await createTriggerUrl(system.ctx, workspace, agentId);
    await expectRefusal('not_found', { phone });
  });
  it('a URL that is off counts no leads', async () => {
    await system.ctx.db`update trigger_urls set active = false where id = ${url.id}`;
    for (let lead = 0; lead < 61; lead++) await expectRefusal('not_found', { phone });
  });
});

it('405: GET is not accepted', async () => {
  const response = await fetch(`http://127.0.0.1:${server.port}/v1/hooks/lead/${url.token}`);
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('POST');
});

describe('409', () => {
  it('agent_not_published', async () => {
    const agentId = await createAgent(system.ctx, workspace.id, { published: false });
    url = await createTriggerUrl(system.ctx, workspace, agentId);
    await expectRefusal('agent_not_published', { phone });
  });
  it('do_not_contact, for test calls too', async () => {
    await confirmNumber(1);
    await system.ctx
      .db`select suppress_number(${workspace.id}, ${phone}, 'added', null, null, now())`;
    await expectRefusal('do_not_contact', { phone });
    await expectRefusal('do_not_contact', { phone }, { query: '?test=1' });
  });
});

it.each(['+14165550123', '011 44 20 7183 8750', '787-555-0123'])(
  '422 unsupported_destination: %s',
  async (elsewhere) => {
    await expectRefusal('unsupported_destination', { phone: elsewhere });
  },
);

describe('429', () => {
  it('rate_limited: more than 60 leads in a minute to this URL, refused ones included', async () => {
    const other = await createTriggerUrl(system.ctx, workspace);
    for (let lead = 0; lead < 60; lead++) await expectRefusal('invalid_request', { lead });
    const { headers } = await expectRefusal('rate_limited', 'not even a body');
    expect(headers.get('retry-after')).toBe('60');
    expect((await postLead(server.port, other.token, { phone })).status).toBe(202);
  });
  it('holds over several server processes', async () => {
    const second = await startServer(system.ctx, { port: 0 });
    try {
      const ports = Array.from({ length: 80 }, (_, lead) => (lead % 2 ? second : server).port);
      const answers = await Promise.all(
        ports.map((port, lead) => postLead(port, url.token, { phone, lead })),
      );
      expect(answers.filter(({ status }) => status === 202)).toHaveLength(60);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
    } finally {
      await second.stop();
    }
  });
  it('rate_limited: simulated leads count as test orders', async () => {
    await system.ctx.db`
      insert into orders (workspace_id, id, test, agent_id, agent_version, status, phone,
        max_attempts, retry_interval_minutes, send_sms_on_voicemail, consent,
        estimated_dial_seconds, next_dial_at, created_at, updated_at)
      select ${workspace.id}, 'ord_' || n, true, ${workspace.agentId}, 1, 'QUEUED', ${phone}, 3, 60,
        true, '{}', 1, now() + interval '1 day', now(), now() from generate_series(1, 500) n`;
    await expectRefusal('rate_limited', { phone, is_test: true });
    expect((await post({ phone })).status).toBe(202);
  });
});

describe('503', () => {
  it.each([
    ['suppression_unavailable', 'do_not_contact'],
    ['wallet_unavailable', 'wallets'],
    ['unavailable', 'trigger_urls'],
    ['unavailable', 'trigger_leads'],
  ] as const)('%s: no order is taken while %s cannot be read', async (error, table) => {
    const { db } = system.ctx;
    await db`alter table ${db(table)} rename to table_away`;
    try {
      await expectRefusal(error, { phone });
    } finally {
      await db`alter table table_away rename to ${db(table)}`;
    }
    expect(await countOrders()).toBe(0);
    expect((await post({ phone })).status).toBe(202);
  });
});

describe('whatever is posted', () => {
  /** Every try has a URL of its own where the limit of leads would end the tries. */
  async function expectBelow500(
    bodies: fc.Arbitrary<Parameters<typeof postLead>[2]>,
    contentType?: string,
  ) {
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        await system.ctx.db`truncate rate_windows`;
        const answer = await post(body, contentType === undefined ? {} : { contentType });
        expect(answer.status).toBeLessThan(500);
      }),
      { numRuns: 150 },
    );
  }
  const phones = fc.oneof(fc.string({ unit: 'binary' }), fc.constant(phone), fc.double());

  it('any JSON gets a documented answer below 500', async () => {
    await expectBelow500(
      fc.json().map((text) => text),
      'application/json',
    );
  });
  it('any value in known fields gets a documented answer below 500', async () => {
    const keys = fc.constantFrom('phone', 'name', 'first_name', 'message', '__proto__', 'is_test');
    const fields = fc.dictionary(keys, fc.oneof(phones, fc.jsonValue()));
    await expectBelow500(fields.map((lead) => ({ phone, ...lead })));
  });
  it('any form gets a documented answer below 500', async () => {
    const forms = fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.string()), { minLength: 1 });
    await expectBelow500(forms.map((pairs) => new URLSearchParams([['phone', phone], ...pairs])));
  });
  it('any bytes, as a form, as multipart or as JSON, get a documented answer below 500', async () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 400 });
    await expectBelow500(bytes, 'application/x-www-form-urlencoded');
    await expectBelow500(bytes, 'multipart/form-data; boundary=x');
    await expectBelow500(bytes, 'application/json');
  });
  it('any multipart form gets a documented answer below 500', async () => {
    const forms = fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.string()));
    await expectBelow500(
      forms.map((pairs) => {
        const form = new FormData();
        form.set('phone', phone);
        for (const [name, value] of pairs) form.append(name, value);
        return form;
      }),
    );
  });
});
