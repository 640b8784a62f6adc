// The outside world of a test that must not reach it.
import type { Carrier, CarrierCallbacks, Texts } from '../../domain/calls/carrier.ts';
import type { Numbers } from '../../domain/calls/numbers.ts';

export function carrierThatMustNotRing(): Carrier & Texts {
  const refuse = () => Promise.reject(new Error('This test must not reach a carrier.'));
  return { name: 'none', placeCall: refuse, findCall: refuse, endCall: refuse, sendText: refuse };
}

export function numbersThatMustNotBeBought(): Numbers {
  const refuse = () => Promise.reject(new Error('This test must not reach a carrier.'));
  return {
    searchNumbers: refuse,
    buyNumber: refuse,
    findNumber: refuse,
    listNumbers: refuse,
    releaseNumber: refuse,
  };
}

export function callbacksThatMustNotCome(): CarrierCallbacks {
  const unreadable = () => ({ kind: 'unreadable' as const });
  return {
    readCall: unreadable,
    readMachineDetection: unreadable,
    readTextState: unreadable,
    readTextReceived: unreadable,
    readInboundCall: unreadable,
    answerInboundCall: () => Promise.reject(new Error('This test must not be called.')),
    verifyUpgrade: () => false,
  };
}
