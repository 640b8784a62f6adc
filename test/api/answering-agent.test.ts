// Which agent answers on a number is the workspace's to say, and only for its own numbers and agents.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setAnsweringAgent } from '../../domain/workspaces/set-answering-agent.ts';
import { systemClock } from '../../platform/clock.ts';
import { createWorkspace, type TestWorkspace } from '../support/factories.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

const phone = '+12125553001';
let system: TestContext;
let workspace: TestWorkspace;
let other: TestWorkspace;

beforeAll(async () => {
  system = await createTestContext({ clock: systemClock() });
  workspace = await createWorkspace(system.ctx, { callerNumber: phone });
  other = await createWorkspace(system.ctx, { callerNumber: '+12125553002' });
});
afterAll(() => system.close());

const set = (change: { phone?: string; agentId: string | null }) =>
  setAnsweringAgent(system.ctx, { workspaceId: workspace.id, phone, ...change });

async function answering() {
  const [row] = await system.ctx.db<{ agentId: string | null }[]>`
    select agent_id from caller_numbers where phone = ${phone}`;
  return row?.agentId;
}

describe('the agent of a number', () => {
  it('is set, and left to the workspace again', async () => {
    expect(await set({ agentId: workspace.agentId })).toBe('set');
    expect(await answering()).toBe(workspace.agentId);
    expect(await set({ agentId: null })).toBe('set');
    expect(await answering()).toBeNull();
  });

  it('of another workspace is not found, and nothing changes', async () => {
    expect(await set({ agentId: other.agentId })).toBe('agent_not_found');
    expect(await set({ phone: '+12125553002', agentId: workspace.agentId })).toBe(
      'number_not_found',
    );
    expect(await answering()).toBeNull();
  });
});
