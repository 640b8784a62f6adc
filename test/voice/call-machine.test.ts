import { describe, expect, test } from 'vitest';
import { advanceCall } from '../../voice-gateway/call-machine.ts';
import type { CallEffect } from '../../voice-gateway/machine/call-effect.ts';
import { newCall } from '../../voice-gateway/machine/call-state.ts';
import { inConversation, MachineDriver } from './support/machine-driver.ts';

function answered(): MachineDriver {
  const call = new MachineDriver();
  call.happen({ kind: 'admitted', answeredBy: null });
  return call;
}

function agentTalks(expects: 'words' | 'yes_no' = 'words'): MachineDriver {
  const call = inConversation();
  call.personSays('yes');
  call.wait(450);
  call.replies(expects);
  call.nowMs += 300;
  return call;
}

describe('the notice', () => {
  test('follows the hello of the person', () => {
    const call = answered();
    expect(call.personSays('Hello?')).toEqual([]);
    expect(call.wait(400)).toEqual(['keep_person_turn', 'say']);
    expect(call.last('say')?.line).toBe('notice');
  });

  test('does not wait for a person who says nothing', () => {
    const call = answered();
    expect(call.wait(1_000)).toEqual([]);
    expect(call.wait(200)).toEqual(['say']);
  });

  test('is not interrupted by talk, and the talk is answered afterwards', () => {
    const call = answered();
    call.wait(1_200);
    expect(call.personSays('Who is this?', 2_000)).toEqual([]);
    call.lineIsHeard();
    expect(call.wait(500)).toEqual(['keep_person_turn', 'think']);
  });

  test('is said again from its start when it was cut', () => {
    const call = answered();
    call.wait(1_200);
    const cutId = call.last('say')?.utteranceId ?? '';
    expect(call.happen({ kind: 'cut', utteranceId: cutId })).toEqual(['silence_speech', 'say']);
    expect(call.last('say')).toMatchObject({ line: 'notice' });
    expect(call.happen({ kind: 'played', utteranceId: cutId })).toEqual([]);
    expect(call.state.phase.kind).toBe('notice');
  });

  test('is not repeated for ever', () => {
    const call = answered();
    call.wait(1_200);
    for (let cuts = 0; cuts < 3; cuts += 1)
      call.happen({ kind: 'cut', utteranceId: call.last('say')?.utteranceId ?? '' });
    expect(call.count('hang_up')).toBe(1);
  });
});

describe('recording', () => {
  test('begins with the first speech after the notice, not with the notice', () => {
    const call = answered();
    call.wait(1_200);
    expect(call.lineIsHeard()).not.toContain('open_recording');
    call.wait(300);
    const started = call.happen({ kind: 'speech_started', agentRemainingMs: 0 });
    expect(started).toEqual(['open_recording']);
    expect(call.last('open_recording')?.firstSpeechAtMs).toBe(call.nowMs);
  });

  test('begins at the end of the notice for a person who still speaks then', () => {
    const call = answered();
    call.wait(1_200);
    call.happen({ kind: 'speech_started', agentRemainingMs: 3_000 });
    expect(call.lineIsHeard()).toEqual(['open_recording']);
  });

  test('stops and is deleted on an objection, which is acknowledged once', () => {
    const call = inConversation();
    expect(call.personSays("please don't record this call")).toContain('delete_recording');
    call.wait(500);
    expect(call.last('think')?.preface).toBe('recording_off');
    call.replies();
    call.replyIsHeard();
    call.personSays('do not record me');
    call.wait(500);
    expect(call.count('delete_recording')).toBe(1);
    expect(call.last('think')?.preface).toBeNull();
  });

  test('never begins after an objection to the notice', () => {
    const call = answered();
    call.wait(1_200);
    call.personSays('no recording please');
    call.lineIsHeard();
    call.personSays('okay then');
    call.happen({ kind: 'stream_ended', by: 'person' });
    expect(call.count('open_recording')).toBe(0);
    expect(call.last('finish')?.facts.recordingObjected).toBe(true);
  });
});

