// A person called us: greeted at once, taken for no machine, and asked for what they called about.
import { describe, expect, test } from 'vitest';
import { wordFixedLine } from '../../voice-gateway/fixed-lines.ts';
import { createMemoryDesk } from './support/memory-desk.ts';
import { MachineDriver } from './support/machine-driver.ts';

function answered(): MachineDriver {
  const call = new MachineDriver(600_000, 'inbound');
  call.happen({ kind: 'admitted', answeredBy: null });
  return call;
}

const longStory =
  'Hi there I am calling because somebody from your company left me a message yesterday about ' +
  'my roof and I could not come to the phone so please leave a message for them if you can';

describe('a call to us', () => {
  test('begins with the notice: whoever calls waits to be greeted', () => {
    const call = answered();
    expect(call.last('say')?.line).toBe('notice');
    expect(call.effects.map(({ kind }) => kind)).toEqual(['say']);
  });

  test('thanks for the call and discloses before anything else', () => {
    const { brief } = createMemoryDesk('token', { direction: 'inbound' });
    const notice = wordFixedLine('notice', brief);
    expect(notice).toMatch(/^Thanks for calling Summit Roofing\. I am its virtual AI assistant\./);
    expect(notice).toContain('This call is transcribed and may be recorded.');
    expect(notice).toContain("Say 'stop calling'");
    expect(notice).not.toContain('quote you asked for');
  });

  test('of somebody who talks on and on is not taken for an answering machine', () => {
    const call = answered();
    call.personSays(longStory, 12_000);
    call.happen({ kind: 'beep_heard' });
    call.happen({ kind: 'carrier_verdict', answeredBy: 'machine' });
    call.lineIsHeard();
    call.wait(2_000);
    expect(call.count('hang_up')).toBe(0);
    expect(call.count('think')).toBe(1);
  });

  test('of a machine that is called ends all the same', () => {
    const call = new MachineDriver();
    call.happen({ kind: 'admitted', answeredBy: null });
    call.personSays(longStory, 12_000);
    expect(call.count('hang_up')).toBe(1);
  });

  test('hears "stop calling" during the greeting', () => {
    const call = answered();
    call.personSays('Stop calling me.');
    expect(call.last('keep_opt_out')?.optOut.why).toBe('stop_calling');
  });

  test('of somebody who stays silent ends, and nobody was reached', () => {
    const call = answered();
    call.lineIsHeard();
    call.wait(600);
    call.replies('yes_no');
    call.replyIsHeard();
    call.wait(10_000);
    expect(call.count('hang_up')).toBe(1);
    call.happen({ kind: 'stream_ended', by: 'carrier' });
    expect(call.last('finish')?.facts).toMatchObject({
      answeredBy: 'nobody',
      talkStartedAtMs: null,
      personSpoke: false,
    });
  });

  test('that the caller ends before the notice was heard is told as it was', () => {
    const call = answered();
    call.wait(2_000);
    call.happen({ kind: 'stream_ended', by: 'person' });
    expect(call.last('finish')?.facts).toMatchObject({ endedBy: 'person', personSpoke: false });
  });

  test('is paid minute by minute once somebody spoke', () => {
    const call = answered();
    call.lineIsHeard();
    for (let turn = 0; turn < 11; turn += 1) {
      call.personSays('I need a new roof.', 2_500);
      call.wait(500);
      call.replies();
      call.replyIsHeard();
    }
    expect(call.count('report_person')).toBe(1);
    expect(call.count('extend_hold')).toBe(1);
  });
});
