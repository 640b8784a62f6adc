// Named SQL of the people of a workspace.
import type { Db } from '../../platform/db.ts';

export interface Member {
  readonly userId: string;
  readonly role: 'owner' | 'admin' | 'member';
}

export async function findMember(
  db: Db,
  workspaceId: string,
  email: string,
): Promise<Member | null> {
  const [member] = await db<Member[]>`
    select m.user_id, m.role from members m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId} and lower(u.email) = lower(${email})`;
  return member ?? null;
}