describe('"stop calling"', () => {
  test.each(['interim', 'final'] as const)('acts on %s words over the notice', (certainty) => {
    const call = answered();
    call.wait(1_200);
    const effects = call.hears(certainty, 'Stop calling me.');
    expect(effects).toEqual([
      'keep_person_turn',
      'abandon_reply',
      'silence_speech',
      'keep_opt_out',
    ]);
  });

  test('is written down before it is confirmed, and then the call ends', () => {
    const call = inConversation();
    call.personSays('take me off your list');
    expect(call.wait(2_000)).toEqual([]);
    expect(call.happen({ kind: 'opt_out_kept' })).toEqual(['say']);
    expect(call.last('say')?.line).toBe('stop_calling_goodbye');
    expect(call.lineIsHeard()).toContain('hang_up');
    call.happen({ kind: 'stream_ended', by: 'person' });
    expect(call.last('finish')?.facts).toMatchObject({
      optedOut: 'stop_calling',
      endedBy: 'agent',
    });
  });

  test('is tried again when it could not be written down', () => {
    const call = inConversation();
    call.personSays('stop calling me');
    call.happen({ kind: 'opt_out_failed' });
    expect(call.wait(500)).toEqual(['keep_opt_out']);
    expect(call.happen({ kind: 'opt_out_kept' })).toEqual(['say']);
  });

  test('is never confirmed when it could not be written down at all', () => {
    const call = inConversation();
    call.personSays('stop calling me');
    for (let tries = 0; tries < 4; tries += 1) {
      call.happen({ kind: 'opt_out_failed' });
      call.wait(2_000);
    }
    expect(call.last('say')?.line).toBe('technical_apology');
    call.happen({ kind: 'stream_ended', by: 'person' });
    expect(call.last('finish')?.facts).toMatchObject({
      optedOut: 'stop_calling',
      endedBy: 'own_fault',
    });
  });

  test('half said before hanging up still counts', () => {
    const call = inConversation();
    call.happen({ kind: 'speech_started', agentRemainingMs: 0 });
    call.hears('interim', "don't call me");
    expect(call.count('keep_opt_out')).toBe(0);
    call.happen({ kind: 'stream_ended', by: 'person' });
    expect(call.count('keep_opt_out')).toBe(1);
    expect(call.last('finish')?.facts).toMatchObject({
      optedOut: 'stop_calling',
      endedBy: 'person',
    });
  });

  test('over the goodbye takes the place of the goodbye', () => {
    const call = inConversation();
    call.personSays('yes I am');
    call.wait(500);
    call.replies('nothing', 'hang_up');
    call.hears('interim', 'and never call me again');
    expect(call.state.phase.kind).toBe('opting_out');
  });

  test('can be pressed: nine', () => {
    const call = answered();
    call.wait(1_200);
    expect(call.happen({ kind: 'digit_pressed', digit: '9' })).toContain('keep_opt_out');
  });
});

describe('taking turns', () => {
  test('a pause of half a second ends the turn of the person', () => {
    const call = inConversation();
    call.personSays('Yes I am');
    expect(call.wait(400)).toEqual([]);
    expect(call.wait(50)).toEqual(['keep_person_turn', 'report_person', 'think']);
  });

  test('digits may come with longer pauses', () => {
    const call = inConversation();
    call.personSays('yes');
    call.wait(450);
    call.replies('digits');
    call.replyIsHeard();
    call.personSays('five five five');
    expect(call.wait(1_100)).toEqual([]);
    call.personSays('zero one two');
    call.wait(1_200);
    expect(call.last('keep_person_turn')?.text).toBe('five five five zero one two');
  });

  test('a final text that comes after its turn joins the next one', () => {
    const call = inConversation();
    const fromMs = call.nowMs;
    call.personSays('yes');
    call.wait(450);
    const late = call.happen({
      kind: 'words_heard',
      certainty: 'final',
      text: 'I think so',
      fromMs,
      toMs: call.nowMs - 100,
    });
    expect(late).toEqual([]);
    call.replies();
    call.replyIsHeard();
    call.personSays('about twelve');
    call.wait(450);
    expect(call.last('keep_person_turn')?.text).toBe('I think so about twelve');
  });

  test('the final of interim words that were used does not count twice', () => {
    const call = inConversation();
    call.happen({ kind: 'speech_started', agentRemainingMs: 0 });
    call.nowMs += 600;
    call.hears('interim', 'yes I', call.nowMs - 500);
    call.happen({ kind: 'speech_ended', endedAtMs: call.nowMs });
    expect(call.wait(1_500)).toContain('think');
    expect(call.hears('final', 'Yes, I.', call.nowMs - 2_000)).toEqual([]);
    expect(call.state.pending.finals).toEqual([]);
  });

  test('a person who goes on talking takes the turn back', () => {
    const call = inConversation();
    call.personSays('Yes');
    call.wait(450);
    call.wait(100);
    expect(call.personSays('but my wife does too')).toEqual(['abandon_reply', 'silence_speech']);
    expect(call.wait(450)).toEqual(['keep_person_turn', 'think']);
  });
});

