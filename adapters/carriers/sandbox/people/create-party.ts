// Brings a person to the phone.
import { startMachine } from './answering-machine.ts';
import type { Party, Phone } from './party.ts';
import type { Person } from './person.ts';
import { TalkingPerson } from './talking-person.ts';
import { mulawBytesPerMs, mulawSilence } from '../../../../platform/mulaw.ts';
import { frameMs } from '../line/ticker.ts';

export function createParty(person: Person, phone: Phone): Party {
  const { behaviour } = person;
  switch (behaviour.kind) {
    case 'talks':
      return new TalkingPerson(behaviour, phone);
    case 'machine':
      return startMachine(behaviour, phone);
    case 'hangs_up':
      return hangUpAfter(behaviour.afterMs, phone);
  }
}

function hangUpAfter(afterMs: number, phone: Phone): Party {
  const silence = new Uint8Array(frameMs * mulawBytesPerMs).fill(mulawSilence);
  return {
    exchange(_heard, atMs) {
      if (atMs >= afterMs) phone.hangUp();
      return silence;
    },
    leave() {},
  };
}
