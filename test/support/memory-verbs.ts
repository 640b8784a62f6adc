// Public verbs that live in memory, for tests of the edge alone.
import { Readable } from 'node:stream';
import { AppError } from '../../domain/app-error.ts';
import type { RecordingFile } from '../../domain/recordings/open-recording.ts';
import { orderExample } from '../../openapi/examples.ts';
import { leadAcceptedExample } from '../../openapi/lead-examples.ts';
import type { OrderListQuery } from '../../openapi/order-list.ts';
import type { OrderInput } from '../../openapi/orders.ts';
import { agentListExample, meExample, orderListExample } from '../../openapi/read-examples.ts';
import { getRecordingLink } from '../../openapi/recording-operations.ts';
import type { PublicVerbs } from '../../server/trpc/public-verbs.ts';

export const liveKey = 'svc_live_0123456789abcdef';
export const goodTriggerToken = 'good-trigger';
export const goodLinkToken = 'good-link';
export const recordingAudio = Buffer.from('octets that stand for an MP3');

export interface MemoryVerbsOptions {
  /** Filled with what reached the domain, in order. */
  readonly taken: { order: OrderInput; idempotencyKey: string | null }[];
  /** Filled with what lists were asked for. */
  readonly read: OrderListQuery[];
  /** What the next verb throws; null lets it work. */
  failure(): Error | null;
}

export function memoryVerbs(told: MemoryVerbsOptions): PublicVerbs {
  const { success: _, ...order } = orderExample;
  const idsByKey = new Map<string, string>();
  const failIfTold = () => {
    const failure = told.failure();
    if (failure) throw failure;
  };
  return {
    async authenticateKey(authorization) {
      if (authorization !== `Bearer ${liveKey}`) return null;
      return { keyId: 'key_1', workspaceId: 'wsp_1', mode: 'live' };
    },
    async acceptOrder(_key, input) {
      failIfTold();
      const known = input.idempotencyKey && idsByKey.get(input.idempotencyKey);
      const orderId = known || `ord_${told.taken.length + 1}`;
      if (input.idempotencyKey) idsByKey.set(input.idempotencyKey, orderId);
      told.taken.push(input);
      const accepted = { order_id: orderId, status: 'QUEUED', estimated_dial_seconds: 2 } as const;
      return { accepted: { success: true, ...accepted }, replayed: Boolean(known) };
    },
    async readOrder(_key, orderId) {
      failIfTold();
      return orderId === order.order_id ? order : null;
    },
    async openTriggerUrl(token) {
      if (token !== goodTriggerToken) throw new AppError('not_found');
      return { workspaceId: 'wsp_1', id: 'trg_1', agentId: 'agt_1', consentStatement: 'Agreed.' };
    },
    async acceptLead(_url, { test }) {
      failIfTold();
      return { ...leadAcceptedExample, test };
    },
    async takeRead() {},
    async listOrders(_key, query) {
      failIfTold();
      told.read.push(query);
      return orderListExample;
    },
    async readMe() {
      failIfTold();
      return meExample;
    },
    async listAgents() {
      failIfTold();
      return agentListExample;
    },
    readRecordingLink: (orderId, token) =>
      orderId === order.order_id && token === goodLinkToken ? 'wsp_1' : null,
    async openRecording(_workspaceId, orderId) {
      failIfTold();
      if (orderId !== order.order_id) throw new AppError('not_found');
      return memoryFile(recordingAudio);
    },
    async createRecordingLink() {
      failIfTold();
      return getRecordingLink.success.example;
    },
  };
}

function memoryFile(audio: Buffer): RecordingFile {
  return {
    sizeBytes: audio.length,
    etag: '"memory-1"',
    read: async (range) =>
      Readable.from([audio.subarray(range?.from ?? 0, (range?.to ?? audio.length) + 1)]),
    release: () => {},
  };
}