describe('talking over the agent', () => {
  test('pauses it at once and stops it with the first words', () => {
    const call = agentTalks();
    call.happen({ kind: 'speech_started', agentRemainingMs: 1_700 });
    expect(call.wait(250)).toEqual(['pause_speech']);
    expect(call.hears('interim', 'wait a second')).toEqual(['abandon_reply', 'silence_speech']);
  });

  test('a cough only makes it pause', () => {
    const call = agentTalks();
    call.happen({ kind: 'speech_started', agentRemainingMs: 1_700 });
    call.wait(300);
    call.happen({ kind: 'speech_ended', endedAtMs: call.nowMs });
    expect(call.wait(900)).toEqual([]);
    expect(call.wait(100)).toEqual(['resume_speech']);
  });

  test('a click does not even do that', () => {
    const call = agentTalks();
    call.happen({ kind: 'speech_started', agentRemainingMs: 1_700 });
    call.nowMs += 100;
    call.happen({ kind: 'speech_ended', endedAtMs: call.nowMs });
    expect(call.wait(500)).toEqual([]);
  });

  test('"uh-huh" lets it go on', () => {
    const call = agentTalks();
    call.happen({ kind: 'speech_started', agentRemainingMs: 1_700 });
    call.wait(300);
    expect(call.hears('interim', 'uh-huh')).toEqual([]);
    call.happen({ kind: 'speech_ended', endedAtMs: call.nowMs });
    expect(call.hears('final', 'Uh-huh.')).toEqual(['resume_speech']);
  });

  test('"yeah" on the last word of a yes/no question is its answer', () => {
    const call = agentTalks('yes_no');
    call.happen({ kind: 'speech_started', agentRemainingMs: 400 });
    call.wait(260);
    expect(call.hears('final', 'yeah')).toEqual(['abandon_reply', 'silence_speech']);
  });
});

describe('who picked up', () => {
  test('a greeting of voicemail silences the agent at once', () => {
    const call = answered();
    call.wait(1_200);
    const effects = call.hears('interim', 'please leave a message');
    expect(effects).toEqual(['abandon_reply', 'silence_speech', 'hang_up']);
    call.happen({ kind: 'stream_ended', by: 'person' });
    expect(call.last('finish')?.facts).toMatchObject({ answeredBy: 'machine', personSpoke: false });
  });

  test('so does a greeting of 25 words without a pause', () => {
    const call = answered();
    call.happen({ kind: 'speech_started', agentRemainingMs: 0 });
    const greeting = Array.from({ length: 25 }, () => 'word').join(' ');
    expect(call.hears('interim', greeting)).toContain('hang_up');
  });

  test('so does the beep', () => {
    const call = answered();
    call.wait(1_200);
    expect(call.happen({ kind: 'beep_heard' })).toContain('hang_up');
  });

  test('so does the verdict of the carrier', () => {
    const call = answered();
    call.wait(1_200);
    const effects = call.happen({ kind: 'carrier_verdict', answeredBy: 'machine' });
    expect(effects).toContain('hang_up');
  });

  test('nothing recorded of a machine is kept', () => {
    const call = answered();
    call.wait(1_200);
    call.lineIsHeard();
    call.happen({ kind: 'speech_started', agentRemainingMs: 0 });
    const effects = call.happen({ kind: 'carrier_verdict', answeredBy: 'machine' });
    expect(effects).toContain('delete_recording');
  });

  test('an unknown verdict is none', () => {
    const call = answered();
    expect(call.happen({ kind: 'carrier_verdict', answeredBy: 'unknown' })).toEqual([]);
  });

  test('a conversation outweighs a verdict that comes after it', () => {
    const call = inConversation();
    call.personSays('yes I am');
    call.wait(450);
    expect(call.happen({ kind: 'carrier_verdict', answeredBy: 'machine' })).toEqual([]);
    call.happen({ kind: 'stream_ended', by: 'person' });
    expect(call.last('finish')?.facts.answeredBy).toBe('person');
  });

  test('eight seconds without a sound after the notice: nobody', () => {
    const call = answered();
    call.wait(1_200);
    call.lineIsHeard();
    call.wait(600);
    call.replies();
    call.replyIsHeard();
    expect(call.wait(6_000)).toContain('hang_up');
    call.happen({ kind: 'stream_ended', by: 'person' });
    expect(call.last('finish')?.facts).toMatchObject({
      answeredBy: 'nobody',
      talkStartedAtMs: null,
    });
  });

  test('talk time runs from the first word of the person', () => {
    const call = answered();
    call.wait(700);
    call.personSays('Hello?');
    call.wait(400);
    call.lineIsHeard();
    call.happen({ kind: 'stream_ended', by: 'person' });
    expect(call.effects.map((effect) => effect.kind)).toContain('report_person');
    expect(call.last('finish')?.facts).toMatchObject({
      answeredBy: 'person',
      talkStartedAtMs: 700,
      talkEndedAtMs: call.nowMs,
    });
  });
});

