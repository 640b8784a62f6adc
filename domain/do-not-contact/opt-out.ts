// Where an opt-out comes from, and who may lift it. Pure.
import type { Member } from '../workspaces/member-queries.ts';

/** `said` and `wrong_number` on a call or in a text; `carrier`: it knew of a STOP reply before us. */
export type OptOutSource = 'said' | 'wrong_number' | 'text_reply' | 'added' | 'carrier';

const wishesOfThePerson: readonly OptOutSource[] = ['said', 'text_reply', 'carrier'];
const madeByTheBusiness: readonly OptOutSource[] = ['added', 'wrong_number'];

/** What a person asked for is lifted by an owner alone; a member lifts nothing. */
export function liftableBy(role: Member['role']): readonly OptOutSource[] {
  switch (role) {
    case 'owner':
      return [...wishesOfThePerson, ...madeByTheBusiness];
    case 'admin':
      return madeByTheBusiness;
    case 'member':
      return [];
  }
}