describe('ends', () => {
  test('silence is asked about twice, then comes the goodbye', () => {
    const call = inConversation();
    expect(call.wait(7_000)).toEqual(['say']);
    call.lineIsHeard();
    expect(call.wait(7_000)).toEqual(['say']);
    call.lineIsHeard();
    call.wait(7_000);
    expect(call.last('say')?.line).toBe('no_response_goodbye');
    expect(call.lineIsHeard()).toContain('hang_up');
  });

  test('the last reply is heard to its end before the hang-up', () => {
    const call = inConversation();
    call.personSays('yes');
    call.wait(450);
    call.replies('nothing', 'hang_up');
    expect(call.personSays('okay bye', 500)).toEqual([]);
    expect(call.replyIsHeard()).toContain('hang_up');
  });

  test('a goodbye whose marks are lost ends two seconds after its audio', () => {
    const call = inConversation();
    call.personSays('yes');
    call.wait(450);
    call.replies('nothing', 'hang_up');
    expect(call.wait(3_900)).toEqual([]);
    expect(call.wait(100)).toContain('hang_up');
  });

  test('a hang-up that the carrier never confirms is reported after five seconds', () => {
    const call = answered();
    call.happen({ kind: 'beep_heard' });
    expect(call.wait(4_900)).toEqual([]);
    expect(call.wait(100)).toContain('finish');
  });

  test('each further minute is paid for before it starts', () => {
    const call = inConversation();
    call.personSays('yes');
    call.wait(450);
    call.replies();
    expect(call.count('extend_hold')).toBe(0);
    call.nowMs = 45_000;
    expect(call.happen({ kind: 'tick' })).toContain('extend_hold');
    call.happen({ kind: 'hold_extended' });
    call.nowMs = 104_000;
    call.happen({ kind: 'speech_started', agentRemainingMs: 0 });
    expect(call.count('extend_hold')).toBe(1);
    call.nowMs = 105_000;
    call.happen({ kind: 'tick' });
    expect(call.count('extend_hold')).toBe(2);
  });

  test('a minute that is not paid for never starts', () => {
    const call = inConversation();
    call.personSays('yes', 39_000);
    call.wait(450);
    call.replies();
    call.happen({ kind: 'hold_insufficient' });
    call.replyIsHeard();
    call.personSays('about twelve');
    call.wait(450);
    expect(call.last('think')?.wrapUp).toBe(true);
    call.nowMs = 53_000;
    call.happen({ kind: 'tick' });
    expect(call.last('say')?.line).toBe('out_of_time_goodbye');
    expect(call.lineIsHeard()).toContain('hang_up');
    expect(call.nowMs).toBeLessThan(60_000);
  });

  test('the longest call says goodbye in time, and ends in any case', () => {
    const call = inConversation(90_000);
    call.personSays('yes', 70_000);
    call.wait(450);
    expect(call.last('think')?.wrapUp).toBe(true);
    call.replies();
    call.nowMs = 82_000;
    call.happen({ kind: 'tick' });
    expect(call.last('say')?.line).toBe('out_of_time_goodbye');
    call.nowMs = 90_000;
    call.happen({ kind: 'tick' });
    expect(call.count('hang_up')).toBe(1);
  });

  test('a brain that fails leads to an apology and to our own fault', () => {
    const call = inConversation();
    call.personSays('yes');
    call.wait(450);
    call.happen({ kind: 'reply_failed', turnId: call.last('think')?.turnId ?? 0 });
    expect(call.last('say')?.line).toBe('technical_apology');
    call.lineIsHeard();
    call.happen({ kind: 'stream_ended', by: 'person' });
    expect(call.last('finish')?.facts.endedBy).toBe('own_fault');
  });

  test('a brain that never answers does, too', () => {
    const call = inConversation();
    call.personSays('yes');
    call.wait(450);
    call.wait(10_000);
    expect(call.last('say')?.line).toBe('technical_apology');
  });

  test('a voice that fails in the notice ends the call without a word', () => {
    const call = answered();
    call.wait(1_200);
    const utteranceId = call.last('say')?.utteranceId ?? '';
    expect(call.happen({ kind: 'voice_failed', utteranceId })).toContain('hang_up');
    expect(call.state.endedBy).toBe('own_fault');
  });
});

test('a recorded log of a whole call replays to the same effects', () => {
  const call = inConversation();
  call.personSays('yes I am');
  call.wait(450);
  call.replies('nothing', 'hang_up');
  call.replyIsHeard();
  call.happen({ kind: 'stream_ended', by: 'person' });
  let state = newCall(600_000);
  const replayed: CallEffect[] = [];
  for (const event of call.events) {
    const next = advanceCall(state, event);
    state = next.state;
    replayed.push(...next.effects);
  }
  expect(replayed).toEqual(call.effects);
  expect(state).toEqual(call.state);
});
